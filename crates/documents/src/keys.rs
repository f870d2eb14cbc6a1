//! The form of a document as one table of keys: checked here in one walk, and turned into a JSON Schema elsewhere.
//!
//! A tree and a block in, findings out: unknown keys with the nearest known one, missing keys, wrong types, keys that
//! this version does not apply yet; whatever is wrong inside those is a warning, because nothing depends on it. What a
//! value means is for the reader of the block to judge.

use super::findings::{Finding, Findings};
use super::node_cursor::{NodeCursor, described, shortened};
use super::{DocumentNode, NodeValue, synonyms};

/// A map with fixed keys.
#[derive(Debug)]
pub struct KeyBlock {
    /// Its name in the JSON Schema.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// Its keys.
    pub keys: &'static [KeySpec],
}

/// One key of a block.
#[derive(Debug)]
pub struct KeySpec {
    /// The key.
    pub name: &'static str,
    /// What its value looks like.
    pub form: ValueForm,
    /// What it is for.
    pub about: &'static str,
    /// Whether it must be there.
    pub presence: KeyPresence,
    /// Whether this version does what it says.
    pub applied: bool,
}

/// Whether a key must be there.
#[derive(Debug, Clone, Copy)]
pub enum KeyPresence {
    /// It may be left out.
    Optional,
    /// It must be there; the message says so when it is not.
    Required(&'static str),
    /// It must be there when the rest of its block says so; the message says so when it is not.
    RequiredWhen(fn(&DocumentNode) -> bool, &'static str),
}

impl KeyPresence {
    /// The message for when it is missing, if it must be there.
    fn missing(&self, block: &DocumentNode) -> Option<&'static str> {
        match self {
            KeyPresence::Optional => None,
            KeyPresence::Required(missing) => Some(missing),
            KeyPresence::RequiredWhen(is_required, missing) => is_required(block).then_some(*missing),
        }
    }
}

/// What a value looks like.
#[derive(Debug)]
pub enum ValueForm {
    /// Anything.
    Any,
    /// Text.
    Text,
    /// Text with something in it.
    Filled,
    /// Text that matches this pattern; only the JSON Schema holds it against the text.
    Like(&'static str),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// The name of something from a closed set that the program has built in.
    Plugin(&'static [&'static str]),
    /// True or false.
    Flag,
    /// A whole number in a range.
    Whole(i64, i64),
    /// A number.
    Number,
    /// A list.
    List(&'static ValueForm),
    /// A map with keys of the author's choice.
    Map(&'static ValueForm),
    /// A map with fixed keys.
    Block(&'static KeyBlock),
    /// Any of these; told apart by their JSON types.
    Either(&'static [ValueForm]),
}

impl KeyBlock {
    /// A block without keys.
    pub const fn new(name: &'static str, about: &'static str) -> KeyBlock {
        KeyBlock { name, about, keys: &[] }
    }

    /// The block with these keys.
    pub const fn keys(self, keys: &'static [KeySpec]) -> KeyBlock {
        KeyBlock { keys, ..self }
    }
}

/// A key that may be left out.
pub const fn optional(name: &'static str, form: ValueForm, about: &'static str) -> KeySpec {
    KeySpec { name, form, about, presence: KeyPresence::Optional, applied: true }
}

/// A key that must be there, with the message for when it is not.
pub const fn required(
    name: &'static str,
    form: ValueForm,
    about: &'static str,
    missing: &'static str,
) -> KeySpec {
    KeySpec { name, form, about, presence: KeyPresence::Required(missing), applied: true }
}

/// A key that must be there when the rest of its block says so, with the message for when it is not.
pub const fn required_when(
    name: &'static str,
    form: ValueForm,
    about: &'static str,
    is_required: fn(&DocumentNode) -> bool,
    missing: &'static str,
) -> KeySpec {
    let presence = KeyPresence::RequiredWhen(is_required, missing);
    KeySpec { name, form, about, presence, applied: true }
}

/// A key that this version reads but does not apply.
pub const fn not_applied(name: &'static str, form: ValueForm, about: &'static str) -> KeySpec {
    KeySpec { name, form, about, presence: KeyPresence::Optional, applied: false }
}

/// Holds a whole tree against a block.
pub fn check(block: &'static KeyBlock, at: &NodeCursor<'_>, found: &mut Findings<'_>) {
    check_block(block, at, SilentFindings::No, found);
}

/// Whether a place is inside of a key that is not applied. Such keys are spoken of once, and refuse nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SilentFindings {
    No,
    Yes,
}

impl SilentFindings {
    fn add(self, finding: Finding, found: &mut Findings<'_>) {
        found.add(if self == SilentFindings::Yes { finding.softened() } else { finding });
    }
}

fn check_block(
    block: &'static KeyBlock,
    at: &NodeCursor<'_>,
    quiet: SilentFindings,
    found: &mut Findings<'_>,
) {
    if !matches!(at.node.value, NodeValue::Map(_)) {
        quiet.add(wrong_type(at, &ValueForm::Block(block)), found);
        return;
    }
    for (entry, value) in at.entries() {
        let Some(key) = block.keys.iter().find(|key| key.name == entry.key) else {
            let known = block.keys.iter().map(|key| key.name);
            let hint =
                synonyms::of_key(block.name, &entry.key).or_else(|| found.nearest(&entry.key, known.clone()));
            let message = format!("Unknown key '{}'", shortened(&entry.key, 60));
            let finding = value
                .error("UNKNOWN_KEY", message)
                .on_key(entry)
                .expected(format!("one of {}", known.collect::<Vec<_>>().join(", ")))
                .maybe_hint(hint);
            quiet.add(finding, found);
            continue;
        };
        let mut quiet = quiet;
        if !key.applied && quiet == SilentFindings::No {
            let message = format!("'{}' is not applied by this version", key.name);
            value.warning("NOT_YET_SUPPORTED", message).on_key(entry).add_to(found);
            quiet = SilentFindings::Yes;
        }
        if value.node.value == NodeValue::Null {
            let finding = match key.presence.missing(at.node) {
                Some(missing) => {
                    value.error("MISSING_KEY", missing).expected(expectation(&key.form)).received("null")
                }
                None if takes_null(&key.form) => continue,
                None => wrong_type(&value, &key.form),
            };
            let in_comment = found.has_comment_after(entry.line, &entry.key);
            let hint = in_comment.then(|| "'#' begins a comment: put the text in quotes".to_owned());
            quiet.add(finding.maybe_hint(hint), found);
            continue;
        }
        check_form(&key.form, &value, quiet, found);
    }
    for key in block.keys {
        if let Some(missing) = key.presence.missing(at.node)
            && at.node.get(key.name).is_none()
        {
            quiet.add(at.missing_key(key.name, missing).expected(expectation(&key.form)), found);
        }
    }
}

/// A key with nothing after it is an empty list or map; a plain value has to be written.
pub fn takes_null(form: &ValueForm) -> bool {
    match form {
        ValueForm::Any | ValueForm::List(_) | ValueForm::Map(_) | ValueForm::Block(_) => true,
        ValueForm::Either(forms) => forms.iter().any(takes_null),
        _ => false,
    }
}

fn check_form(form: &ValueForm, at: &NodeCursor<'_>, quiet: SilentFindings, found: &mut Findings<'_>) {
    if !suits(form, at.node) {
        return quiet.add(wrong_type(at, form), found);
    }
    match (form, &at.node.value) {
        (ValueForm::Filled, NodeValue::String(text)) if text.trim().is_empty() => {
            let finding = at.error("INVALID_VALUE", "This text is empty");
            quiet.add(finding.expected(expectation(form)).received("\"\""), found);
        }
        (ValueForm::OneOf(words), NodeValue::String(text)) if !words.contains(&text.as_str()) => {
            let hint = found.misspelt(text, words.iter().copied());
            quiet.add(not_allowed(at, form).maybe_hint(hint), found);
        }
        (ValueForm::Plugin(known), NodeValue::String(name)) if !known.contains(&name.as_str()) => {
            let hint =
                synonyms::of_plugin(&at.path, name).or_else(|| found.nearest(name, known.iter().copied()));
            let key = at.path.rsplit('.').next().unwrap_or_default();
            let message = format!("There is no {key} named '{}'", shortened(name, 60));
            let finding = at.error("PLUGIN_NOT_FOUND", message);
            let finding = finding.expected(expectation(form)).received(described(at.node));
            quiet.add(finding.maybe_hint(hint), found);
        }
        (ValueForm::Whole(least, most), NodeValue::Integer(number)) if !(*least..=*most).contains(number) => {
            quiet.add(not_allowed(at, form), found);
        }
        (ValueForm::List(element), _) => {
            at.elements().for_each(|each| check_form(element, &each, quiet, found));
        }
        (ValueForm::Map(value), _) => {
            at.entries().for_each(|(_, each)| check_form(value, &each, quiet, found));
        }
        (ValueForm::Block(block), _) => check_block(block, at, quiet, found),
        (ValueForm::Either(forms), _) => {
            if let Some(suited) = forms.iter().find(|each| suits(each, at.node)) {
                check_form(suited, at, quiet, found);
            }
        }
        _ => {}
    }
}

/// True when the JSON type fits, whatever the content.
fn suits(form: &ValueForm, node: &DocumentNode) -> bool {
    match (form, &node.value) {
        (ValueForm::Either(forms), _) => forms.iter().any(|each| suits(each, node)),
        (ValueForm::Any, _)
        | (ValueForm::Flag, NodeValue::Bool(_))
        | (ValueForm::Whole(..) | ValueForm::Number, NodeValue::Integer(_))
        | (ValueForm::Number, NodeValue::Float(_))
        | (ValueForm::List(_), NodeValue::List(_))
        | (ValueForm::Map(_) | ValueForm::Block(_), NodeValue::Map(_)) => true,
        (form, NodeValue::String(_)) => is_text(form),
        _ => false,
    }
}

fn is_text(form: &ValueForm) -> bool {
    use ValueForm::{Filled, Like, OneOf, Plugin, Text};
    matches!(form, Text | Filled | Like(_) | OneOf(_) | Plugin(_))
}

fn wrong_type(at: &NodeCursor<'_>, form: &ValueForm) -> Finding {
    let hint = match (form, &at.node.value) {
        (form, NodeValue::Bool(_) | NodeValue::Integer(_) | NodeValue::Float(_)) if is_text(form) => {
            Some("put the value in quotes".to_owned())
        }
        (ValueForm::Flag, NodeValue::String(_)) => Some("write true or false, without quotes".to_owned()),
        (ValueForm::Whole(..) | ValueForm::Number, NodeValue::String(text)) => number_advice(text),
        (ValueForm::List(_), _) => Some("write a list: one '- ' line for each element".to_owned()),
        _ => None,
    };
    at.error("WRONG_TYPE", "The value has the wrong type")
        .expected(expectation(form))
        .received(described(at.node))
        .maybe_hint(hint)
}

/// What to do about a text in the place of a number. Numbers without end come as text, quoted or not.
fn number_advice(text: &str) -> Option<String> {
    // YAML writes a dot before the words that Rust reads without one.
    let number: f64 = text.to_lowercase().replace(".nan", "nan").replace(".inf", "inf").parse().ok()?;
    let advice = if number.is_finite() { "write the number without quotes" } else { "write a finite number" };
    Some(advice.to_owned())
}

fn not_allowed(at: &NodeCursor<'_>, form: &ValueForm) -> Finding {
    at.error("INVALID_VALUE", "This value is not allowed")
        .expected(expectation(form))
        .received(described(at.node))
}

/// What would be right, in words.
pub fn expectation(form: &ValueForm) -> String {
    match form {
        ValueForm::Any => "a value".to_owned(),
        ValueForm::Text => "string".to_owned(),
        ValueForm::Filled | ValueForm::Like(_) => "non-empty string".to_owned(),
        ValueForm::OneOf([word]) => (*word).to_owned(),
        ValueForm::OneOf(words) => format!("one of {}", words.join(", ")),
        ValueForm::Plugin(known) => known.join(" or "),
        ValueForm::Flag => "true or false".to_owned(),
        ValueForm::Whole(least, i64::MAX) => format!("a whole number, {least} or more"),
        ValueForm::Whole(least, most) => format!("a whole number from {least} to {most}"),
        ValueForm::Number => "a number".to_owned(),
        ValueForm::List(_) => "a list".to_owned(),
        ValueForm::Map(_) | ValueForm::Block(_) => "a map".to_owned(),
        ValueForm::Either(forms) => forms.iter().map(expectation).collect::<Vec<_>>().join(" or "),
    }
}

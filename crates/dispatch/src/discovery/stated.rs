//! The values that a request states for parameters of an operation, so that an example of it is the call that is meant.
//!
//! A request and an operation in; values by the names of parameters out. Only what clearly stands there is taken: a pair such as
//! `octocat/hello-world` for neighbours in the path, what follows the noun of a parameter, addresses, what is in quotes, and
//! the words of an enum. Nothing is made up, and every value passes the check of its parameter.

mod request_words;

use aqueduct_operations::naming::words;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::check::of_param;
use aqueduct_operations::params::format::Format;
use aqueduct_operations::params::{Param, ParamLocation, ValueKind};
pub(super) use request_words::stem;
use request_words::{RequestWord, request_words};
use serde_json::{Map, Value, json};

/// Two words with a stroke between them that are no pair of names.
const ALTERNATIVES: &[&str] = &["and/or", "on/off", "yes/no", "read/write", "his/her", "he/she", "n/a"];
/// Words of a parameter's name that do not say what it is about.
const PLAIN: &[&str] = &["id", "number", "name", "no", "key", "slug", "ref", "sha", "uuid"];
/// Words between a noun and its value.
const BETWEEN: &[&str] = &[
    "number", "no", "id", "with", "the", "to", "of", "is", "as", "by", "a", "an", "named", "called",
    "titled", "name",
];
/// Parameters that words before a quotation speak of.
const LEADS: &[(&[&str], &[&str])] = &[
    (&["named", "called", "name"], &["name", "title", "display_name"]),
    (&["titled", "title"], &["title", "name", "summary"]),
    (&["saying", "says", "reading", "reply", "comment"], &["body", "message", "text", "content", "comment"]),
    (&["for", "about", "containing", "matching", "mentioning"], &["q", "query", "search", "keyword", "term"]),
];
/// Values of an enum that are also said without meaning them.
const VAGUE: &[&str] = &["all", "any", "none", "other", "default", "auto"];
const NEGATIONS: &[&str] = &["not", "no", "non", "without", "never"];

/// The values that a request states.
pub(crate) fn stated(request: &str, operation: &Operation) -> Map<String, Value> {
    let words = request_words(request);
    let mut found = StatedValues { operation, path: placeholders(operation), values: Map::new() };
    found.pairs(&words);
    for at in 0..words.len() {
        found.address(&words[at]);
        found.after_noun(&words[..at], &words[at]);
    }
    found.quotations(&words);
    for param in operation.params.iter().filter(|param| !param.sensitive) {
        found.enum_value(param, &words);
        found.flag(param, &words);
    }
    found.values
}

/// The names in the path, each with the segment before it.
fn placeholders(operation: &Operation) -> Vec<(String, String)> {
    let path = operation.path_text();
    let segments: Vec<&str> = path.split('?').next().unwrap_or_default().split('/').collect();
    let name = |segment: &str| Some(segment.strip_prefix('{')?.strip_suffix('}')?.to_owned());
    let before = |at: usize| at.checked_sub(1).map_or("", |at| segments[at]).to_owned();
    segments.iter().enumerate().filter_map(|(at, segment)| Some((name(segment)?, before(at)))).collect()
}

/// What was found so far.
struct StatedValues<'o> {
    operation: &'o Operation,
    path: Vec<(String, String)>,
    values: Map<String, Value>,
}

impl<'o> StatedValues<'o> {
    /// The parameters that have no value yet; required ones first.
    fn open(&self) -> Vec<&'o Param> {
        let is_open = |param: &&Param| !param.sensitive && !self.values.contains_key(&param.name);
        let mut open: Vec<&Param> = self.operation.params.iter().filter(is_open).collect();
        open.sort_by_key(|param| !param.required);
        open
    }

    /// Takes a text for a parameter, as a number, a text or the only item of a list, whichever it accepts.
    fn take(&mut self, param: &Param, text: &str) -> bool {
        let number = text.parse::<i64>().ok().map(Value::from);
        let candidates = number.into_iter().chain([json!(text), json!([text])]);
        let fitting = candidates.into_iter().find(|value| of_param(param, value).is_empty());
        let is_taken = fitting.is_some();
        self.values.extend(fitting.map(|value| (param.name.clone(), value)));
        is_taken
    }

    fn param_in_path(&self, name: &str) -> Option<&'o Param> {
        let params = &self.operation.params;
        params.iter().find(|param| {
            param.place == ParamLocation::Path && (param.name == name || param.upstream_name == name)
        })
    }

    /// `octocat/hello-world`, perhaps with `#5` behind it, for names that follow each other in the path.
    fn pairs(&mut self, words: &[RequestWord]) {
        let is_name = |text: &str| {
            text.chars().any(char::is_alphanumeric)
                && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
        };
        let pair = words.iter().find_map(|word| {
            let (names, number) = word.text.split_once('#').unwrap_or((&word.text, ""));
            let (one, other) = names.split_once('/')?;
            let is_pair =
                is_name(one) && is_name(other) && !ALTERNATIVES.contains(&names.to_lowercase().as_str());
            is_pair.then_some((one, other, number))
        });
        let Some((one, other, number)) = pair else { return };
        let joined = self.path.iter().position(|(_, before)| before.starts_with('{'));
        let Some(second) = joined else { return };
        let named = |at: usize| self.path.get(at).and_then(|(name, _)| self.param_in_path(name));
        let (Some(first), Some(last)) = (named(second - 1), named(second)) else { return };
        let next = named(second + 1);
        if self.take(first, one) && self.take(last, other) && !number.is_empty() {
            next.map(|param| self.take(param, number));
        }
    }

    /// An address of a mailbox or a page, for the only parameter that is for one.
    fn address(&mut self, word: &RequestWord) {
        let text = word.text.as_str();
        let is_mailbox = text
            .split_once('@')
            .is_some_and(|(name, domain)| !name.is_empty() && domain.contains('.') && !domain.contains('/'));
        let (format, names): (Format, &[&str]) =
            match text.starts_with("https://") || text.starts_with("http://") {
                true => (Format::Uri, &["url", "uri", "link", "href", "webhook"]),
                false if is_mailbox => (Format::Email, &["email", "mail"]),
                false => return,
            };
        let is_for_it = |param: &&&Param| {
            param.shape.format.as_ref() == Some(&format)
                || words(&param.name).iter().any(|word| names.contains(&word.as_str()))
        };
        let open = self.open();
        let fitting: Vec<&&Param> = open.iter().filter(is_for_it).collect();
        let required: Vec<&&Param> = fitting.iter().copied().filter(|param| param.required).collect();
        let exact = fitting.iter().copied().find(|param| names.contains(&param.name.as_str()));
        let only = |params: &[&&'o Param]| match params {
            [only] => Some(**only),
            _ => None,
        };
        if let Some(param) = only(&required).or_else(|| only(&fitting)).or_else(|| exact.copied()) {
            self.take(param, text);
        }
    }

    /// A number, an identifier or a quotation behind the noun of a parameter: `issue 42`, `customer cus_123`.
    fn after_noun(&mut self, before: &[RequestWord], word: &RequestWord) {
        let Some(text) =
            word.number().or_else(|| (word.is_quoted || word.is_identifier()).then_some(word.text.as_str()))
        else {
            return;
        };
        let is_between =
            |word: &&RequestWord| !word.is_quoted && BETWEEN.contains(&word.text.to_lowercase().as_str());
        let mut nouns = before.iter().rev().skip_while(is_between);
        let Some(noun) = nouns.next().filter(|noun| !noun.is_quoted && noun.number().is_none()) else {
            return;
        };
        let further = nouns.next().map(|word| word.stem.as_str());
        // People say "pull request" and "merge request", and names have the first word.
        let noun = match (noun.stem.as_str(), further) {
            ("request", Some(kind @ ("pull" | "merg"))) => kind,
            (stem, _) => stem,
        };
        let is_meant = |param: &&&Param| {
            let about = self.about(param);
            about.iter().any(|each| each == noun)
                && about.iter().all(|each| each == noun || Some(each.as_str()) == further)
        };
        let open = self.open();
        let meant: Vec<&Param> = open.iter().filter(is_meant).copied().collect();
        for param in meant {
            if self.take(param, text) {
                return;
            }
        }
    }

    /// What a parameter is about, in stems: its name without words such as `id`, else the segment of the path before it.
    fn about(&self, param: &Param) -> Vec<String> {
        let own: Vec<String> = words(&param.name)
            .iter()
            .filter(|word| !PLAIN.contains(&word.as_str()))
            .map(|word| stem(word))
            .collect();
        let is_it = |name: &str| param.name == name || param.upstream_name == name;
        match self.path.iter().find(|(name, _)| own.is_empty() && is_it(name)) {
            Some((_, before)) if !before.starts_with('{') => {
                words(before).last().map(|word| stem(word)).into_iter().collect()
            }
            _ => own,
        }
    }

    /// Texts in quotes: for the parameter that the word before speaks of, or the only one that is left to be given.
    fn quotations(&mut self, words: &[RequestWord]) {
        let quoted: Vec<usize> = (0..words.len()).filter(|at| words[*at].is_quoted).collect();
        for at in &quoted {
            let text = words[*at].text.as_str();
            if self.values.values().any(|value| value == text || *value == json!([text])) {
                continue;
            }
            let lead = at.checked_sub(1).map_or("", |at| words[at].text.as_str()).to_lowercase();
            let meant = LEADS.iter().filter(|(leads, _)| leads.contains(&lead.as_str()));
            let names = meant.flat_map(|(_, names)| *names);
            let open = self.open();
            let led = names.into_iter().find_map(|name| open.iter().find(|param| param.name == **name));
            let is_text = |param: &&&Param| {
                param.required
                    && param.place != ParamLocation::Path
                    && param.shape.kind == ValueKind::String
                    && param.shape.allowed.is_none()
            };
            let left: Vec<&&Param> = open.iter().filter(is_text).collect();
            let only = if left.len() == 1 && quoted.len() == 1 { left.first().copied() } else { None };
            if let Some(param) = led.or(only).copied() {
                self.take(param, text);
            }
        }
    }

    /// A value of an enum whose words stand in the request. What names the operation itself does not count.
    fn enum_value(&mut self, param: &Param, words_said: &[RequestWord]) {
        if self.values.contains_key(&param.name) {
            return;
        }
        let said: Vec<&str> =
            words_said.iter().filter(|word| !word.is_quoted).map(|word| word.stem.as_str()).collect();
        let own: Vec<String> = words(&self.operation.name).iter().map(|word| stem(word)).collect();
        let mut best: Vec<(usize, &str)> = Vec::new();
        for value in param.shape.allowed.iter().flatten().filter_map(Value::as_str) {
            let stems: Vec<String> = words(value).iter().map(|word| stem(word)).collect();
            let is_said = !stems.is_empty() && said.windows(stems.len()).any(|window| window == stems);
            if is_said && !stems.iter().all(|stem| own.contains(stem)) {
                best.push((stems.len(), value));
            }
        }
        if best.len() > 1 {
            best.retain(|(_, value)| !VAGUE.contains(value));
        }
        let longest = best.iter().map(|(length, _)| *length).max().unwrap_or_default();
        best.retain(|(length, _)| *length == longest);
        if let [(_, value)] = best.as_slice()
            && of_param(param, &json!(value)).is_empty()
        {
            self.values.insert(param.name.clone(), json!(value));
        }
    }

    /// Yes or no for a parameter that is named: `a private repository`.
    fn flag(&mut self, param: &Param, words_said: &[RequestWord]) {
        if param.shape.kind != ValueKind::Boolean || self.values.contains_key(&param.name) {
            return;
        }
        let name: Vec<String> = words(&param.name).iter().map(|word| stem(word)).collect();
        let said: Vec<&str> = words_said.iter().map(|word| word.stem.as_str()).collect();
        let Some(at) = said.windows(name.len().max(1)).position(|window| window == name) else { return };
        let before = words_said[..at].iter().rev().take(2).map(|word| word.text.to_lowercase());
        let is_denied = before.into_iter().any(|word| NEGATIONS.contains(&word.as_str()));
        let value = json!(!is_denied);
        if of_param(param, &value).is_empty() {
            self.values.insert(param.name.clone(), value);
        }
    }
}

#[cfg(test)]
mod tests;

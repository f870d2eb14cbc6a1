//! The values that a request states for parameters of an operation, so that an example of it is the call that is meant.
//!
//! A request and an operation in; values by the names of parameters out. Only what clearly stands there is taken: a pair
//! such as `octocat/hello-world` for neighbours in the path, what follows the noun of a parameter, addresses, what is in
//! quotes, and the words of an enum, identifiers such as `sub_123`, amounts of money and percents. Nothing is made up, and
//! every value passes the check of its parameter.

mod amounts;
mod places;
mod request_words;

use amounts::{amount_for, amount_param, currency_for, is_percent, money, percent};
use aqueduct_operations::category::Category;
use aqueduct_operations::naming::words;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::check::of_param;
use aqueduct_operations::params::format::Format;
use aqueduct_operations::params::{Param, ParamLocation, ValueKind};
pub(super) use places::RequestValues;
pub(super) use request_words::stem;
use request_words::{RequestWord, request_words, unquoted};
use serde_json::{Map, Value, json};
use std::cell::OnceCell;

/// Two words with a stroke between them that are no pair of names.
const ALTERNATIVES: &[&str] = &["and/or", "on/off", "yes/no", "read/write", "his/her", "he/she", "n/a"];
/// Words before what has strokes in it and is no pair of names, and words before the place where something is.
const WITH_STROKES: &[&str] =
    &["branch", "branches", "file", "files", "path", "folder", "directory", "tag", "ref"];
const WHERE: &[&str] = &["in", "of", "from", "on", "at", "repo", "repository", "project"];
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
/// Words of the names of parameters in which a thing is brought back by a verb such as "reopen".
const STATES: &[&str] = &["state", "status"];
/// Values of an enum that are also said without meaning them.
const VAGUE: &[&str] = &["all", "any", "none", "other", "default", "auto"];
const NEGATIONS: &[&str] = &[
    "not", "no", "non", "without", "never", "cannot", "dont", "instead", "except", "unless", "neither", "nor",
];

/// What else takes out what stands behind it, and how many words may stand between.
const EXCLUDING: &[&str] = &["excluding", "omitting", "ignoring", "skipping", "hiding", "than", "but"];
const NEGATED_WITHIN: usize = 3;

/// The values that a request states.
pub(crate) fn stated_values(request: &str, operation: &Operation) -> Map<String, Value> {
    let words = request_words(request);
    let mut found = StatedValues::without_words(&words, operation);
    for param in operation.params.iter().filter(|param| !param.sensitive) {
        found.enum_value(param, &words);
        found.flag(param, &words);
    }
    found.values
}

/// A request without what it has in quotes.
pub(super) fn without_quotations(request: &str) -> String {
    unquoted(request).join(" ")
}

/// The one of these parameters that is for an amount of money, where the request has one.
pub(super) fn amount_said<'o>(request: &str, params: &[&'o Param]) -> Option<&'o Param> {
    mentions_money(&request_words(request)).then(|| amount_param(params)).flatten()
}

/// True when a request has an amount of money in it.
fn mentions_money(words: &[RequestWord]) -> bool {
    (0..words.len()).any(|at| money(words, at).is_some())
}

/// The names in the path, each with the segment before it.
fn placeholders(operation: &Operation) -> Vec<(String, String)> {
    let path = operation.path_text();
    let segments: Vec<&str> = path.split('?').next().unwrap_or_default().split('/').collect();
    let name = |segment: &str| Some(segment.strip_prefix('{')?.strip_suffix('}')?.to_owned());
    let before = |at: usize| at.checked_sub(1).map_or("", |at| segments[at]).to_owned();
    segments.iter().enumerate().filter_map(|(at, segment)| Some((name(segment)?, before(at)))).collect()
}

/// True when an identifier of this prefix can be of what these words name: their beginning, their first letters, or letters of
/// the first of them in its order.
fn begins(prefix: &str, words: &[String]) -> bool {
    let Some(first) = words.first() else { return false };
    let initials: String = words.iter().filter_map(|word| word.chars().next()).collect();
    let mut letters = first.chars();
    let mut is_within = || prefix.chars().all(|letter| letters.any(|other| other == letter));
    first.starts_with(prefix)
        || words.len() > 1 && initials.starts_with(prefix)
        || prefix.len() > 2 && prefix.chars().next() == first.chars().next() && is_within()
}

/// What was found so far.
struct StatedValues<'o> {
    operation: &'o Operation,
    path: Vec<(String, String)>,
    /// What each parameter is about, where it was asked for.
    subjects: OnceCell<Vec<Vec<String>>>,
    values: Map<String, Value>,
}

impl<'o> StatedValues<'o> {
    /// All but the words of an enum, and yes or no.
    fn without_words(words: &[RequestWord], operation: &'o Operation) -> StatedValues<'o> {
        let (path, subjects) = (placeholders(operation), OnceCell::new());
        let mut found = StatedValues { operation, path, subjects, values: Map::new() };
        found.pairs(words);
        for at in 0..words.len() {
            found.address(&words[at]);
            // An amount of money is for a parameter that is for one, whatever stands before it.
            if money(words, at).is_none() {
                found.after_noun(&words[..at], &words[at]);
            }
        }
        for at in 0..words.len() {
            found.prefixed(&words[at]);
            found.numbered(&words[at]);
            found.amount(words, at);
        }
        found.quotations(words);
        found
    }

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
        let Some((one, other, number)) = pair_of(words) else { return };
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
        // People say "pull request", "PR" and "merge request", and names have the first word.
        let noun = match (noun.stem.as_str(), further) {
            ("request", Some(kind @ ("pull" | "merg"))) => kind,
            ("pr", _) => "pull",
            ("mr", _) => "merg",
            (stem, _) => stem,
        };
        let is_meant = |param: &&Param| {
            let at = self.operation.params.iter().position(|each| std::ptr::eq(each, *param));
            let about = at.map_or(&[][..], |at| &self.subjects()[at]);
            about.iter().any(|each| each == noun)
                && about.iter().all(|each| each == noun || Some(each.as_str()) == further)
        };
        let matching: Vec<&Param> = self.open().into_iter().filter(is_meant).collect();
        for param in matching {
            if self.take(param, text) {
                return;
            }
        }
    }

    /// An identifier whose beginning says what it is of: `sub_123` for a subscription, `pi_9` for a payment intent.
    fn prefixed(&mut self, word: &RequestWord) {
        let Some((prefix, rest)) = word.text.split_once('_').filter(|_| !word.is_quoted) else { return };
        let is_of_letters = (2..=8).contains(&prefix.len()) && prefix.bytes().all(|b| b.is_ascii_lowercase());
        let is_identifier = rest.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
            && rest.bytes().any(|b| b.is_ascii_digit());
        let is_known = self.values.values().any(|value| *value == json!(word.text));
        if !is_of_letters || !is_identifier || is_known {
            return;
        }
        let fitting: Vec<&Param> = self
            .open()
            .into_iter()
            .filter(|param| param.shape.kind == ValueKind::String && param.shape.allowed.is_none())
            .filter(|param| begins(prefix, &self.names_of(param)))
            .collect();
        let in_path = fitting.iter().find(|param| param.place == ParamLocation::Path);
        let exact = fitting.iter().find(|param| words(&param.name).len() == 1);
        let only = fitting.first().filter(|_| fitting.len() == 1);
        if let Some(param) = in_path.or(only).or(exact).copied() {
            self.take(param, &word.text);
        }
    }

    /// The words of a parameter's name, or those of the segment before it where its name says nothing.
    fn names_of(&self, param: &Param) -> Vec<String> {
        let own: Vec<String> =
            words(&param.name).into_iter().filter(|word| !PLAIN.contains(&word.as_str())).collect();
        let is_it = |name: &str| param.name == name || param.upstream_name == name;
        match self.path.iter().find(|(name, _)| own.is_empty() && is_it(name)) {
            Some((_, before)) if !before.starts_with('{') => words(before),
            _ => own,
        }
    }

    /// `#42` for the only number in the path that is still open.
    fn numbered(&mut self, word: &RequestWord) {
        let Some(number) = word.number().filter(|_| word.text.starts_with('#')) else { return };
        if self.values.values().any(|value| value.as_i64() == number.parse().ok()) {
            return;
        }
        let is_number =
            |param: &&Param| param.place == ParamLocation::Path && param.shape.kind == ValueKind::Integer;
        let numbers: Vec<&Param> = self.open().into_iter().filter(is_number).collect();
        if let [only] = numbers.as_slice() {
            self.take(only, number);
        }
    }

    /// An amount of money with its currency, or a percentage, for the parameter that is for one.
    fn amount(&mut self, request_words: &[RequestWord], at: usize) {
        let (money, percent) = (money(request_words, at), percent(request_words, at));
        if request_words[at].is_quoted || money.is_none() && percent.is_none() {
            return;
        }
        let open = self.open();
        if let Some(money) = money
            && let Some(param) = amount_param(&open)
            && let Some(value) = amount_for(param, &money)
        {
            self.put(param, value);
            let currency = open.iter().find(|param| param.name == "currency");
            if let (Some(param), Some(code)) = (currency, money.currency) {
                self.put(param, currency_for(param, code));
            }
        }
        if let Some(percent) = percent {
            let fitting: Vec<&&Param> = open.iter().filter(|param| is_percent(param)).collect();
            if let [only] = fitting.as_slice() {
                let is_whole = percent.fract() == 0.0;
                self.put(only, if is_whole { json!(percent as i64) } else { json!(percent) });
            }
        }
    }

    /// Takes a value that passes.
    fn put(&mut self, param: &Param, value: Value) {
        if of_param(param, &value).is_empty() {
            self.values.insert(param.name.clone(), value);
        }
    }

    /// What each parameter is about.
    fn subjects(&self) -> &[Vec<String>] {
        self.subjects.get_or_init(|| self.operation.params.iter().map(|param| self.about(param)).collect())
    }

    /// What a parameter is about, in stems: its name without words such as `id`, else the segment of the path before it.
    fn about(&self, param: &Param) -> Vec<String> {
        let names = self.names_of(param);
        let is_own = words(&param.name).iter().any(|word| !PLAIN.contains(&word.as_str()));
        let used = if is_own { names.as_slice() } else { &names[names.len().saturating_sub(1)..] };
        used.iter().map(|word| stem(word)).collect()
    }

    /// Texts in quotes, for the parameter that the word before speaks of.
    fn quotations(&mut self, words: &[RequestWord]) {
        for at in (0..words.len()).filter(|at| words[*at].is_quoted) {
            let text = words[at].text.as_str();
            if self.values.values().any(|value| value == text || *value == json!([text])) {
                continue;
            }
            let lead = at.checked_sub(1).map_or("", |at| words[at].text.as_str()).to_lowercase();
            let leading = LEADS.iter().filter(|(leads, _)| leads.contains(&lead.as_str()));
            let mut names = leading.flat_map(|(_, names)| *names);
            let open = self.open();
            let by_lead = names.find_map(|name| open.iter().find(|param| param.name == **name)).copied();
            let is_only_quotation = words.iter().filter(|word| word.is_quoted).count() == 1;
            let param = match lead.as_str() {
                "to" | "as" => self.only_named(&words[..at]),
                "in" | "at" | "of" | "for" | "from" if is_only_quotation => {
                    by_lead.or_else(|| self.only_text_to_read())
                }
                _ => by_lead,
            };
            if let Some(param) = param {
                self.take(param, text);
            }
        }
    }

    /// The only open text that these words name: `change the note of order 12 to "extra cheese"`.
    fn only_named(&self, before: &[RequestWord]) -> Option<&'o Param> {
        let said: Vec<&str> =
            before.iter().filter(|word| !word.is_quoted).map(|word| word.stem.as_str()).collect();
        let is_named = |param: &&Param| {
            let name: Vec<String> = words(&param.name).iter().map(|word| stem(word)).collect();
            is_text(param) && !name.is_empty() && said.windows(name.len()).any(|window| window == name)
        };
        let named: Vec<&Param> = self.open().into_iter().filter(is_named).collect();
        named.first().filter(|_| named.len() == 1).copied()
    }

    /// The only text that an operation takes, where it needs one and reads: `the weather in "Bern"`.
    fn only_text_to_read(&self) -> Option<&'o Param> {
        let is_read = self.operation.category == Category::Read;
        let texts: Vec<&Param> = self.open().into_iter().filter(|param| is_text(param)).collect();
        texts.first().filter(|param| is_read && texts.len() == 1 && param.required).copied()
    }

    /// A value of an enum whose words stand in the request, with no negation before them. What names the operation itself does not
    /// count.
    fn enum_value(&mut self, param: &Param, all_words: &[RequestWord]) {
        if self.values.contains_key(&param.name) {
            return;
        }
        let unquoted: Vec<&RequestWord> = all_words.iter().filter(|word| !word.is_quoted).collect();
        let request_words: Vec<&str> = unquoted.iter().map(|word| word.stem.as_str()).collect();
        let is_negated = |at: usize| {
            let mut before = unquoted[at.saturating_sub(NEGATED_WITHIN)..at].iter();
            before
                .any(|word| is_negation(&word.text) || EXCLUDING.contains(&word.text.to_lowercase().as_str()))
        };
        let own: Vec<String> = words(&self.operation.name).iter().map(|word| stem(word)).collect();
        // Who reopens something wants it open.
        let is_state = words(&param.name).iter().any(|word| STATES.contains(&word.as_str()));
        let again = request_words.first().and_then(|first| first.strip_prefix("re")).filter(|_| is_state);
        let mut best: Vec<(usize, &str)> = Vec::new();
        for value in param.shape.allowed.iter().flatten().filter_map(Value::as_str) {
            let stems: Vec<String> = words(value).iter().map(|word| stem(word)).collect();
            let stands = |(at, window): (usize, &[&str])| window == stems && !is_negated(at);
            let is_mentioned = !stems.is_empty()
                && request_words.windows(stems.len()).enumerate().any(stands)
                || again.is_some_and(|again| stems.len() == 1 && stems[0] == again);
            if is_mentioned && !stems.iter().all(|stem| own.contains(stem)) {
                best.push((stems.len(), value));
            }
        }
        if best.len() > 1 {
            best.retain(|(_, value)| !VAGUE.contains(value));
        }
        let longest = best.iter().map(|(length, _)| *length).max().unwrap_or_default();
        best.retain(|(length, _)| *length == longest);
        if let [(_, value)] = best.as_slice() {
            self.put(param, json!(value));
        }
    }

    /// Yes or no for a parameter that is named: `a private repository`, `not private`. A negation elsewhere may be about
    /// anything, so it states neither.
    fn flag(&mut self, param: &Param, all_words: &[RequestWord]) {
        if param.shape.kind != ValueKind::Boolean || self.values.contains_key(&param.name) {
            return;
        }
        let name: Vec<String> = words(&param.name).iter().map(|word| stem(word)).collect();
        let request_words: Vec<&RequestWord> = all_words.iter().filter(|word| !word.is_quoted).collect();
        let is_named = |window: &[&RequestWord]| window.iter().map(|word| &word.stem).eq(&name);
        let Some(at) = request_words.windows(name.len().max(1)).position(is_named) else { return };
        let negations: Vec<usize> =
            (0..request_words.len()).filter(|at| is_negation(&request_words[*at].text)).collect();
        match negations.as_slice() {
            [] => self.put(param, json!(true)),
            [only] if only + 1 == at => self.put(param, json!(false)),
            _ => {}
        }
    }
}

/// The pair of names that a request has, with the number behind it. Of several one that says where something is: "merge
/// release/1.2 into main in acme/site". Where that does not tell either, there is none. Quotations, and what is said to be a
/// branch or a file, are no pairs of names.
fn pair_of(words: &[RequestWord]) -> Option<(&str, &str, &str)> {
    let is_name = |text: &str| {
        text.chars().any(char::is_alphanumeric)
            && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
    };
    let before = |at: usize| at.checked_sub(1).map_or("", |at| words[at].text.as_str()).to_lowercase();
    let mut pairs: Vec<(bool, (&str, &str, &str))> = Vec::new();
    for (at, word) in words.iter().enumerate().filter(|(_, word)| !word.is_quoted) {
        let (names, number) = word.text.split_once('#').unwrap_or((&word.text, ""));
        let Some((one, other)) = names.split_once('/') else { continue };
        let is_pair =
            is_name(one) && is_name(other) && !ALTERNATIVES.contains(&names.to_lowercase().as_str());
        if is_pair && !WITH_STROKES.contains(&before(at).as_str()) {
            pairs.push((WHERE.contains(&before(at).as_str()), (one, other, number)));
        }
    }
    if pairs.len() > 1 && pairs.iter().any(|(is_where, _)| *is_where) {
        pairs.retain(|(is_where, _)| *is_where);
    }
    let (_, first) = *pairs.first()?;
    pairs.iter().all(|(_, pair)| *pair == first).then_some(first)
}

/// Whether a parameter is for any text.
fn is_text(param: &Param) -> bool {
    param.shape.kind == ValueKind::String && param.shape.allowed.is_none()
}

fn is_negation(word: &str) -> bool {
    let word = word.to_lowercase().replace('\u{2019}', "'");
    NEGATIONS.contains(&word.as_str()) || word.ends_with("n't")
}

#[cfg(test)]
mod tests;

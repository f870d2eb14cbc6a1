//! Known secrets, found in any text however they are written there: raw, with JSON escapes, percent-encoded in whole or in
//! part, once or twice, as hexadecimal digits, or inside of base64 at any place.
//!
//! Secrets in; then any text, and it goes out with a mark in the place of each. Invariant: what is found is replaced as the
//! union of all findings, so that of two secrets that overlap no tail is left.

mod forms;
mod view;

use aqueduct_operations::secrets::MARK;
use forms::{SecretEncoding, SecretForm};
use secrecy::{ExposeSecret, SecretString};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;
use view::TextView;

/// Secrets to look for.
#[derive(Default, Clone)]
pub struct KnownSecrets {
    values: Vec<SecretString>,
    /// Made when something is looked for: most calls never do.
    forms: OnceLock<Vec<SecretForm>>,
}

impl KnownSecrets {
    /// Adds a secret. Short or common ones are found everywhere.
    pub fn add(&mut self, value: &str) {
        let is_known = self.values.iter().any(|known| known.expose_secret() == value);
        if !value.is_empty() && !is_known {
            self.values.push(SecretString::from(value));
            self.forms = OnceLock::new();
        }
    }

    /// True when there is nothing to find.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Bytes of the longest.
    pub fn longest(&self) -> usize {
        self.values.iter().map(|value| value.expose_secret().len()).max().unwrap_or_default()
    }

    /// True when one of them is in the text.
    pub fn occur_in(&self, text: &[u8]) -> bool {
        !spans(text, &[self]).is_empty()
    }

    fn forms(&self) -> &[SecretForm] {
        self.forms.get_or_init(|| forms::of(self.values.iter().map(|value| value.expose_secret())))
    }
}

impl fmt::Debug for KnownSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secrets({})", self.values.len())
    }
}

/// The text without these secrets.
pub fn redacted<'t>(text: &'t str, secrets: &[&KnownSecrets]) -> Cow<'t, str> {
    let mut spans = spans(text.as_bytes(), secrets);
    for span in &mut spans {
        *span = text.floor_char_boundary(span.start)..text.ceil_char_boundary(span.end);
    }
    match replaced(text.as_bytes(), &spans) {
        Cow::Borrowed(_) => Cow::Borrowed(text),
        Cow::Owned(clean) => Cow::Owned(String::from_utf8_lossy(&clean).into_owned()),
    }
}

/// The bytes without these secrets.
pub fn redacted_bytes<'t>(bytes: &'t [u8], secrets: &[&KnownSecrets]) -> Cow<'t, [u8]> {
    replaced(bytes, &spans(bytes, secrets))
}

/// The bytes with the mark in the place of each span.
fn replaced<'t>(bytes: &'t [u8], spans: &[Range<usize>]) -> Cow<'t, [u8]> {
    if spans.is_empty() {
        return Cow::Borrowed(bytes);
    }
    let mut clean = Vec::with_capacity(bytes.len());
    let mut end = 0;
    for span in spans {
        clean.extend_from_slice(bytes.get(end..span.start).unwrap_or_default());
        clean.extend_from_slice(MARK.as_bytes());
        end = span.end.max(end);
    }
    clean.extend_from_slice(&bytes[end..]);
    Cow::Owned(clean)
}

/// Where secrets are, in order, none touching another in more than its end.
fn spans(text: &[u8], secrets: &[&KnownSecrets]) -> Vec<Range<usize>> {
    let forms: Vec<&SecretForm> = secrets.iter().flat_map(|some| some.forms()).collect();
    if forms.is_empty() || text.is_empty() {
        return Vec::new();
    }
    let alphabet = Alphabet::of(&forms);
    let mut found = Vec::new();
    // As it is, and with the escapes of JSON undone once and twice: JSON in a text of JSON is common. Of each, the
    // percent-encoding is undone once and twice.
    let mut escaped = Some(TextView::whole(text));
    for _ in 0..3 {
        let Some(view) = escaped.take() else { break };
        let mut encoded = view.percent_decoded(&alphabet);
        for _ in 0..2 {
            let Some(inner) = encoded.take() else { break };
            look(&inner, &forms, &mut found);
            encoded = inner.percent_decoded(&alphabet);
        }
        if let Some(spaced) = view.with_spaces(&alphabet) {
            look(&spaced, &forms, &mut found);
        }
        look(&view, &forms, &mut found);
        escaped = view.unescaped(&alphabet);
    }
    merged(found)
}

/// Finds every form in a view of the text.
fn look(view: &TextView<'_>, forms: &[&SecretForm], found: &mut Vec<Range<usize>>) {
    for form in forms {
        let needle = form.bytes();
        let mut from = 0;
        while let Some(at) = view.bytes().get(from..).and_then(|rest| memchr::memmem::find(rest, needle)) {
            let mut span = from + at..from + at + needle.len();
            // The soonest that it can begin again, overlapping itself.
            from = span.start + form.period;
            if form.encoding == SecretEncoding::Base64 {
                span = forms::with_shared_letters(view.bytes(), span);
            }
            found.push(view.span(span));
        }
    }
}

fn merged(mut spans: Vec<Range<usize>>) -> Vec<Range<usize>> {
    spans.sort_by_key(|span| (span.start, span.end));
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut().filter(|last| span.start < last.end) {
            Some(last) => last.end = last.end.max(span.end),
            None => merged.push(span),
        }
    }
    merged
}

/// The bytes that occur in what is looked for: an escape that stands for none of them hides nothing.
struct Alphabet([bool; 256]);

impl Alphabet {
    fn of(forms: &[&SecretForm]) -> Alphabet {
        let mut has = [false; 256];
        for byte in forms.iter().flat_map(|form| form.bytes()) {
            has[usize::from(*byte)] = true;
        }
        Alphabet(has)
    }

    fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte)]
    }
}

#[cfg(test)]
mod tests;

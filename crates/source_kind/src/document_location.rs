//! Where a document stands: a URL or a path, and what a reference relative to it means.
//!
//! Paths are compared after `.` and `..` are worked out; nothing here looks at the disk.

use percent_encoding::percent_decode_str;
use url::Url;

/// The place of a document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum DocumentLocation {
    /// `http` or `https`.
    Url(Url),
    /// A path, worked out.
    File(String),
    /// Another kind of name, such as a URN. It can only be matched, not read.
    Name(String),
}

impl DocumentLocation {
    /// The place that a text names.
    pub fn parse(text: &str) -> DocumentLocation {
        match scheme(text) {
            Some("http" | "https") => Url::parse(text)
                .map_or_else(|_| DocumentLocation::Name(text.to_owned()), DocumentLocation::Url),
            Some("file") => DocumentLocation::File(worked_out(&decoded(
                text.trim_start_matches("file:").trim_start_matches("//"),
            ))),
            Some(_) => DocumentLocation::Name(text.to_owned()),
            None => DocumentLocation::File(worked_out(text)),
        }
    }

    /// What a reference without its fragment means in this document.
    pub fn join(&self, reference: &str) -> DocumentLocation {
        if scheme(reference).is_some() {
            return DocumentLocation::parse(reference);
        }
        match self {
            DocumentLocation::Url(base) => base
                .join(reference)
                .map_or_else(|_| DocumentLocation::Name(reference.to_owned()), DocumentLocation::Url),
            DocumentLocation::File(_) | DocumentLocation::Name(_) if reference.starts_with('/') => {
                DocumentLocation::File(worked_out(&decoded(reference)))
            }
            DocumentLocation::File(path) => {
                let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
                let slash = if folder.is_empty() && !path.starts_with('/') { "" } else { "/" };
                DocumentLocation::File(worked_out(&format!("{folder}{slash}{}", decoded(reference))))
            }
            DocumentLocation::Name(_) => DocumentLocation::Name(reference.to_owned()),
        }
    }

    /// The text by which it is known and read.
    pub fn key(&self) -> String {
        match self {
            DocumentLocation::Url(url) => {
                let mut url = url.clone();
                url.set_fragment(None);
                url.into()
            }
            DocumentLocation::File(text) | DocumentLocation::Name(text) => text.clone(),
        }
    }

    /// The last part without its ending: a name for what is in it.
    pub fn stem(&self) -> String {
        let key = self.key();
        let file = key.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        let file = file.split(['?', '#']).next().unwrap_or_default();
        file.split_once('.').map_or(file, |(stem, _)| stem).to_owned()
    }
}

/// The scheme of an absolute address. A single letter is a drive, not a scheme.
fn scheme(text: &str) -> Option<&str> {
    let (scheme, _) = text.split_once(':')?;
    let mut letters = scheme.chars();
    let first = letters.next().is_some_and(|letter| letter.is_ascii_alphabetic());
    let rest = letters.all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter));
    (first && rest && scheme.len() > 1).then_some(scheme)
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

fn worked_out(path: &str) -> String {
    let rooted = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if rooted => {}
            part => parts.push(part),
        }
    }
    format!("{}{}", if rooted { "/" } else { "" }, parts.join("/"))
}

//! Which other documents a document may refer to.
//!
//! A document in a file: the same folder and below. A document from a URL: the same origin. Everything else only when the
//! operator's patterns name it, so that a document never makes us read what its author has no business with.

use super::place::DocumentLocation;

/// The allow rule, with the operator's additions.
#[derive(Debug, Clone, Default)]
pub struct AllowRefs {
    patterns: Vec<String>,
}

impl AllowRefs {
    /// Adds patterns for whole addresses or paths, in which `*` stands for any text: `https://schemas.example.com/*`.
    pub fn new(patterns: impl IntoIterator<Item = String>) -> AllowRefs {
        AllowRefs { patterns: patterns.into_iter().collect() }
    }

    pub(super) fn allows(&self, root: &DocumentLocation, target: &DocumentLocation) -> bool {
        let by_itself = match (root, target) {
            (DocumentLocation::Url(root), DocumentLocation::Url(target)) => {
                root.origin() == target.origin() && plain(target)
            }
            (DocumentLocation::File(root), DocumentLocation::File(target)) => is_below(root, target),
            _ => false,
        };
        by_itself || self.names(target)
    }

    pub(super) fn names(&self, target: &DocumentLocation) -> bool {
        let readable = match target {
            DocumentLocation::Url(url) => plain(url),
            DocumentLocation::File(_) => true,
            DocumentLocation::Name(_) => false,
        };
        readable && self.patterns.iter().any(|pattern| matches(pattern, &target.key()))
    }
}

/// An address with a user name in it looks like another one.
fn plain(url: &url::Url) -> bool {
    url.username().is_empty() && url.password().is_none()
}

/// Both paths are worked out.
fn is_below(root: &str, target: &str) -> bool {
    match root.rsplit_once('/') {
        Some((folder, _)) => target.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')),
        None => !target.starts_with('/') && target != ".." && !target.starts_with("../"),
    }
}

fn matches(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut last = None;
    for piece in pieces {
        if let Some(piece) = last.replace(piece) {
            let Some(found) = rest.find(piece) else { return false };
            rest = &rest[found + piece.len()..];
        }
    }
    match last {
        Some(last) => rest.ends_with(last),
        None => rest.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::{AllowRefs, matches};
    use crate::openapi::read::place::DocumentLocation;

    fn allowed(root: &str, target: &str, patterns: &[&str]) -> bool {
        let allow = AllowRefs::new(patterns.iter().map(ToString::to_string));
        let root = DocumentLocation::parse(root);
        allow.allows(&root, &root.join(target))
    }

    /// Documents may refer to their own folder or origin; the rest needs a pattern.
    #[test]
    fn only_the_own_folder_or_origin_without_a_pattern() {
        assert!(allowed("/api/v1/openapi.yaml", "schemas/pet.yaml", &[]));
        assert!(allowed("openapi.yaml", "./schemas/../pet.yaml", &[]));
        assert!(allowed("https://a.example/v1/openapi.json", "/shared/pet.json", &[]));
        for (root, target) in [
            ("/api/v1/openapi.yaml", "../v2/pet.yaml"),
            ("/api/v1/openapi.yaml", "/api/v10/pet.yaml"),
            ("/api/v1/openapi.yaml", "/etc/passwd"),
            ("/api/v1/openapi.yaml", "..%2f..%2fetc/passwd"),
            ("/api/v1/openapi.yaml", "file:///etc/passwd"),
            ("openapi.yaml", "../pet.yaml"),
            ("openapi.yaml", "a/../../pet.yaml"),
            ("openapi.yaml", "/pet.yaml"),
            ("openapi.yaml", "https://a.example/pet.yaml"),
            ("https://a.example/openapi.json", "https://b.example/pet.json"),
            ("https://a.example/openapi.json", "http://a.example/pet.json"),
            ("https://a.example/openapi.json", "https://a.example:8443/pet.json"),
            ("https://a.example/openapi.json", "https://user@a.example/pet.json"),
            ("https://a.example/openapi.json", "file:///etc/passwd"),
        ] {
            assert!(!allowed(root, target, &[]), "{root} {target}");
        }
        assert!(allowed("/api/v1/openapi.yaml", "../common/pet.yaml", &["/api/common/*"]));
        assert!(allowed("openapi.yaml", "https://b.example/s/pet.json", &["https://b.example/*"]));
        assert!(!allowed("openapi.yaml", "https://b.example@c.example/s", &["https://b.example*"]));
    }

    #[test]
    fn stars_stand_for_any_text() {
        assert!(matches("a*c*e", "abcde") && matches("*", "") && matches("a*", "a") && matches("ab", "ab"));
        assert!(!matches("a*c", "ab") && !matches("ab", "abc") && !matches("a*b*b", "ab"));
    }
}

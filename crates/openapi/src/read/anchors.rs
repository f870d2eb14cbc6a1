//! The names that parts of a document give themselves with `$id`, `$anchor` and `$dynamicAnchor`, and what a text refers to.
//!
//! Only a document that has such names is parsed whole for them, once, while it is opened.

use aqueduct_operations::json_text::string_end;
use aqueduct_source_kind::document_location::DocumentLocation;
use memchr::memmem;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};

/// The names within one document, with the pointers to what they name.
#[derive(Debug, Default)]
pub(super) struct Anchors {
    /// By absolute `$id`.
    pub(super) ids: HashMap<String, Vec<String>>,
    /// By the `$id` (or the document) it is in, and the anchor.
    pub(super) names: HashMap<(String, String), Vec<String>>,
}

/// What a text names and refers to.
#[derive(Debug, Default)]
pub(super) struct TextReferences {
    pub(super) anchors: Anchors,
    /// Every reference once.
    pub(super) references: BTreeSet<TextReference>,
    /// The documents that the references lead to, apart from the names in it.
    pub(super) outside: BTreeSet<String>,
}

/// A reference and what it means in its place.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TextReference {
    /// As it is written.
    pub(super) reference: String,
    /// The document or the `$id` it leads into; none for the document it stands in.
    pub(super) key: Option<String>,
}

impl TextReferences {
    pub(super) fn of(text: &str, place: &DocumentLocation) -> TextReferences {
        let mut mentions = TextReferences::default();
        let named = ["\"$id\"", "\"$anchor\"", "\"$dynamicAnchor\""];
        if named.iter().any(|name| memmem::find(text.as_bytes(), name.as_bytes()).is_some()) {
            let whole: Value = serde_json::from_str(text).unwrap_or_default();
            mentions.walk(&whole, place, &mut Vec::new());
            mentions.outside.retain(|key| !mentions.anchors.ids.contains_key(key));
        } else {
            for reference in references(text) {
                mentions.mention(reference, place, false);
            }
        }
        mentions
    }

    fn mention(&mut self, reference: String, base: &DocumentLocation, named: bool) {
        let address = reference.split('#').next().unwrap_or_default();
        let mut key = None;
        if !address.is_empty() {
            let there = base.join(address).key();
            self.outside.insert(there.clone());
            key = Some(there);
        } else if named {
            key = Some(base.key());
        }
        self.references.insert(TextReference { reference, key });
    }

    fn walk(&mut self, value: &Value, base: &DocumentLocation, tokens: &mut Vec<String>) {
        match value {
            Value::Array(elements) => {
                for (index, element) in elements.iter().enumerate() {
                    tokens.push(index.to_string());
                    self.walk(element, base, tokens);
                    tokens.pop();
                }
            }
            Value::Object(members) => {
                let id = members.get("$id").and_then(Value::as_str).filter(|id| !id.starts_with('#'));
                let own = id.map(|id| base.join(id.split('#').next().unwrap_or_default()));
                let base = own.as_ref().unwrap_or(base);
                if own.is_some() {
                    self.anchors.ids.insert(base.key(), tokens.clone());
                }
                for name in ["$anchor", "$dynamicAnchor"] {
                    if let Some(name) = members.get(name).and_then(Value::as_str) {
                        self.anchors.names.insert((base.key(), name.to_owned()), tokens.clone());
                    }
                }
                if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
                    self.mention(reference.to_owned(), base, true);
                }
                for (key, member) in members {
                    tokens.push(key.clone());
                    self.walk(member, base, tokens);
                    tokens.pop();
                }
            }
            _ => {}
        }
    }
}

/// Every `$ref` of a JSON text, found without parsing it.
fn references(text: &str) -> BTreeSet<String> {
    let mut found: BTreeSet<&str> = BTreeSet::new();
    let mut escaped = Vec::new();
    for start in memmem::find_iter(text.as_bytes(), b"\"$ref\"") {
        let rest = text[start + 6..].trim_start();
        let Some(rest) = rest.strip_prefix(':').map(str::trim_start) else { continue };
        let Some(string) = rest.starts_with('"').then(|| string_end(rest.as_bytes(), 0)).flatten() else {
            continue;
        };
        if string.has_escapes {
            escaped.extend(serde_json::from_str::<String>(&rest[..string.end]).ok());
        } else {
            found.insert(&rest[1..string.end - 1]);
        }
    }
    found.into_iter().map(str::to_owned).chain(escaped).collect()
}

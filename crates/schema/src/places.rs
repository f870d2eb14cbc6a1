//! Where a reference in a schema document leads.
//!
//! A document and the text of a `$ref` in, the place in the same document out. Pointers, anchors and identifiers inside
//! the document are known; nothing outside of it is ever looked for.

use percent_encoding::percent_decode_str;
use serde_json::Value;
use std::cell::OnceCell;
use std::collections::HashMap;

/// A longer chain of references is taken for a circle.
const MAX_HOPS: usize = 16;

/// The places of one document.
#[derive(Debug)]
pub struct SchemaLocations<'d> {
    document: &'d Value,
    named: OnceCell<HashMap<String, String>>,
}

impl<'d> SchemaLocations<'d> {
    /// Those of this document.
    pub fn of(document: &'d Value) -> SchemaLocations<'d> {
        SchemaLocations { document, named: OnceCell::new() }
    }

    /// The schema that a reference means, if it is in the document.
    pub fn resolve(&self, reference: &str) -> Option<&'d Value> {
        self.document.pointer(&self.pointer(reference)?)
    }

    /// The schema that another one of the document stands for, its references followed; nothing when they lead nowhere or
    /// round in a circle.
    pub fn follow<'s>(&self, schema: &'s Value) -> Option<&'s Value>
    where
        'd: 's,
    {
        let mut schema = schema;
        for _ in 0..MAX_HOPS {
            let Some(reference) = schema.get("$ref").and_then(Value::as_str) else { return Some(schema) };
            schema = self.resolve(reference)?;
        }
        None
    }

    /// The JSON pointer of what a reference means, if it is in the document.
    pub(crate) fn pointer(&self, reference: &str) -> Option<String> {
        let (base, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let resource = if base.is_empty() { "" } else { self.named().get(base)? };
        if !fragment.is_empty() && !fragment.starts_with('/') {
            return self.named().get(&format!("#{fragment}")).cloned();
        }
        let decoded = percent_decode_str(fragment).decode_utf8().ok()?;
        let candidates = [format!("{resource}{decoded}"), format!("{resource}{fragment}")];
        candidates.into_iter().find(|pointer| self.document.pointer(pointer).is_some())
    }

    fn named(&self) -> &HashMap<String, String> {
        self.named.get_or_init(|| index(self.document))
    }
}

/// The pointer of a step below another.
pub(crate) fn below(pointer: &str, step: &str) -> String {
    format!("{pointer}/{}", step.replace('~', "~0").replace('/', "~1"))
}

fn index(document: &Value) -> HashMap<String, String> {
    let mut names: HashMap<String, Option<String>> = HashMap::new();
    let mut rest = vec![(document, String::new())];
    while let Some((next, pointer)) = rest.pop() {
        match next {
            Value::Array(items) => {
                rest.extend(
                    items.iter().enumerate().map(|(index, item)| (item, format!("{pointer}/{index}"))),
                );
            }
            Value::Object(map) => {
                for (keyword, item) in map {
                    if let Some(name) = name(keyword, item) {
                        // Which of two places is meant depends on the way there: neither, then.
                        names
                            .entry(name)
                            .and_modify(|known| *known = None)
                            .or_insert_with(|| Some(pointer.clone()));
                    }
                    rest.push((item, below(&pointer, keyword)));
                }
            }
            _ => {}
        }
    }
    names.into_iter().filter_map(|(name, pointer)| Some((name, pointer?))).collect()
}

fn name(keyword: &str, value: &Value) -> Option<String> {
    let value = value.as_str()?;
    match keyword {
        "$anchor" | "$dynamicAnchor" => Some(format!("#{value}")),
        "$id" | "id" if value.starts_with('#') => Some(value.to_owned()),
        "$id" | "id" => Some(value.trim_end_matches('#').to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;

//! A value of a tree together with its path, such as `operations.read[0].params.owner`.
//!
//! The getters answer only when the type fits and report nothing: `keys` has reported what does not fit.

use super::{DocumentNode, MapEntry, NodeValue, join};
pub use aqueduct_operations::failure::wording::shortened;

/// Longer keys are cut in paths.
const LONGEST_KEY: usize = 100;

/// A place in a tree.
#[derive(Debug, Clone)]
pub struct NodeCursor<'a> {
    /// The value there.
    pub node: &'a DocumentNode,
    /// How it is reached from the root.
    pub path: String,
}

impl<'a> NodeCursor<'a> {
    /// The root.
    pub fn root(node: &'a DocumentNode) -> NodeCursor<'a> {
        NodeCursor { node, path: String::new() }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<NodeCursor<'a>> {
        self.node.get(key).map(|node| NodeCursor { node, path: self.path_of(key) })
    }

    /// The path that a key of this map has, whether it is there or not.
    pub fn path_of(&self, key: &str) -> String {
        join(&self.path, &shortened(key, LONGEST_KEY))
    }

    /// The entries of a map.
    pub fn entries(&self) -> impl Iterator<Item = (&'a MapEntry, NodeCursor<'a>)> + use<'a> {
        let path = self.path.clone();
        let entries: &'a [MapEntry] = self.node.entries();
        entries.iter().map(move |entry| {
            let path = join(&path, &shortened(&entry.key, LONGEST_KEY));
            (entry, NodeCursor { node: &entry.node, path })
        })
    }

    /// The elements of a list.
    pub fn elements(&self) -> impl Iterator<Item = NodeCursor<'a>> + use<'a> {
        let path = self.path.clone();
        let elements: &'a [DocumentNode] = self.node.elements();
        elements
            .iter()
            .enumerate()
            .map(move |(index, node)| NodeCursor { node, path: format!("{path}[{index}]") })
    }

    /// The text of a key.
    pub fn text(&self, key: &str) -> Option<&'a str> {
        self.node.get(key)?.text()
    }

    /// The text of a key, owned.
    pub fn owned_text(&self, key: &str) -> Option<String> {
        self.text(key).map(str::to_owned)
    }

    /// True or false of a key.
    pub fn flag(&self, key: &str) -> Option<bool> {
        match self.node.get(key)?.value {
            NodeValue::Bool(flag) => Some(flag),
            _ => None,
        }
    }

    /// The whole number of a key.
    pub fn whole(&self, key: &str) -> Option<i64> {
        match self.node.get(key)?.value {
            NodeValue::Integer(number) => Some(number),
            _ => None,
        }
    }

    /// The number of a key.
    pub fn number(&self, key: &str) -> Option<f64> {
        match self.node.get(key)?.value {
            NodeValue::Integer(number) => Some(number as f64),
            NodeValue::Float(number) => Some(number),
            _ => None,
        }
    }

    /// The texts of a list under a key.
    pub fn texts(&self, key: &str) -> Vec<String> {
        let elements = self.node.get(key).map_or(&[][..], DocumentNode::elements);
        elements.iter().filter_map(|element| element.text().map(str::to_owned)).collect()
    }
}

/// A text of the file in quotes, cut where it is long.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", shortened(text, 60).escape_debug())
}

/// What is there, in words: `string "abc"`.
pub fn described(node: &DocumentNode) -> String {
    match &node.value {
        NodeValue::String(text) => format!("string {}", quoted(text)),
        NodeValue::Bool(flag) => format!("boolean {flag}"),
        NodeValue::Integer(number) => format!("integer {number}"),
        NodeValue::Float(number) => format!("number {number}"),
        NodeValue::Null | NodeValue::List(_) | NodeValue::Map(_) => node.kind().to_owned(),
    }
}

//! Documents that people write: text in, a tree of values out that knows the line and column of each.
//!
//! `yaml`, `jsonc` and `toml` make the tree, `cursor` walks it with a path, `keys` holds it against a table of keys, and
//! `findings` collects every problem met on the way. Only `disk` touches the file system.

pub mod credentials;
pub mod disk;
pub mod findings;
pub mod format_by_name;
pub mod jsonc;
pub mod keys;
pub mod node_cursor;
pub mod summary;
mod synonyms;
#[cfg(feature = "toml")]
pub mod toml;
pub mod yaml;

use serde_json::{Map, Number, Value as Json};

/// A place in a text. Lines and columns count from 1; columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineColumn {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl LineColumn {
    /// Where a text begins.
    pub const START: LineColumn = LineColumn::new(1, 1);

    /// The place on this line in this column.
    pub const fn new(line: u32, column: u32) -> LineColumn {
        LineColumn { line, column }
    }
}

/// A value and its place. Lines and columns count from 1.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentNode {
    /// The value.
    pub value: NodeValue,
    /// The line it starts on.
    pub line: u32,
    /// The column it starts in, in characters.
    pub column: u32,
}

/// What a node holds.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeValue {
    /// Nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Float(f64),
    /// Text.
    String(String),
    /// A list.
    List(Vec<DocumentNode>),
    /// Keys and values, in the order of the text; a repeated key is reported when the text is read.
    Map(Vec<MapEntry>),
}

/// One key and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct MapEntry {
    /// The key.
    pub key: String,
    /// The line of the key.
    pub line: u32,
    /// The column of the key.
    pub column: u32,
    /// The value.
    pub node: DocumentNode,
}

impl DocumentNode {
    /// The type, in the words that messages use.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            NodeValue::Null => "null",
            NodeValue::Bool(_) => "boolean",
            NodeValue::Integer(_) => "integer",
            NodeValue::Float(_) => "number",
            NodeValue::String(_) => "string",
            NodeValue::List(_) => "list",
            NodeValue::Map(_) => "map",
        }
    }

    /// The value of a key, when this is a map that has it.
    pub fn get(&self, key: &str) -> Option<&DocumentNode> {
        self.entries().iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    /// The entries of a map; none for anything else.
    pub fn entries(&self) -> &[MapEntry] {
        match &self.value {
            NodeValue::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The elements of a list; none for anything else.
    pub fn elements(&self) -> &[DocumentNode] {
        match &self.value {
            NodeValue::List(elements) => elements,
            _ => &[],
        }
    }

    /// The text, when this is a string.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            NodeValue::String(text) => Some(text),
            _ => None,
        }
    }

    /// The text, when this is a string that has something in it besides white space.
    pub fn filled_text(&self) -> Option<&str> {
        self.text().filter(|text| !text.trim().is_empty())
    }

    /// The same value as JSON, without its places.
    pub fn to_json(&self) -> Json {
        match &self.value {
            NodeValue::Null => Json::Null,
            NodeValue::Bool(flag) => Json::Bool(*flag),
            NodeValue::Integer(number) => Json::from(*number),
            NodeValue::Float(number) => Number::from_f64(*number).map_or(Json::Null, Json::Number),
            NodeValue::String(text) => Json::String(text.clone()),
            NodeValue::List(elements) => Json::Array(elements.iter().map(DocumentNode::to_json).collect()),
            NodeValue::Map(entries) => {
                Json::Object(entries.iter().map(|e| (e.key.clone(), e.node.to_json())).collect::<Map<_, _>>())
            }
        }
    }
}

/// Text that could not be read as a tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SyntaxProblem {
    /// What is wrong.
    pub message: String,
    /// What to do about it, when something is known.
    pub hint: Option<String>,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// A tree, and the keys that were written twice in one map.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The whole value.
    pub root: DocumentNode,
    /// Each repeated key, with its path; the first value is kept.
    pub repeated: Vec<RepeatedKey>,
}

/// A key written a second time in the same map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepeatedKey {
    /// The key's path.
    pub path: String,
    /// The line of the second one.
    pub line: u32,
    /// The column of the second one.
    pub column: u32,
    /// The line of the first one.
    pub first_line: u32,
}

/// Moves second and later uses of a key out of the tree.
fn take_repeated(mut root: DocumentNode) -> Document {
    let mut repeated = Vec::new();
    remove_repeated(&mut root, "", &mut repeated);
    Document { root, repeated }
}

fn remove_repeated(node: &mut DocumentNode, path: &str, repeated: &mut Vec<RepeatedKey>) {
    match &mut node.value {
        NodeValue::List(elements) => {
            for (index, element) in elements.iter_mut().enumerate() {
                if !matches!(element.value, NodeValue::List(_) | NodeValue::Map(_)) {
                    continue;
                }
                remove_repeated(element, &format!("{path}[{index}]"), repeated);
            }
        }
        NodeValue::Map(entries) => {
            let mut seen = std::collections::HashMap::with_capacity(entries.len());
            entries.retain(|entry| match seen.get(&entry.key) {
                None => {
                    seen.insert(entry.key.clone(), entry.line);
                    true
                }
                Some(first_line) => {
                    repeated.push(RepeatedKey {
                        path: join(path, &entry.key),
                        line: entry.line,
                        column: entry.column,
                        first_line: *first_line,
                    });
                    false
                }
            });
            for entry in entries {
                if matches!(entry.node.value, NodeValue::List(_) | NodeValue::Map(_)) {
                    remove_repeated(&mut entry.node, &join(path, &entry.key), repeated);
                }
            }
        }
        _ => {}
    }
}

/// `path.key`, without the dot when there is nothing before it.
fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

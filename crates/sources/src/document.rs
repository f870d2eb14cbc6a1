//! A tree of values that knows the line and column of each, whatever the text was written in.
//!
//! `yaml`, `jsonc` and `toml` make it, `cursor` walks it with a path, `findings` collects every problem met on the way.

pub mod by_name;
pub mod cursor;
pub mod findings;
pub mod jsonc;
pub mod keys;
mod other_words;
pub(crate) mod secrets;
pub mod toml;
pub mod yaml;

use serde_json::{Map, Number, Value as Json};

/// A value and its place. Lines and columns count from 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// The line it starts on.
    pub line: u32,
    /// The column it starts in, in characters.
    pub column: u32,
}

/// What a node holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
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
    List(Vec<Node>),
    /// Keys and values, in the order of the text; a repeated key is reported when the text is read.
    Map(Vec<Entry>),
}

/// One key and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// The line of the key.
    pub line: u32,
    /// The column of the key.
    pub column: u32,
    /// The value.
    pub node: Node,
}

impl Node {
    /// The type, in the words that messages use.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Integer(_) => "integer",
            Value::Float(_) => "number",
            Value::String(_) => "string",
            Value::List(_) => "list",
            Value::Map(_) => "map",
        }
    }

    /// The value of a key, when this is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    /// The entries of a map; none for anything else.
    pub fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The elements of a list; none for anything else.
    pub fn elements(&self) -> &[Node] {
        match &self.value {
            Value::List(elements) => elements,
            _ => &[],
        }
    }

    /// The text, when this is a string.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The same value as JSON, without its places.
    pub fn to_json(&self) -> Json {
        match &self.value {
            Value::Null => Json::Null,
            Value::Bool(flag) => Json::Bool(*flag),
            Value::Integer(number) => Json::from(*number),
            Value::Float(number) => Number::from_f64(*number).map_or(Json::Null, Json::Number),
            Value::String(text) => Json::String(text.clone()),
            Value::List(elements) => Json::Array(elements.iter().map(Node::to_json).collect()),
            Value::Map(entries) => {
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
    pub root: Node,
    /// Each repeated key, with its path; the first value is kept.
    pub repeated: Vec<Repeated>,
}

/// A key written a second time in the same map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeated {
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
fn take_repeated(mut root: Node) -> Document {
    let mut repeated = Vec::new();
    remove_repeated(&mut root, "", &mut repeated);
    Document { root, repeated }
}

fn remove_repeated(node: &mut Node, path: &str, repeated: &mut Vec<Repeated>) {
    match &mut node.value {
        Value::List(elements) => {
            for (index, element) in elements.iter_mut().enumerate() {
                if !matches!(element.value, Value::List(_) | Value::Map(_)) {
                    continue;
                }
                remove_repeated(element, &format!("{path}[{index}]"), repeated);
            }
        }
        Value::Map(entries) => {
            let mut seen = std::collections::HashMap::with_capacity(entries.len());
            entries.retain(|entry| match seen.get(&entry.key) {
                None => {
                    seen.insert(entry.key.clone(), entry.line);
                    true
                }
                Some(first_line) => {
                    repeated.push(Repeated {
                        path: join(path, &entry.key),
                        line: entry.line,
                        column: entry.column,
                        first_line: *first_line,
                    });
                    false
                }
            });
            for entry in entries {
                if matches!(entry.node.value, Value::List(_) | Value::Map(_)) {
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

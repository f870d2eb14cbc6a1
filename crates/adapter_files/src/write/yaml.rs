//! A tree of values as YAML text: short maps and lists on one line, the others over several, long texts folded.
//!
//! A tree in, text out, always the same for the same tree. Long lists and maps are written piece by piece, so that they
//! never stand in memory as trees.

use super::text::{self, WIDTH};
use serde_json::{Map, Value as Json};

/// A value to be written.
#[derive(Debug, Clone)]
pub(super) enum YamlValue {
    /// Any JSON value.
    Json(Json),
    /// Text that is folded when it is long.
    Text(String),
    /// A list; on one line when it is short.
    List(Vec<YamlValue>),
    /// A map; on one line when it is short.
    Map(YamlEntries),
    /// A map with each key on a line of its own.
    Block(YamlEntries),
    /// A list with each element on a line of its own.
    Blocks(Vec<YamlValue>),
    /// An element with comments above it.
    Noted(Vec<String>, Box<YamlValue>),
}

/// The entries of a map, in the order in which they are written.
#[derive(Debug, Clone, Default)]
pub(super) struct YamlEntries(pub Vec<(String, YamlValue)>);

impl YamlEntries {
    /// The members of an object, lists and maps among them on one line when they are short.
    pub(super) fn of(members: &Map<String, Json>) -> YamlEntries {
        let value = |value: &Json| match value {
            Json::Array(elements) => YamlValue::List(elements.iter().cloned().map(YamlValue::Json).collect()),
            Json::Object(members) => YamlValue::Map(YamlEntries::of(members)),
            other => YamlValue::Json(other.clone()),
        };
        YamlEntries(members.iter().map(|(key, member)| (key.clone(), value(member))).collect())
    }

    pub(super) fn put(&mut self, key: &str, piece: YamlValue) {
        self.0.push((key.to_owned(), piece));
    }

    pub(super) fn json(&mut self, key: &str, value: impl Into<Json>) {
        self.put(key, YamlValue::Json(value.into()));
    }

    pub(super) fn text(&mut self, key: &str, text: &str) {
        self.put(key, YamlValue::Text(text.to_owned()));
    }

    pub(super) fn maybe_text(&mut self, key: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.text(key, text);
        }
    }

    pub(super) fn maybe_json(&mut self, key: &str, value: Option<impl Into<Json>>) {
        if let Some(value) = value {
            self.json(key, value);
        }
    }

    /// A value that is written when it is not the usual one.
    pub(super) fn unless<V: Into<Json> + PartialEq>(&mut self, key: &str, value: V, usual: V) {
        if value != usual {
            self.json(key, value);
        }
    }

    pub(super) fn words(&mut self, key: &str, words: impl IntoIterator<Item = impl AsRef<str>>) {
        let words: Vec<YamlValue> =
            words.into_iter().map(|word| YamlValue::Json(word.as_ref().into())).collect();
        if !words.is_empty() {
            self.put(key, YamlValue::List(words));
        }
    }

    /// A map that is written when there is something in it.
    pub(super) fn map(&mut self, key: &str, entries: YamlEntries) {
        if !entries.0.is_empty() {
            self.put(key, YamlValue::Map(entries));
        }
    }

    /// The same with each key on a line of its own.
    pub(super) fn block(&mut self, key: &str, entries: YamlEntries) {
        if !entries.0.is_empty() {
            self.put(key, YamlValue::Block(entries));
        }
    }
}

/// Writes the entries of the outermost map.
pub(super) fn document(entries: &YamlEntries, out: &mut String) {
    block(entries, 0, out);
}

/// Starts a map below a key of the outermost map, or of one below it: its entries or elements follow one by one.
pub(super) fn open(key: &str, indent: usize, out: &mut String) {
    spaces(indent, out);
    out.push_str(&text::scalar(key));
    out.push_str(":\n");
}

/// One entry of a map that was started.
pub(super) fn json_entry(key: &str, json: &Json, indent: usize, out: &mut String) {
    spaces(indent, out);
    let width = put_key(key, out);
    json_value(json, indent, width, out);
}

/// Writes a key; gives how far to the right its value begins.
fn put_key(key: &str, out: &mut String) -> usize {
    let key = text::scalar(key);
    out.push_str(&key);
    out.push(':');
    key.len() + 2
}

/// The entries of a map, the first of which stands on its line already indented.
fn block(entries: &YamlEntries, indent: usize, out: &mut String) {
    for (index, (key, piece)) in entries.0.iter().enumerate() {
        if index > 0 {
            spaces(indent, out);
        }
        let width = put_key(key, out);
        value(piece, indent, width, out);
    }
}

/// A value after a key, or after the dash of a list.
fn value(piece: &YamlValue, indent: usize, before: usize, out: &mut String) {
    if let Some(line) = on_one_line(piece, WIDTH.saturating_sub(indent + before)) {
        return end_line(&line, out);
    }
    match piece {
        YamlValue::Json(json) => long_json(json, indent, out),
        YamlValue::Text(long) => long_text(long, indent, out),
        YamlValue::List(elements) | YamlValue::Blocks(elements) => {
            out.push('\n');
            elements.iter().for_each(|each| element(each, indent, out));
        }
        YamlValue::Map(entries) | YamlValue::Block(entries) => {
            out.push('\n');
            spaces(indent + 2, out);
            block(entries, indent + 2, out);
        }
        YamlValue::Noted(_, inner) => value(inner, indent, before, out),
    }
}

/// The same for any JSON value.
fn json_value(json: &Json, indent: usize, before: usize, out: &mut String) {
    let mut line = String::new();
    if flow_json(json, WIDTH.saturating_sub(indent + before), &mut line) {
        end_line(&line, out);
    } else {
        long_json(json, indent, out);
    }
}

/// Any JSON value over several lines.
fn long_json(json: &Json, indent: usize, out: &mut String) {
    match json {
        Json::String(long) => long_text(long, indent, out),
        Json::Array(elements) => {
            out.push('\n');
            for element in elements {
                spaces(indent + 2, out);
                out.push('-');
                json_value(element, indent + 2, 2, out);
            }
        }
        Json::Object(object) => {
            out.push('\n');
            for (key, each) in object {
                json_entry(key, each, indent + 2, out);
            }
        }
        other => end_line(&other.to_string(), out),
    }
}

fn long_text(long: &str, indent: usize, out: &mut String) {
    let long = text::clean(long);
    match text::lines(&long, indent + 2) {
        Some((sign, lines)) => {
            end_line(sign, out);
            for line in lines {
                if !line.is_empty() {
                    spaces(indent + 2, out);
                    out.push_str(&line);
                }
                out.push('\n');
            }
        }
        None => end_line(&text::scalar(&long), out),
    }
}

/// The rest of a line, after a space.
fn end_line(rest: &str, out: &mut String) {
    out.push(' ');
    out.push_str(rest);
    out.push('\n');
}

/// One element of a list whose key is indented so far.
pub(super) fn element(mut element: &YamlValue, indent: usize, out: &mut String) {
    if let YamlValue::Noted(notes, inner) = element {
        for note in notes {
            for line in text::folded(&text::on_one_line(note), WIDTH - indent - 4) {
                spaces(indent + 2, out);
                out.push_str("# ");
                out.push_str(&line);
                out.push('\n');
            }
        }
        element = inner;
    }
    spaces(indent + 2, out);
    out.push('-');
    match element {
        YamlValue::Map(_) if on_one_line(element, WIDTH.saturating_sub(indent + 4)).is_some() => {
            value(element, indent + 2, 2, out);
        }
        YamlValue::Map(entries) | YamlValue::Block(entries) => {
            out.push(' ');
            block(entries, indent + 4, out);
        }
        other => value(other, indent + 2, 2, out),
    }
}

/// The value on one line, when it is no longer than this.
fn on_one_line(piece: &YamlValue, width: usize) -> Option<String> {
    let mut line = String::new();
    flow(piece, width, &mut line).then_some(line)
}

/// Writes a value in one line; false when it becomes too long or may not stand on one.
fn flow(piece: &YamlValue, width: usize, line: &mut String) -> bool {
    match piece {
        YamlValue::Json(json) => flow_json(json, width, line),
        YamlValue::Text(text) => {
            line.push_str(&text::scalar(text));
            line.len() <= width && !(text.contains('\n') && text::lines(text, 0).is_some())
        }
        YamlValue::Block(YamlEntries(entries)) if !entries.is_empty() => false,
        YamlValue::Blocks(elements) if !elements.is_empty() => false,
        YamlValue::List(elements) | YamlValue::Blocks(elements) => flow_list(elements, flow, width, line),
        YamlValue::Map(YamlEntries(entries)) | YamlValue::Block(YamlEntries(entries)) => {
            flow_map(entries.iter().map(|(key, each)| (key, each)), flow, width, line)
        }
        YamlValue::Noted(..) => false,
    }
}

fn flow_json(json: &Json, width: usize, line: &mut String) -> bool {
    match json {
        Json::Array(elements) => return flow_list(elements, flow_json, width, line),
        Json::Object(object) => return flow_map(object.iter(), flow_json, width, line),
        Json::String(text) => line.push_str(&text::scalar(text)),
        other => line.push_str(&other.to_string()),
    }
    line.len() <= width
}

/// Writes a value of this type in one line.
type FlowWriter<V> = fn(&V, usize, &mut String) -> bool;

fn flow_list<V>(elements: &[V], write: FlowWriter<V>, width: usize, line: &mut String) -> bool {
    line.push('[');
    for (index, element) in elements.iter().enumerate() {
        line.push_str(if index > 0 { ", " } else { "" });
        if !write(element, width, line) {
            return false;
        }
    }
    line.push(']');
    elements.is_empty() || line.len() <= width
}

fn flow_map<'v, V: 'v>(
    entries: impl ExactSizeIterator<Item = (&'v String, &'v V)>,
    write: FlowWriter<V>,
    width: usize,
    line: &mut String,
) -> bool {
    let is_empty = entries.len() == 0;
    line.push('{');
    for (index, (key, each)) in entries.enumerate() {
        line.push_str(if index > 0 { ", " } else { "" });
        line.push_str(&text::scalar(key));
        line.push_str(": ");
        if !write(each, width, line) {
            return false;
        }
    }
    line.push('}');
    is_empty || line.len() <= width
}

fn spaces(count: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', count));
}

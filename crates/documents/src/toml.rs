//! TOML text into the same tree as YAML, so that a configuration file is checked with errors of the same quality.
//!
//! Text in; a tree, or one finding with its place, out. Entries stand in the order of the text.

mod mistake;

use super::findings::Findings;
use super::{Document, DocumentNode, LineColumn, MapEntry, NodeValue, SyntaxProblem};
use aqueduct_operations::diagnostic::Diagnostic;
use mistake::TomlMistake;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Reads one TOML document; text that is no TOML gives one finding with its place.
pub fn parse(file: &str, text: &str) -> Result<Document, Vec<Diagnostic>> {
    tree(text).map_err(|problem| {
        let mut found = Findings::new(file, text);
        found.add_syntax("TOML_SYNTAX", problem);
        found.finish()
    })
}

pub(super) fn tree(text: &str) -> Result<Document, SyntaxProblem> {
    let places = LineIndex::new(text);
    let table = DeTable::parse(text).map_err(|error| {
        let place = error.span().unwrap_or_default();
        let LineColumn { line, column } = places.of(place.start);
        let TomlMistake { message, hint } = mistake::explain(text, &place, error.message());
        SyntaxProblem { message, hint: Some(hint), line, column }
    })?;
    let root = DocumentNode { value: map(table.get_ref(), &places), line: 1, column: 1 };
    Ok(Document { root, repeated: Vec::new() })
}

fn map(table: &DeTable<'_>, places: &LineIndex<'_>) -> NodeValue {
    let mut entries: Vec<(usize, MapEntry)> = table
        .iter()
        .map(|(key, value)| {
            let LineColumn { line, column } = places.of(key.span().start);
            let key_text = key.get_ref().as_ref().to_owned();
            (key.span().start, MapEntry { key: key_text, line, column, node: node(value, places) })
        })
        .collect();
    entries.sort_by_key(|(start, _)| *start);
    NodeValue::Map(entries.into_iter().map(|(_, entry)| entry).collect())
}

fn node(value: &Spanned<DeValue<'_>>, places: &LineIndex<'_>) -> DocumentNode {
    let LineColumn { line, column } = places.of(value.span().start);
    let value = match value.get_ref() {
        DeValue::String(text) => NodeValue::String(text.as_ref().to_owned()),
        DeValue::Boolean(flag) => NodeValue::Bool(*flag),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map_or_else(|_| NodeValue::String(number.as_str().to_owned()), NodeValue::Integer),
        DeValue::Float(number) => number
            .as_str()
            .parse()
            .map_or_else(|_| NodeValue::String(number.as_str().to_owned()), NodeValue::Float),
        DeValue::Datetime(moment) => NodeValue::String(moment.to_string()),
        DeValue::Array(elements) => NodeValue::List(elements.iter().map(|each| node(each, places)).collect()),
        DeValue::Table(table) => map(table, places),
    };
    DocumentNode { value, line, column }
}

/// Byte offsets to lines and columns.
struct LineIndex<'t> {
    text: &'t str,
    line_starts: Vec<usize>,
}

impl<'t> LineIndex<'t> {
    fn new(text: &'t str) -> LineIndex<'t> {
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        LineIndex { text, line_starts }
    }

    fn of(&self, offset: usize) -> LineColumn {
        let line = self.line_starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = self.line_starts[line];
        let column = self.text.get(start..offset).map_or(0, |before| before.chars().count());
        let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        LineColumn::new(narrow(line + 1), narrow(column + 1))
    }
}

#[cfg(test)]
mod tests;

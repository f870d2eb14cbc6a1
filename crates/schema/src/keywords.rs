//! The keywords of JSON Schema and of OpenAPI's dialects: what the value of each one is, and what it is for.
//!
//! A name in; its row of the table out. Everything that walks through schemas, rewrites them or finds mistakes in them
//! asks this table.

use KeywordKind as K;
use KeywordRole::{Check, Description, Structure};
use serde_json::{Map, Value};

/// What the value of a keyword is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeywordKind {
    /// One schema.
    Schema,
    /// One schema; in older drafts also a list of them, one for each position.
    Items,
    /// The older keyword for the elements after that list.
    AdditionalItems,
    /// Schemas by name.
    SchemaMap,
    /// A list of schemas.
    SchemaList,
    /// A schema or a list of names, by name: the older spelling of `dependentSchemas` and `dependentRequired`.
    Dependencies,
    /// A number.
    Number,
    /// A number; in older drafts a flag that makes the limit beside it exclusive.
    ExclusiveLimit,
    /// A number above zero.
    Divisor,
    /// A whole number, zero or more.
    Count,
    /// Text.
    Text,
    /// Text that names a place in the document.
    Anchor,
    /// The address of a document.
    Identifier,
    /// True or false.
    Flag,
    /// Flags by name.
    FlagMap,
    /// A list of names.
    Names,
    /// Lists of names, by name.
    NamesMap,
    /// One of the types, or a list of them.
    Type,
    /// A list of values, which are data.
    Values,
    /// Any value, which is data.
    Data,
    /// An object for tools that read the document.
    Hint,
}

/// What a keyword is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeywordRole {
    /// Values are checked by it.
    Check,
    /// It describes values.
    Description,
    /// It belongs to the document, or it is rewritten or left out before anything else reads it.
    Structure,
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Keyword {
    /// Its name.
    pub name: &'static str,
    /// What its value is.
    pub kind: KeywordKind,
    /// What it is for.
    pub role: KeywordRole,
}

const fn row(name: &'static str, kind: KeywordKind, role: KeywordRole) -> Keyword {
    Keyword { name, kind, role }
}

/// The table, in the order of the names.
static TABLE: [Keyword; 64] = ROWS;

const ROWS: [Keyword; 64] = [
    row("$anchor", K::Anchor, Structure),
    row("$comment", K::Text, Structure),
    row("$defs", K::SchemaMap, Structure),
    row("$dynamicAnchor", K::Anchor, Structure),
    row("$dynamicRef", K::Text, Structure),
    row("$id", K::Identifier, Structure),
    row("$recursiveAnchor", K::Anchor, Structure),
    row("$recursiveRef", K::Text, Structure),
    row("$ref", K::Text, Structure),
    row("$schema", K::Text, Structure),
    row("$vocabulary", K::FlagMap, Structure),
    row("additionalItems", K::AdditionalItems, Structure),
    row("additionalProperties", K::Schema, Check),
    row("allOf", K::SchemaList, Check),
    row("anyOf", K::SchemaList, Check),
    row("const", K::Data, Check),
    row("contains", K::Schema, Check),
    row("contentEncoding", K::Text, Description),
    row("contentMediaType", K::Text, Description),
    row("contentSchema", K::Schema, Description),
    row("default", K::Data, Description),
    row("definitions", K::SchemaMap, Structure),
    row("dependencies", K::Dependencies, Structure),
    row("dependentRequired", K::NamesMap, Check),
    row("dependentSchemas", K::SchemaMap, Check),
    row("deprecated", K::Flag, Description),
    row("description", K::Text, Description),
    row("discriminator", K::Hint, Description),
    row("else", K::Schema, Check),
    row("enum", K::Values, Check),
    row("example", K::Data, Structure),
    row("examples", K::Values, Structure),
    row("exclusiveMaximum", K::ExclusiveLimit, Check),
    row("exclusiveMinimum", K::ExclusiveLimit, Check),
    row("format", K::Text, Check),
    row("if", K::Schema, Check),
    row("items", K::Items, Check),
    row("maxContains", K::Count, Check),
    row("maxItems", K::Count, Check),
    row("maxLength", K::Count, Check),
    row("maxProperties", K::Count, Check),
    row("maximum", K::Number, Check),
    row("minContains", K::Count, Check),
    row("minItems", K::Count, Check),
    row("minLength", K::Count, Check),
    row("minProperties", K::Count, Check),
    row("minimum", K::Number, Check),
    row("multipleOf", K::Divisor, Check),
    row("not", K::Schema, Check),
    row("oneOf", K::SchemaList, Check),
    row("pattern", K::Text, Check),
    row("patternProperties", K::SchemaMap, Check),
    row("prefixItems", K::SchemaList, Check),
    row("properties", K::SchemaMap, Check),
    row("propertyNames", K::Schema, Check),
    row("readOnly", K::Flag, Description),
    row("required", K::Names, Check),
    row("then", K::Schema, Check),
    row("title", K::Text, Description),
    row("type", K::Type, Check),
    row("unevaluatedItems", K::Schema, Check),
    row("unevaluatedProperties", K::Schema, Check),
    row("uniqueItems", K::Flag, Check),
    row("writeOnly", K::Flag, Description),
];

/// More characters than the longest name has.
const LENGTHS: usize = 24;

/// The rows in the order of the lengths of their names: a document has tens of thousands of keys, and most are no keyword.
static ORDER: [u8; ROWS.len()] = LOOKUP.0;
/// For each length, the first place in that order, and the one behind the last of the length before.
static BY_LENGTH: [u8; LENGTHS + 1] = LOOKUP.1;

const LOOKUP: ([u8; ROWS.len()], [u8; LENGTHS + 1]) = {
    let (mut order, mut by_length) = ([0; ROWS.len()], [0; LENGTHS + 1]);
    let (mut length, mut placed) = (0, 0);
    while length < LENGTHS {
        by_length[length] = placed as u8;
        let mut row = 0;
        while row < ROWS.len() {
            if ROWS[row].name.len() == length {
                order[placed] = row as u8;
                placed += 1;
            }
            row += 1;
        }
        length += 1;
    }
    assert!(placed == ROWS.len(), "a name is longer than LENGTHS");
    by_length[LENGTHS] = placed as u8;
    (order, by_length)
};

impl Keyword {
    /// All of them.
    pub fn all() -> &'static [Keyword] {
        &TABLE
    }

    /// The keyword of this name, if it is known.
    pub fn named(name: &str) -> Option<Keyword> {
        let same_length = BY_LENGTH.get(name.len()..name.len() + 2)?;
        let rows = &ORDER[usize::from(same_length[0])..usize::from(same_length[1])];
        rows.iter().map(|row| TABLE[usize::from(*row)]).find(|keyword| keyword.name == name)
    }

    /// True for a keyword whose value is data, in which nothing is a schema.
    pub fn is_data(name: &str) -> bool {
        Keyword::named(name).is_some_and(|keyword| matches!(keyword.kind, K::Data | K::Values))
    }

    /// True for a keyword whose value is schemas by name.
    pub fn is_schema_map(name: &str) -> bool {
        Keyword::named(name).is_some_and(|keyword| keyword.kind == K::SchemaMap)
    }
}

/// The seven types.
pub(crate) const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// The types that a schema names, whether there are such or not.
pub fn stated_types(schema: &Map<String, Value>) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        stated => stated.and_then(Value::as_str).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests;

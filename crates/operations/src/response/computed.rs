//! Fields that an adapter lets us work out for each item: ages, counts, templates, arithmetic. No code, no loops.
//!
//! Declared in an adapter file; the query language works them out.

use super::FieldPath;

/// A field of `_computed`.
#[derive(Debug, Clone)]
pub struct ComputedField {
    /// Its name, without the prefix.
    pub name: String,
    /// Its type, as introspection shows it.
    pub type_name: String,
    /// What it means.
    pub description: Option<String>,
    /// It may be filtered by.
    pub filterable: bool,
    /// It may be sorted by.
    pub sortable: bool,
    /// How it is worked out.
    pub value: ComputedExpression,
}

/// How a value is worked out from an item. Anything missing on the way gives null.
#[derive(Debug, Clone)]
pub enum ComputedExpression {
    /// Whole days since the time at this path.
    AgeDays(FieldPath),
    /// Whole hours since the time at this path.
    AgeHours(FieldPath),
    /// The number of elements, keys or characters at this path.
    Count(FieldPath),
    /// Text with values in it.
    Template(Template),
    /// Arithmetic over two or more operands, from left to right.
    Arithmetic(Operator, Vec<Operand>),
    /// Two operands compared.
    Compare(Comparison, Operand, Operand),
    /// True when there is something other than null at this path.
    Exists(FieldPath),
}

impl ComputedExpression {
    /// The paths that it looks into.
    pub fn paths(&self) -> Vec<&FieldPath> {
        match self {
            ComputedExpression::AgeDays(path)
            | ComputedExpression::AgeHours(path)
            | ComputedExpression::Count(path)
            | ComputedExpression::Exists(path) => vec![path],
            ComputedExpression::Template(Template(pieces)) => {
                pieces.iter().filter_map(TemplatePiece::path).collect()
            }
            ComputedExpression::Arithmetic(_, operands) => {
                operands.iter().filter_map(Operand::path).collect()
            }
            ComputedExpression::Compare(_, left, right) => {
                [left, right].into_iter().filter_map(Operand::path).collect()
            }
        }
    }
}

/// The four operations of arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient; by zero it is null.
    Div,
}

/// How two operands are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// Equal.
    Equal,
    /// The left one is greater.
    Greater,
    /// The left one is less.
    Less,
}

/// A value of the item, or a constant.
#[derive(Debug, Clone)]
pub enum Operand {
    /// What is at this path.
    Path(FieldPath),
    /// This number.
    Number(f64),
}

impl Operand {
    fn path(&self) -> Option<&FieldPath> {
        match self {
            Operand::Path(path) => Some(path),
            Operand::Number(_) => None,
        }
    }
}

impl TemplatePiece {
    fn path(&self) -> Option<&FieldPath> {
        match self {
            TemplatePiece::Value(path) => Some(path),
            TemplatePiece::Literal(_) => None,
        }
    }
}

/// Text with the values of paths in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template(pub Vec<TemplatePiece>);

/// A piece of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TemplatePiece {
    /// Text as it is.
    Literal(String),
    /// The value at this path.
    Value(FieldPath),
}

impl Template {
    /// Reads `"{owner.login}/{name}"`; `{{` and `}}` are braces. Nothing when a brace is left open or a path is empty.
    pub fn parse(text: &str) -> Option<Template> {
        let mut pieces = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            literal.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix(brace) {
                literal.push_str(brace);
                rest = after;
                continue;
            }
            if brace == "}" {
                return None;
            }
            let (inner, after) = rest.split_once('}')?;
            if !literal.is_empty() {
                pieces.push(TemplatePiece::Literal(std::mem::take(&mut literal)));
            }
            pieces.push(TemplatePiece::Value(FieldPath::parse(inner.trim())?));
            rest = after;
        }
        literal.push_str(rest);
        if !literal.is_empty() {
            pieces.push(TemplatePiece::Literal(literal));
        }
        Some(Template(pieces))
    }
}

#[cfg(test)]
mod tests;

//! Fields that are worked out here: their names, types and values.
//!
//! The list in; expressions out. There is no code in them: a fixed set of functions over paths and numbers.

use crate::check::path::{self, KnownFields};
use aqueduct_documents::NodeValue;
use aqueduct_documents::findings::{Finding, Findings};
use aqueduct_documents::node_cursor::{NodeCursor, quoted, shortened};
use aqueduct_operations::naming::is_snake_case;
use aqueduct_operations::params::ValueKind;
use aqueduct_operations::response::{
    Comparison, ComputedExpression, ComputedField, Operand, Operator, Template,
};
use std::collections::HashSet;

/// Every way in which a value is worked out.
const FORMS: &str = "one of age_days: PATH, age_hours: PATH, count: PATH, exists: PATH, template: \"{a.b}/{c}\", \
                     add, sub, mul or div: [PATH or number, ...], eq, gt or lt: [PATH or number, PATH or number]";

pub(super) fn check(
    operation: &NodeCursor<'_>,
    known: &KnownFields<'_>,
    found: &mut Findings<'_>,
) -> Vec<ComputedField> {
    let mut fields: Vec<ComputedField> = Vec::new();
    let mut seen: HashSet<&str> = HashSet::new();
    for at in operation.get("computed").iter().flat_map(NodeCursor::elements) {
        let name = name(&at, &mut seen, found);
        let kind = kind(&at, found);
        show_forms(&at, found);
        let value = at.get("value").and_then(|at| {
            let (key, value) = value(&at, found)?;
            value.paths().into_iter().for_each(|path| known.check(path, &at, found));
            Some((key, value))
        });
        let (Some(name), Some(kind), Some((key, value))) = (name, kind, value) else { continue };
        check_kind(&at, &kind, key, found);
        fields.push(ComputedField {
            name,
            type_name: kind.to_string(),
            description: at.owned_text("description"),
            filterable: at.flag("filterable").unwrap_or(true),
            sortable: at.flag("sortable").unwrap_or(true),
            value,
        });
    }
    fields
}

fn name<'a>(at: &NodeCursor<'a>, seen: &mut HashSet<&'a str>, found: &mut Findings<'_>) -> Option<String> {
    let place = at.get("name")?;
    let name = place.node.text()?;
    if !is_snake_case(name) {
        place
            .error("INVALID_NAME", "Names of computed fields are snake_case")
            .expected("lower-case letters, digits and underscores, starting with a letter")
            .received(quoted(name))
            .add_to(found);
        return None;
    }
    if !seen.insert(name) {
        let message = format!("Duplicate computed field: {name}");
        place.error("DUPLICATE_NAME", message).hint("remove or rename one of the two").add_to(found);
    }
    Some(name.to_owned())
}

fn kind(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<ValueKind> {
    let place = at.get("type")?;
    let text = place.node.filled_text()?;
    let kind = ValueKind::parse(text);
    if kind.is_none() {
        let hint = found.nearest(text, ValueKind::NAMES);
        let message = format!("There is no type '{}'", shortened(text, 60));
        place
            .error("INVALID_VALUE", message)
            .expected(format!("one of {}", ValueKind::NAMES.join(", ")))
            .maybe_hint(hint)
            .add_to(found);
    }
    kind
}

/// Lists the forms beside what has been found wrong with the form of a value.
fn show_forms(field: &NodeCursor<'_>, found: &mut Findings<'_>) {
    let path = field.path_of("value");
    let Some(value) = field.get("value").filter(|value| matches!(value.node.value, NodeValue::Map(_))) else {
        found.expect(&path, FORMS);
        return;
    };
    for (_, each) in value.entries() {
        found.expect(&each.path, FORMS);
    }
}

/// The one key of a value, and what it means.
fn value<'a>(at: &NodeCursor<'a>, found: &mut Findings<'_>) -> Option<(&'a str, ComputedExpression)> {
    let mut entries = at.entries();
    let (Some((entry, place)), None) = (entries.next(), entries.next()) else {
        if matches!(at.node.value, NodeValue::Map(_)) {
            at.error("INVALID_VALUE", "A value is worked out in exactly one way")
                .expected(FORMS)
                .received(format!("{} keys", at.node.entries().len()))
                .add_to(found);
        }
        return None;
    };
    let key = entry.key.as_str();
    let expression = match key {
        "age_days" => ComputedExpression::AgeDays(path::read(&place, found)?),
        "age_hours" => ComputedExpression::AgeHours(path::read(&place, found)?),
        "count" => ComputedExpression::Count(path::read(&place, found)?),
        "exists" => ComputedExpression::Exists(path::read(&place, found)?),
        "template" => ComputedExpression::Template(template(&place, found)?),
        "add" => arithmetic(Operator::Add, &place, found)?,
        "sub" => arithmetic(Operator::Sub, &place, found)?,
        "mul" => arithmetic(Operator::Mul, &place, found)?,
        "div" => arithmetic(Operator::Div, &place, found)?,
        "eq" => compare(Comparison::Equal, &place, found)?,
        "gt" => compare(Comparison::Greater, &place, found)?,
        "lt" => compare(Comparison::Less, &place, found)?,
        _ => return None,
    };
    Some((key, expression))
}

fn template(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<Template> {
    let text = at.node.text()?;
    let template = Template::parse(text);
    if template.is_none() {
        at.error("INVALID_VALUE", "A brace is left open, or a path is empty")
            .expected("text with paths in braces, such as {owner.login}/{name}")
            .hint("a brace itself is written twice")
            .add_to(found);
    }
    template
}

fn arithmetic(
    operator: Operator,
    at: &NodeCursor<'_>,
    found: &mut Findings<'_>,
) -> Option<ComputedExpression> {
    let operands = operands(at, found)?;
    if operands.len() < 2 {
        wrong_count(at, "two or more operands").add_to(found);
        return None;
    }
    Some(ComputedExpression::Arithmetic(operator, operands))
}

fn compare(
    comparison: Comparison,
    at: &NodeCursor<'_>,
    found: &mut Findings<'_>,
) -> Option<ComputedExpression> {
    let operands = operands(at, found)?;
    let Ok([left, right]) = <[Operand; 2]>::try_from(operands) else {
        wrong_count(at, "two operands").add_to(found);
        return None;
    };
    Some(ComputedExpression::Compare(comparison, left, right))
}

fn wrong_count(at: &NodeCursor<'_>, expected: &str) -> Finding {
    at.error("INVALID_VALUE", "This is the wrong number of operands")
        .expected(expected)
        .received(at.node.elements().len().to_string())
}

/// Texts are paths, numbers are constants.
fn operands(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<Vec<Operand>> {
    let NodeValue::List(_) = at.node.value else { return None };
    let read: Vec<Option<Operand>> = at
        .elements()
        .map(|element| match element.node.value {
            NodeValue::Integer(number) => Some(Operand::Number(number as f64)),
            NodeValue::Float(number) => Some(Operand::Number(number)),
            _ => path::read(&element, found).map(Operand::Path),
        })
        .collect();
    read.into_iter().collect()
}

/// The type is what a model sees; it has to be what comes out.
fn check_kind(at: &NodeCursor<'_>, kind: &ValueKind, key: &str, found: &mut Findings<'_>) {
    let (gives, fits) = match key {
        "template" => ("a string", kind.takes_text()),
        "eq" | "gt" | "lt" | "exists" => ("a boolean", kind.accepts(&true.into())),
        _ => ("a number", kind.takes_numbers()),
    };
    if !fits && let Some(place) = at.get("type") {
        place.warning("CONTRADICTION", format!("'{key}' gives {gives}, the type says {kind}")).add_to(found);
    }
}

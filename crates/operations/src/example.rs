//! Example values and minimal example requests, made from what an operation declares.
//!
//! They must pass our own validator: introspection shows them, and a failed validation answers with one. Values come from
//! the default, the enum, the pattern, the format or the bounds, in that order.

use crate::operation::{Grouping, Operation, RegistryEntry};
use crate::params::check::{of_param, problems};
use crate::params::format::Format;
use crate::params::{Param, Shape, ValueKind};
use aqueduct_schema::text_matching;
use serde_json::{Map, Value, json};

/// No example text is longer than this.
const LONGEST_TEXT: u64 = 2_000;

/// A minimal request, and the parameters for which no fitting value was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Minimal {
    /// The `params` of the request.
    pub params: Map<String, Value>,
    /// Parameters whose value may not pass.
    pub doubtful: Vec<String>,
}

/// The smallest correct `params` of an operation: its required parameters, and what a body has to have, nested in `input` where they belong.
pub fn minimal_params(operation: &Operation) -> Map<String, Value> {
    let needed: Vec<&str> = operation.body_needs().iter().map(String::as_str).collect();
    let made = including(&operation.params, operation.grouping, &needed);
    with_written_objects(made.params, operation)
}

/// The smallest correct request of an operation that also shows these optional parameters, as far as a value can be made.
pub fn request_showing(entry: &RegistryEntry, shown: &[&str]) -> Value {
    let operation = &entry.operation;
    let needed = operation.body_needs().iter().map(String::as_str);
    let shown: Vec<&str> = shown.iter().copied().chain(needed).collect();
    let params = including(&operation.params, operation.grouping, &shown).params;
    json!({"operation": entry.public_name, "params": with_written_objects(params, operation)})
}

/// An empty object shows little: where one of the operation's own examples has something in its place, that is shown.
fn with_written_objects(mut params: Map<String, Value>, operation: &Operation) -> Map<String, Value> {
    for (name, value) in params.iter_mut().filter(|(_, value)| **value == json!({})) {
        let Some(param) = operation.param(name) else { continue };
        let mut written = operation.examples.iter().filter_map(|example| example.params.get(name));
        if let Some(written) = written.find(|written| of_param(param, written).is_empty()) {
            *value = written.clone();
        }
    }
    params
}

/// The smallest correct request that these parameters allow.
pub fn minimal(params: &[Param], grouping: Grouping) -> Minimal {
    including(params, grouping, &[])
}

fn including(params: &[Param], grouping: Grouping, shown: &[&str]) -> Minimal {
    let mut made = Minimal { params: Map::new(), doubtful: Vec::new() };
    let mut input = Map::new();
    for param in params.iter().filter(|param| param.required || shown.contains(&param.name.as_str())) {
        let value = match value_of(param) {
            Some(value) => value,
            None if !param.required => continue,
            None => {
                made.doubtful.push(param.name.clone());
                json!(param.name)
            }
        };
        let inside = grouping == Grouping::Input && param.is_body();
        let slot = if inside { &mut input } else { &mut made.params };
        slot.insert(param.name.clone(), value);
    }
    if grouping == Grouping::Input {
        // An update that changes nothing shows little: its first field stands for the others.
        if input.is_empty()
            && let Some(first) = params.iter().find(|param| param.is_body())
            && let Some(value) = value_of(first)
        {
            input.insert(first.name.clone(), value);
        }
        made.params.insert("input".to_owned(), Value::Object(input));
    }
    made
}

/// An example value of a parameter: its default, else one made from its shape and name.
pub fn value_of(param: &Param) -> Option<Value> {
    let fits = |value: &Value| of_param(param, value).is_empty();
    let made = || value_for(&param.shape, &param.name).filter(fits);
    let by_schema = || param.schema.as_ref().and_then(|schema| schema.get().sample(&param.name)).filter(fits);
    param.default.clone().filter(fits).or_else(made).or_else(by_schema)
}

/// A value that fits a shape, if one can be found; text takes the given word where nothing else decides.
pub fn value_for(shape: &Shape, word: &str) -> Option<Value> {
    let fits = |value: &Value| problems(shape, value).is_empty();
    match &shape.allowed {
        Some(allowed) => allowed.iter().find(|value| fits(value)).cloned(),
        None => of_kind(&shape.kind, shape, word).into_iter().find(fits),
    }
}

/// Candidates of a kind, best first.
fn of_kind(kind: &ValueKind, shape: &Shape, word: &str) -> Vec<Value> {
    match kind {
        ValueKind::String => texts(shape, word).into_iter().map(Value::String).collect(),
        ValueKind::Integer => whole_numbers(shape),
        ValueKind::Number => {
            let bounds = [shape.minimum, shape.maximum].into_iter().flatten().map(Value::from);
            whole_numbers(shape).into_iter().chain(bounds).collect()
        }
        ValueKind::Boolean => vec![json!(true), json!(false)],
        ValueKind::Object => vec![json!({})],
        ValueKind::Array(element) => {
            let from_items = shape.items.as_deref().and_then(|items| value_for(items, word));
            let from_kind = || element.as_deref().and_then(|kind| value_for(&Shape::of(kind.clone()), word));
            let element = from_items.or_else(from_kind).or_else(|| element.is_none().then(|| json!(word)));
            element.map(|element| json!([element])).into_iter().chain([json!([])]).collect()
        }
        ValueKind::Union(kinds) => kinds.iter().flat_map(|kind| of_kind(kind, shape, word)).collect(),
    }
}

/// Whole numbers that may be inside the bounds, 1 where it fits.
fn whole_numbers(shape: &Shape) -> Vec<Value> {
    let bounds = [shape.minimum.map(f64::ceil), shape.maximum.map(f64::floor)];
    [1.0, 0.0].into_iter().chain(bounds.into_iter().flatten()).map(|number| json!(number as i64)).collect()
}

fn texts(shape: &Shape, word: &str) -> Vec<String> {
    let passes = |text: &String| problems(shape, &Value::from(text.as_str())).is_empty();
    let by_pattern = shape.pattern.as_ref().and_then(|pattern| text_matching(pattern.as_str(), &passes));
    let by_format = shape.format.as_ref().and_then(of_format).map(str::to_owned);
    by_format.into_iter().chain([of_length(shape, word)]).chain(by_pattern).collect()
}

fn of_format(format: &Format) -> Option<&'static str> {
    match format {
        Format::Date => Some("2026-01-31"),
        Format::DateTime => Some("2026-01-31T09:30:00Z"),
        Format::Email => Some("person@example.com"),
        Format::Uri => Some("https://example.com/"),
        Format::Uuid => Some("123e4567-e89b-12d3-a456-426614174000"),
        Format::Base64 => Some("ZXhhbXBsZQ=="),
        Format::Other(_) => None,
    }
}

/// The word, repeated or cut to fit.
fn of_length(shape: &Shape, word: &str) -> String {
    let word = if word.is_empty() { "example" } else { word };
    let length = word.chars().count() as u64;
    let most = shape.max_length.unwrap_or(LONGEST_TEXT).min(LONGEST_TEXT);
    let wanted = length.max(shape.min_length.unwrap_or(0)).min(most);
    word.chars().cycle().take(usize::try_from(wanted).unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::{including, minimal, value_for};
    use crate::operation::Grouping;
    use crate::params::check::problems;
    use crate::params::format::Format;
    use crate::params::{Param, ParamLocation, Shape, ValueKind};
    use aqueduct_schema::Pattern;
    use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
    use serde_json::{Value, json};

    #[test]
    fn required_parameters_only() {
        let mut owner = Param::new("owner", ValueKind::String);
        owner.required = true;
        let mut count = Param::new("count", ValueKind::Integer);
        count.required = true;
        count.shape.minimum = Some(5.0);
        let optional = Param::new("page", ValueKind::Integer);
        let made = minimal(&[owner, count, optional], Grouping::Flat);
        assert_eq!(Value::Object(made.params), json!({"owner": "owner", "count": 5}));
        assert!(made.doubtful.is_empty());
    }

    #[test]
    fn wanted_parameters_are_shown_where_they_belong() {
        let mut id = Param::new("id", ValueKind::Integer);
        id.required = true;
        let page = Param::new("page", ValueKind::Integer);
        let mut impossible = Param::new("code", ValueKind::String);
        impossible.shape.pattern = Some(Pattern::checked("^a$").unwrap());
        impossible.shape.min_length = Some(5);
        let mut title = Param::new("title", ValueKind::String);
        title.place = ParamLocation::Body;
        let mut pages = Param::new("pages", ValueKind::Integer);
        pages.place = ParamLocation::Body;
        let params = [id, page, impossible, title, pages];
        let shown = including(&params, Grouping::Input, &["page", "pages", "code", "nope"]).params;
        assert_eq!(Value::Object(shown), json!({"id": 1, "page": 1, "input": {"pages": 1}}));
    }

    #[test]
    fn update_fields_stand_in_input() {
        let mut id = Param::new("id", ValueKind::Integer);
        id.required = true;
        id.place = ParamLocation::Path;
        let mut title = Param::new("title", ValueKind::String);
        title.place = ParamLocation::Body;
        let made = minimal(&[id, title], Grouping::Input);
        assert_eq!(Value::Object(made.params), json!({"id": 1, "input": {"title": "title"}}));
    }

    #[test]
    fn impossible_values_are_named() {
        let mut code = Param::new("code", ValueKind::String);
        code.required = true;
        code.shape.pattern = Some(Pattern::checked("^a$").unwrap());
        code.shape.min_length = Some(5);
        assert_eq!(minimal(&[code], Grouping::Flat).doubtful, ["code"]);
    }

    #[test]
    fn common_patterns_are_satisfied() {
        for pattern in [
            "^[A-Z]{3}-\\d{4}$",
            "^(open|closed)$",
            "^\\+?[1-9]\\d{1,14}$",
            "^#[0-9a-fA-F]{6}$",
            "^[a-z0-9]+(?:-[a-z0-9]+)*$",
            "^\\S+@\\S+$",
            "^[^/]+/[^/]+$",
            "\\bfoo\\b",
            "^.{8,}$",
            "^[\\w.-]{10,64}$",
        ] {
            let mut shape = Shape::of(ValueKind::String);
            shape.pattern = Some(Pattern::checked(pattern).unwrap());
            let made = value_for(&shape, "word").unwrap_or_else(|| panic!("{pattern}"));
            assert!(problems(&shape, &made).is_empty(), "{pattern}: {made}");
        }
    }

    #[test]
    fn nested_repetitions_end() {
        for pattern in ["^((((((((a*)*)*)*)*)*)*)*b)$", "((((((((^*)*)*)*)*)*)*)*)*x"] {
            let mut shape = Shape::of(ValueKind::String);
            shape.pattern = Some(Pattern::checked(pattern).unwrap());
            value_for(&shape, "word");
        }
    }

    fn shapes() -> impl Strategy<Value = Shape> {
        let kind = prop_oneof![
            Just("string"),
            Just("integer"),
            Just("number"),
            Just("boolean"),
            Just("array"),
            Just("object"),
            Just("string[]"),
            Just("integer | string"),
        ];
        let formats = prop_oneof![
            Just(None),
            Just(Some("date")),
            Just(Some("date-time")),
            Just(Some("email")),
            Just(Some("uri")),
            Just(Some("uuid")),
            Just(Some("byte")),
            Just(Some("slug")),
        ];
        (kind, formats, any::<Option<i16>>(), 0..500_u16, 0..40_u64, any::<bool>()).prop_map(
            |(kind, format, low, span, min_length, lengths)| {
                let mut shape = Shape::of(ValueKind::parse(kind).unwrap());
                shape.minimum = low.map(f64::from);
                shape.maximum = low.map(|low| f64::from(low) + f64::from(span));
                if lengths && format.is_none() {
                    shape.min_length = Some(min_length);
                    shape.max_length = Some(min_length + 3);
                } else {
                    shape.format = format.map(Format::parse);
                }
                shape
            },
        )
    }

    proptest! {
        #[test]
        fn made_values_pass_the_check(shape in shapes()) {
            let made = value_for(&shape, "word").expect("a value");
            assert!(problems(&shape, &made).is_empty(), "{shape:?} {made}");
        }
    }
}

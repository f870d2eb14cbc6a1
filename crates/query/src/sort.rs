//! `sort`: in which order items come (query document 2.3; ruling W15).
//!
//! In: `{field, order}`, or the flat form: a field name in `sort` beside `order`, or with the direction in it (`-field`,
//! `field desc`). Out: the positions of the items in their new order. Items that are equal keep their order. Where there is nothing or null, an item comes last in
//! both directions. Numbers come before timestamps, other texts, booleans and objects; where a path leads through an
//! array, the first value that is not null decides.

mod flat;

use crate::error::{Parsed, QueryError};
use crate::item::{Item, ItemKey};
use crate::order::Rank;
use aqueduct_operations::failure::wording::echo;
use flat::SortField;
use serde_json::{Map, Value};
use std::cmp::Ordering;

const EXPECTED_FIELD: &str = "the name of a field, or names with dots between them";
const EXPECTED_ORDER: &str = "'asc' or 'desc'";

/// A field and a direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sort {
    key: ItemKey,
    direction: SortDirection,
}

/// Which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortDirection {
    /// The smallest first.
    Ascending,
    /// The largest first.
    Descending,
}

impl SortDirection {
    fn parse(name: &str) -> Option<SortDirection> {
        [SortDirection::Ascending, SortDirection::Descending]
            .into_iter()
            .find(|direction| direction.name() == name)
    }

    /// The name in requests.
    pub fn name(self) -> &'static str {
        match self {
            SortDirection::Ascending => "asc",
            SortDirection::Descending => "desc",
        }
    }
}

/// The place of an item in a sort; made once for each.
#[derive(Debug, Clone)]
pub struct SortKey(Option<Rank>);

impl Sort {
    /// Reads the control `sort`, with the parameter `order` of the flat form if it is there.
    pub fn parse(value: &Value, order: Option<&Value>) -> Parsed<Sort> {
        match value {
            Value::Object(members) => {
                let mut errors = unknown_members(members);
                if order.is_some() {
                    errors.push(QueryError::bad_value("order", "inside of 'sort'", "beside it"));
                }
                let key = parse_field("sort.field", members.get("field"));
                let direction = parse_order("sort.order", members.get("order"));
                Sort::of(key, direction, errors)
            }
            Value::String(text) => {
                let flat = SortField::parse("sort", text).map_err(|error| vec![error])?;
                let key = field_key("sort", flat.field, text);
                match (flat.direction, order) {
                    (Some(direction), None) => Sort::of(key, Ok(direction), Vec::new()),
                    (Some(_), Some(order)) => Sort::of(key, Err(flat::order_twice(order)), Vec::new()),
                    (None, order) => Sort::of(key, parse_order("order", order), Vec::new()),
                }
            }
            other => {
                let error = QueryError::wrong_type("sort", "object with 'field', or string", other);
                Sort::of(Err(error), parse_order("order", order), Vec::new())
            }
        }
    }

    fn of(
        key: Result<ItemKey, QueryError>,
        direction: Result<SortDirection, QueryError>,
        mut errors: Vec<QueryError>,
    ) -> Parsed<Sort> {
        match (key, direction) {
            (Ok(key), Ok(direction)) if errors.is_empty() => Ok(Sort { key, direction }),
            (key, direction) => {
                errors.extend(key.err());
                errors.extend(direction.err());
                Err(errors)
            }
        }
    }

    /// The field.
    pub fn key(&self) -> &ItemKey {
        &self.key
    }

    /// The direction.
    pub fn direction(&self) -> SortDirection {
        self.direction
    }

    /// The place of an item.
    pub fn key_of(&self, item: &Item<'_>) -> SortKey {
        SortKey(item.find(&self.key).elements().find_map(Rank::of))
    }

    /// The order of two items.
    pub fn compare(&self, left: &SortKey, right: &SortKey) -> Ordering {
        match (&left.0, &right.0) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(left), Some(right)) => match self.direction {
                SortDirection::Ascending => left.compare(right),
                SortDirection::Descending => right.compare(left),
            },
        }
    }

    /// The positions of the items in their new order.
    pub fn positions<'i>(&self, items: impl IntoIterator<Item = Item<'i>>) -> Vec<usize> {
        let mut keys: Vec<(SortKey, usize)> =
            items.into_iter().enumerate().map(|(index, item)| (self.key_of(&item), index)).collect();
        keys.sort_by(|(left, _), (right, _)| self.compare(left, right));
        keys.into_iter().map(|(_, index)| index).collect()
    }
}

fn unknown_members(members: &Map<String, Value>) -> Vec<QueryError> {
    let unknown = members.keys().filter(|name| !["field", "order"].contains(&name.as_str()));
    unknown.map(|name| QueryError::unknown("sort", name, "'field', and maybe 'order'")).collect()
}

/// The field of the object form, which has its own place for the direction.
fn parse_field(place: &str, field: Option<&Value>) -> Result<ItemKey, QueryError> {
    match field {
        None => Err(QueryError::bad_value(place, EXPECTED_FIELD, "nothing")),
        Some(Value::String(name)) => {
            let flat = SortField::parse(place, name)?;
            if flat.direction.is_some() {
                return Err(flat::direction_in_field(place, name, &flat));
            }
            field_key(place, name, name)
        }
        Some(other) => Err(QueryError::wrong_type(place, "string", other)),
    }
}

/// The key of a field that stands in this text.
fn field_key(place: &str, field: &str, text: &str) -> Result<ItemKey, QueryError> {
    ItemKey::parse(field).ok_or_else(|| QueryError::bad_value(place, EXPECTED_FIELD, &echo(text)))
}

fn parse_order(place: &str, order: Option<&Value>) -> Result<SortDirection, QueryError> {
    match order {
        None => Ok(SortDirection::Ascending),
        Some(Value::String(name)) => SortDirection::parse(name)
            .ok_or_else(|| QueryError::bad_value(place, EXPECTED_ORDER, &echo(name))),
        Some(other) => Err(QueryError::wrong_type(place, "string", other)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Sort, SortDirection};
    use crate::error::QueryErrorKind;
    use crate::item::Item;
    use aqueduct_operations::answers::{ComputedExpression, ComputedField, FieldPath};
    use aqueduct_operations::failure::wording::looks_like_a_leak;
    use aqueduct_testkit::json::any_json;
    use jiff::Timestamp;
    use proptest::collection::vec;
    use proptest::proptest;
    use serde_json::{Value, json};

    fn sorted(sort: &Sort, items: &[Value]) -> Vec<Value> {
        let texts: Vec<String> = items.iter().map(Value::to_string).collect();
        let read = texts.iter().map(|text| Item::new(text, &[], Timestamp::UNIX_EPOCH));
        sort.positions(read).into_iter().map(|index| items[index].clone()).collect()
    }

    fn values(sort: Value, values: &[Value]) -> Vec<Value> {
        let items: Vec<Value> = values.iter().map(|value| json!({"a": value})).collect();
        let sorted = sorted(&Sort::parse(&sort, None).unwrap(), &items);
        sorted.into_iter().map(|mut item| item["a"].take()).collect()
    }

    /// O4.2-5 O4.4.1-4: by a field, ascending unless it says otherwise.
    #[test]
    fn both_ways() {
        let mixed =
            [json!(true), json!(2), json!("b"), json!(10), json!("a"), json!(1.5), json!("2024-05-01")];
        let up = [json!(1.5), json!(2), json!(10), json!("2024-05-01"), json!("a"), json!("b"), json!(true)];
        let down: Vec<Value> = up.iter().rev().cloned().collect();
        assert_eq!(values(json!({"field": "a"}), &mixed), up);
        assert_eq!(values(json!({"field": "a", "order": "asc"}), &mixed), up);
        assert_eq!(values(json!({"field": "a", "order": "desc"}), &mixed), down);
    }

    #[test]
    fn times_by_the_instant() {
        let (early, late) = (json!("2024-05-01T12:00:00+02:00"), json!("2024-05-01T11:00:00Z"));
        assert_eq!(values(json!({"field": "a"}), &[late.clone(), early.clone()]), [early, late]);
    }

    #[test]
    fn nothing_and_null_come_last_in_both_directions() {
        let items =
            [json!({"n": 1}), json!({"n": 2, "a": null}), json!({"n": 3, "a": 1}), json!({"n": 4, "a": 2})];
        for (order, expected) in [("asc", [3, 4, 1, 2]), ("desc", [4, 3, 1, 2])] {
            let sort = Sort::parse(&json!({"field": "a", "order": order}), None).unwrap();
            let numbers: Vec<Value> =
                sorted(&sort, &items).into_iter().map(|mut item| item["n"].take()).collect();
            assert_eq!(numbers, expected, "{order}");
        }
    }

    #[test]
    fn through_arrays_the_first_value_decides() {
        let by = json!({"field": "a.b"});
        let (first, second, empty) =
            (json!([{"b": null}, {"b": 2}, {"b": 0}]), json!({"b": [3, 1]}), json!([]));
        assert_eq!(values(by, &[empty.clone(), second.clone(), first.clone()]), [first, second, empty]);
    }

    /// X-comp-2: a computed field in `sort.field`.
    #[test]
    fn by_a_computed_field() {
        let computed = [ComputedField {
            name: "tag_count".to_owned(),
            type_name: "number".to_owned(),
            description: None,
            filterable: true,
            sortable: true,
            value: ComputedExpression::Count(FieldPath::parse("tags").unwrap()),
        }];
        let items = [r#"{"tags":[1,2]}"#, r#"{}"#, r#"{"tags":[]}"#, r#"{"tags":[1]}"#];
        let sort = Sort::parse(&json!({"field": "_computed.tag_count", "order": "desc"}), None).unwrap();
        assert_eq!(sort.key().computed(), Some("tag_count"));
        let read = items.iter().map(|item| Item::new(item, &computed, Timestamp::UNIX_EPOCH));
        assert_eq!(sort.positions(read), [0, 3, 2, 1]);
    }

    /// X-query-6: `sort` as a name, with `order` beside it.
    #[test]
    fn the_flat_form() {
        let parse = |sort, order: Option<Value>| Sort::parse(&sort, order.as_ref());
        let sort = parse(json!("owner.login"), Some(json!("desc"))).unwrap();
        assert_eq!((sort.key().text(), sort.direction()), ("owner.login", SortDirection::Descending));
        assert_eq!(parse(json!("a"), None).unwrap().direction().name(), "asc");
    }

    /// X-query-6: the direction in the text of the flat form.
    #[test]
    fn the_direction_in_the_flat_form() {
        for (text, field, order) in [
            ("-a.b", "a.b", "desc"),
            ("+a.b", "a.b", "asc"),
            ("a.b desc", "a.b", "desc"),
            ("a.b  asc", "a.b", "asc"),
            ("a.b DESC", "a.b", "desc"),
            ("- a", "a", "desc"),
            ("First Name desc", "First Name", "desc"),
            ("First Name", "First Name", "asc"),
            ("-_computed.age", "_computed.age", "desc"),
            ("desc", "desc", "asc"),
            ("reactions.+1", "reactions.+1", "asc"),
            ("a-b", "a-b", "asc"),
        ] {
            let sort = Sort::parse(&json!(text), None).unwrap();
            assert_eq!((sort.key().text(), sort.direction().name()), (field, order), "{text}");
        }
    }

    /// X-query-6 X-query-4: the direction is said once, and in the object form beside the field.
    #[test]
    fn two_directions() {
        for (sort, order, expected, hint) in [
            (
                json!("-a"),
                Some(json!("desc")),
                "order: expected left out when 'sort' has a direction in it, received desc",
                "Send 'sort' as '-field' or 'field desc', or the field alone with 'order' beside it.",
            ),
            (
                json!("a asc"),
                Some(json!(1)),
                "order: expected left out when 'sort' has a direction in it, received a second direction",
                "Send 'sort' as '-field' or 'field desc', or the field alone with 'order' beside it.",
            ),
            (
                json!("-a desc"),
                None,
                "sort: expected a field with one direction, received -a desc",
                "Send '-field' or 'field desc'.",
            ),
            (
                json!({"field": "-a"}),
                None,
                "sort.field: expected the field alone, with the direction in 'order', received -a",
                r#"Send {"field": "a", "order": "desc"}."#,
            ),
            (
                json!({"field": "a asc", "order": "asc"}),
                None,
                "sort.field: expected the field alone, with the direction in 'order', received a asc",
                r#"Send {"field": "a", "order": "asc"}."#,
            ),
        ] {
            let errors = Sort::parse(&sort, order.as_ref()).unwrap_err();
            let found: Vec<_> =
                errors.iter().map(|error| (error.to_string(), error.hint.as_deref())).collect();
            assert_eq!(found, [(expected.to_owned(), Some(hint))]);
            assert!(!looks_like_a_leak(hint), "{hint}");
        }
    }

    /// What came is shown as it is: those who show it put the quotes around it.
    #[test]
    fn what_came_has_no_quotes_of_its_own() {
        for (sort, order, received) in [
            (json!("a"), Some(json!("DESC")), "DESC"),
            (json!({"field": "a", "order": "ASC"}), None, "ASC"),
            (json!({"field": "a..b"}), None, "a..b"),
            (json!("-"), None, "-"),
            (json!("a..b desc"), None, "a..b desc"),
            (json!({"field": "a"}), Some(json!("asc")), "beside it"),
        ] {
            assert_eq!(Sort::parse(&sort, order.as_ref()).unwrap_err()[0].received, received, "{sort}");
        }
    }

    /// X-query-4: closed, with a field and one of two orders.
    #[test]
    fn mistakes() {
        let (kind, unknown, value) = (QueryErrorKind::Type, QueryErrorKind::Unknown, QueryErrorKind::Value);
        for (sort, order, expected) in [
            (json!(["a"]), None, vec![(kind, "sort")]),
            (json!({}), None, vec![(value, "sort.field")]),
            (json!({"field": 1}), None, vec![(kind, "sort.field")]),
            (json!({"field": "a."}), None, vec![(value, "sort.field")]),
            (json!({"field": "a", "order": "down"}), None, vec![(value, "sort.order")]),
            (json!({"field": "a", "order": 1}), None, vec![(kind, "sort.order")]),
            (
                json!({"field": "a", "by": 1, "order": "ASC"}),
                None,
                vec![(unknown, "sort.by"), (value, "sort.order")],
            ),
            (json!({"field": "a"}), Some(json!("asc")), vec![(value, "order")]),
            (json!("a"), Some(json!("up")), vec![(value, "order")]),
            (json!(""), Some(json!(true)), vec![(value, "sort"), (kind, "order")]),
            (json!("- ."), Some(json!("asc")), vec![(value, "sort"), (value, "order")]),
        ] {
            let errors = Sort::parse(&sort, order.as_ref()).unwrap_err();
            assert!(errors.iter().all(|error| !looks_like_a_leak(&error.to_string())), "{errors:?}");
            let found: Vec<_> = errors.iter().map(|error| (error.kind, error.param.as_str())).collect();
            assert_eq!(found, expected, "{sort}");
        }
    }

    proptest! {
        /// Whatever is mixed, sorting again changes nothing, and equal items keep their order.
        #[test]
        fn stable(items in vec(any_json(), 0..40), descending in proptest::bool::ANY) {
            let order = if descending { "desc" } else { "asc" };
            let sort = Sort::parse(&json!({"field": "a", "order": order}), None).unwrap();
            let items: Vec<Value> = items.into_iter().map(|value| json!({"a": value})).collect();
            let once = sorted(&sort, &items);
            proptest::prop_assert_eq!(&sorted(&sort, &once), &once);
        }
    }
}

//! `sort`: in which order items come (query document 2.3; ruling W15).
//!
//! In: `{field, order}`, or the flat form: a field name in `sort` beside `order`, or with the direction in it (`-field`,
//! `field desc`). Out: the positions of the items in their new order. Items that are equal keep their order. Where there is
//! nothing or null, an item comes last in both directions. Numbers come before timestamps, other texts, booleans and
//! objects; where a path leads through an array, the first value that is not null decides.

mod sort_field;

use crate::error::{FIELD_NAME, ParseResult, QueryError};
use crate::item::{Item, ItemKey};
use crate::order::ValueRank;
use aqueduct_operations::failure::wording::echo;
use serde_json::{Map, Value};
use sort_field::SortField;
use std::cmp::Ordering;

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
pub struct SortKey(Option<ValueRank>);

impl Sort {
    /// Reads the control `sort`, with the parameter `order` of the flat form if it is there.
    pub fn parse(value: &Value, order: Option<&Value>) -> ParseResult<Sort> {
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
                    (Some(_), Some(order)) => Sort::of(key, Err(sort_field::order_twice(order)), Vec::new()),
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
    ) -> ParseResult<Sort> {
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
        SortKey(item.find(&self.key).elements().find_map(ValueRank::of))
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
        None => Err(QueryError::bad_value(place, FIELD_NAME, "nothing")),
        Some(Value::String(name)) => {
            let flat = SortField::parse(place, name)?;
            if flat.direction.is_some() {
                return Err(sort_field::direction_in_field(place, name, &flat));
            }
            field_key(place, name, name)
        }
        Some(other) => Err(QueryError::wrong_type(place, "string", other)),
    }
}

/// The key of a field that stands in this text.
fn field_key(place: &str, field: &str, text: &str) -> Result<ItemKey, QueryError> {
    ItemKey::parse(field).ok_or_else(|| QueryError::bad_value(place, FIELD_NAME, &echo(text)))
}

fn parse_order(place: &str, order: Option<&Value>) -> Result<SortDirection, QueryError> {
    match order {
        None => Ok(SortDirection::Ascending),
        Some(Value::String(name)) => SortDirection::parse(name)
            .ok_or_else(|| QueryError::bad_value(place, "'asc' or 'desc'", &echo(name))),
        Some(other) => Err(QueryError::wrong_type(place, "string", other)),
    }
}

#[cfg(test)]
mod tests;

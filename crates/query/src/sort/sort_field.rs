//! The flat form of `sort`: a field, and maybe the direction in the same text.
//!
//! In: `-field`, `+field`, `field desc`, `field asc` or `field`. Out: the field, and the direction if it is given; or what
//! is wrong when it is given twice, or where there is another place for it.

use super::SortDirection;
use crate::error::QueryError;
use aqueduct_operations::failure::wording::echo;
use serde_json::Value;

/// A field, and the direction that stands with it.
pub(super) struct SortField<'t> {
    pub(super) field: &'t str,
    pub(super) direction: Option<SortDirection>,
}

impl<'t> SortField<'t> {
    /// Reads the text in this place.
    pub(super) fn parse(place: &str, text: &'t str) -> Result<SortField<'t>, QueryError> {
        let signed = match text.split_at_checked(1) {
            Some(("-", field)) => Some((field, SortDirection::Descending)),
            Some(("+", field)) => Some((field, SortDirection::Ascending)),
            _ => None,
        };
        let worded = text.rsplit_once(char::is_whitespace).and_then(|(field, word)| {
            // Those who write it like this write it in capitals, too.
            SortDirection::parse(&word.to_ascii_lowercase()).map(|direction| (field, direction))
        });
        match (signed, worded) {
            (None, None) => Ok(SortField { field: text, direction: None }),
            (Some((field, direction)), None) | (None, Some((field, direction))) => {
                Ok(SortField { field: field.trim(), direction: Some(direction) })
            }
            (Some(_), Some(_)) => {
                Err(QueryError::bad_value(place, "a field with one direction", &echo(text))
                    .with_hint("Send '-field' or 'field desc'."))
            }
        }
    }
}

/// The direction stands in the text, and beside it.
pub(super) fn order_twice(order: &Value) -> QueryError {
    let received = order.as_str().map_or_else(|| "a second direction".to_owned(), echo);
    QueryError::bad_value("order", "left out when 'sort' has a direction in it", &received)
        .with_hint("Send 'sort' as '-field' or 'field desc', or the field alone with 'order' beside it.")
}

/// The direction stands in the field of the object form.
pub(super) fn direction_in_field(place: &str, text: &str, flat: &SortField<'_>) -> QueryError {
    let order = flat.direction.map_or("", SortDirection::name);
    let hint = format!("Send {{\"field\": \"{}\", \"order\": \"{order}\"}}.", echo(flat.field));
    QueryError::bad_value(place, "the field alone, with the direction in 'order'", &echo(text))
        .with_hint(&hint)
}

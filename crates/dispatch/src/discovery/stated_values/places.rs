//! How many of the values that a request states an operation has a place for.
//!
//! A request in, read once; for each of several operations a number out.

use super::amounts::amount_param;
use super::request_words::{RequestWord, request_words};
use super::{StatedValues, mentions_money};
use aqueduct_operations::category::Category;
use aqueduct_operations::naming::words;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::{Param, ValueKind};

/// Signs of values in a request, besides digits.
const VALUE_SIGNS: &str = "\"'`“‘«/@$€£%";

/// Words with which one asks for something.
const ASKING: &[&str] = &[
    "list", "show", "find", "get", "search", "see", "view", "display", "how", "what", "which", "who", "when",
    "where", "is", "are", "did",
];

/// A request that may state values.
#[derive(Debug)]
pub(crate) struct RequestValues {
    words: Vec<RequestWord>,
    mentions_money: bool,
    asks: bool,
}

impl RequestValues {
    /// Reads a request; nothing where it has no sign of a value.
    pub fn of(request: &str) -> Option<RequestValues> {
        let has_values = request.contains(|c: char| c.is_ascii_digit() || VALUE_SIGNS.contains(c));
        has_values.then(|| {
            let request_words = request_words(request);
            RequestValues {
                mentions_money: mentions_money(&request_words),
                asks: words(request).first().is_some_and(|word| ASKING.contains(&word.as_str())),
                words: request_words,
            }
        })
    }

    /// How many of its values an operation has a place for: one for money also where its unit is not known. Words of an enum and yes
    /// or no do not count, because words count anyway. Anyone who names an amount and does not ask for something wants no READ.
    pub fn places_in(&self, operation: &Operation) -> usize {
        if self.mentions_money && operation.category == Category::Read && !self.asks {
            return 0;
        }
        let stated = StatedValues::without_words(&self.words, operation).values;
        let is_word = |name: &String| {
            operation.param(name).is_none_or(|param| {
                param.shape.allowed.is_some()
                    || param.shape.kind == ValueKind::Boolean
                    || param.name == "currency"
            })
        };
        let params: Vec<&Param> = operation.params.iter().collect();
        let amount = self.mentions_money.then(|| amount_param(&params)).flatten();
        let amount = amount.filter(|param| !stated.contains_key(&param.name));
        stated.keys().filter(|name| !is_word(name)).count() + usize::from(amount.is_some())
    }
}

//! Values on their way to and from an engine: numbers and texts, which is all that the tables hold.
//!
//! A row whose columns are not what the program expects is a damaged store, not a panic.

use crate::error::StoreError;
use jiff::Timestamp;
use serde::de::DeserializeOwned;

/// One value of a row, or of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Null,
    Int(i64),
    Text(String),
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Int(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Value {
        Value::Text(text.clone())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

impl From<Timestamp> for Value {
    fn from(moment: Timestamp) -> Value {
        Value::Int(moment.as_millisecond())
    }
}

impl<T> From<Option<T>> for Value
where
    Value: From<T>,
{
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Null, Value::from)
    }
}

impl<'a> From<&'a Option<String>> for Value {
    fn from(value: &'a Option<String>) -> Value {
        Value::from(value.as_ref())
    }
}

/// One row of an answer.
#[derive(Debug, Clone)]
pub(crate) struct Row(pub Vec<Value>);

impl Row {
    pub(crate) fn text(&self, column: usize) -> Result<String, StoreError> {
        self.optional_text(column)?.ok_or_else(|| unexpected(column))
    }

    pub(crate) fn optional_text(&self, column: usize) -> Result<Option<String>, StoreError> {
        match self.0.get(column) {
            Some(Value::Text(text)) => Ok(Some(text.clone())),
            Some(Value::Null) => Ok(None),
            _ => Err(unexpected(column)),
        }
    }

    pub(crate) fn int(&self, column: usize) -> Result<i64, StoreError> {
        self.optional_int(column)?.ok_or_else(|| unexpected(column))
    }

    pub(crate) fn optional_int(&self, column: usize) -> Result<Option<i64>, StoreError> {
        match self.0.get(column) {
            Some(Value::Int(number)) => Ok(Some(*number)),
            Some(Value::Null) => Ok(None),
            _ => Err(unexpected(column)),
        }
    }

    pub(crate) fn moment(&self, column: usize) -> Result<Timestamp, StoreError> {
        moment(self.int(column)?)
    }

    pub(crate) fn optional_moment(&self, column: usize) -> Result<Option<Timestamp>, StoreError> {
        self.optional_int(column)?.map(moment).transpose()
    }

    pub(crate) fn json<T: DeserializeOwned>(&self, column: usize) -> Result<T, StoreError> {
        serde_json::from_str(&self.text(column)?).map_err(|_| unexpected(column))
    }
}

pub(crate) fn moment(milliseconds: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_millisecond(milliseconds)
        .map_err(|_| StoreError::Damaged("a time is out of range".to_owned()))
}

fn unexpected(column: usize) -> StoreError {
    StoreError::Damaged(format!("column {column} of a row holds something else"))
}

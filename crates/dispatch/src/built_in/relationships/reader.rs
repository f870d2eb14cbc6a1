//! How an element gives the parameters of the operation that reads it, or that follows a link from it.
//!
//! A lookup by path in; out, the values of each request, or what is missing. A path that leads into a list makes a request
//! for each element, unless the parameter takes a list.

use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::check::of_param;
use aqueduct_operations::params::{Param, ValueKind};
use aqueduct_operations::response::FieldPath;
use serde_json::{Map, Value};

/// An operation, and where its parameters come from.
#[derive(Debug)]
pub struct LinkReader {
    /// Its place in the registry.
    pub entry: usize,
    params: Vec<(String, FieldPath)>,
}

/// Why there is no request.
#[derive(Debug, Clone, PartialEq)]
pub enum MissingRequest {
    /// Nothing is there.
    Missing(FieldPath),
    /// What is there does not fit the parameter.
    Unfit {
        /// Where.
        path: FieldPath,
        /// What would.
        expected: String,
        /// What is there.
        received: String,
    },
    /// Lists of different lengths.
    Uneven(FieldPath),
}

impl LinkReader {
    /// For the operation in this place.
    pub fn of(entry: usize, params: &[(String, FieldPath)]) -> LinkReader {
        LinkReader { entry, params: params.to_vec() }
    }

    /// The values of each request. None where something is null: a link that leads nowhere.
    pub fn requests<'v>(
        &self,
        operation: &Operation,
        look: impl Fn(&FieldPath) -> Option<Vec<&'v Value>>,
    ) -> Result<Vec<Map<String, Value>>, MissingRequest> {
        let mut columns: Vec<(&Param, Vec<Value>, &FieldPath)> = Vec::new();
        let mut leads_nowhere = false;
        for (name, path) in &self.params {
            let Some(param) = operation.param(name) else { continue };
            let found = look(path).ok_or_else(|| MissingRequest::Missing(path.clone()))?;
            leads_nowhere |= found.is_empty();
            let found: Vec<Value> = match param.shape.kind {
                ValueKind::Array(_) => vec![Value::from_iter(found.into_iter().cloned())],
                _ => found.into_iter().cloned().collect(),
            };
            let fitting = found.into_iter().map(|value| fit(param, value, path)).collect::<Result<_, _>>()?;
            columns.push((param, fitting, path));
        }
        if leads_nowhere {
            return Ok(Vec::new());
        }
        let count = columns.iter().map(|(_, values, _)| values.len()).max().unwrap_or(1);
        if let Some((_, _, path)) = columns.iter().find(|(_, values, _)| ![1, count].contains(&values.len()))
        {
            return Err(MissingRequest::Uneven((*path).clone()));
        }
        let defaults = operation.params.iter().filter_map(|param| {
            Some((param.name.clone(), param.default.clone().filter(|value| !value.is_null())?))
        });
        let defaults: Map<String, Value> = defaults.collect();
        let request = |index: usize| {
            let mut values = defaults.clone();
            for (param, column, _) in &columns {
                if let Some(value) = column.get(index).or(column.first()) {
                    values.insert(param.name.clone(), value.clone());
                }
            }
            values
        };
        Ok((0..count).map(request).collect())
    }
}

/// The value as the parameter takes it: APIs write the same number as a number here and as text there.
fn fit(param: &Param, value: Value, path: &FieldPath) -> Result<Value, MissingRequest> {
    let found = of_param(param, &value);
    let Some(problem) = found.into_iter().next() else { return Ok(value) };
    let other = match &value {
        Value::String(text) => serde_json::from_str(text).ok().filter(|value: &Value| value.is_number()),
        Value::Number(number) => Some(Value::from(number.to_string())),
        _ => None,
    };
    other.filter(|other| of_param(param, other).is_empty()).ok_or(MissingRequest::Unfit {
        path: path.clone(),
        expected: problem.expected,
        received: problem.received,
    })
}

/// What is at a path, through lists too. Null is nothing, but it is there; a path that is not there gives no list.
pub fn find<'v>(value: &'v Value, path: &FieldPath) -> Option<Vec<&'v Value>> {
    let mut found = Vec::new();
    collect(value, path.names(), &mut found).then_some(found)
}

fn collect<'v>(value: &'v Value, names: &[String], found: &mut Vec<&'v Value>) -> bool {
    match (value, names) {
        (Value::Null, _) => true,
        (Value::Array(elements), _) => {
            let there = elements.iter().filter(|element| collect(element, names, found)).count();
            elements.is_empty() || there > 0
        }
        (value, []) => {
            found.push(value);
            true
        }
        (Value::Object(members), [name, rest @ ..]) => {
            members.get(name).is_some_and(|inner| collect(inner, rest, found))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;

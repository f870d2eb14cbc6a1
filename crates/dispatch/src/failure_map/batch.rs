//! Batches that are none, and items of batches that cannot run.
//!
//! What was found in, a failure of the batch or of one item out; each shows what would be right.

use crate::batch::DanglingReference;
use crate::stages::validate::TOKEN;
use aqueduct_operations::failure::{Code, Failure, wording};
use serde_json::{Map, Value};

/// What is no batch.
fn invalid(message: String) -> Failure {
    Failure::new(Code::BatchValidationError, message)
}

/// The budget of a batch; what else stands beside its operations is refused, since it would be ignored. A token is for a plan.
pub fn batch_budget(beside: &Map<String, Value>) -> Result<Option<u64>, Failure> {
    let is_plan = beside.get("plan") == Some(&Value::Bool(true));
    let is_known =
        |key: &str| ["budget", "plan"].contains(&key) || key.starts_with('_') || (is_plan && key == TOKEN);
    let unknown: Vec<&String> = beside.keys().filter(|key| !is_known(key)).collect();
    if let Some(name) = unknown.first() {
        let name = wording::echo(name);
        return Err(invalid(format!(
            "A batch takes 'operations', 'budget' and 'plan' only; found '{name}'. Put it into the params of each operation."
        )));
    }
    match beside.get("budget") {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match value.as_u64().filter(|budget| *budget > 0) {
            Some(budget) => Ok(Some(budget)),
            None => Err(invalid("'budget' of a batch must be a number of tokens, 1 or more".to_owned())),
        },
    }
}

/// A `plan` that is neither true nor false.
pub fn no_plan(found: &str) -> Failure {
    invalid(format!("'plan' of a batch must be true or false; got '{found}'"))
}

/// Nothing in it.
pub fn empty_batch() -> Failure {
    invalid("The batch has no operations. Send one or more in 'operations'.".to_owned())
}

/// More than one call may hold.
pub fn batch_too_long(count: u64, most: u64) -> Failure {
    invalid(format!("The batch has {count} operations, more than {most}. Send several batches."))
}

/// No list.
pub fn no_batch(found: &str) -> Failure {
    invalid(format!("'operations' of a batch must be a list of {{operation, params}}; got '{found}'"))
}

/// An item that is no request.
pub fn no_item(index: usize, found: &str) -> Failure {
    of_item(index, &format!("must be an object {{operation, params}}; got '{found}'"))
}

/// A batch within a batch.
pub fn nested_batch(index: usize) -> Failure {
    of_item(index, "is a batch itself. Put its operations into this one.")
}

fn of_item(index: usize, problem: &str) -> Failure {
    let message = format!("Operation {index} of the batch {problem}");
    Failure::new(Code::BatchValidationError, message).with("index", index)
}

/// A reference that leads to nothing.
pub fn dangling(operation: &str, dangling: &DanglingReference) -> Failure {
    let message = format!("The reference '{}' leads to nothing: {}", dangling.reference, dangling.why);
    Failure::new(Code::ValidationInvalidValue, message)
        .with("operation", operation)
        .with("reference", dangling.reference.as_str())
}

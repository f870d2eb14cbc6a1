//! The controls of a request, each once, of the type that it must have. What they mean together is for `query_options`.
//!
//! A request's controls in, their values by control out.

use aqueduct_operations::controls::Control;
use serde_json::Value;

/// The controls that were sent.
#[derive(Default)]
pub struct SentControls(Vec<(Control, Value)>);

impl SentControls {
    /// Adds one.
    pub fn put(&mut self, control: Control, value: Value) {
        self.0.push((control, value));
    }

    /// The value of a control.
    pub fn get(&self, control: Control) -> Option<&Value> {
        self.0.iter().find(|(other, _)| *other == control).map(|(_, value)| value)
    }

    /// The whole number of a control.
    pub fn number(&self, control: Control) -> Option<u64> {
        self.get(control).and_then(Value::as_u64)
    }

    /// The text of a control.
    pub fn text(&self, control: Control) -> Option<&str> {
        self.get(control).and_then(Value::as_str)
    }

    /// True when a control is there and true.
    pub fn is_set(&self, control: Control) -> bool {
        self.get(control) == Some(&Value::Bool(true))
    }

    /// The controls that were sent, in the order of the request.
    pub fn sent(&self) -> impl Iterator<Item = Control> {
        self.all().map(|(control, _)| control)
    }

    /// The same with their values.
    pub fn all(&self) -> impl Iterator<Item = (Control, &Value)> {
        self.0.iter().map(|(control, value)| (*control, value))
    }
}

//! The evidence bundle: what the server answered, in the form that the public test runner reads.
//!
//! Filled while the checks run, from answers alone; `semantic_tests` stays empty, for no model is asked.

use crate::exchange::Exchange;
use crate::operation::Operation;
use crate::report::{Report, SPEC_VERSION};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The bundle while it is filled.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    /// The modes that are seen or told of.
    pub modes: BTreeSet<&'static str>,
    /// Fields can be chosen.
    pub field_selection: bool,
    /// Batches are taken.
    pub batches: bool,
    /// The first answer with operations.
    pub operations_list: Value,
    /// The first answer with types.
    pub types_list: Value,
    /// Operations whose required parameters were left out in turn.
    pub probed: BTreeMap<String, Value>,
    accepted: BTreeMap<String, BTreeSet<String>>,
    missing_required: Vec<Value>,
    unknown_parameter: Vec<Value>,
    optional_defaults: Vec<Value>,
    error_tests: Vec<Value>,
    round_trip_tests: Vec<Value>,
    update_tests: Vec<Value>,
    constraint_tests: Vec<Value>,
    /// The answer to a batch.
    pub batch_example: Option<Value>,
}

impl Evidence {
    /// An operation takes this parameter.
    pub fn accepts(&mut self, operation: &Operation, parameter: &str) {
        self.accepted.entry(operation.name.clone()).or_default().insert(parameter.to_owned());
    }

    /// A required parameter was left out.
    pub fn missing(&mut self, operation: &Operation, parameter: &str, answer: &Exchange) {
        self.missing_required.push(parameter_test(operation, parameter, answer));
        self.error(&format!("missing-{}-{parameter}", operation.name), &[parameter], answer);
    }

    /// A parameter was sent that is not documented.
    pub fn unknown(&mut self, operation: &Operation, parameter: &str, answer: &Exchange) {
        self.unknown_parameter.push(parameter_test(operation, parameter, answer));
        self.error(&format!("unknown-{}", operation.name), &[parameter], answer);
    }

    /// A parameter was left out, and its default is seen in this place of the answer.
    pub fn default(
        &mut self,
        operation: &Operation,
        parameter: &str,
        place: &str,
        value: &Value,
        answer: &Exchange,
    ) {
        let mut test = parameter_test(operation, parameter, answer);
        test["expected_value_path"] = place.into();
        test["expected_value"] = value.clone();
        self.optional_defaults.push(test);
    }

    /// An error, whose message must name these words.
    pub fn error(&mut self, name: &str, must_mention: &[&str], answer: &Exchange) {
        if answer.is_failure() {
            self.error_tests
                .push(json!({"name": name, "must_mention": must_mention, "response": answer.result()}));
        }
    }

    /// Something was created and read back.
    pub fn round_trip(&mut self, name: &str, expected: &Map<String, Value>, read: &Exchange) {
        let expected = in_data(expected);
        self.round_trip_tests
            .push(json!({"name": name, "expected_fields": expected, "read_response": read.result()}));
    }

    /// Something was changed and read again.
    pub fn update(&mut self, name: &str, preserved: &Map<String, Value>, read: &Exchange) {
        let preserved = in_data(preserved);
        self.update_tests
            .push(json!({"name": name, "preserved_fields": preserved, "read_response": read.result()}));
    }

    /// A constraint was broken.
    pub fn constraint(&mut self, name: &str, is_documented: bool, answer: &Exchange) {
        self.constraint_tests
            .push(json!({"name": name, "documented": is_documented, "response": answer.result()}));
    }

    /// The bundle.
    pub fn bundle(self, report: &Report) -> Value {
        let mut bundle = json!({
            "implementation": report.implementation,
            "version": report.version,
            "spec_version": SPEC_VERSION,
            "expected_level": report.requested_level,
            "expected_exit_code": report.exit_code,
            "endpoint_modes": self.modes,
            "capabilities": {"field_selection": self.field_selection, "batch_operations": self.batches},
            "introspection": {
                "operations_list": self.operations_list,
                "types_list": self.types_list,
                "operation_details": self.probed.values().collect::<Vec<&Value>>(),
            },
            "accepted_parameters": self.accepted,
            "parameter_tests": {
                "missing_required": self.missing_required,
                "unknown_parameter": self.unknown_parameter,
                "optional_defaults": self.optional_defaults,
            },
            "error_tests": self.error_tests,
            "round_trip_tests": self.round_trip_tests,
            "update_preservation_tests": self.update_tests,
        });
        if report.requested_level >= 2 {
            bundle["batch_example"] = self.batch_example.unwrap_or_default();
            bundle["constraint_tests"] = self.constraint_tests.into();
            bundle["semantic_tests"] = json!([]);
        }
        bundle
    }
}

fn parameter_test(operation: &Operation, parameter: &str, answer: &Exchange) -> Value {
    json!({"operation": operation.name, "parameter": parameter, "response": answer.result()})
}

/// The same with dotted paths from the root of a response.
fn in_data(fields: &Map<String, Value>) -> Map<String, Value> {
    fields.iter().map(|(name, value)| (format!("data.{name}"), value.clone())).collect()
}

//! Error Quality, the tests of the specification, over every error that was answered in the run.
//!
//! Whatever a check asked for, its errors are held against the same rules.

use crate::exchange::Exchange;
use crate::operation::Operation;
use crate::report::TestReport;
use crate::shapes;
use crate::suite::Run;
use crate::verdict::Check;
use aqueduct_operations::failure::leaks::leak;
use std::rc::Rc;

const NO_ERRORS: &str = "no error was answered";

pub(super) async fn checks(run: &Run<'_>) -> Vec<TestReport> {
    let failures: Vec<Rc<Exchange>> =
        run.conversation.exchanges().into_iter().filter(|exchange| exchange.is_failure()).collect();
    vec![union(&failures), leaks(&failures), actionable(run, &failures)]
}

fn union(failures: &[Rc<Exchange>]) -> TestReport {
    let name = "Error responses match the discriminated union schema";
    let mut check = Check::of_the_envelope(name, "X-conf-61", NO_ERRORS);
    for failure in failures {
        super::check_shape(&mut check, failure, shapes::operation_result::result);
    }
    check.finish("Errors have their closed shape.")
}

fn leaks(failures: &[Rc<Exchange>]) -> TestReport {
    let name = "Error messages do not leak implementation internals";
    let mut check = Check::new(name, "X-conf-62", NO_ERRORS);
    for failure in failures {
        let found = leak(failure.message());
        let problem = || format!("The message has '{}' in it.", found.clone().unwrap_or_default());
        check.expect(found.is_none(), problem, failure);
    }
    check.finish("No message has words of an implementation.")
}

/// Errors about a value say which parameter, and what was expected of it.
fn actionable(run: &Run<'_>, failures: &[Rc<Exchange>]) -> TestReport {
    let mut check = Check::new("Error messages remain actionable", "X-conf-64", NO_ERRORS);
    for failure in failures.iter().filter(|failure| failure.code() == "VALIDATION_INVALID_TYPE") {
        let Some(operation) = find(run, failure) else { continue };
        let named = operation
            .parameters
            .iter()
            .find(|parameter| failure.details()["param_name"] == parameter.name.as_str());
        let Some(parameter) = named else { continue };
        let message = failure.message();
        // That the parameter is named at all is another rule.
        let is_useful = message.contains(parameter.kind.split(' ').next().unwrap_or_default());
        let problem =
            || format!("The message does not say that '{}' takes {}.", parameter.name, parameter.kind);
        check.prefer(is_useful, problem, failure);
    }
    for failure in failures.iter().filter(|failure| failure.code() == "NOT_FOUND_OPERATION") {
        let problem = || "The message does not name the operation that was asked for.".to_owned();
        check.prefer(failure.message().contains(failure.operation()), problem, failure);
    }
    check.finish("Messages say what was expected.")
}

fn find<'a>(run: &'a Run<'_>, exchange: &Exchange) -> Option<&'a Operation> {
    run.catalog.operations.iter().find(|operation| operation.name == exchange.operation())
}

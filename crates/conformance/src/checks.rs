//! The checks, a file for each category. What a check needs is in `Run`; what it finds is a test of the report.
//!
//! The names of the specification's own tests are kept to the letter.

mod answers;
mod batches;
mod constraints;
mod errors;
mod features;
mod introspection;
mod lists;
mod names;
mod parameters;
mod round_trip;
mod routing;
mod safety;
mod semantic;
mod types;
mod values;

use crate::exchange::Exchange;
use crate::report::TestReport;
use crate::shapes::ShapeProblem;
use crate::suite::Run;
use crate::verdict::{
    CONSTRAINTS, Check, ERRORS, INTROSPECTION, LEVEL_2, LISTS, PARAMETERS, ROUND_TRIP, ROUTING, SAFETY,
    SEMANTIC,
};

/// Runs all checks; those that look at everything that was said come last.
pub(crate) async fn all(run: &Run<'_>) -> Vec<(&'static str, TestReport)> {
    let mut tests = Vec::new();
    let mut add = |category: &'static str, found: Vec<TestReport>| {
        tests.extend(found.into_iter().map(|test| (category, test)));
    };
    add(INTROSPECTION, introspection::checks(run).await);
    add(INTROSPECTION, types::checks(run).await);
    add(INTROSPECTION, names::checks(run).await);
    add(PARAMETERS, parameters::checks(run).await);
    add(PARAMETERS, values::checks(run).await);
    add(ROUND_TRIP, round_trip::checks(run));
    if run.settings.level as u8 >= 2 {
        add(LEVEL_2, features::checks(run).await);
        add(CONSTRAINTS, constraints::checks(run).await);
        add(SEMANTIC, semantic::checks());
        add(LISTS, lists::checks(run).await);
        add(LISTS, batches::checks(run).await);
    }
    add(ROUTING, routing::checks(run).await);
    add(SAFETY, safety::checks(run));
    add(ERRORS, errors::checks(run).await);
    add(ERRORS, answers::checks(run));
    tests
}

/// Holds an answer against a shape.
fn check_shape(
    check: &mut Check,
    answer: &Exchange,
    shape_problems: fn(&serde_json::Value) -> Vec<ShapeProblem>,
) {
    if !check.covers(answer) {
        return;
    }
    check.examine();
    for shape_problem in shape_problems(answer.result()) {
        check.fail(shape_problem.rule, &format!("{}.", shape_problem.problem), Some(answer));
    }
}

//! Parameter Handling, the tests of the specification: required, unknown, default and well-named parameters; and the codes of their
//! errors.

use crate::exchange::Exchange;
use crate::identifiers;
use crate::lifecycle::{Probe, ResourceHistory, probes};
use crate::operation::{Operation, Parameter};
use crate::report::TestReport;
use crate::shapes::is_snake_case;
use crate::suite::Run;
use crate::verdict::Check;
use serde_json::Value;

const NO_OPERATIONS: &str = "no operation that may be called was found";

pub(super) async fn checks(run: &Run<'_>) -> Vec<TestReport> {
    let mut of_reads = Vec::new();
    for operation in run.catalog.operations.iter().filter(|operation| operation.is_safe()) {
        of_reads.extend(probes(run.conversation, operation, &run.listed.request(operation)).await);
    }
    let of_stories = run.histories.iter().flat_map(|history| &history.probes);
    let (missing, unknown): (Vec<&Probe<'_>>, Vec<&Probe<'_>>) =
        of_reads.iter().chain(of_stories).partition(|probe| probe.is_missing);
    collect(run, &missing, &unknown);
    vec![
        required(&missing),
        unknown_is_told(&unknown),
        defaults(run).await,
        snake_case(run),
        missing_codes(&missing),
        unknown_codes(&unknown),
    ]
}

/// Puts the answers into the evidence.
fn collect(run: &Run<'_>, missing: &[&Probe<'_>], unknown: &[&Probe<'_>]) {
    let mut evidence = run.evidence.borrow_mut();
    missing.iter().for_each(|probe| evidence.missing(probe.operation, &probe.parameter, &probe.answer));
    for probe in unknown {
        evidence.unknown(probe.operation, &probe.parameter, &probe.answer);
        evidence.probed.insert(probe.operation.name.clone(), probe.operation.raw.clone());
    }
}

fn required(probes: &[&Probe<'_>]) -> TestReport {
    let why = "no operation that may be called has a required parameter";
    let mut check = Check::new("Required parameters are enforced", "X-conf-57", why);
    for Probe { operation, parameter, answer, .. } in probes {
        let problem = || {
            format!("'{}' without '{parameter}' is not refused with a message that names it.", operation.name)
        };
        check.expect(answer.is_failure() && answer.message().contains(parameter.as_str()), problem, answer);
    }
    check.finish("Requests without a required parameter are refused, and it is named.")
}

fn unknown_is_told(probes: &[&Probe<'_>]) -> TestReport {
    let mut check = Check::new("Unknown parameters are handled explicitly", "X-conf-58", NO_OPERATIONS);
    for Probe { operation, parameter, answer, .. } in probes {
        let has_warning = answer.result()["warnings"].as_array().is_some_and(|warnings| !warnings.is_empty());
        let is_told = (answer.is_failure() && answer.message().contains(parameter.as_str()))
            || (answer.is_success() && has_warning);
        check.expect(is_told, || format!("'{}' takes '{parameter}' without a word.", operation.name), answer);
    }
    check.finish("Unknown parameters are told of.")
}

fn missing_codes(probes: &[&Probe<'_>]) -> TestReport {
    let why = "no operation that may be called has a required parameter";
    let mut check = Check::new("Missing parameters have their code and details", "C5.3-1", why);
    for Probe { operation, parameter, answer, .. } in probes.iter().filter(|probe| probe.answer.is_failure())
    {
        let is_coded = answer.code() == "VALIDATION_MISSING_PARAM";
        check.expect(
            is_coded,
            || format!("The code is '{}', not 'VALIDATION_MISSING_PARAM'.", answer.code()),
            answer,
        );
        let is_detailed = operation.is_introspection()
            || (answer.details()["param_name"] == parameter.as_str()
                && answer.details()["operation"] == operation.name.as_str());
        let problem = || {
            format!(
                "'details' do not name the parameter '{parameter}' and the operation '{}'.",
                operation.name
            )
        };
        check.expect(is_detailed || !is_coded, problem, answer);
    }
    check.finish("The code is VALIDATION_MISSING_PARAM, and the details name parameter and operation.")
}

fn unknown_codes(probes: &[&Probe<'_>]) -> TestReport {
    let name = "Unknown parameters are rejected with their code and details";
    let mut check = Check::new(name, "C4.6-1", NO_OPERATIONS);
    for Probe { operation, parameter, answer, .. } in probes {
        let is_silent =
            answer.is_success() && answer.result()["warnings"].as_array().is_none_or(Vec::is_empty);
        // What no one hears of is found by the test of the specification.
        if is_silent {
            continue;
        }
        check.expect(
            answer.is_failure(),
            || format!("'{}' runs with an unknown parameter.", operation.name),
            answer,
        );
        if !answer.is_failure() {
            continue;
        }
        if answer.code() != "VALIDATION_UNKNOWN_PARAM" {
            check.fail(
                "C4.6-2",
                &format!("The code is '{}', not 'VALIDATION_UNKNOWN_PARAM'.", answer.code()),
                Some(answer),
            );
            continue;
        }
        let details = answer.details();
        let names_it = details["unknown_params"]
            .as_array()
            .is_some_and(|names| names.iter().any(|name| name == parameter.as_str()));
        let is_detailed =
            names_it && details["valid_params"].is_array() && details["operation"] == operation.name.as_str();
        if !is_detailed && !operation.is_introspection() {
            let problem = "'details' lack 'operation', 'unknown_params' with the name, or 'valid_params'.";
            check.fail("C4.6-3", problem, Some(answer));
        }
    }
    check.finish("The code is VALIDATION_UNKNOWN_PARAM, and the details list known and unknown ones.")
}

fn snake_case(run: &Run<'_>) -> TestReport {
    let name = "Canonical parameter names use snake_case";
    let mut check = Check::new(name, "X-conf-60", "no operation has a parameter");
    for operation in &run.catalog.operations {
        for parameter in &operation.parameters {
            let problem = || format!("'{}' of '{}' is no snake_case name.", parameter.name, operation.name);
            check.expect(is_snake_case(&parameter.name), problem, run.catalog.first_page());
        }
    }
    check.finish("Names of parameters are snake_case.")
}

/// Leaving a parameter out is the same as giving it its default.
async fn defaults(run: &Run<'_>) -> TestReport {
    let why = "no operation that may be called documents a default";
    let mut check = Check::new("Documented defaults are observable", "X-conf-59", why);
    for operation in run.catalog.operations.iter().filter(|operation| operation.is_safe()) {
        let with_default = |parameter: &&Parameter| {
            !parameter.is_required && parameter.default.as_ref().is_some_and(|default| !default.is_null())
        };
        for parameter in operation.parameters.iter().filter(with_default) {
            default(run, operation, parameter, &mut check).await;
        }
    }
    for ResourceHistory { cycle, created_with_least, .. } in run.histories {
        if let Some(answer) = created_with_least.as_ref().filter(|answer| answer.is_success()) {
            defaults_of_a_creation(run, cycle.create, answer, &mut check);
        }
    }
    check.finish("Leaving a parameter out gives what its default gives.")
}

/// What was created without a parameter has its default, where the answer shows that field.
fn defaults_of_a_creation(run: &Run<'_>, create: &Operation, answer: &Exchange, check: &mut Check) {
    for parameter in create.parameters.iter().filter(|parameter| !parameter.is_required) {
        let shown = answer.data().get(&parameter.name);
        let Some((default, shown)) = parameter.default.as_ref().zip(shown) else { continue };
        if default.is_null() || default.is_array() || default.is_object() {
            continue;
        }
        let problem = || {
            format!(
                "'{}' without '{}' gives {shown}, not its default {default}.",
                create.name, parameter.name
            )
        };
        check.expect(shown == default, problem, answer);
        if shown == default {
            let place = format!("data.{}", parameter.name);
            run.evidence.borrow_mut().default(create, &parameter.name, &place, default, answer);
        }
    }
}

async fn default(run: &Run<'_>, operation: &Operation, parameter: &Parameter, check: &mut Check) {
    let Some(default) = &parameter.default else { return };
    let without = run.conversation.operate(operation, run.listed.request(operation)).await;
    let mut params = run.listed.request(operation);
    params.insert(parameter.name.clone(), default.clone());
    let with = run.conversation.operate(operation, params).await;
    let again = run.conversation.operate(operation, run.listed.request(operation)).await;
    // Answers that differ by themselves tell nothing.
    if !without.is_success() || compared(without.data()) != compared(again.data()) {
        return;
    }
    let problem =
        || format!("'{}' without '{}' differs from its default {default}.", operation.name, parameter.name);
    check.expect(compared(with.data()) == compared(without.data()), problem, &with);
    // A default is evidence where the answer itself names it; that both answers are the same is not in one of them.
    let holders = ["pageInfo", "pagination", "applied"];
    let names = ["pageSize", "page_size", parameter.name.as_str()];
    let inner = holders.iter().flat_map(|holder| names.iter().map(move |name| format!("{holder}.{name}")));
    let seen = inner.chain([parameter.name.clone()]).find(|place| {
        let value = place.split('.').try_fold(without.data(), |value, name| value.get(name));
        value == Some(default)
    });
    if let Some(place) = seen {
        let place = format!("data.{place}");
        run.evidence.borrow_mut().default(operation, &parameter.name, &place, default, &without);
    }
}

/// What of an answer is compared: of a list its items, for cursors may differ.
fn compared(data: &Value) -> &Value {
    if identifiers::is_collection(data) { &data["items"] } else { data }
}

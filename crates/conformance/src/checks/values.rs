//! Parameter Handling: wrong types, where parameters may stand, what is no parameter, and other spellings.
//!
//! Right requests with one thing changed in, whether the server sees the difference out.

use crate::operation::Operation;
use crate::report::TestReport;
use crate::sample_value;
use crate::suite::Run;
use crate::verdict::Check;
use serde_json::{Map, Value, json};

const NO_OPERATIONS: &str = "no operation that changes nothing has a parameter to try it with";

pub(super) async fn checks(run: &Run<'_>) -> Vec<TestReport> {
    vec![
        wrong_types(run).await,
        top_level(run).await,
        both_places(run).await,
        metadata(run).await,
        json_text(run).await,
        camel_case(run).await,
    ]
}

async fn wrong_types(run: &Run<'_>) -> TestReport {
    let mut check = Check::new("Values of a wrong type are rejected", "O5.4-2", NO_OPERATIONS);
    for operation in run.catalog.operations.iter().filter(|operation| operation.is_safe()) {
        for parameter in &operation.parameters {
            let Some(value) = sample_value::of_wrong_type(parameter) else { continue };
            let mut params = run.listed.request(operation);
            params.insert(parameter.name.clone(), value);
            let answer = run.conversation.operate(operation, params).await;
            run.evidence.borrow_mut().error(
                &format!("type-{}-{}", operation.name, parameter.name),
                &[&parameter.name],
                &answer,
            );
            let problem = || {
                format!(
                    "'{}' of '{}' takes a value that is no {}.",
                    parameter.name, operation.name, parameter.kind
                )
            };
            check.expect(answer.is_failure(), problem, &answer);
            if answer.is_failure() && !answer.message().contains(&parameter.name) {
                check.fail(
                    "X-conf-31",
                    &format!("The message does not name '{}'.", parameter.name),
                    Some(&answer),
                );
            }
        }
    }
    check.finish("Values of a wrong type are rejected, and the parameter is named.")
}

/// A safe operation with a request that has a parameter and succeeds; introspection where there is no other.
async fn example<'a>(run: &'a Run<'_>) -> Option<(&'a Operation, Map<String, Value>, Value)> {
    for operation in run.catalog.safe().filter(|operation| operation.required().next().is_some()) {
        let params = run.listed.request(operation);
        let answer = run.conversation.operate(operation, params.clone()).await;
        if answer.is_success() && answer.data()["pageInfo"].is_null() {
            return Some((operation, params, answer.data().clone()));
        }
    }
    let introspect = run.catalog.operations.iter().find(|operation| operation.is_introspection())?;
    let params = json!({"query": "types"}).as_object().cloned()?;
    let answer = run.conversation.operate(introspect, params.clone()).await;
    answer.is_success().then(|| (introspect, params, answer.data().clone()))
}

/// Parameters beside `operation` mean the same as those in `params`.
async fn top_level(run: &Run<'_>) -> TestReport {
    let mut check = Check::new("Parameters are taken from the top level too", "C4.4-2", NO_OPERATIONS);
    if let Some((operation, params, data)) = example(run).await {
        let mut arguments = json!({"operation": operation.name});
        for (name, value) in
            params.iter().filter(|(name, _)| !matches!(name.as_str(), "operation" | "params"))
        {
            arguments[name] = value.clone();
        }
        let answer = run.conversation.send(&run.conversation.tools.of(operation), arguments).await;
        let problem = || format!("'{}' answers otherwise to parameters on the top level.", operation.name);
        check.expect(answer.is_success() && *answer.data() == data, problem, &answer);
    }
    check.finish("A parameter means the same in 'params' and beside it.")
}

/// What stands in `params` wins.
async fn both_places(run: &Run<'_>) -> TestReport {
    let mut check = Check::new("Values in params win over the top level", "C4.2-2", "there was no answer");
    let request = json!({"operation": "introspect", "query": "types", "params": {"query": "operations"}});
    let answer = run.conversation.send(&run.conversation.tools.introspection, request).await;
    let is_right = answer.is_success() && answer.data()["operations"].is_array();
    check.expect(is_right, || "The value in 'params' does not win.".to_owned(), &answer);
    check.finish("The value in 'params' wins.")
}

async fn metadata(run: &Run<'_>) -> TestReport {
    let name = "Members with an underscore are no parameters";
    let mut check = Check::new(name, "C4.6.1-4", "there was no answer");
    let request = json!({"operation": "introspect", "params": {"query": "operations"}, "_request_id": "conformance-1", "_meta": {}});
    let answer = run.conversation.send(&run.conversation.tools.introspection, request).await;
    check.expect(
        answer.is_success(),
        || "Metadata is refused as if it were a parameter.".to_owned(),
        &answer,
    );
    check.finish("Metadata is no parameter.")
}

/// `params` that is text is refused, or used with a warning.
async fn json_text(run: &Run<'_>) -> TestReport {
    let mut check = Check::new("Params as JSON text are not taken silently", "C4.1-2", "there was no answer");
    let request = json!({"operation": "introspect", "params": "{\"query\": \"operations\"}"});
    let answer = run.conversation.send(&run.conversation.tools.introspection, request).await;
    let is_told = answer.result()["warnings"].as_array().is_some_and(|warnings| !warnings.is_empty());
    let problem = || "'params' is a text, and the request runs without a word.".to_owned();
    check.expect(answer.is_failure() || is_told, problem, &answer);
    check.finish("'params' as text is refused, or repaired with a warning.")
}

/// Another spelling is refused, or means the same.
async fn camel_case(run: &Run<'_>) -> TestReport {
    let why = "no operation that changes nothing has a required name of several words";
    let mut check = Check::new("Other spellings mean the same or are refused", "O4.1-2", why);
    for operation in run.catalog.safe() {
        let Some(parameter) = operation.required().find(|parameter| parameter.name.contains('_')) else {
            continue;
        };
        let canonical = run.listed.request(operation);
        let mut spelled = canonical.clone();
        let Some(value) = spelled.remove(&parameter.name) else { continue };
        spelled.insert(camel(&parameter.name), value);
        let right = run.conversation.operate(operation, canonical).await;
        let answer = run.conversation.operate(operation, spelled).await;
        let is_consistent = answer.is_failure() || (right.is_success() && right.data() == answer.data());
        let problem = || {
            format!(
                "'{}' of '{}' means something else than '{}'.",
                camel(&parameter.name),
                operation.name,
                parameter.name
            )
        };
        check.expect(is_consistent, problem, &answer);
    }
    check.finish("Spellings with capitals are refused, or mean the same.")
}

fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut all, word| {
        let mut letters = word.chars();
        all.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        all.push_str(letters.as_str());
        all
    })
}

//! Request Routing: the tools as they are listed, and requests that no operation must get to see.
//!
//! Only operations that change nothing are sent to tools that they do not belong to, for a wrong server would run them.

use crate::report::TestReport;
use crate::suite::Run;
use crate::tools::{CRUDE, Tool};
use crate::verdict::Check;
use serde_json::{Map, Value, json};

/// The depth that is refused where a server does not tell its limit.
const USUAL_DEPTH: u64 = 32;

pub(super) async fn checks(run: &Run<'_>) -> Vec<TestReport> {
    vec![
        schemas(run),
        descriptions(run),
        annotations(run),
        other_tools(run).await,
        order(run).await,
        single_tool(run).await,
        no_operation(run).await,
        no_object(run).await,
        unknown_operation(run).await,
        nesting(run).await,
        null_character(run).await,
    ]
}

fn schemas(run: &Run<'_>) -> TestReport {
    let name = "Tool schemas are built on operation and params";
    let mut check = Check::new(name, "M3.1-1", "there are no tools");
    for tool in &run.conversation.tools.all {
        let schema = &tool.listed["inputSchema"];
        let is_right = schema["type"] == "object"
            && schema["properties"]["operation"]["type"] == "string"
            && schema["properties"]["params"]["type"] == "object"
            && schema["properties"]["params"]["additionalProperties"] != false
            && schema["required"] == json!(["operation"]);
        check.examine();
        if !is_right {
            let problem = format!(
                "The schema of '{}' is not that of 'operation' (a text, required) and 'params' (an open object).",
                tool.name
            );
            check.fail("M3.1-1", &problem, Some(&tool.shown("inputSchema")));
        }
    }
    check.finish("Every tool takes 'operation' and 'params'.")
}

fn descriptions(run: &Run<'_>) -> TestReport {
    let name = "Tool descriptions lead to introspection";
    let mut check = Check::new(name, "M2.1-1", "there are no tools");
    for tool in &run.conversation.tools.all {
        check.examine();
        if !tool.listed.get("description").and_then(Value::as_str).unwrap_or_default().contains("introspect")
        {
            check.fail(
                "M2.1-1",
                &format!("The description of '{}' does not mention 'introspect'.", tool.name),
                Some(&tool.shown("description")),
            );
        }
    }
    check.finish("Every description mentions 'introspect'.")
}

fn annotations(run: &Run<'_>) -> TestReport {
    let mut check = Check::new("Tool annotations tell the risk", "M2.3-2", "there are no tools");
    for tool in &run.conversation.tools.all {
        check.examine();
        let hints = (tool.hint("readOnlyHint"), tool.hint("destructiveHint"));
        let (Some(read_only), Some(destructive)) = hints else {
            check.warn(
                "M2.3-1",
                &format!("'{}' lacks 'readOnlyHint' or 'destructiveHint'.", tool.name),
                Some(&tool.shown("annotations")),
            );
            continue;
        };
        if let Some((rule, wanted)) = wanted(tool).filter(|(_, wanted)| *wanted != (read_only, destructive)) {
            let problem = format!(
                "The hints of '{}' are read-only {read_only} and destructive {destructive}, not {} and {}.",
                tool.name, wanted.0, wanted.1
            );
            check.fail(rule, &problem, Some(&tool.shown("annotations")));
        }
    }
    check.finish("Hints fit what the tools do.")
}

/// The hints of the tools of the specification, with their rule.
fn wanted(tool: &Tool) -> Option<(&'static str, (bool, bool))> {
    const RULES: [&str; 5] = ["M2.3-3", "M2.3-2", "M2.3-4", "M2.3-5", "M2.3-6"];
    match &tool.family {
        None => Some(("M2.3-8", (false, true))),
        Some(family) => {
            let place = CRUDE.iter().position(|(name, ..)| name == family)?;
            let (_, read_only, destructive) = CRUDE[place];
            Some((RULES[place], (read_only, destructive)))
        }
    }
}

/// An operation that changes nothing is refused by every family but its own.
async fn other_tools(run: &Run<'_>) -> TestReport {
    let why = "there is only one family of tools, or no operation that changes nothing";
    let mut check = Check::new("Operations are refused by tools of other families", "C6.2-3", why);
    for (tool, name, request) in misdirected(run) {
        let answer = run.conversation.send(&tool, json!({"operation": name, "params": request})).await;
        check.expect(
            answer.is_failure(),
            || format!("'{name}' runs by '{tool}', to which it does not belong."),
            &answer,
        );
        if answer.is_failure() {
            let is_told =
                answer.code() == "VALIDATION_ENDPOINT_MISMATCH" && answer.message().contains(name.as_str());
            if !is_told {
                let problem = "The refusal has not the code 'VALIDATION_ENDPOINT_MISMATCH' and the name of the operation.";
                check.fail("O6.3-3", problem, Some(&answer));
            }
        }
    }
    check.finish("Operations run by the tool of their own family alone.")
}

/// Safe operations with right requests, and tools that they do not belong to.
fn misdirected(run: &Run<'_>) -> Vec<(String, String, Map<String, Value>)> {
    let introspect = run.catalog.operations.iter().filter(|operation| operation.is_introspection());
    let operations = introspect.chain(run.catalog.safe().take(1));
    operations
        .flat_map(|operation| {
            let own = run.conversation.tools.of(operation);
            let others = run.conversation.tools.families().filter(move |tool| {
                tool.name != own && !(operation.is_introspection() && serves_reads(run, &tool.name))
            });
            others.map(|tool| (tool.name.clone(), operation.name.clone(), run.listed.request(operation)))
        })
        .collect()
}

/// The tool has READ operations. Introspection is one of them, and may be taken by their tool besides the one that it names.
fn serves_reads(run: &Run<'_>, tool: &str) -> bool {
    let mut reads = run.catalog.safe();
    reads.any(|operation| run.conversation.tools.of(operation) == tool)
}

/// The wrong tool is told of before wrong parameters.
async fn order(run: &Run<'_>) -> TestReport {
    let why = "there is only one family of tools, or no operation that changes nothing";
    let mut check = Check::new("The wrong tool is told before wrong parameters", "C3.2-1", why);
    if let Some((tool, name, _)) = misdirected(run).into_iter().next() {
        let request = json!({"operation": name, "params": {"no_such_parameter": 1}});
        let answer = run.conversation.send(&tool, request).await;
        let problem = || "A request that is wrong in both ways does not tell of the tool.".to_owned();
        check.expect(
            answer.is_failure()
                && answer.code() != "VALIDATION_UNKNOWN_PARAM"
                && answer.code() != "VALIDATION_MISSING_PARAM",
            problem,
            &answer,
        );
    }
    check.finish("The tool is judged before the parameters.")
}

async fn single_tool(run: &Run<'_>) -> TestReport {
    let name = "Every operation is reached through the single tool";
    let mut check = Check::new(name, "C3.3-4", "the server has no single tool");
    if let Some(single) = run.conversation.tools.single().map(|tool| tool.name.clone()) {
        let introspect = run.catalog.operations.iter().find(|operation| operation.is_introspection());
        for operation in introspect.into_iter().chain(run.catalog.safe().take(3)) {
            let request = json!({"operation": operation.name, "params": run.listed.request(operation)});
            let answer = run.conversation.send(&single, request).await;
            let is_unreached =
                ["NOT_FOUND_OPERATION", "VALIDATION_ENDPOINT_MISMATCH"].contains(&answer.code());
            check.expect(
                !is_unreached,
                || format!("'{}' is not reached by '{single}'.", operation.name),
                &answer,
            );
        }
    }
    check.finish("Operations are reached through the single tool.")
}

async fn no_operation(run: &Run<'_>) -> TestReport {
    let name = "Requests without an operation are refused";
    let mut check = Check::new(name, "C4.1-1", "there was no answer");
    let tool = &run.conversation.tools.introspection;
    for arguments in [
        json!({}),
        json!({"params": {}}),
        json!({"operation": null}),
        json!({"operation": 7}),
        json!({"operation": ""}),
    ] {
        let answer = run.conversation.send(tool, arguments).await;
        check.expect(
            answer.is_failure(),
            || "A request without the name of an operation is not refused.".to_owned(),
            &answer,
        );
    }
    check.finish("Requests without the name of an operation are refused.")
}

async fn no_object(run: &Run<'_>) -> TestReport {
    let name = "Params that are no object are refused";
    let mut check = Check::new(name, "C4.1-2", "there was no answer");
    let tool = &run.conversation.tools.introspection;
    for params in [json!([]), json!(7), json!("operations"), json!(true)] {
        let answer = run.conversation.send(tool, json!({"operation": "introspect", "params": params})).await;
        check.expect(answer.is_failure(), || "'params' that is no object is taken.".to_owned(), &answer);
    }
    check.finish("'params' is an object, or refused.")
}

async fn unknown_operation(run: &Run<'_>) -> TestReport {
    let mut check = Check::new("Unknown operations are refused", "X-modes-8", "there was no answer");
    let tool = &run.conversation.tools.introspection;
    for name in ["no_such_operation", "Introspect", "introspect "] {
        let answer =
            run.conversation.send(tool, json!({"operation": name, "params": {"query": "operations"}})).await;
        check.expect(answer.is_failure(), || format!("'{name}' is no operation, and runs."), &answer);
        if name == "no_such_operation" && answer.is_failure() && answer.code() != "NOT_FOUND_OPERATION" {
            check.fail(
                "X-errors-16",
                &format!("The code is '{}', not 'NOT_FOUND_OPERATION'.", answer.code()),
                Some(&answer),
            );
        }
        run.evidence.borrow_mut().error(&format!("operation-{}", name.trim()), &[name.trim()], &answer);
    }
    check.finish("Names that no operation has are refused.")
}

async fn nesting(run: &Run<'_>) -> TestReport {
    let name = "Nesting beyond the limit is refused";
    let mut check = Check::new(name, "C4.7.5-5", "there was no answer");
    let limit = run.catalog.protocol()["limits"]["max_nesting_depth"].as_u64().unwrap_or(USUAL_DEPTH);
    let mut deep = json!(1);
    for _ in 0..=limit {
        deep = json!([deep]);
    }
    let tool = &run.conversation.tools.introspection;
    let request = json!({"operation": "introspect", "params": {"query": "operations", "name": deep}});
    let answer = run.conversation.send(tool, request).await;
    check.expect(answer.is_failure(), || format!("Nesting of more than {limit} levels is taken."), &answer);
    if answer.is_failure() && answer.code() != "VALIDATION_PAYLOAD_TOO_LARGE" {
        let problem = format!("The code is '{}', not 'VALIDATION_PAYLOAD_TOO_LARGE'.", answer.code());
        check.fail("C4.7.5-7", &problem, Some(&answer));
    }
    check.finish("Nesting beyond the limit is refused.")
}

async fn null_character(run: &Run<'_>) -> TestReport {
    let name = "Texts with a null character are refused";
    let mut check = Check::new(name, "C4.7.1-7", "there was no answer");
    let answer = run.conversation.introspect(json!({"query": "operations", "name": "intro\u{0}spect"})).await;
    check.prefer(answer.is_failure(), || "A text with a null character is taken.".to_owned(), &answer);
    check.finish("Texts with a null character are refused.")
}

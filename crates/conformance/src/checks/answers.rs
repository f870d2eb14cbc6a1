//! Error Quality: how every answer of the run is wrapped, whether it failed or not.
//!
//! Everything that was said in, the tests of its wrapping out; it is judged when all other checks have asked what they had to ask.

use crate::exchange::{Exchange, Received};
use crate::report::TestReport;
use crate::server::CallFailure;
use crate::shapes;
use crate::suite::Run;
use crate::verdict::Check;
use serde_json::Value;
use std::rc::Rc;

/// Codes that a caller can act on begin with one of these; `isError` is false for them.
const ACTIONABLE: [&str; 9] = [
    "VALIDATION_MISSING_PARAM",
    "VALIDATION_INVALID_TYPE",
    "VALIDATION_INVALID_VALUE",
    "NOT_FOUND_RESOURCE",
    "NOT_FOUND_OPERATION",
    "PERMISSION_DENIED",
    "RATE_LIMIT_EXCEEDED",
    "RATE_LIMIT_QUOTA_PAUSE",
    "CONFIRMATION_REQUIRED",
];

/// Codes that no one who calls can do something about.
const BEYOND_THE_CALLER: [&str; 2] = ["INTERNAL_", "TRANSPORT_"];

const NO_ANSWERS: &str = "there was no answer";

pub(super) fn checks(run: &Run<'_>) -> Vec<TestReport> {
    let exchanges = run.conversation.exchanges();
    vec![
        successes(&exchanges),
        wrapping(&exchanges),
        is_error(&exchanges),
        json_rpc(&exchanges),
        sessions(run, &exchanges),
        standard_output(run),
    ]
}

fn successes(exchanges: &[Rc<Exchange>]) -> TestReport {
    let name = "Success responses match the discriminated union schema";
    let mut check = Check::of_the_envelope(name, "X-conf-6", "nothing succeeded");
    // Batches and introspection have shapes of their own, which are held elsewhere; whether it is a success, every answer says.
    let is_plain = |exchange: &&Rc<Exchange>| {
        !exchange.is_failure()
            && matches!(&exchange.answer, Received::Tool { result: Some(Value::Object(_)), .. })
            && (exchange.is_malformed() || exchange.operation() != "introspect" && !is_batch(exchange))
    };
    for exchange in exchanges.iter().filter(is_plain) {
        super::check_shape(&mut check, exchange, shapes::operation_result::result);
    }
    check.finish("Successes have their closed shape.")
}

fn is_batch(exchange: &Exchange) -> bool {
    exchange.arguments.contains_key("operations") || exchange.operation() == "batch"
}

fn wrapping(exchanges: &[Rc<Exchange>]) -> TestReport {
    let name = "Answers are one text block with an explicit isError";
    let mut check = Check::of_the_envelope(name, "M4.1.3-1", NO_ANSWERS);
    for exchange in exchanges {
        let Received::Tool { problem, is_error, .. } = &exchange.answer else { continue };
        check.expect(
            problem.is_none(),
            || format!("Of the tool result: {}.", problem.clone().unwrap_or_default()),
            exchange,
        );
        if is_error.is_none() {
            check.fail("M4.1.3-4", "'isError' is not written.", Some(exchange));
        }
    }
    check.finish("Every answer is one block of JSON text, with 'isError' beside it.")
}

fn is_error(exchanges: &[Rc<Exchange>]) -> TestReport {
    let name = "isError tells what the caller can act on";
    let mut check = Check::new(name, "M4.1.3-3", NO_ANSWERS);
    for exchange in exchanges {
        let Received::Tool { is_error: Some(is_error), .. } = exchange.answer else { continue };
        let code = exchange.code();
        let has_operation = exchange
            .arguments
            .get("operation")
            .is_some_and(|name| name.as_str().is_some_and(|name| !name.is_empty()));
        let has_params = exchange.arguments.get("params").is_none_or(Value::is_object);
        let wanted = match () {
            () if exchange.is_success() => Some(false),
            // What is no request at all may be marked either way.
            () if !exchange.is_failure() || !has_operation || !has_params => None,
            () if ACTIONABLE.contains(&code) => Some(false),
            () if BEYOND_THE_CALLER.iter().any(|start| code.starts_with(start)) => Some(true),
            () => None,
        };
        if let Some(wanted) = wanted {
            let what = if exchange.is_success() { "a success".to_owned() } else { format!("'{code}'") };
            check.expect(is_error == wanted, || format!("'isError' is {is_error} for {what}."), exchange);
        }
    }
    check.finish("'isError' is false where a caller can act, and true where not.")
}

fn json_rpc(exchanges: &[Rc<Exchange>]) -> TestReport {
    let name = "Failures are tool results, not JSON-RPC errors";
    let mut check = Check::of_the_envelope(name, "M4.2-1", NO_ANSWERS);
    for exchange in exchanges {
        let is_error = matches!(exchange.answer, Received::Failed(CallFailure::JsonRpc { .. }));
        check.expect(!is_error, || "The answer is an error of JSON-RPC.".to_owned(), exchange);
        if let Received::Failed(CallFailure::NoAnswer(why)) = &exchange.answer {
            check.fail("C5.1-1", &format!("There is no answer: {why}."), Some(exchange));
        }
    }
    check.finish("Every failure came as a tool result.")
}

/// MCP's own rule for servers that are started. It has no row in the specification of MCP-AQL, which stands on MCP.
const STDIO_RULE: &str = "MCP-stdio";

fn standard_output(run: &Run<'_>) -> TestReport {
    let name = "Standard output holds nothing but messages";
    let mut check = Check::new(name, STDIO_RULE, "the server is not reached over its standard output");
    let Some(stray) = run.conversation.stray_output() else { return check.finish("") };
    check.examine();
    if stray.lines > 0 {
        let lines = if stray.lines == 1 {
            "1 line that is".to_owned()
        } else {
            format!("{} lines that are", stray.lines)
        };
        let problem = format!(
            "It wrote {lines} no JSON-RPC message to its standard output, first {:?}. Logs belong on standard error.",
            stray.first
        );
        check.fail(STDIO_RULE, &problem, None);
    }
    check.finish("Every line on standard output is a message.")
}

/// Where errors name a session, it is the one that introspection names.
fn sessions(run: &Run<'_>, exchanges: &[Rc<Exchange>]) -> TestReport {
    let name = "Errors carry the identifier of the session";
    let mut check = Check::new(name, "C2.3.5-5", "introspection tells no '_protocol.session_id'");
    let Some(session) = run.catalog.protocol()["session_id"].as_str() else { return check.finish("") };
    let failures = exchanges.iter().filter(|exchange| exchange.is_failure());
    // Failures of introspection and of whole batches have no room for it.
    for failure in failures.filter(|failure| failure.operation() != "introspect" && !is_batch(failure)) {
        let named = &failure.details()["session_id"];
        let problem = || format!("The session is {named}, and introspection says '{session}'.");
        check.prefer(*named == session, problem, failure);
    }
    check.finish("Errors name the session that introspection names.")
}

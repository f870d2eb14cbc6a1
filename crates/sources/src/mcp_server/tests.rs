//! Tools of servers as operations, and what the report says about them.
//!
//! A server's settings and its listing in, operations and the report out; no server runs. Every tool is loaded or
//! left out by name, whatever a server says.

use super::lower::own_name;
use super::{ImportedServer, load};
use aqueduct_operations::category::Category;
use aqueduct_operations::handler::{
    Boxed, Envelope, Handler, HandlerCall, HandlerError, HandlerValues, SealedHandler, run_handler,
};
use aqueduct_operations::mcp::{ServerConfig, ServerListing, ServerTransport};
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::naming::is_snake_case;
use aqueduct_operations::native::OperationKind;
use aqueduct_operations::operation::{Grouping, Operation};
use aqueduct_operations::target::{HandlerKind, Target};
use aqueduct_operations::trust::TrustLevel;
use aqueduct_source_kind::settings::SourceSettings;
use aqueduct_testkit::permit::PermittedOperation;
use proptest::prelude::{Just, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

pub(super) fn http() -> ServerConfig {
    let headers =
        vec![NamedSecret::new("Authorization", "Bearer ${TOKEN}"), NamedSecret::new("X-Key", "hunter2")];
    let url = "https://me:hunter3@example.com/mcp?key=hunter4#hunter5".parse().unwrap();
    ServerConfig {
        name: "all".into(),
        reach: ServerTransport::Http { url, headers },
        timeout: Duration::from_secs(60),
    }
}

pub(super) fn stdio() -> ServerConfig {
    let reach = ServerTransport::Stdio {
        command: "/usr/bin/npx".into(),
        args: vec!["-y".into(), "--key=hunter2".into()],
        env: vec![NamedSecret::new("K", "hunter3")],
        cwd: None,
    };
    ServerConfig { name: "all".into(), reach, timeout: Duration::from_secs(60) }
}

pub(super) fn everything() -> ServerListing {
    let server = json!({"name": "everything", "version": "1.0", "title": "All", "icons": []});
    let long = format!("Thinks. {}", "It goes on and on, step by step. ".repeat(20));
    let tools = json!([
        {"name": "echo", "title": "Echo", "description": "Says it again.",
         "inputSchema": {"type": "object", "properties": {"level": {"enum": [1, 2]}}}},
        {"name": "listIssues", "description": "Lists issues.", "annotations": {"readOnlyHint": true, "title": "Issues"},
         "inputSchema": {"type": "object", "required": ["userId"], "properties": {
            "userId": {"type": "string", "format": "uuid", "description": "Whose."}}},
         "outputSchema": {"type": "object", "properties": {"issues": {"type": "array", "items": {"type": "object",
            "properties": {"title": {"type": "string"}}}}}, "required": ["issues"]}},
        {"name": "delete-it", "inputSchema": {"type": "object"}},
        {"name": "sequentialthinking", "description": long, "inputSchema": {"type": "object", "additionalProperties": true}},
        {"name": "batch", "inputSchema": {"type": "object"}, "annotations": {"destructiveHint": true, "readOnlyHint": false}},
        {"name": "odd", "outputSchema": {"$ref": "#/$defs/Out", "$defs": {"Out": {"type": "object", "properties": {"n": {"type": "integer"}}}}}},
        {"name": "echo", "inputSchema": {"type": "object"}},
        {"description": "no name", "inputSchema": {}},
    ]);
    let (Value::Object(server), Value::Array(tools)) = (server, tools) else { panic!() };
    ServerListing { server, instructions: Some("# All\n\nUse echo first.".to_owned()), tools }
}

pub(super) fn imported(config: &ServerConfig, listing: &ServerListing) -> ImportedServer {
    load(&config.name, listing, &SourceSettings::default(), &|tool| SealedHandler::new(Echo(tool.to_owned())))
}

fn all() -> ImportedServer {
    imported(&http(), &everything())
}

fn operation<'i>(imported: &'i ImportedServer, name: &str) -> &'i Operation {
    imported.loaded.operations.iter().find(|each| each.name == name).unwrap()
}

/// S-mcp-8 S-mcp-9 N1: the tool's name in snake_case, within the client's name; the original is what is called.
#[test]
fn names_and_namespace() {
    let imported = all();
    let names: Vec<_> = imported
        .loaded
        .operations
        .iter()
        .map(|each| (each.name.as_str(), each.origin.as_ref().unwrap().place.as_str()))
        .collect();
    assert_eq!(
        names,
        [
            ("echo", "TOOL echo"),
            ("list_issues", "TOOL listIssues"),
            ("delete_it", "TOOL delete-it"),
            ("sequentialthinking", "TOOL sequentialthinking"),
            ("batch_tool", "TOOL batch"),
            ("odd", "TOOL odd"),
        ]
    );
    assert_eq!(imported.loaded.source.name, "all");
    assert_eq!(own_name(&everything()).as_deref(), Some("everything"));
    let settings = SourceSettings { source_name: Some("mine".into()), ..SourceSettings::default() };
    let renamed =
        load(&http().name, &everything(), &settings, &|tool| SealedHandler::new(Echo(tool.to_owned())));
    assert_eq!((renamed.loaded.source.name.as_str(), renamed.report.source.as_str()), ("mine", "mine"));
}

/// S-mcp-10: to users of the library every tool may change something, whatever it says of itself.
#[test]
fn kind() {
    for operation in &all().loaded.operations {
        assert_eq!(OperationKind::of(operation), OperationKind::Mutation);
    }
}

/// S-mcp-12 S-mcp-28: the output schema is there for every tool that has one, and only for those; references in it work.
#[test]
fn output_schemas() {
    let imported = all();
    let with: Vec<_> = imported
        .loaded
        .operations
        .iter()
        .filter(|each| each.output.is_some())
        .map(|each| each.name.as_str())
        .collect();
    assert_eq!(with, ["list_issues", "odd"]);
    let accepts =
        |name: &str, value: Value| operation(&imported, name).output.as_ref().unwrap().get().accepts(&value);
    assert!(
        accepts("list_issues", json!({"issues": [{"title": "x"}]})) && !accepts("list_issues", json!({}))
    );
    assert!(accepts("odd", json!({"n": 1})) && !accepts("odd", json!({"n": "x"})));
    let types: Vec<_> = imported.loaded.source.types.iter().map(|each| each.name.as_str()).collect();
    assert_eq!(types, ["ListIssuesResult", "OddResult", "ListIssuesResultIssues"]);
    assert_eq!(operation(&imported, "list_issues").returns.name, "ListIssuesResult");
    for shape in [json!(true), json!({}), json!(null)] {
        let listing = ServerListing {
            tools: vec![json!({"name": "x", "outputSchema": shape})],
            ..ServerListing::default()
        };
        let described =
            super::tests::imported(&http(), &listing).loaded.operations[0].returns.description.clone();
        assert!(described.is_some_and(|text| text.contains("content blocks")), "what comes is told");
        assert!(
            super::tests::imported(&http(), &listing).loaded.operations[0].output.is_none(),
            "anything needs no check"
        );
    }
}

/// S-mcp-14: no scopes are required.
#[test]
fn scopes() {
    assert!(all().loaded.operations.iter().all(|each| each.required_scopes.is_empty()));
}

/// S1: an imported server is `generated` until the operator says otherwise; N3: category, danger, reason.
#[test]
fn trust_and_category() {
    let imported = all();
    assert_eq!(imported.loaded.source.trust, TrustLevel::Generated);
    let settings = SourceSettings {
        trust: Some(TrustLevel::Verified),
        default_trust: Some(TrustLevel::Validated),
        ..SourceSettings::default()
    };
    let raised =
        load(&http().name, &everything(), &settings, &|tool| SealedHandler::new(Echo(tool.to_owned())));
    assert_eq!(raised.loaded.source.trust, TrustLevel::Verified);
    let default = SourceSettings { default_trust: Some(TrustLevel::Validated), ..SourceSettings::default() };
    let imported_anyway =
        load(&http().name, &everything(), &default, &|tool| SealedHandler::new(Echo(tool.to_owned())));
    assert_eq!(
        imported_anyway.loaded.source.trust,
        TrustLevel::Generated,
        "the default of files is not for imports"
    );
    let shown: Vec<_> = imported
        .loaded
        .operations
        .iter()
        .map(|each| (each.category.upper(), each.danger.level.name(), each.non_idempotent))
        .collect();
    assert_eq!(
        shown,
        [
            ("EXECUTE", "reversible", true),
            ("READ", "safe", false),
            ("DELETE", "destructive", true),
            ("EXECUTE", "reversible", true),
            ("EXECUTE", "destructive", true),
            ("EXECUTE", "reversible", true),
        ]
    );
}

/// An UPDATE keeps its parameters flat: nothing tells which of them name the thing.
#[test]
fn parameters_are_flat() {
    let tool =
        json!({"name": "update_x", "inputSchema": {"type": "object", "properties": {"id": {}, "title": {}}}});
    let listing = ServerListing { tools: vec![tool], ..ServerListing::default() };
    let operation = imported(&http(), &listing).loaded.operations.remove(0);
    assert_eq!((operation.category, operation.grouping), (Category::Update, Grouping::Flat));
    assert_eq!(operation.outer_params().count(), 2);
}

/// Found is loaded and left out together, and every change is named.
#[test]
fn the_report() {
    let report = all().report;
    assert_eq!((report.found, report.loaded, report.operations_left_out()), (8, 6, 2));
    let renamed: Vec<_> = report.renamed.iter().map(|each| (each.from.as_str(), each.to.as_str())).collect();
    assert_eq!(
        renamed,
        [
            ("listIssues", "list_issues"),
            ("listIssues.userId", "list_issues.user_id"),
            ("delete-it", "delete_it"),
            ("batch", "batch_tool")
        ]
    );
    let left_out: Vec<_> = report.left_out.iter().map(|each| each.what.as_str()).collect();
    assert_eq!(left_out, ["echo", "tool number 8"]);
    let review: Vec<_> = report.needs_review.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(review, ["echo", "sequentialthinking", "batch_tool", "odd"]);
    let warnings: Vec<_> = report.warnings.iter().filter_map(|each| each.operation.as_deref()).collect();
    assert_eq!(warnings, ["sequentialthinking", "sequentialthinking", "odd"]);
}

/// A tool that cannot be called as others are is not passed over in silence.
#[test]
fn tools_that_need_a_task() {
    let tool = |name: &str, support: &str| json!({"name": name, "execution": {"taskSupport": support}});
    let tools = vec![tool("slow", "required"), tool("quick", "optional")];
    let report = imported(&http(), &ServerListing { tools, ..ServerListing::default() }).report;
    let about_tasks =
        |warning: &&aqueduct_source_kind::report::ReportNote| warning.what.contains("only as a task");
    let named: Vec<_> =
        report.warnings.iter().filter(about_tasks).map(|each| each.operation.as_deref()).collect();
    assert_eq!(named, [Some("slow")]);
}

#[test]
fn descriptions_are_cut_and_kept() {
    let imported = all();
    let description = &operation(&imported, "sequentialthinking").description;
    assert!(description.len() <= 300 && description.ends_with('.'), "{description}");
    let documentation = &imported.loaded.source.documentation;
    assert!(
        documentation.starts_with("# All\n\nUse echo first.") && documentation.len() > 600,
        "{documentation}"
    );
    assert_eq!(operation(&imported, "delete_it").description, "delete-it");
    assert_eq!(
        imported.loaded.source.description,
        "echo, list_issues, delete_it, sequentialthinking, batch_tool, odd"
    );
    assert_eq!(imported.loaded.source.version, "1.0.0");
}

/// PEERS 9: a server that does not describe itself is described by what it can do; one that does, in its own words.
#[test]
fn servers_are_described_by_their_tools() {
    let described = |server: Value, tools: usize| {
        let tools = (0..tools).map(|n| json!({"name": format!("read_some_file_{n}")})).collect();
        let instructions = Some("# Audience\n\nThese instruct the model.".to_owned());
        let listing = ServerListing { server: server.as_object().unwrap().clone(), instructions, tools };
        imported(&http(), &listing).loaded.source.description
    };
    assert_eq!(described(json!({"name": "x"}), 2), "read_some_file_0, read_some_file_1");
    let many = described(json!({"name": "x", "title": "X"}), 20);
    assert!(many.starts_with("read_some_file_0, ") && many.ends_with("read_some_file_5, +14"), "{many}");
    assert_eq!(described(json!({"description": "Reads files."}), 20), "Reads files.");
    assert_eq!(described(json!({}), 0), "No tools");
}

/// S-mcp-13: the handler is asked for by the tool's own name, and called with the argument's own names.
#[test]
fn calls_by_the_original_names() {
    let imported = all();
    let Target::Handler(target) = &operation(&imported, "list_issues").target else { panic!() };
    assert_eq!(target.kind, HandlerKind::McpTool);
    let decision = Arc::new(json!({"user_id": "7"}).as_object().unwrap().clone());
    let permitted = PermittedOperation::new(operation(&imported, "list_issues"));
    let run = |values: &HandlerValues| {
        let mut running = run_handler(permitted.permit(&decision), values, None, None);
        match running.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => result,
            Poll::Pending => panic!(),
        }
    };
    let result = run(&HandlerValues::of_call(&decision)).unwrap();
    assert_eq!(result.data, json!({"tool": "listIssues", "arguments": {"userId": "7"}}));
    let refused = run(&HandlerValues::of_call(&Arc::new(Map::clone(&decision)))).unwrap_err();
    assert_eq!(refused.to_string(), "the permit is for other values");
    let preview = target.preview(&decision);
    assert_eq!(preview["arguments"], json!({"userId": "7"}));
}

/// Gives back what it is called with.
#[derive(Debug)]
struct Echo(String);

impl Handler for Echo {
    fn run<'a>(&'a self, run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        let data = self.preview(run.values);
        Box::pin(async move { Ok(Envelope::mcp("all.x", data, false)) })
    }

    fn preview(&self, values: &Map<String, Value>) -> Value {
        json!({"tool": self.0, "arguments": values})
    }
}

fn tool() -> impl Strategy<Value = Value> {
    let name = prop_oneof![
        any::<String>().prop_map(Value::from),
        "[a-zA-Z_-]{1,4}".prop_map(Value::from),
        Just(json!(7))
    ];
    let schema = prop_oneof![
        Just(json!(null)),
        Just(
            json!({"type": "object", "properties": {"aB": {"$ref": "#"}, "a-b": {"type": ["string", "null"]}}})
        ),
        any::<String>().prop_map(|name| json!({"type": "object", "properties": {name: true}, "required": 3})),
        any::<String>().prop_map(|text| json!({"allOf": [{"$ref": text}], "properties": []})),
    ];
    (name, schema)
        .prop_map(|(name, schema)| json!({"name": name, "inputSchema": schema, "outputSchema": schema}))
}

proptest! {
    /// PEERS 5: every tool is loaded or named as left out, under legal names of its own, whatever a server says.
    #[test]
    fn nothing_is_lost(tools in proptest::collection::vec(tool(), 0..8)) {
        let listing = ServerListing { tools, ..ServerListing::default() };
        let ImportedServer { loaded, report, .. } = imported(&http(), &listing);
        prop_assert_eq!(report.found, report.loaded + report.operations_left_out());
        prop_assert_eq!(report.loaded, loaded.operations.len());
        let names: HashSet<&str> = loaded.operations.iter().map(|each| each.name.as_str()).collect();
        prop_assert_eq!(names.len(), loaded.operations.len());
        for operation in &loaded.operations {
            prop_assert!(is_snake_case(&operation.name));
            prop_assert!(operation.params.iter().all(|param| is_snake_case(&param.name)));
            for param in &operation.params {
                param.schema.as_ref().unwrap().get();
            }
        }
    }
}

//! Whatever an operation is called, the file that is written of it is judged as the document was.
//! Documents and listings of tools in any words in; category, danger and doubt after a round trip out.

use crate::mcp_server;
use aqueduct_adapter_files::write::{WriteOptions, write};
use aqueduct_operations::handler::{Boxed, Envelope, Handler, HandlerCall, HandlerError, SealedHandler};
use aqueduct_operations::mcp::{ServerConfig, ServerListing, ServerTransport};
use aqueduct_operations::operation::Operation;
use aqueduct_operations::registry::LoadedSource;
use aqueduct_source_kind::connection::AdapterTarget;
use aqueduct_source_kind::settings::SourceSettings;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{ProptestConfig, Strategy, any, prop_oneof, proptest};
use proptest::sample::select;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::time::Duration;

/// Words that act, look, remove, name things, and are written in odd ways.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "get", "list", "state", "attach", "delete", "deletions", "transfer", "refund", "force", "send", "run", "reset", "items", "RBAC",
    "log", "and", "find", "search", "post", "drop", "users", "cancel", "update", "größe", "2fa", "read", "query", "batch",
    "averyveryverylongwordthatgoesonandonandonwithoutanend",
];

fn name() -> impl Strategy<Value = String> {
    (vec(select(WORDS), 1..5), select(vec!["_", ".", "/", "-", " ", ""])).prop_map(|(words, between)| {
        let capital = |word: &&str| {
            let mut letters = word.chars();
            letters.next().map_or_else(String::new, |c| c.to_uppercase().chain(letters).collect())
        };
        if between.is_empty() { words.iter().map(capital).collect() } else { words.join(between) }
    })
}

fn path() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => select(WORDS).prop_map(str::to_owned),
        1 => (select(WORDS), select(WORDS)).prop_map(|(one, other)| format!("{one}-{other}-x")),
        1 => (select(WORDS), select(WORDS)).prop_map(|(one, other)| format!("{one}:{other}")),
        2 => select(vec!["{id}", "{ItemId}", "{+delete}"]).prop_map(str::to_owned),
    ];
    let end = select(vec!["", "/", "?action=delete_x", "#action=reset", "?x=1"]);
    (vec(part, 1..4), end).prop_map(|(parts, end)| format!("/{}{end}", parts.join("/")))
}

#[derive(Debug)]
struct Tool;

impl Handler for Tool {
    fn run<'a>(&'a self, _: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        Box::pin(async { Err(HandlerError::Unavailable { message: "not here".to_owned() }) })
    }

    fn preview(&self, _: &Map<String, Value>) -> Value {
        json!(null)
    }
}

type Line = (Option<String>, &'static str, String, Option<&'static str>);

fn document(lines: Vec<Line>) -> Value {
    let mut paths = Map::new();
    for (id, method, path, category) in lines {
        let operation = json!({
            "operationId": id, "x-aqueduct-category": category,
            "parameters": [{"name": "id", "in": "query", "schema": {"type": "string"}}],
            "responses": {"200": {"description": "ok"}},
        });
        let mut operation = operation.as_object().unwrap().clone();
        operation.retain(|_, value| !value.is_null());
        let item = paths.entry(path).or_insert_with(|| json!({}));
        item[method] = Value::Object(operation);
    }
    json!({
        "openapi": "3.0.3", "info": {"title": "Shop", "version": "1"},
        "servers": [{"url": "https://shop.example"}], "paths": paths,
    })
}

fn judged(loaded: &LoadedSource) -> HashMap<String, String> {
    let of = |operation: &Operation| {
        let origin = operation.origin.as_ref().unwrap();
        let (category, level) = (operation.category.upper(), operation.danger.level.name());
        format!("{category} {level} {} {} {}", origin.needs_review, origin.name, origin.reason)
    };
    loaded.operations.iter().map(|each| (each.name.clone(), of(each))).collect()
}

/// The judgement of the source, and that of its file.
fn both(loaded: &LoadedSource, target: Option<&AdapterTarget>) {
    let text = write(loaded, None, &WriteOptions { imported_from: None, target });
    let file = format!("{}-adapter.md", loaded.source.name);
    let outcome = aqueduct_adapter_files::load(&file, text.as_bytes(), &SourceSettings::default());
    let Some(again) = outcome.loaded else { panic!("{:?}\n{text}", outcome.diagnostics) };
    let (before, after) = (judged(loaded), judged(&again));
    for (name, judgement) in &before {
        let is_left_out = text.contains(&format!("- {name}: its path cannot be written"));
        assert!(
            is_left_out || after.get(name) == Some(judgement),
            "{:?}\n{text}",
            (name, judgement, after.get(name))
        );
    }
}

fn of_document(document: &Value) {
    let text = document.to_string();
    let imported = aqueduct_openapi::load("shop.json", text, &SourceSettings::default(), None);
    both(&imported.loaded.unwrap(), None);
}

/// N3: the name that is written is a spelling of the document's own, which says that it looks.
#[test]
fn a_spelling_says_nothing_more() {
    let id = "deviceManagement.tenantAttachRBAC_getState";
    of_document(&document(vec![
        (Some(id.into()), "get", "/deviceManagement/tenantAttachRBAC/getState()".into(), None),
        (None, "post", "/batch/delete/run".into(), None),
        (None, "get", "/transfer".into(), None),
        (Some("get_refund".into()), "get", "/refund".into(), None),
        (Some("run".into()), "get", "/a".into(), None),
        (Some("run".into()), "post", "/a".into(), None),
    ]));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// N3 S2: a document and the file that is written of it have the same category, danger and doubt.
    #[test]
    fn documents(lines in vec((
        option::weighted(0.8, name()),
        select(vec!["get", "post", "put", "patch", "delete", "head"]),
        path(),
        option::weighted(0.3, select(vec!["READ", "CREATE", "UPDATE", "DELETE", "EXECUTE"])),
    ), 1..6)) {
        of_document(&document(lines));
    }

    /// The same for a server's tools.
    #[test]
    fn tools(
        names in vec((name(), option::of(any::<bool>()), option::of(any::<bool>())), 1..6),
        prefix in select(vec!["", "wipe_", "github_", "transfer_"]),
    ) {
        let tools = names.iter().map(|(name, reads, destroys)| {
            let mut annotations = Map::new();
            annotations.extend(reads.map(|reads| ("readOnlyHint".to_owned(), reads.into())));
            annotations.extend(destroys.map(|destroys| ("destructiveHint".to_owned(), destroys.into())));
            json!({"name": format!("{prefix}{name}"), "inputSchema": {"type": "object"}, "annotations": annotations})
        });
        let listing = ServerListing { tools: tools.collect(), ..ServerListing::default() };
        let reach = ServerTransport::Stdio { command: "x".into(), args: Vec::new(), env: Vec::new(), cwd: None };
        let config = ServerConfig { name: "tools".into(), reach, timeout: Duration::from_secs(1) };
        let handler = |_: &str| SealedHandler::new(Tool);
        let loaded = mcp_server::load(&config.name, &listing, &SourceSettings::default(), &handler).loaded;
        both(&loaded, Some(&mcp_server::adapter_target(&config)));
    }
}

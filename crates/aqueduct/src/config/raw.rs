//! `aqueduct.toml` as it is on disk: its keys, checked with the same care as adapter files.
//!
//! Text in, a checked tree and diagnostics out.

use aqueduct_operations::diagnostic::{Diagnostic, Severity};
use aqueduct_sources::document::cursor::Cursor;
use aqueduct_sources::document::findings::Findings;
use aqueduct_sources::document::keys::{Block, Form, Key, check};
use aqueduct_sources::document::{Node, toml};

const LIMITS: Block = Block {
    name: "limits",
    about: "Payload limits",
    keys: &[
        Key::optional("max_request_size", Form::Whole(65_536, 10_485_760), "Bytes of a request"),
        Key::optional("max_response_size", Form::Whole(1_048_576, 104_857_600), "Bytes of an answer"),
        Key::optional("max_string_length", Form::Whole(65_536, 10_485_760), "Bytes of one string"),
        Key::optional("max_array_elements", Form::Whole(100, 100_000), "Elements of one array"),
        Key::optional("max_nesting_depth", Form::Whole(8, 64), "Nested objects and arrays"),
        Key::later("max_response_tokens", Form::Whole(1, i64::MAX), "Estimated tokens of an answer"),
        Key::later("max_batch_items", Form::Whole(1, i64::MAX), "Items of a batch"),
    ],
};

const SOURCE: Block = Block {
    name: "source",
    about: "One source",
    keys: &[
        Key::optional("from", Form::Filled, "The adapter file"),
        Key::optional("base_url", Form::Filled, "Where the API is"),
        Key::optional("trust", Form::Filled, "The trust level"),
        Key::optional("concurrency", Form::Filled, "Which calls may overlap"),
        Key::later("auth", Form::Any, "How calls authenticate"),
        Key::later("headers", Form::Any, "Headers sent with every call"),
        Key::later("cache", Form::Any, "Response caching"),
        Key::later("allow_refs", Form::Any, "Documents that may be referred to"),
        Key::later("operations", Form::Any, "Corrections of single operations"),
    ],
};

const CONFIRMATION: Block = Block {
    name: "confirmation",
    about: "How dangerous calls are confirmed",
    keys: &[
        Key::optional("mode", Form::OneOf(&["client", "ask"]), "Who confirms"),
        Key::optional("ttl_seconds", Form::Whole(1, 900), "How long a token lives"),
        Key::optional("clock_skew_seconds", Form::Whole(0, 300), "Grace for clocks that disagree"),
        Key::later("issue_per_minute", Form::Whole(1, i64::MAX), "Tokens issued a minute"),
        Key::later("failures_per_minute", Form::Whole(1, i64::MAX), "Wrong tokens a minute"),
        Key::later("batch", Form::Text, "What a batch does with a call to confirm"),
        Key::later("hook", Form::Text, "A command to notify"),
    ],
};

const CONFIG: Block = Block {
    name: "configuration",
    about: "The configuration of a server",
    keys: &[
        Key::optional("mode", Form::OneOf(&["semantic", "single", "all", "crude"]), "Which tools"),
        Key::optional("profile", Form::Filled, "Which families"),
        Key::optional("prefix", Form::Text, "What tool names start with"),
        Key::optional("register_empty_families", Form::Flag, "Registers tools without operations"),
        Key::optional("strict_mode", Form::Flag, "Rejects unknown parameters"),
        Key::optional("expose_operation_enum", Form::Flag, "Lists operations in the tools' schemas"),
        Key::optional("limits", Form::Block(&LIMITS), "Payload limits"),
        Key::optional("sources", Form::Map(&Form::Block(&SOURCE)), "The sources, by name"),
        Key::optional("confirmation", Form::Block(&CONFIRMATION), "Confirmations"),
        Key::later("profiles", Form::Any, "Profiles of one's own"),
        Key::later("http", Form::Any, "The HTTP listener"),
        Key::later("policy", Form::Any, "Rules of the operator"),
        Key::later("safety", Form::Any, "The safety loop"),
        Key::later("operator", Form::Any, "The operator's listener"),
    ],
};

/// Blocks that protect: a server that ignored them would do harm, so they are refused until they are applied.
const PROTECTIVE: [&str; 3] = ["policy", "safety", "operator"];

/// Reads and checks a configuration file. The tree is there if and only if there is no error.
pub fn parse(file: &str, text: &str) -> (Option<Node>, Vec<Diagnostic>) {
    let document = match toml::parse(file, text) {
        Ok(document) => document,
        Err(diagnostics) => return (None, diagnostics),
    };
    let mut found = Findings::new(file, text);
    found.add_repeated(&document);
    let root = Cursor::root(&document.root);
    check(&CONFIG, &root, &mut found);
    for name in PROTECTIVE {
        if let Some(block) = root.get(name) {
            let message = format!(
                "'{name}' is not applied by this version, and the server would be less safe than it says"
            );
            found.add(
                block
                    .error("NOT_YET_SUPPORTED", message)
                    .hint("remove it, or wait for a version that has it"),
            );
        }
    }
    let diagnostics = found.finish();
    let failed = diagnostics.iter().any(|each| each.severity == Severity::Error);
    (if failed { None } else { Some(document.root) }, diagnostics)
}

//! The operations of the loop, as the registry serves them (core specification, section 8.5.4; ruling W12).
//!
//! A loop in, six operations out; the seventh of a stand-alone server is `introspect`.

use super::SafetyLoop;
use super::handlers::{LoopHandler, LoopOperation};
use crate::agents::agent_name::LONGEST_NAME;
use aqueduct_operations::category::Category;
use aqueduct_operations::danger::{Danger, DangerLevel, DangerOrigin};
use aqueduct_operations::handler::SealedHandler;
use aqueduct_operations::operation::{Declaration, Example, Operation, RegistryEntry, ReturnType};
use aqueduct_operations::params::{Param, ValueKind};
use aqueduct_operations::source::Source;
use aqueduct_operations::target::{HandlerKind, HandlerTarget, Target};
use serde_json::{Value, json};
use std::sync::Arc;

/// The longest text of a report. All of it is looked at, so it is bounded.
pub(super) const LONGEST_HINT: u64 = 8_000;

/// The operations of a loop.
pub fn entries(safety_loop: &Arc<SafetyLoop>) -> Vec<Arc<RegistryEntry>> {
    let source = Arc::new(Source::built_in());
    let entry = |operation: LoopOperation| {
        let handler = LoopHandler { safety_loop: Arc::clone(safety_loop), operation };
        let operation = Arc::new(describe(operation, SealedHandler::new(handler)));
        Arc::new(RegistryEntry {
            public_name: operation.name.clone(),
            source: Arc::clone(&source),
            operation,
        })
    };
    LoopOperation::ALL.into_iter().map(entry).collect()
}

fn describe(which: LoopOperation, handler: SealedHandler) -> Operation {
    let (category, description, params, example) = match which {
        LoopOperation::ExecuteAgent => (
            Category::Execute,
            "Start a monitored run of an agent. From then on report every action with record_execution_step before you take it",
            vec![agent(), optional("parameters", ValueKind::Object, "What the agent is to work with")],
            json!({"element_name": "release-bot"}),
        ),
        LoopOperation::RecordStep => (
            Category::Create,
            "Report the action that you are about to take. Go on only if the directive says continue: true",
            vec![
                agent(),
                required(
                    "next_action_hint",
                    "What you are about to do: the tool, its target and why",
                    LONGEST_HINT,
                ),
                text("step_description", "What you have just done"),
                outcome("outcome", "How that went", &["success", "failure", "skipped"]),
                text("findings", "What you have found"),
            ],
            json!({"element_name": "release-bot", "next_action_hint": "calling write_file on notes.md to add the summary", "outcome": "success"}),
        ),
        LoopOperation::Complete => (
            Category::Execute,
            "End a run of an agent that has done its work",
            vec![
                agent(),
                outcome("outcome", "How it went", &["success", "failure", "partial"]),
                text("summary", "What was done"),
            ],
            json!({"element_name": "release-bot", "outcome": "success"}),
        ),
        LoopOperation::Abort => (
            Category::Execute,
            "End a run of an agent early. A block stays",
            vec![agent(), text("reason", "Why")],
            json!({"element_name": "release-bot", "reason": "the user changed their mind"}),
        ),
        LoopOperation::Confirm => (
            Category::Execute,
            "Let a paused agent go on. Not for the agent itself: with a token from the operator, or as another caller",
            vec![
                secret("confirmation_token", "The token that the operator has handed out"),
                Param { required: false, ..agent() },
            ],
            json!({"confirmation_token": "pause_..."}),
        ),
        LoopOperation::Verify => (
            Category::Create,
            "Enter the code of a challenge, which a person got from the operator",
            vec![
                required("challenge_id", "The challenge: verificationId of the notification", 100),
                Param { required: true, ..secret("code", "The code") },
            ],
            json!({"challenge_id": "5f0c...", "code": "XXXXX-XXXXX-XXXXX-XXXXX-XXXXX-X"}),
        ),
    };
    let mut danger = Danger::new(DangerLevel::Reversible, DangerOrigin::Declared);
    if which == LoopOperation::ExecuteAgent {
        danger.requires_confirmation = true;
        danger.reasons =
            vec!["An agent works on its own from then on; every action of it is evaluated".to_owned()];
    }
    let declaration = Declaration {
        danger,
        non_idempotent: true,
        returns: ReturnType { name: which.returns().to_owned(), kind: "object", description: None },
        examples: vec![Example {
            description: None,
            params: example.as_object().cloned().unwrap_or_default(),
        }],
        ..Declaration::new(which.name().to_owned(), description.to_owned(), category, params)
    };
    Operation { declaration, target: Target::Handler(HandlerTarget::new(HandlerKind::Function, handler)) }
}

fn optional(name: &str, kind: ValueKind, description: &str) -> Param {
    Param { description: Some(description.to_owned()), ..Param::new(name, kind) }
}

fn text(name: &str, description: &str) -> Param {
    let mut param = optional(name, ValueKind::String, description);
    param.shape.max_length = Some(LONGEST_HINT);
    param
}

fn required(name: &str, description: &str, longest: u64) -> Param {
    let mut param = Param { required: true, ..optional(name, ValueKind::String, description) };
    param.shape.min_length = Some(1);
    param.shape.max_length = Some(longest);
    param
}

fn agent() -> Param {
    required("element_name", "The name of the agent", LONGEST_NAME as u64)
}

fn secret(name: &str, description: &str) -> Param {
    let mut param = Param { sensitive: true, ..optional(name, ValueKind::String, description) };
    param.shape.max_length = Some(200);
    param
}

fn outcome(name: &str, description: &str, words: &[&str]) -> Param {
    let mut param = optional(name, ValueKind::String, description);
    param.shape.allowed = Some(words.iter().map(|word| Value::from(*word)).collect());
    param
}

//! The `safety` block of adapter files, and the part of `[safety]` in a configuration that is the same: how far agents may go.
//!
//! A block that was held against its keys in, settings out. Keys are known in snake_case, and in camelCase as the specification
//! spells them.

use aqueduct_documents::findings::Findings;
use aqueduct_documents::keys::ValueForm::{Block, Like, List, Map, OneOf, Whole};
use aqueduct_documents::keys::{KeyBlock, KeySpec, ValueForm, optional};
use aqueduct_documents::node_cursor::{NodeCursor, described};
use aqueduct_operations::autonomy::{AutonomyLayer, AutonomySettings, RiskTolerance};

/// A pattern names something.
const PATTERNS: ValueForm = List(&Like(r"[\p{L}\p{N}*]"));
/// The lists of patterns.
const PATTERN_LISTS: [&str; 5] =
    ["deny", "requires_approval", "requiresApproval", "auto_approve", "autoApprove"];
/// Steps that an agent may take before somebody looks.
const STEPS: ValueForm = Whole(1, 1_000_000);

/// What may be said of all agents, and of one.
const LAYER: [KeySpec; 9] = [
    optional("max_autonomous_steps", STEPS, "Steps until somebody has to look; 25 if absent"),
    optional("maxAutonomousSteps", STEPS, "The same"),
    optional(
        "risk_tolerance",
        OneOf(RiskTolerance::NAMES),
        "From which risk on an agent pauses; moderate if absent",
    ),
    optional("riskTolerance", OneOf(RiskTolerance::NAMES), "The same"),
    optional("deny", PATTERNS, "What blocks an agent"),
    optional("requires_approval", PATTERNS, "What waits for a person"),
    optional("requiresApproval", PATTERNS, "The same"),
    optional("auto_approve", PATTERNS, "What needs no further look; only an operator's counts"),
    optional("autoApprove", PATTERNS, "The same"),
];

const ONE_AGENT: ValueForm = Block(&AGENT_LAYER);
const AGENTS: KeySpec = optional("agents", Map(&ONE_AGENT), "The same for single agents, by name");

/// What may be said of all agents and, under their names, of one.
pub const WITH_AGENTS: [KeySpec; 10] = {
    let [a, b, c, d, e, f, g, h, i] = LAYER;
    [a, b, c, d, e, f, g, h, i, AGENTS]
};

/// What holds for one agent.
static AGENT_LAYER: KeyBlock = KeyBlock::new("agent", "How far one agent may go").keys(&LAYER);

/// The block of an adapter file.
pub static SAFETY: KeyBlock =
    KeyBlock::new("safety", "How far agents may go that use this API").keys(&WITH_AGENTS);

/// Reads a block.
pub fn read(block: &NodeCursor<'_>) -> AutonomySettings {
    let agents = block.get("agents");
    let agents = agents.iter().flat_map(NodeCursor::entries);
    AutonomySettings {
        all: layer(block),
        agents: agents.map(|(entry, at)| (entry.key.clone(), layer(&at))).collect(),
    }
}

/// Finds patterns that name nothing, where they stand.
pub fn check_patterns(block: &NodeCursor<'_>, found: &mut Findings<'_>) {
    let agents = block.get("agents");
    let agents = agents.iter().flat_map(NodeCursor::entries).map(|(_, at)| at);
    for layer in std::iter::once(block.clone()).chain(agents) {
        let lists = PATTERN_LISTS.into_iter().filter_map(|key| layer.get(key));
        for each in lists.flat_map(|list| list.elements().collect::<Vec<_>>()) {
            let names_something = |text: &str| text.contains(|c: char| c.is_alphanumeric() || c == '*');
            if each.node.filled_text().is_some_and(|text| !names_something(text)) {
                found.add(
                    each.error("INVALID_VALUE", "This pattern names nothing")
                        .expected("a letter, a digit or '*' in it")
                        .received(described(each.node)),
                );
            }
        }
    }
}

fn layer(at: &NodeCursor<'_>) -> AutonomyLayer {
    let either = |snake: &str, camel: &str| at.get(snake).or_else(|| at.get(camel));
    let patterns = |snake: &str, camel: &str| {
        let list = either(snake, camel)?;
        Some(list.elements().filter_map(|each| each.node.text().map(str::to_owned)).collect())
    };
    let steps = at.whole("max_autonomous_steps").or_else(|| at.whole("maxAutonomousSteps"));
    let tolerance = at.text("risk_tolerance").or_else(|| at.text("riskTolerance"));
    AutonomyLayer {
        max_autonomous_steps: steps.and_then(|steps| u64::try_from(steps).ok()),
        risk_tolerance: tolerance.and_then(RiskTolerance::parse),
        deny: patterns("deny", "deny"),
        requires_approval: patterns("requires_approval", "requiresApproval"),
        auto_approve: patterns("auto_approve", "autoApprove"),
    }
}

//! Relationships, seen from both ends: a small world of agents that use skills and trigger each other.
//!
//! Every answer that passes through `answer` is held against the closed shape of the relationship-query document.

mod gate;
mod graph;
mod limits;
mod names;
mod odd;
mod shown;

use crate::test_server::{Setup, TestServer, adapter, assert_valid, data_of, schema};
use aqueduct_testkit::api::{Answer, FakeApi, Recorded};
use serde_json::{Value, json};
use std::sync::OnceLock;

/// What is declared: `uses` leads both ways, `triggers` only forward; notes cannot be read by themselves.
pub const BLOCKS: &str = r#"
max_relationship_depth: 3
types:
  Agent:
    kind: object
    fields: { name: { type: string }, title: { type: string }, next: { type: string } }
    fetch: { operation: get_agent, params: { agent: element_name } }
  Skill:
    kind: object
    fields: { name: { type: string } }
    fetch: { operation: get_skill, params: { skill: element_name } }
  Note:
    kind: object
    fields: { id: { type: integer }, about: { type: string } }
relationships:
  - { type: uses, from: Agent, to: Skill, via: list_agent_skills, params: { agent: name }, inverse: { via: list_skill_agents, params: { skill: name } } }
  - { type: triggers, from: Agent, to: Agent, via: get_agent, params: { agent: next } }
  - { type: mentions, from: Note, to: Agent, via: get_agent, params: { agent: about } }
operations:
  read:
    - { name: get_agent, description: Get, maps_to: "GET /agents/{agent}", params: { agent: { type: string, required: true } } }
    - { name: get_skill, description: Get, maps_to: "GET /skills/{skill}", params: { skill: { type: string, required: true } } }
    - { name: list_agent_skills, description: List, maps_to: "GET /agents/{agent}/skills", params: { agent: { type: string, required: true } } }
    - { name: list_skill_agents, description: List, maps_to: "GET /skills/{skill}/agents", params: { skill: { type: string, required: true } } }
"#;

/// Agents: their name, the skills they use, and the agent they trigger.
const AGENTS: [(&str, &[&str], Option<&str>); 4] = [
    ("ada", &["read", "write"], Some("bob")),
    ("bob", &["write"], Some("ada")),
    ("cyd", &["read"], Some("cyd")),
    ("dan", &[], Some("gone")),
];

/// The world as an API. Lists give names only.
pub fn world(request: &Recorded) -> Answer {
    let agent = |name: &str| AGENTS.iter().find(|(each, _, _)| *each == name);
    let pieces: Vec<&str> = request.path().trim_matches('/').split('/').collect();
    let named = |names: Vec<&str>| Value::from_iter(names.into_iter().map(|name| json!({"name": name})));
    let found = match pieces[..] {
        ["agents", name] => agent(name)
            .map(|(name, _, next)| json!({"name": name, "title": "T", "next": next, "tags": ["x"]})),
        ["agents", name, "skills"] => agent(name).map(|(_, skills, _)| named(skills.to_vec())),
        ["skills", name] => Some(json!({"name": name})),
        ["skills", name, "agents"] => {
            let users = AGENTS.iter().filter(|(_, skills, _)| skills.contains(&name));
            Some(json!({"agents": named(users.map(|(name, _, _)| *name).collect())}))
        }
        _ => None,
    };
    found.map_or_else(|| Answer::json(404, json!({"message": "nothing"})), |found| Answer::json(200, found))
}

pub async fn served(setup: Setup) -> (TestServer, FakeApi) {
    let api = FakeApi::start(world).await;
    (setup.serve(&[adapter("agents", &api.base_url(), BLOCKS)]), api)
}

/// A request from this root, with more parameters.
pub fn ask(element_type: &str, name: &str, direction: &str, more: Value) -> Value {
    let mut params =
        json!({"root": {"element_type": element_type, "element_name": name}, "direction": direction});
    for (key, value) in more.as_object().unwrap() {
        params[key] = value.clone();
    }
    json!({"operation": "query_relationships", "params": params})
}

/// The answer to a request that must work, checked against the closed shape, and its warnings.
pub async fn answer(server: &TestServer, request: Value) -> (Value, Vec<Value>) {
    let mut whole = server.call_by("read", request).await;
    let warnings = whole["warnings"].take().as_array().cloned().unwrap_or_default();
    let data = data_of(whole);
    assert_valid(closed_shape(), &data);
    (data, warnings)
}

/// `type direction target depth` of every record.
pub fn records(data: &Value) -> Vec<String> {
    let of = |each: &Value| {
        let word = |value: &Value| value.as_str().unwrap().to_owned();
        let target = &each["target"];
        let name = format!("{}:{}", word(&target["element_type"]), word(&target["element_name"]));
        format!("{} {} {name} {}", word(&each["type"]), word(&each["direction"]), each["depth"])
    };
    data["relationships"].as_array().unwrap().iter().map(of).collect()
}

/// `source type target` of every edge.
pub fn edges(data: &Value) -> Vec<String> {
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let of =
        |each: &Value| format!("{} {} {}", word(&each["source"]), word(&each["type"]), word(&each["target"]));
    data["graph"]["edges"].as_array().unwrap().iter().map(of).collect()
}

/// The id of every node.
pub fn nodes(data: &Value) -> Vec<&str> {
    data["graph"]["nodes"].as_array().unwrap().iter().map(|node| node["id"].as_str().unwrap()).collect()
}

/// The warning with this code.
pub fn warning<'w>(warnings: &'w [Value], code: &str) -> &'w Value {
    warnings.iter().find(|warning| warning["code"] == code).unwrap_or_else(|| panic!("{code}: {warnings:?}"))
}

/// The shape of the relationship-query document: everything closed but the root form.
fn closed_shape() -> &'static jsonschema::Validator {
    static SCHEMA: OnceLock<jsonschema::Validator> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        schema(
            r##"{
            "type": "object", "required": ["root"], "additionalProperties": false,
            "properties": {
                "root": {"$ref": "#/$defs/root"},
                "relationships": {"type": "array", "items": {
                    "type": "object", "required": ["type", "direction", "target"], "additionalProperties": false,
                    "properties": {"type": {"type": "string"}, "direction": {"enum": ["incoming", "outgoing"]},
                        "target": {"$ref": "#/$defs/root"}, "depth": {"type": "integer", "minimum": 1}}}},
                "graph": {"type": "object", "additionalProperties": false, "properties": {
                    "nodes": {"type": "array", "items": {
                        "type": "object", "required": ["id", "element_type", "element_name"],
                        "additionalProperties": false,
                        "properties": {"id": {"type": "string"}, "element_type": {"type": "string"},
                            "element_name": {"type": "string"}}}},
                    "edges": {"type": "array", "items": {
                        "type": "object", "required": ["source", "target", "type"], "additionalProperties": false,
                        "properties": {"source": {"type": "string"}, "target": {"type": "string"},
                            "type": {"type": "string"}}}}}}},
            "$defs": {"root": {"type": "object", "required": ["element_type", "element_name"],
                "properties": {"element_type": {"type": "string"}, "element_name": {"type": "string"}}}}
        }"##,
        )
    })
}

//! The parameters of an operation, written as a map or a list, with shared ones expanded in their place (operations
//! document, sections 4.4.2, 4.4.5 and 5.2).
//!
//! `shape` judges types and constraints; `place` decides where each value goes in the request.

mod broken;
mod file_budget;
mod place;
mod shape;
mod shared;

pub(super) use broken::BrokenParams;
pub(super) use file_budget::FileBudget;
pub(super) use place::settle;
pub(super) use shape::{ConstraintRole, of as shape_of, report_problems};
pub(super) use shared::SharedParams;

use super::schemas::FileSchemas;
use super::writing::{self, DeclaredEncoding};
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, quoted, shortened};
use aqueduct_documents::{NodeValue, credentials};
use aqueduct_operations::naming::{ENVELOPE_KEYS, is_snake_case, snake_case};
use aqueduct_operations::params::{Param, ParamLocation};
use aqueduct_operations::secrets::names::{NamePlace, is_secret};
use std::collections::HashSet;

/// A parameter and what the file says of its place.
#[derive(Debug, Clone)]
pub(super) struct ParamDeclaration<'a> {
    pub param: Param,
    pub place: Option<ParamLocation>,
    /// What it says of lists and objects.
    pub written: Option<DeclaredEncoding>,
    /// Where it is declared, for findings about it.
    pub at: NodeCursor<'a>,
}

/// The parameters of an operation, or a shared group of them.
#[derive(Debug, Clone, Default)]
pub(super) struct CheckedParams<'a> {
    pub declared: Vec<ParamDeclaration<'a>>,
    pub broken: BrokenParams,
}

impl<'a> CheckedParams<'a> {
    /// Adds one definition, or remembers that it could not be understood.
    fn add(&mut self, key: Option<&str>, at: &NodeCursor<'a>, declared: Option<ParamDeclaration<'a>>) {
        match declared {
            Some(declared) => self.declared.push(declared),
            None => self.broken.add(key, at),
        }
    }
}

/// What the definitions of a whole file share.
#[derive(Debug)]
pub(super) struct ParamContext {
    pub budget: FileBudget,
    pub schemas: FileSchemas,
}

/// All parameters of an operation, in order.
pub(super) fn list<'a>(
    operation: &NodeCursor<'a>,
    shared: &SharedParams<'a>,
    found: &mut Findings<'_>,
) -> CheckedParams<'a> {
    let mut params = CheckedParams::default();
    let Some(block) = operation.get("params") else { return params };
    let elements = block.elements().map(|at| (None, at));
    let entries = block.entries().map(|(entry, at)| (Some(entry.key.as_str()), at));
    for (key, at) in elements.chain(entries) {
        if let Some(reference) = at.get("$ref") {
            match expand(key, &at, &reference, shared, found) {
                Some(group) => {
                    params.declared.extend(group.declared);
                    params.broken.join(group.broken);
                }
                None => params.broken.add_all(),
            }
        } else {
            check_same_name(key, &at, found);
            params.add(key, &at, named(&at, key, &shared.context, found));
        }
    }
    params.declared = without_repetitions(params.declared, found);
    params
}

/// Where an operation declares a parameter of this name itself; its parameters as a whole when it comes from elsewhere.
pub(super) fn place_of<'a>(operation: &NodeCursor<'a>, name: &str) -> NodeCursor<'a> {
    let Some(block) = operation.get("params") else { return operation.clone() };
    let in_list = block.elements().find(|each| each.text("name") == Some(name));
    block.get(name).or(in_list).unwrap_or(block)
}

/// In a map the key is the name; a `name` beside it may only repeat it.
fn check_same_name(key: Option<&str>, at: &NodeCursor<'_>, found: &mut Findings<'_>) {
    if let (Some(key), Some(name)) = (key, at.get("name"))
        && name.node.text().is_some_and(|text| text != key)
    {
        name.error("INVALID_VALUE", "The parameter has two names: its key and this one")
            .expected(shortened(key, 60))
            .hint("remove 'name', or use it as the key; the name in the API goes into mapTo")
            .add_to(found);
    }
}

fn expand<'a>(
    key: Option<&str>,
    at: &NodeCursor<'a>,
    reference: &NodeCursor<'a>,
    shared: &SharedParams<'a>,
    found: &mut Findings<'_>,
) -> Option<CheckedParams<'a>> {
    if let Some((entry, value)) = at.entries().find(|(entry, _)| entry.key != "$ref") {
        let message = format!("'{}' has no effect beside $ref", shortened(&entry.key, 60));
        value
            .error("INVALID_VALUE", message)
            .on_key(entry)
            .hint("write the parameter out, or change the shared one")
            .add_to(found);
    }
    let group = shared.find(reference, found)?;
    if !shared.context.budget.take(group.declared.iter().map(|each| &each.param)) {
        reference
            .error("TOO_MANY", "The references of this file expand to more parameters than are allowed")
            .hint("use smaller groups")
            .add_to(found);
        return None;
    }
    let mut group = group.clone();
    group.declared.iter_mut().for_each(|each| each.at = reference.clone());
    // A map names its parameters: the key wins over the name of a single shared definition.
    if let (Some(key), [only]) = (key, group.declared.as_mut_slice())
        && only.param.name != key
    {
        if only.param.upstream_name == only.param.name {
            key.clone_into(&mut only.param.upstream_name);
        }
        key.clone_into(&mut only.param.name);
        if !check_name(key, reference, found) {
            return None;
        }
    }
    Some(group)
}

/// One definition with the name that its key or its `name` gives it.
fn named<'a>(
    at: &NodeCursor<'a>,
    key: Option<&str>,
    context: &ParamContext,
    found: &mut Findings<'_>,
) -> Option<ParamDeclaration<'a>> {
    if !matches!(at.node.value, NodeValue::Map(_)) {
        return None;
    }
    let written = at.get("name");
    let Some(name) = written.as_ref().and_then(|at| at.node.text()).or(key) else {
        if written.is_none() {
            at.missing_key("name", "Parameter name is required")
                .expected("non-empty string")
                .hint("a parameter in a list has a name, or a $ref to a shared one")
                .add_to(found);
        }
        return None;
    };
    let good = check_name(name, written.as_ref().unwrap_or(at), found);
    let declared = define(at, name, context, found)?;
    good.then_some(declared)
}

fn check_name(name: &str, at: &NodeCursor<'_>, found: &mut Findings<'_>) -> bool {
    if !is_snake_case(name) || name.len() > 128 {
        let suggestion = snake_case(name).replace(['-', '.', ' '], "_");
        let hint = is_snake_case(&suggestion)
            .then(|| format!("name it {suggestion} and add mapTo: {}", shortened(name, 60)));
        at.error("INVALID_NAME", "Parameter names are snake_case")
            .expected("lower-case letters, digits and underscores, starting with a letter")
            .received(quoted(name))
            .maybe_hint(hint)
            .add_to(found);
        return false;
    }
    if ENVELOPE_KEYS.contains(&name) {
        at.error(
            "RESERVED_NAME",
            format!("No parameter can be named '{name}': requests use that word themselves"),
        )
        .hint(format!("choose another name and add mapTo: {name}"))
        .add_to(found);
        return false;
    }
    true
}

fn define<'a>(
    at: &NodeCursor<'a>,
    name: &str,
    context: &ParamContext,
    found: &mut Findings<'_>,
) -> Option<ParamDeclaration<'a>> {
    let schema = context.schemas.of(at, "schema", found);
    let words = if at.get("schema").is_some() { ConstraintRole::Short } else { ConstraintRole::Binding };
    let shape = shape::of(at, words, &context.budget, found)?;
    let default = at.get("default").map(|value| (value.node.to_json(), value));
    let mut param = Param::new(name, shape.kind.clone());
    param.shape = shape;
    param.schema = schema;
    param.required = at.flag("required").unwrap_or(false);
    param.description = at.owned_text("description").filter(|text| !text.trim().is_empty());
    param.sensitive = at.flag("sensitive").unwrap_or(false);
    if let Some(upstream) = at.text("mapTo").filter(|text| !text.trim().is_empty()) {
        param.upstream_name = upstream.to_owned();
    }
    param.sources = at.texts("sources");
    check_sources(at, found);
    if let Some((value, place)) = default {
        if param.sensitive {
            credentials::hide_value(place.node, found);
        }
        if let Some(schema) = &param.schema {
            if !schema.get().accepts(&value) {
                let message = "The default does not fit the schema of the parameter";
                place.warning("CONTRADICTION", message).hint("change one of the two").add_to(found);
            }
        } else if shape::report_problems(&param.shape, &value, &place, "The default", found) {
            return None;
        }
        if param.required {
            place
                .notice("UNUSED_DEFAULT", "A required parameter is always sent, so its default is never used")
                .hint("remove 'required' or 'default'")
                .add_to(found);
        }
        if param.sensitive || is_secret(&param.upstream_name, NamePlace::Parameter) && value.is_string() {
            let message = "The default of a credential is the credential itself";
            credentials::report_value(&place, message, found);
            return None;
        }
        param.default = Some(value);
    }
    let place = at.text("in").and_then(ParamLocation::parse);
    Some(ParamDeclaration { param, place, written: writing::of(at), at: at.clone() })
}

/// Reports a value that the parameter does not take.
pub(super) fn report_unfit(
    param: &Param,
    value: &serde_json::Value,
    at: &NodeCursor<'_>,
    what: &str,
    found: &mut Findings<'_>,
) {
    match &param.schema {
        None => {
            shape::report_problems(&param.shape, value, at, what, found);
        }
        Some(schema) if schema.get().accepts(value) => {}
        Some(_) => {
            at.error("INVALID_VALUE", format!("{what} does not fit the schema of the parameter"))
                .add_to(found);
        }
    }
}

fn check_sources(at: &NodeCursor<'_>, found: &mut Findings<'_>) {
    let Some(sources) = at.get("sources") else { return };
    for source in sources.elements() {
        let Some(text) = source.node.text() else { continue };
        let word = |part: &str| {
            !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
        };
        if !text.split('.').all(word) {
            source
                .error("INVALID_VALUE", "A source is a path of names joined by dots")
                .expected("a path such as params.id or input.user.id")
                .add_to(found);
        }
    }
}

fn without_repetitions<'a>(
    declared: Vec<ParamDeclaration<'a>>,
    found: &mut Findings<'_>,
) -> Vec<ParamDeclaration<'a>> {
    let mut seen: HashSet<String> = HashSet::new();
    declared
        .into_iter()
        .filter(|each| {
            let new = seen.insert(each.param.name.clone());
            if !new {
                let message = format!("Duplicate parameter name: {}", each.param.name);
                each.at
                    .error("DUPLICATE_NAME", message)
                    .hint("remove or rename one of the two")
                    .add_to(found);
            }
            new
        })
        .collect()
}

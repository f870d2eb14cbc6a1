//! A JSON Schema of what a tool or a function takes, into the parameters of an operation.
//!
//! `arguments` is the way in. Each property becomes a parameter that is checked by its own part of the schema,
//! shown by the outline of that, and given back under its own name when it is called (`wiring`). A
//! schema that is no plain object becomes one parameter, `arguments`, so that nothing is lost.

mod wiring;

pub use wiring::{ArgumentWiring, wired};

use crate::public_names::{NameRules, assign};
use crate::report::Renamed;
use crate::schema_reader::{FieldStyle, SchemaReader};
use aqueduct_documents::summary::brief;
use aqueduct_operations::params::{Param, ParamLocation, ValueKind};
use aqueduct_schema::definitions::part_of;
use aqueduct_schema::{DocumentPart, LazySchema, SchemaDocuments, SchemaMembers};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use wiring::SPREAD;

/// The parameter that holds what has no parameter of its own.
const WHOLE: &str = "arguments";

/// Longer descriptions of parameters are cut.
const LONGEST_DESCRIPTION: usize = 400;

/// Words with a meaning of their own in every request.
const RULES: NameRules = NameRules {
    longest: 64,
    reserved: &["operation", "operations", "params", "confirmation_token"],
    noun: "argument",
};

/// What an operation takes.
#[derive(Debug)]
pub struct SchemaArguments {
    /// Its parameters.
    pub params: Vec<Param>,
    /// Under which names they are given back.
    pub wiring: ArgumentWiring,
    /// Properties that have another name here.
    pub renamed: Vec<Renamed>,
    /// What is not carried over as it was.
    pub warnings: Vec<String>,
}

/// The reader of the schemas of tools and functions, each a document of its own.
pub type ArgumentReader = SchemaReader<SchemaDocuments>;

/// The reader of one source.
pub fn argument_reader() -> ArgumentReader {
    let describe = |text: &str| brief(text, LONGEST_DESCRIPTION);
    SchemaReader::new(SchemaDocuments::default(), FieldStyle { describe, fills_defaults: true })
}

/// Reads the schema of an operation's input. `owner` is the operation's name, by which nested types are named.
pub fn arguments(schema: &Arc<Value>, owner: &str, reader: &mut ArgumentReader) -> SchemaArguments {
    let location = reader.resolver.add(Arc::clone(schema));
    let members = reader.members(schema, &location);
    // One of several alternatives without fields in common has no parameters to show.
    let only_alternatives = members.list.is_empty() && !members.alternatives.is_empty();
    if members.is_object && !members.has_other_types && !only_alternatives {
        return from_members(schema, members, owner, reader);
    }
    let warning = "its input is described by no plain object: it is passed as one parameter, 'arguments'";
    let param = whole(schema, "All arguments, by name.");
    SchemaArguments {
        wiring: ArgumentWiring { names: Vec::new(), spread: Some(param.name.clone()) },
        params: vec![param],
        renamed: Vec::new(),
        warnings: vec![warning.to_owned()],
    }
}

fn from_members(
    schema: &Arc<Value>,
    members: SchemaMembers<DocumentPart>,
    owner: &str,
    reader: &mut ArgumentReader,
) -> SchemaArguments {
    let rules: Vec<&str> = members.alternatives.into_iter().chain(members.rules).collect();
    let fields: Vec<_> = members.list.into_iter().filter(|member| member.is_declared).collect();
    // A schema that does not say so is closed here: unknown parameters are refused unless it asks for them.
    let is_open = members.is_open;
    let mut originals: Vec<&str> = fields.iter().map(|member| member.name.as_str()).collect();
    originals.extend(is_open.then_some(WHOLE));
    let named = assign(&originals, &RULES);
    let mut found = SchemaArguments {
        params: Vec::with_capacity(originals.len()),
        wiring: ArgumentWiring { names: Vec::new(), spread: None },
        renamed: Vec::new(),
        warnings: Vec::new(),
    };
    for (member, named) in fields.into_iter().zip(&named) {
        let outline = reader.outline(&member.schema, &member.location);
        let mut param = reader.param(owner, &named.name, &outline);
        param.place = ParamLocation::Body;
        let text = outline.description.map(|text| brief(&text, LONGEST_DESCRIPTION));
        param.description = text.filter(|text| !text.is_empty());
        param.default = outline.default.filter(|value| param.shape.kind.accepts(value));
        param.upstream_name.clone_from(&member.name);
        // What has a default is never missing.
        param.required = member.is_required && param.default.is_none();
        param.schema = Some(part(schema, member.schema));
        if let Some(why) = named.why {
            let (from, to) = (member.name.clone(), named.name.clone());
            found.renamed.push(Renamed { from, to, why: why.to_owned() });
        }
        found.wiring.names.push((named.name.clone(), member.name));
        found.params.push(param);
    }
    if let Some(last) = named.last().filter(|_| is_open) {
        let mut param = whole(schema, "Further arguments, by name, besides the other parameters.");
        param.schema = Some(others(schema));
        param.name.clone_from(&last.name);
        found.wiring.spread = Some(last.name.clone());
        let warning = format!("it takes arguments that it does not name: they go into '{}'", last.name);
        found.warnings.push(warning);
        found.params.push(param);
    }
    if !rules.is_empty() {
        let rules = rules.join(", ");
        found
            .warnings
            .push(format!("rules across its arguments ({rules}) are checked by the other side alone"));
    }
    found
}

/// The schema of one property, put together when it is first needed.
fn part(schema: &Arc<Value>, property: Value) -> Arc<LazySchema> {
    let schema = Arc::clone(schema);
    Arc::new(LazySchema::new(move || part_of(&schema, &property)))
}

/// The schema of the properties that the schema does not name.
fn others(schema: &Arc<Value>) -> Arc<LazySchema> {
    let mut others = Map::from_iter([("type".to_owned(), json!("object"))]);
    for keyword in ["additionalProperties", "patternProperties"] {
        if let Some(rule) = schema.get(keyword) {
            others.insert(keyword.to_owned(), rule.clone());
        }
    }
    part(schema, Value::Object(others))
}

fn whole(schema: &Arc<Value>, description: &str) -> Param {
    let mut param = Param::new(WHOLE, ValueKind::Object);
    param.place = ParamLocation::Body;
    param.upstream_name = SPREAD.to_owned();
    param.description = Some(description.to_owned());
    let document = Arc::clone(schema);
    let takes_objects = matches!(&*document, Value::Object(_));
    param.schema = Some(Arc::new(if takes_objects {
        LazySchema::new(move || (*document).clone())
    } else {
        LazySchema::of(json!({"type": "object"}))
    }));
    param
}

#[cfg(test)]
mod tests;

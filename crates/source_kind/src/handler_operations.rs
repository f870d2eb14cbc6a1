//! Operations that code answers: what tools of other servers and functions of the program have in common.
//!
//! Facts in, an operation out, with nothing declared that is not known.

use crate::input_schema::ArgumentReader;
use crate::public_names::pascal;
use crate::schema_reader::TypeUse;
use aqueduct_operations::category::Category;
use aqueduct_operations::handler::SealedHandler;
use aqueduct_operations::naming::is_list_name;
use aqueduct_operations::operation::{Declaration, Operation, ReturnType};
use aqueduct_operations::params::ValueKind;
use aqueduct_operations::response::ResponseRules;
use aqueduct_operations::target::{HandlerKind, HandlerTarget, Target};
use aqueduct_schema::LazySchema;
use serde_json::Value;
use std::sync::Arc;

/// An operation with a name, a category and code, and no more.
///
/// Its parameters lie flat in `params` whatever its category: a schema of arguments does not say what names the thing
/// from what changes it, so that there is nothing to put into `input`.
pub fn operation(name: String, category: Category, kind: HandlerKind, handler: SealedHandler) -> Operation {
    let answers = ResponseRules { collection: is_list_name(&name), ..ResponseRules::default() };
    let declaration = Declaration {
        returns: ReturnType { name: format!("{}Result", pascal(&name)), kind: "object", description: None },
        non_idempotent: category != Category::Read,
        answers,
        ..Declaration::new(name, String::new(), category, Vec::new())
    };
    Operation { declaration, target: Target::Handler(HandlerTarget::new(kind, handler)) }
}

/// Declares what an operation gives. `true` and `{}` are anything, which need not be said.
pub fn set_output(operation: &mut Operation, schema: &Value, reader: &mut ArgumentReader) {
    let says_something =
        schema.as_object().is_some_and(|map| !map.is_empty()) || *schema == Value::Bool(false);
    if !says_something {
        return;
    }
    operation.answers.collection |= declares_list(schema);
    let document = Arc::new(schema.clone());
    let location = reader.resolver.add(Arc::clone(&document));
    operation.output = Some(Arc::new(LazySchema::new(move || (*document).clone())));
    let outline = reader.outline(schema, &location);
    if let Some(object) = outline.object.filter(|_| outline.shape.kind == ValueKind::Object)
        && let Some(name) = reader.type_name(&object, &format!("{} result", operation.name), TypeUse::Request)
    {
        operation.returns.name = name;
    }
    let text = schema.get("description").and_then(Value::as_str);
    operation.returns.description = text.map(|text| aqueduct_documents::summary::brief(text, 200));
}

/// True for the schema of a list, bare or in the `result` that MCP servers wrap around what is no object.
fn declares_list(schema: &Value) -> bool {
    let is_array = |schema: &Value| schema.get("type").is_some_and(|kind| kind == "array");
    let properties = schema.get("properties").and_then(Value::as_object);
    let wrapped = properties.filter(|properties| properties.len() == 1).and_then(|all| all.get("result"));
    is_array(schema) || wrapped.is_some_and(is_array)
}

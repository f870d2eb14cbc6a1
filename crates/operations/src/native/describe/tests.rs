//! Tests of `describe`.

use super::OperationSpec;
use crate::category::Category;
use crate::native::OperationKind;
use crate::operation::Operation;
use crate::params::format::Format;
use crate::params::{Param, ParamLocation, Shape, ValueKind};
use crate::registry::{NamingScheme, Registry};
use crate::source::Source;
use aqueduct_schema::LazySchema;
use serde_json::json;
use std::sync::Arc;

/// S-registry-1 S-registry-2 S-registry-3 S-openapi-7 S-mcp-19: the eight facts of any operation; where nothing is declared
/// of what it gives, that is anything.
#[test]
fn eight_facts() {
    let registry = Registry::build(Vec::new(), NamingScheme::Bare).unwrap();
    let mut operation = Operation::clone(&registry.entries()[0].operation);
    operation.name = "list_books".to_owned();
    let mut first = Param::new("first", ValueKind::Integer);
    first.shape.maximum = Some(9.0);
    first.default = Some(json!(3));
    let mut since = Param::new("since", ValueKind::Array(Some(Box::new(ValueKind::String))));
    let format = Some(Format::Date);
    since.shape.items = Some(Box::new(Shape { format, ..Shape::of(ValueKind::String) }));
    let mut by = Param::new("by", ValueKind::Object);
    by.required = true;
    by.place = ParamLocation::Query;
    by.schema = Some(Arc::new(LazySchema::of(json!({"type": "object", "minProperties": 1}))));
    operation.params = vec![first, since, by];
    operation.required_scopes = vec!["books".to_owned()];
    let source = Source { name: "shop".to_owned(), version: "2.1.0".to_owned(), ..Source::built_in() };
    let spec = OperationSpec::of(&source, &operation);
    assert_eq!(
        (spec.name.as_str(), spec.namespace.as_str(), spec.version.as_str()),
        ("list_books", "shop", "2.1.0")
    );
    assert_eq!(spec.kind, OperationKind::Query);
    assert_eq!(spec.access_control.required_scopes, ["books"]);
    assert_eq!(spec.output_schema, json!(true));
    assert_eq!(
        spec.input_schema,
        json!({
            "type": "object",
            "properties": {
                "first": {"type": "integer", "maximum": 9, "default": 3},
                "since": {"type": "array", "items": {"type": "string", "format": "date"}},
                "by": {"type": "object", "minProperties": 1},
            },
            "required": ["by"],
        })
    );
    operation.category = Category::Delete;
    operation.output = Some(Arc::new(LazySchema::of(json!({"type": "null"}))));
    assert_eq!(OperationSpec::of(&source, &operation).output_schema, json!({"type": "null"}));
}

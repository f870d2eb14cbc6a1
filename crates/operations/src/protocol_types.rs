//! The types of the protocol itself, listed by introspection beside those of the sources (introspection document,
//! section 5.3).

use crate::category::Category;
use crate::params::{Param, ValueKind};
use crate::types::{TypeBody, TypeDef};

/// The protocol's own types, in a fixed order.
pub fn protocol_types() -> Vec<TypeDef> {
    let define = |name: &str, description: &str, body: TypeBody| {
        TypeDef::new(name, Some(description.to_owned()), body)
    };
    let categories = Category::ALL.iter().map(|c| c.upper().to_owned()).collect();
    vec![
        define("SemanticCategory", "What kind of effect an operation has", TypeBody::Enum(categories)),
        define(
            "OperationInput",
            "A request",
            TypeBody::Object(vec![
                field("operation", ValueKind::String, true, "Operation name to execute"),
                field("params", ValueKind::Object, false, "Operation parameters"),
            ]),
        ),
        define(
            "OperationResult",
            "An answer, told apart by success",
            TypeBody::Union(vec!["OperationSuccess".to_owned(), "OperationFailure".to_owned()]),
        ),
        define(
            "OperationSuccess",
            "An answer with data",
            TypeBody::Object(vec![
                field("success", ValueKind::Boolean, true, "Always true"),
                field("data", ValueKind::Object, true, "The result, of any JSON type"),
                field("warnings", ValueKind::Array(None), false, "Remarks with code and message"),
            ]),
        ),
        define(
            "OperationFailure",
            "An answer with an error",
            TypeBody::Object(vec![
                field("success", ValueKind::Boolean, true, "Always false"),
                field("error", ValueKind::Object, true, "code, message and, often, details"),
            ]),
        ),
        define(
            "EndpointPermissions",
            "What an operation may do",
            TypeBody::Object(vec![
                field("readOnly", ValueKind::Boolean, true, "Changes nothing"),
                field("destructive", ValueKind::Boolean, true, "May remove or overwrite"),
            ]),
        ),
        define(
            "IntrospectionData",
            "What introspect answers with",
            TypeBody::Union(
                ["OperationList", "OperationDetail", "TypeList", "TypeDetail"].map(str::to_owned).to_vec(),
            ),
        ),
        define(
            "OperationList",
            "Every operation, with the facts of the server",
            TypeBody::Object(vec![
                field("_protocol", ValueKind::Object, false, "Version, limits, mode and the like"),
                field(
                    "operations",
                    ValueKind::Array(None),
                    true,
                    "Name, category, family and description of each",
                ),
            ]),
        ),
        define(
            "OperationDetail",
            "One operation",
            TypeBody::Object(vec![field("operation", ValueKind::Object, true, "Null when there is none")]),
        ),
        define(
            "TypeList",
            "Every type",
            TypeBody::Object(vec![field("types", ValueKind::Array(None), true, "Name and kind of each")]),
        ),
        define(
            "TypeDetail",
            "One type",
            TypeBody::Object(vec![field("type", ValueKind::Object, true, "Null when there is none")]),
        ),
        define(
            "BatchInput",
            "Several requests in one call, as params of the operation batch",
            TypeBody::Object(vec![field(
                "operations",
                ValueKind::Array(None),
                true,
                "Requests {operation, params}; \"$results[0].data.id\" stands for a value of an earlier result",
            )]),
        ),
        define(
            "FieldSelection",
            "What the parameter fields of a READ takes",
            TypeBody::Object(vec![
                field(
                    "presets",
                    ValueKind::Array(None),
                    false,
                    "Names: minimal, standard, full, and those of the operation",
                ),
                field(
                    "fields",
                    ValueKind::Object,
                    false,
                    "Paths with dots, in a list; they lead through arrays",
                ),
                field(
                    "computed_fields",
                    ValueKind::Array(None),
                    false,
                    "_computed.NAME, as the operation declares them",
                ),
            ]),
        ),
        define(
            "PageInfo",
            "Where a page of a collection stands",
            TypeBody::Object(vec![
                field("hasNextPage", ValueKind::Boolean, true, "There is more behind it"),
                field("hasPreviousPage", ValueKind::Boolean, true, "There is something before it"),
                field("startCursor", ValueKind::String, false, "For before, with last"),
                field("endCursor", ValueKind::String, false, "For after, with first"),
                field("totalCount", ValueKind::Integer, false, "Items in all, where that is known"),
            ]),
        ),
    ]
}

fn field(name: &str, kind: ValueKind, required: bool, description: &str) -> Param {
    let mut field = Param::new(name, kind);
    field.required = required;
    field.description = Some(description.to_owned());
    field
}

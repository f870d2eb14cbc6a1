//! The request body: which media type, and whether its fields become parameters or all of it is one.
//!
//! A request body in; parameters and the way they are written out. Fields are parameters when the schema is an object
//! that says all of its fields; everything else is one parameter.

mod choice;
mod parts;

use super::MOST_PARAMS;
use super::context::{LoweringContext, SchemaMembers, schema_param, show_values};
use super::document_view::{flag, text};
use super::operation::OperationDraft;
use super::params::{bare_media, fill_in, not_offered};
use super::summary::brief;
use crate::read::{PartLocation, ResolvedReference};
use aqueduct_operations::params::check::of_param;
use aqueduct_operations::params::format::Format;
use aqueduct_operations::params::{Param, ParamLocation, Shape, ValueKind};
use aqueduct_operations::response::OmittedFields;
use aqueduct_operations::target::{BodyFormat, PartRule};
use aqueduct_schema::LazySchema;
use aqueduct_source_kind::operator_rules::add_words;
use aqueduct_source_kind::wire_names::can_be_offered;
use choice::ChosenMedia;
use serde_json::{Value, json};
use std::sync::Arc;

/// A body that was understood.
#[derive(Default)]
pub(super) struct LoweredBody {
    /// Its parameters, under their upstream names.
    pub params: Vec<Param>,
    /// There is one parameter, and it is the whole body.
    pub is_whole: bool,
    /// Fields that must be there as soon as it has any.
    pub needs: Vec<String>,
    /// What the API assumes for each field, when it says so.
    fixed: Vec<Option<Value>>,
}

/// Rules that are about no particular fields, and are left to the API.
const COUNTS: [&str; 3] = ["minProperties", "maxProperties", "propertyNames"];

/// What is said of every body of bytes.
const BASE64: &str = "base64";

/// Reads a request body into an operation; its parameters are given back, none when there is nothing to send.
pub(super) fn read(
    context: &mut LoweringContext<'_>,
    draft: &mut OperationDraft,
    written: Option<&Value>,
    from: &PartLocation,
    warnings: &mut Vec<String>,
) -> LoweredBody {
    let mut body = LoweredBody::default();
    let Some(written) = written.filter(|value| !value.is_null()) else { return body };
    let Some(found) = context.resolver.follow(written, from) else {
        warnings.push("the body is left out: its reference leads nowhere".to_owned());
        return body;
    };
    let content = found.value.get("content").and_then(Value::as_object);
    let Some(ChosenMedia { format, content_type, media, not_chosen }) = content.and_then(choice::choose)
    else {
        warnings.push("the body is left out: it has no content".to_owned());
        return body;
    };
    let is_required = flag(&found.value, "required");
    (draft.target.body, draft.target.needs_body) = (format, is_required);
    draft.target.content_type = content_type;
    if !not_chosen.is_empty() {
        warnings.push(format!("the body may also be {}, which is not offered", not_chosen.join(", ")));
    }
    let anything = Value::Bool(true);
    let schema = media.get("schema").unwrap_or(&anything);
    let encoding = media.get("encoding");
    match format {
        BodyFormat::Bytes => body.whole(bytes(&found.value), is_required),
        BodyFormat::Text => {
            let param = plain_text(context, draft, schema, &found, warnings);
            body.whole(param, is_required);
        }
        BodyFormat::Json | BodyFormat::Form | BodyFormat::Multipart => {
            let members = context.members(schema, &found.location);
            let is_flat = members.is_object
                && !members.has_alternatives()
                && !members.list.is_empty()
                && members.list.len() <= MOST_PARAMS
                // Which fields go together is only known of the whole.
                && !members.rules.iter().any(|rule| !COUNTS.contains(rule))
                // The parts of a multipart body are only known by their declarations, so others are given up there.
                && (!members.is_open || format == BodyFormat::Multipart);
            if members.list.len() > MOST_PARAMS {
                warnings.push(format!("the body is one parameter: it has more than {MOST_PARAMS} fields"));
            }
            if is_flat {
                body.flatten(context, draft, members, encoding, warnings);
            } else {
                let (mut param, _) = schema_param(context, &draft.name, "body", schema, &found.location);
                if let Some(description) = text(&found.value, "description") {
                    param.description = Some(brief(description, 200));
                }
                if format != BodyFormat::Json {
                    draft.target.parts = parts::of_members(context, &members, format, encoding);
                }
                body.whole(param, is_required);
            }
        }
    }
    body
}

impl LoweredBody {
    /// Sends what is known beforehand without asking for it. The fields of an update are only those that change.
    pub(super) fn fill_in(&mut self) {
        for (param, default) in self.params.iter_mut().zip(std::mem::take(&mut self.fixed)) {
            fill_in(param, default);
        }
    }

    fn whole(&mut self, mut param: Param, is_required: bool) {
        param.place = ParamLocation::Body;
        param.required = is_required;
        self.is_whole = true;
        self.params.push(param);
    }

    fn flatten(
        &mut self,
        context: &mut LoweringContext<'_>,
        draft: &mut OperationDraft,
        members: SchemaMembers,
        encoding: Option<&Value>,
        warnings: &mut Vec<String>,
    ) {
        let (format, is_required) = (draft.target.body, draft.target.needs_body);
        if members.is_open {
            warnings.push("other fields of the form than the declared ones are not offered".to_owned());
        }
        if !members.rules.is_empty() {
            let rules = members.rules.join(", ");
            warnings.push(format!(
                "rules about several fields of the body ({rules}) are left to the API to check"
            ));
        }
        let mut read_only = Vec::new();
        let mut with_headers = 0;
        for member in members.list {
            let own_encoding = encoding.and_then(|all| all.get(&member.name));
            with_headers += usize::from(own_encoding.is_some_and(|each| each.get("headers").is_some()));
            let (mut param, outline) =
                schema_param(context, &draft.name, &member.name, &member.schema, &member.location);
            if let Some((property, values)) = &members.chooses {
                if *property == member.name {
                    show_values(context, &mut param, values, &member.schema, &member.location);
                }
                if let Some(condition) = member.condition(property) {
                    add_words(&mut param, &condition);
                }
            }
            if outline.is_read_only {
                read_only.push(member.name);
                continue;
            }
            if !can_be_offered(ParamLocation::Body, &member.name) {
                warnings.push(not_offered(ParamLocation::Body, &member.name));
                continue;
            }
            param.place = ParamLocation::Body;
            param.required = is_required && member.is_required;
            if member.is_required && !is_required {
                self.needs.push(member.name.clone());
                add_words(&mut param, "Required when a body is sent");
            }
            if format != BodyFormat::Json {
                let rule = parts::rule(format, &outline, own_encoding);
                if rule.is_file {
                    as_file(&mut param);
                }
                if rule != PartRule::default() {
                    draft.target.parts.push((member.name.clone(), rule));
                }
            }
            self.fixed.push(outline.default.filter(|default| of_param(&param, default).is_empty()));
            self.params.push(param);
        }
        if with_headers > 0 && format == BodyFormat::Multipart {
            warnings.push("headers of single parts of the body are not sent".to_owned());
        }
        if !read_only.is_empty() {
            warnings.push(format!(
                "fields of the body that are read-only are left out: {}",
                read_only.join(", ")
            ));
        }
        draft.update.leaves_out = match (members.is_closed, read_only.is_empty()) {
            (true, _) => OmittedFields::Undeclared,
            (false, false) => OmittedFields::These(read_only),
            (false, true) => OmittedFields::Nothing,
        };
    }
}

/// A parameter whose value is a file: its bytes in base64, alone or with a name.
fn as_file(param: &mut Param) {
    let one = json!({"anyOf": [
        {"type": "string"},
        {"type": "object", "required": ["content"], "properties": {
            "content": {"type": "string"}, "filename": {"type": "string"}, "content_type": {"type": "string"},
        }},
    ]});
    let many = matches!(param.shape.kind, ValueKind::Array(_));
    let kind = ValueKind::Union(vec![ValueKind::String, ValueKind::Object]);
    // The format is what an example is made of; values are held against the schema.
    let one_shape = Shape { format: Some(Format::parse(BASE64)), ..Shape::of(kind) };
    param.shape = one_shape.clone();
    if many {
        param.shape = Shape { items: Some(Box::new(one_shape)), ..Shape::of(ValueKind::Array(None)) };
    }
    let schema = if many { json!({"type": "array", "items": one}) } else { one };
    param.schema = Some(Arc::new(LazySchema::of(schema)));
    let words = "File content in base64, or {content, filename, content_type}";
    param.description = Some(match param.description.take() {
        Some(own) => format!("{own} ({words})"),
        None => words.to_owned(),
    });
}

fn bytes(request_body: &Value) -> Param {
    let mut param = Param::new("body", ValueKind::String);
    param.shape.format = Some(Format::parse(BASE64));
    let own = text(request_body, "description").map(|text| brief(text, 200));
    param.description =
        Some(own.map_or_else(|| "Bytes in base64".to_owned(), |own| format!("{own} (bytes in base64)")));
    param
}

/// A body of text. Its schema may say what the text means instead, as that of a document in XML does.
fn plain_text(
    context: &mut LoweringContext<'_>,
    draft: &OperationDraft,
    schema: &Value,
    request_body: &ResolvedReference<'_>,
    warnings: &mut Vec<String>,
) -> Param {
    let media_type = draft.target.content_type.as_deref();
    let (mut param, _) = schema_param(context, &draft.name, "body", schema, &request_body.location);
    if param.shape.kind != ValueKind::String && schema.as_bool() != Some(true) {
        let media_type = media_type.unwrap_or("text/plain");
        warnings.push(format!("the body is text ({media_type}): its schema is not applied"));
    }
    if param.shape.kind != ValueKind::String {
        // What the schema describes is the meaning of the text, which only the API reads.
        param.shape = Shape::of(ValueKind::String);
        param.schema = None;
        param.description = None;
    }
    if let Some(description) = text(&request_body.value, "description") {
        param.description = Some(brief(description, 200));
    }
    if let Some(media_type) = media_type {
        let bare = bare_media(media_type);
        let word = match bare.rsplit(['/', '+']).next().unwrap_or_default() {
            "xml" => "XML text",
            "x-ndjson" | "jsonl" | "ndjson" => "Lines, each a JSON value",
            "yaml" | "x-yaml" => "YAML text",
            "csv" => "CSV text",
            _ => "Text",
        };
        add_words(&mut param, &format!("{word} ({bare})"));
    }
    param
}

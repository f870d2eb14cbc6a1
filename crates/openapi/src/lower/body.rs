//! The request body: which media type, and whether its fields become parameters or all of it is one.
//!
//! A request body in; parameters and the way they are written out. Fields are parameters when the schema is an object
//! that says all of its fields; everything else is one parameter.

mod choice;
mod parts;

use super::MOST_PARAMS;
use super::context::SchemaMembers;
use super::context::{LoweringContext, schema_param, show_values};
use super::document_view::{flag, text};
use super::params::{fill_in, not_offered};
use super::summary::brief;
use crate::read::PartLocation;
use aqueduct_operations::params::check::of_param;
use aqueduct_operations::params::format::Format;
use aqueduct_operations::params::{Param, ParamLocation, Shape, ValueKind};
use aqueduct_operations::response::LeavesOut;
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
    /// It must be sent, with fields or without.
    pub is_required: bool,
    /// Fields that must be there as soon as it has any.
    pub needs: Vec<String>,
    /// What an update does not write back.
    pub leaves_out: LeavesOut,
    pub format: BodyFormat,
    pub content_type: Option<String>,
    pub parts: Vec<(String, PartRule)>,
    pub warnings: Vec<String>,
    /// What the API assumes for each field, when it says so.
    fixed: Vec<Option<Value>>,
}

/// Rules that are about no particular fields, and are left to the API.
const COUNTS: [&str; 3] = ["minProperties", "maxProperties", "propertyNames"];

/// What is said of every body of bytes.
const BASE64: &str = "base64";

/// Lowers a request body; nothing when there is none to send.
pub(super) fn body(
    context: &mut LoweringContext<'_>,
    of: &str,
    written: Option<&Value>,
    from: &PartLocation,
) -> (Option<LoweredBody>, Vec<String>) {
    let Some(written) = written.filter(|value| !value.is_null()) else { return (None, Vec::new()) };
    let Some(found) = context.resolver.follow(written, from) else {
        return (None, vec!["the body is left out: its reference leads nowhere".to_owned()]);
    };
    let content = found.value.get("content").and_then(Value::as_object);
    let Some(ChosenMedia { format, content_type, media, not_chosen }) = content.and_then(choice::choose)
    else {
        return (None, vec!["the body is left out: it has no content".to_owned()]);
    };
    let is_required = flag(&found.value, "required");
    let mut body = LoweredBody { format, content_type, is_required, ..LoweredBody::default() };
    if !not_chosen.is_empty() {
        body.warnings.push(format!("the body may also be {}, which is not offered", not_chosen.join(", ")));
    }
    let anything = Value::Bool(true);
    let schema = media.get("schema").unwrap_or(&anything);
    match format {
        BodyFormat::Bytes => body.whole(bytes(&found.value), is_required),
        BodyFormat::Text => {
            let media_type = body.content_type.clone();
            let (param, is_applied) =
                plain_text(context, of, schema, (&found.value, &found.node), media_type.as_deref());
            if !is_applied {
                let media_type = media_type.as_deref().unwrap_or("text/plain");
                body.warnings.push(format!("the body is text ({media_type}): its schema is not applied"));
            }
            body.whole(param, is_required);
        }
        BodyFormat::Json | BodyFormat::Form | BodyFormat::Multipart => {
            let members = context.members(schema, &found.node);
            let is_flat = members.is_object
                && !members.has_alternatives()
                && !members.list.is_empty()
                && members.list.len() <= MOST_PARAMS
                // Which fields go together is only known of the whole.
                && !members.rules.iter().any(|rule| !COUNTS.contains(rule))
                // The parts of a multipart body are only known by their declarations, so others are given up there.
                && (!members.is_open || format == BodyFormat::Multipart);
            if members.list.len() > MOST_PARAMS {
                body.warnings
                    .push(format!("the body is one parameter: it has more than {MOST_PARAMS} fields"));
            }
            if is_flat {
                body.flatten(context, of, members, media.get("encoding"), is_required);
            } else {
                let (mut param, _) = schema_param(context, of, "body", schema, &found.node);
                if let Some(description) = text(&found.value, "description") {
                    param.description = Some(brief(description, 200));
                }
                if format != BodyFormat::Json {
                    body.parts = parts::of_members(context, &members, format, media.get("encoding"));
                }
                body.whole(param, is_required);
            }
        }
    }
    (Some(body), Vec::new())
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
        of: &str,
        members: SchemaMembers,
        encoding: Option<&Value>,
        is_required: bool,
    ) {
        if members.is_open {
            self.warnings.push("other fields of the form than the declared ones are not offered".to_owned());
        }
        if !members.rules.is_empty() {
            let rules = members.rules.join(", ");
            self.warnings.push(format!(
                "rules about several fields of the body ({rules}) are left to the API to check"
            ));
        }
        let mut read_only = Vec::new();
        let mut with_headers = 0;
        for member in members.list {
            let own_encoding = encoding.and_then(|all| all.get(&member.name));
            with_headers += usize::from(own_encoding.is_some_and(|each| each.get("headers").is_some()));
            let (mut param, outline) =
                schema_param(context, of, &member.name, &member.schema, &member.location);
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
                self.warnings.push(not_offered(ParamLocation::Body, &member.name));
                continue;
            }
            param.place = ParamLocation::Body;
            param.required = is_required && member.is_required;
            if member.is_required && !is_required {
                self.needs.push(member.name.clone());
                add_words(&mut param, "Required when a body is sent");
            }
            if self.format != BodyFormat::Json {
                let rule = parts::rule(self.format, &outline, own_encoding);
                if rule.is_file {
                    as_file(&mut param);
                }
                if rule != PartRule::default() {
                    self.parts.push((member.name.clone(), rule));
                }
            }
            self.fixed.push(outline.default.filter(|default| of_param(&param, default).is_empty()));
            self.params.push(param);
        }
        if with_headers > 0 && self.format == BodyFormat::Multipart {
            self.warnings.push("headers of single parts of the body are not sent".to_owned());
        }
        if !read_only.is_empty() {
            self.warnings.push(format!(
                "fields of the body that are read-only are left out: {}",
                read_only.join(", ")
            ));
        }
        self.leaves_out = match (members.is_closed, read_only.is_empty()) {
            (true, _) => LeavesOut::Undeclared,
            (false, false) => LeavesOut::These(read_only),
            (false, true) => LeavesOut::Nothing,
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

/// A body of text, and whether its schema says what the text is: that of a document in XML says what it means.
fn plain_text(
    context: &mut LoweringContext<'_>,
    of: &str,
    schema: &Value,
    (request_body, node): (&Value, &PartLocation),
    media_type: Option<&str>,
) -> (Param, bool) {
    let (mut param, _) = schema_param(context, of, "body", schema, node);
    let is_applied = param.shape.kind == ValueKind::String || schema.as_bool() == Some(true);
    if param.shape.kind != ValueKind::String {
        // What the schema describes is the meaning of the text, which only the API reads.
        param.shape = Shape::of(ValueKind::String);
        param.schema = None;
        param.description = None;
    }
    if let Some(description) = text(request_body, "description") {
        param.description = Some(brief(description, 200));
    }
    if let Some(media_type) = media_type {
        let bare = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let word = match bare.rsplit(['/', '+']).next().unwrap_or_default() {
            "xml" => "XML text",
            "x-ndjson" | "jsonl" | "ndjson" => "Lines, each a JSON value",
            "yaml" | "x-yaml" => "YAML text",
            "csv" => "CSV text",
            _ => "Text",
        };
        add_words(&mut param, &format!("{word} ({bare})"));
    }
    (param, is_applied)
}

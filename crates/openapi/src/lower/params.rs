//! Parameters of an operation: in the path, the query, headers and cookies.
//!
//! The path's and the operation's own parameters in; `Param`s out with their styles, still under their upstream names.
//! What is only there to carry credentials or is set by the client itself is left out.

use super::MOST_PARAMS;
use super::context::{LoweringContext, described, note_deprecation, schema_param};
use super::document_view::{flag, text};
use super::operation::{DocumentOperation, OperationDraft};
use crate::read::PartLocation;
use aqueduct_operations::params::{Param, ParamEncoding, ParamLocation, ParamStyle};
use aqueduct_source_kind::wire_names::can_be_offered;
use serde_json::{Value, json};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

/// Headers that the client sets by itself; the standard says that parameters of these names are ignored.
const OWN_HEADERS: [&str; 3] = ["accept", "content-type", "authorization"];

/// A parameter as it stands in the document, references followed.
struct DeclaredParam {
    name: String,
    place: String,
    value: Value,
    location: PartLocation,
}

/// Reads the parameters of the path and of the operation, which count before those of the path. The number of headers of
/// the client's own that were left out is given back.
pub(super) fn read(
    context: &mut LoweringContext<'_>,
    draft: &mut OperationDraft,
    written: &DocumentOperation<'_>,
    credentials: &HashSet<(String, String)>,
    warnings: &mut Vec<String>,
) -> usize {
    let mut declared: Vec<DeclaredParam> = Vec::new();
    let mut known: HashMap<(String, String), usize> = HashMap::new();
    let mut beyond = 0;
    for level in [written.item, written.operation] {
        for written_param in level.get("parameters").and_then(Value::as_array).into_iter().flatten() {
            let Some(found) = context.resolver.follow(written_param, written.node) else {
                warnings.push("a parameter whose reference leads nowhere is left out".to_owned());
                continue;
            };
            let (Some(name), Some(place)) = (text(&found.value, "name"), text(&found.value, "in")) else {
                warnings.push("a parameter without a name or a place is left out".to_owned());
                continue;
            };
            let (name, place, location) = (name.to_owned(), place.to_owned(), found.location);
            let value = found.value.into_owned();
            let entry = known.entry((place.clone(), name.clone()));
            let param = DeclaredParam { name, place, value, location };
            match entry {
                Entry::Occupied(index) => declared[*index.get()] = param,
                Entry::Vacant(_) if declared.len() >= MOST_PARAMS => beyond += 1,
                Entry::Vacant(free) => {
                    free.insert(declared.len());
                    declared.push(param);
                }
            }
        }
    }
    if beyond > 0 {
        warnings.push(format!("{beyond} parameters after the first {MOST_PARAMS} are left out"));
    }
    let mut own_headers = 0;
    for param in declared {
        let DeclaredParam { name, place, .. } = &param;
        if credentials.contains(&(place.clone(), name.to_ascii_lowercase())) {
            continue;
        }
        match ParamLocation::parse(place).filter(|place| *place != ParamLocation::Body) {
            Some(ParamLocation::Header) if OWN_HEADERS.contains(&name.to_ascii_lowercase().as_str()) => {
                own_headers += 1;
            }
            Some(place) if !can_be_offered(place, name) => warnings.push(not_offered(place, name)),
            Some(place) => {
                let read = one(context, &draft.name, place, &param, warnings);
                draft.params.push(read);
            }
            None => {
                warnings.push(format!("the parameter '{name}' in '{place}' is left out: it cannot be sent"))
            }
        }
    }
    own_headers
}

/// The warning about a parameter that no caller can give, because of its name.
pub(super) fn not_offered(place: ParamLocation, name: &str) -> String {
    let place = place.name();
    let name: String = name.escape_debug().take(100).collect();
    format!(
        "the {place} parameter '{name}' is left out: it cannot be sent, or is set by the HTTP client itself"
    )
}

fn one(
    context: &mut LoweringContext<'_>,
    of: &str,
    place: ParamLocation,
    declared: &DeclaredParam,
    warnings: &mut Vec<String>,
) -> Param {
    let DeclaredParam { name, value, location, .. } = declared;
    let content = value.get("content").and_then(Value::as_object).and_then(|content| content.iter().next());
    let anything = Value::Bool(true);
    let schema = match content {
        Some((_, media)) => media.get("schema"),
        None => value.get("schema"),
    };
    let text_schema = json!({"type": "string"});
    let schema = schema.unwrap_or(if content.is_some() { &anything } else { &text_schema });
    let (mut param, outline) = schema_param(context, of, name, schema, location);
    param.place = place;
    param.required = place == ParamLocation::Path || flag(value, "required");
    if let Some(own) = text(value, "description") {
        param.description = described(Some(own), outline.default.as_ref());
    }
    if flag(value, "deprecated") || flag(schema, "deprecated") {
        note_deprecation(&mut param);
    }
    param.writing = match content {
        Some((media, _)) if is_json(media) => {
            Some(ParamEncoding { style: ParamStyle::Json, explode: false, allow_reserved: false })
        }
        Some((media, _)) => {
            warnings.push(format!("the parameter '{name}' is sent as text, although it is {media}"));
            None
        }
        None => writing(name, place, value, &param, warnings),
    };
    fill_in(&mut param, outline.default);
    param
}

/// A required value that is known beforehand need not be asked for.
pub(super) fn fill_in(param: &mut Param, default: Option<Value>) {
    if !param.required || param.place == ParamLocation::Path {
        return;
    }
    let only = match param.shape.allowed.as_deref() {
        Some([only]) => Some(only.clone()),
        _ => None,
    };
    if let Some(value) = default.or(only) {
        param.required = false;
        param.default = Some(value);
    }
}

/// The style, where it makes a difference.
fn writing(
    name: &str,
    place: ParamLocation,
    value: &Value,
    param: &Param,
    warnings: &mut Vec<String>,
) -> Option<ParamEncoding> {
    let usual = ParamStyle::usual_in(place);
    let style = match text(value, "style") {
        // The cookie style of 3.2 differs in what it escapes only.
        None | Some("cookie") => usual,
        Some(word) => match ParamStyle::parse(word).filter(|style| suits(*style, place)) {
            Some(style) => style,
            None => {
                warnings.push(format!(
                    "the style '{word}' of the parameter '{name}' is unknown there and ignored"
                ));
                usual
            }
        },
    };
    let explode = match style {
        ParamStyle::DeepObject => true,
        _ => value.get("explode").and_then(Value::as_bool).unwrap_or(style.usually_explodes()),
    };
    let allow_reserved = flag(value, "allowReserved");
    let says_something = style != usual || allow_reserved || param.shape.kind.is_structured();
    says_something.then_some(ParamEncoding { style, explode, allow_reserved })
}

fn suits(style: ParamStyle, place: ParamLocation) -> bool {
    match style {
        ParamStyle::Simple => matches!(place, ParamLocation::Path | ParamLocation::Header),
        ParamStyle::Label | ParamStyle::Matrix => place == ParamLocation::Path,
        ParamStyle::Form => matches!(place, ParamLocation::Query | ParamLocation::Cookie),
        // Swagger 2.0 joins lists in these ways anywhere.
        ParamStyle::SpaceDelimited | ParamStyle::PipeDelimited | ParamStyle::TabDelimited => true,
        ParamStyle::DeepObject => place == ParamLocation::Query,
        ParamStyle::Json => true,
    }
}

/// A media type without its parameters.
pub(super) fn bare_media(media: &str) -> String {
    media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// True when a media type is JSON.
pub(super) fn is_json(media: &str) -> bool {
    let bare = bare_media(media);
    matches!(bare.as_str(), "application/json" | "text/json" | "application/x-json")
        || bare.ends_with("+json")
}

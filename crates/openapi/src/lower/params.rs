//! Parameters of an operation: in the path, the query, headers and cookies.
//!
//! The path's and the operation's own parameters in; `Param`s out with their styles, still under their upstream names.
//! What is only there to carry credentials or is set by the client itself is left out.

use super::MOST_PARAMS;
use super::context::{LoweringContext, described, schema_param};
use super::document_view::{flag, text};
use crate::read::PartLocation;
use aqueduct_operations::params::{Param, ParamEncoding, ParamLocation, Style};
use aqueduct_source_kind::wire_names::can_be_offered;
use serde_json::{Value, json};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

/// Headers that the client sets by itself; the standard says that parameters of these names are ignored.
const OWN_HEADERS: [&str; 3] = ["accept", "content-type", "authorization"];

/// The parameters, and what was lost.
#[derive(Default)]
pub(super) struct LoweredParams {
    pub params: Vec<Param>,
    pub warnings: Vec<String>,
    /// Headers of the client's own that were left out.
    pub own_headers: usize,
}

/// Lowers the parameters of a path (`shared`) and of an operation (`own`), which count before those of the path.
pub(super) fn params(
    context: &mut LoweringContext<'_>,
    of: &str,
    shared: Option<&Value>,
    own: Option<&Value>,
    from: &PartLocation,
    credentials: &HashSet<(String, String)>,
) -> LoweredParams {
    let mut lowered = LoweredParams::default();
    let mut declared: Vec<(String, String, Value, PartLocation)> = Vec::new();
    let mut known: HashMap<(String, String), usize> = HashMap::new();
    let mut beyond = 0;
    for list in [shared, own] {
        for written in list.and_then(Value::as_array).into_iter().flatten() {
            let Some(found) = context.resolver.follow(written, from) else {
                lowered.warnings.push("a parameter whose reference leads nowhere is left out".to_owned());
                continue;
            };
            let (Some(name), Some(place)) = (text(&found.value, "name"), text(&found.value, "in")) else {
                lowered.warnings.push("a parameter without a name or a place is left out".to_owned());
                continue;
            };
            let (name, place) = (name.to_owned(), place.to_owned());
            let node = found.node;
            let value = found.value.into_owned();
            match known.entry((place.clone(), name.clone())) {
                Entry::Occupied(index) => {
                    let declared = &mut declared[*index.get()];
                    (declared.2, declared.3) = (value, node);
                }
                Entry::Vacant(_) if declared.len() >= MOST_PARAMS => beyond += 1,
                Entry::Vacant(free) => {
                    free.insert(declared.len());
                    declared.push((place, name, value, node));
                }
            }
        }
    }
    if beyond > 0 {
        lowered.warnings.push(format!("{beyond} parameters after the first {MOST_PARAMS} are left out"));
    }
    for (place, name, value, node) in declared {
        if credentials.contains(&(place.clone(), name.to_ascii_lowercase())) {
            continue;
        }
        match ParamLocation::parse(&place).filter(|place| *place != ParamLocation::Body) {
            Some(ParamLocation::Header) if OWN_HEADERS.contains(&name.to_ascii_lowercase().as_str()) => {
                lowered.own_headers += 1;
            }
            Some(place) if !can_be_offered(place, &name) => {
                lowered.warnings.push(not_offered(place, &name));
            }
            Some(place) => {
                lowered.params.push(one(context, of, &name, place, &value, &node, &mut lowered.warnings))
            }
            None => lowered
                .warnings
                .push(format!("the parameter '{name}' in '{place}' is left out: it cannot be sent")),
        }
    }
    lowered
}

/// What is told of a parameter that no caller can give, because of its name.
pub(super) fn not_offered(place: ParamLocation, name: &str) -> String {
    let place =
        ParamLocation::ALL.into_iter().find(|(_, each)| *each == place).map_or("query", |(word, _)| word);
    let name: String = name.escape_debug().take(100).collect();
    format!(
        "the {place} parameter '{name}' is left out: it cannot be sent, or is set by the HTTP client itself"
    )
}

fn one(
    context: &mut LoweringContext<'_>,
    of: &str,
    name: &str,
    place: ParamLocation,
    value: &Value,
    node: &PartLocation,
    warnings: &mut Vec<String>,
) -> Param {
    let content = value.get("content").and_then(Value::as_object).and_then(|content| content.iter().next());
    let anything = Value::Bool(true);
    let schema = match content {
        Some((_, media)) => media.get("schema"),
        None => value.get("schema"),
    };
    let text_schema = json!({"type": "string"});
    let schema = schema.unwrap_or(if content.is_some() { &anything } else { &text_schema });
    let (mut param, outline) = schema_param(context, of, name, schema, node);
    param.place = place;
    param.required = place == ParamLocation::Path || flag(value, "required");
    if let Some(own) = text(value, "description") {
        param.description = described(Some(own), outline.default.as_ref());
    }
    param.writing = match content {
        Some((media, _)) if is_json(media) => {
            Some(ParamEncoding { style: Style::Json, explode: false, allow_reserved: false })
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
    let usual = match place {
        ParamLocation::Path | ParamLocation::Header => Style::Simple,
        ParamLocation::Query | ParamLocation::Cookie | ParamLocation::Body => Style::Form,
    };
    let style = match text(value, "style") {
        // The cookie style of 3.2 differs in what it escapes only.
        None | Some("cookie") => usual,
        Some(word) => match Style::parse(word).filter(|style| suits(*style, place)) {
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
        Style::DeepObject => true,
        _ => value.get("explode").and_then(Value::as_bool).unwrap_or(style == Style::Form),
    };
    let allow_reserved = flag(value, "allowReserved");
    let says_something = style != usual || allow_reserved || param.shape.kind.is_structured();
    says_something.then_some(ParamEncoding { style, explode, allow_reserved })
}

fn suits(style: Style, place: ParamLocation) -> bool {
    match style {
        Style::Simple => matches!(place, ParamLocation::Path | ParamLocation::Header),
        Style::Label | Style::Matrix => place == ParamLocation::Path,
        Style::Form => matches!(place, ParamLocation::Query | ParamLocation::Cookie),
        // Swagger 2.0 joins lists in these ways anywhere.
        Style::SpaceDelimited | Style::PipeDelimited | Style::TabDelimited => true,
        Style::DeepObject => place == ParamLocation::Query,
        Style::Json => true,
    }
}

/// True when a media type is JSON.
pub(super) fn is_json(media: &str) -> bool {
    let bare = media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    matches!(bare.as_str(), "application/json" | "text/json" | "application/x-json")
        || bare.ends_with("+json")
}

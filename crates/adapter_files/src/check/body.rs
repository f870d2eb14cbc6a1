//! The `body` block: in which format the body is written, which parameter is the whole of it, how its parts look.
//!
//! The block and the parameters in; what an HTTP target needs out.

use super::params::place_of;
use super::writing;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, quoted, shortened};
use aqueduct_operations::params::{Param, ParamLocation};
use aqueduct_operations::target::{BodyFormat, PartRule};

/// How a body is written.
#[derive(Debug, Clone, Default)]
pub(crate) struct BodyRule {
    /// The format, when not the target's own.
    pub format: Option<BodyFormat>,
    pub content_type: Option<String>,
    pub whole: Option<String>,
    /// It is sent even without fields.
    pub is_needed: bool,
    /// Parameters that must come as soon as any other of it does.
    pub needs: Vec<String>,
    pub parts: Vec<(String, PartRule)>,
}

/// The word for a format, as `body.content_type` takes it: that of a media type.
pub(crate) fn word_of(format: BodyFormat) -> &'static str {
    if format == BodyFormat::Bytes { "octet-stream" } else { format.name() }
}

/// The format that a media type has by itself.
pub(crate) fn format_of(media: &str) -> BodyFormat {
    let plain = media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if let Some(format) = BodyFormat::ALL.into_iter().find(|format| format.usual_type() == plain) {
        return format;
    }
    match plain.as_str() {
        json if json.ends_with("+json") || json.ends_with("/json") => BodyFormat::Json,
        multipart if multipart.starts_with("multipart/") => BodyFormat::Multipart,
        text if text.starts_with("text/") || text.ends_with("+xml") || text.ends_with("/xml") => {
            BodyFormat::Text
        }
        _ => BodyFormat::Bytes,
    }
}

pub(super) fn check(operation: &NodeCursor<'_>, params: &[Param], found: &mut Findings<'_>) -> BodyRule {
    let Some(at) = operation.get("body") else { return BodyRule::default() };
    let (mut format, content_type) = media_type(&at, found);
    if let Some(named) = at.text("format") {
        format = BodyFormat::parse(named);
    }
    let whole = whole(operation, &at, format, params, found);
    let is_needed = at.flag("required").unwrap_or(false);
    let needs = needs(&at, params, found);
    BodyRule { format, content_type, whole, is_needed, needs, parts: parts(&at, params, found) }
}

fn needs(at: &NodeCursor<'_>, params: &[Param], found: &mut Findings<'_>) -> Vec<String> {
    let Some(place) = at.get("needs") else { return Vec::new() };
    let fields: Vec<&str> =
        params.iter().filter(|param| param.is_body()).map(|param| param.name.as_str()).collect();
    let mut needs = at.texts("needs");
    needs.retain(|name| {
        let is_known = fields.contains(&name.as_str());
        if !is_known {
            let hint = found.nearest(name, fields.iter().copied());
            let message = format!("There is no parameter '{}' that goes into the body", shortened(name, 60));
            place.error("UNKNOWN_REFERENCE", message).maybe_hint(hint).add_to(found);
        }
        is_known
    });
    needs
}

/// The format, and the media type where it is not the usual one of the format.
fn media_type(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> (Option<BodyFormat>, Option<String>) {
    let Some(place) = at.get("content_type") else { return (None, None) };
    let Some(text) = place.node.text().map(str::trim).filter(|text| !text.is_empty()) else {
        return (None, None);
    };
    let is_usual = |format: &BodyFormat| word_of(*format) == text || format.usual_type() == text;
    if let Some(format) = BodyFormat::ALL.into_iter().find(is_usual) {
        return (Some(format), None);
    }
    if !is_media_type(text) {
        let hint = found.nearest(text, BodyFormat::ALL.map(word_of));
        place
            .error("INVALID_VALUE", "This is not a media type")
            .expected("json, form, multipart, text, octet-stream, or a media type such as image/png")
            .received(quoted(text))
            .maybe_hint(hint)
            .add_to(found);
        return (None, None);
    }
    (Some(format_of(text)), Some(text.to_owned()))
}

fn is_media_type(text: &str) -> bool {
    text.len() <= 200
        && text.split_once('/').is_some_and(|(kind, rest)| !kind.is_empty() && !rest.is_empty())
        && text.bytes().all(|b| (b' '..=b'~').contains(&b))
        && text.bytes().filter(|b| *b == b'/').count() == 1
}

/// The parameter that is the whole body. A text or bytes have no fields, so they are one.
fn whole(
    operation: &NodeCursor<'_>,
    at: &NodeCursor<'_>,
    format: Option<BodyFormat>,
    params: &[Param],
    found: &mut Findings<'_>,
) -> Option<String> {
    let in_body: Vec<&Param> = params.iter().filter(|param| param.is_body()).collect();
    if let Some(place) = at.get("param") {
        let name = place.node.filled_text()?;
        if !in_body.iter().any(|param| param.name == name) {
            let hint = found.nearest(name, in_body.iter().map(|param| param.name.as_str()));
            let message = format!("There is no parameter '{}' that goes into the body", shortened(name, 60));
            place.error("UNKNOWN_REFERENCE", message).maybe_hint(hint).add_to(found);
            return None;
        }
        for other in in_body.iter().filter(|param| param.name != name) {
            let message = format!("'{name}' is the whole body, so '{}' has no place in it", other.name);
            let at = place_of(operation, &other.name);
            at.error("BAD_PLACE", message).hint("use in: query, or remove it").add_to(found);
        }
        return Some(name.to_owned());
    }
    if !matches!(format, Some(BodyFormat::Text | BodyFormat::Bytes)) {
        return None;
    }
    if let [only] = in_body.as_slice() {
        return Some(only.name.clone());
    }
    let message = "A body of this media type has no fields: one parameter is the whole of it";
    at.error("CONTRADICTION", message).hint("name it: body: {param: NAME}").add_to(found);
    None
}

fn parts(at: &NodeCursor<'_>, params: &[Param], found: &mut Findings<'_>) -> Vec<(String, PartRule)> {
    let mut parts = Vec::new();
    for (entry, part) in at.get("parts").iter().flat_map(NodeCursor::entries) {
        let fields = params.iter().filter(|param| param.is_body());
        if !fields.clone().any(|param| param.upstream_name == entry.key) {
            let hint = found.nearest(&entry.key, fields.map(|param| param.upstream_name.as_str()));
            let message = format!("The body has no field '{}'", shortened(&entry.key, 60));
            part.warning("UNKNOWN_REFERENCE", message).maybe_hint(hint).add_to(found);
        }
        parts.push((
            entry.key.clone(),
            PartRule {
                content_type: part.owned_text("content_type"),
                writing: writing::of(&part).map(|written| written.in_place(ParamLocation::Body)),
                is_file: part.flag("file").unwrap_or(false),
            },
        ));
    }
    parts
}

#[cfg(test)]
mod tests;

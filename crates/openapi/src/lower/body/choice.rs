//! Which of the media types of a body is used: JSON, then forms, then text, then bytes.
//!
//! The `content` of a request body in, the choice out with the names of those that were not chosen.

use crate::lower::params::{bare_media, is_json};
use aqueduct_operations::target::BodyFormat;
use serde_json::{Map, Value};

/// A media type that was chosen.
pub(super) struct ChosenMedia<'c> {
    pub format: BodyFormat,
    /// The exact type, when it is not the usual one of the format.
    pub content_type: Option<String>,
    pub media: &'c Value,
    pub not_chosen: Vec<&'c str>,
}

pub(super) fn choose(content: &Map<String, Value>) -> Option<ChosenMedia<'_>> {
    let (chosen, media) = content.iter().min_by_key(|(name, _)| rank(name))?;
    let format = format_of(chosen);
    let bare = chosen.trim();
    let is_usual = bare.contains('*') || bare.eq_ignore_ascii_case(format.usual_type());
    let not_chosen = content.keys().filter(|name| *name != chosen).map(String::as_str).collect();
    Some(ChosenMedia { format, content_type: (!is_usual).then(|| bare.to_owned()), media, not_chosen })
}

fn rank(media: &str) -> u8 {
    let bare = bare_media(media);
    match format_of(media) {
        BodyFormat::Json if bare == "application/json" => 0,
        BodyFormat::Json if !bare.contains('*') => 1,
        BodyFormat::Form => 2,
        BodyFormat::Multipart => 3,
        BodyFormat::Text if bare.starts_with("text/") => 4,
        BodyFormat::Bytes if bare == "application/octet-stream" => 5,
        BodyFormat::Text => 6,
        BodyFormat::Bytes => 7,
        BodyFormat::Json => 8,
    }
}

fn format_of(media: &str) -> BodyFormat {
    let bare = bare_media(media);
    match bare.as_str() {
        "*/*" | "application/*" | "" => BodyFormat::Json,
        "application/x-www-form-urlencoded" => BodyFormat::Form,
        _ if bare.starts_with("multipart/") => BodyFormat::Multipart,
        _ if is_json(&bare) => BodyFormat::Json,
        "application/xml"
        | "application/yaml"
        | "application/x-yaml"
        | "application/graphql"
        | "application/csv"
        | "application/x-ndjson"
        | "application/jsonl"
        | "application/javascript"
        | "application/sql" => BodyFormat::Text,
        _ if bare.starts_with("text/") || bare.ends_with("+xml") || bare.ends_with("+yaml") => {
            BodyFormat::Text
        }
        _ => BodyFormat::Bytes,
    }
}

//! The keys about bodies and about where an imported operation comes from.
//!
//! `check::body` and `check::origin` judge what they mean.

use super::WORDS;
use aqueduct_documents::keys::{KeyBlock, KeySpec, ValueForm};

/// The ways in which lists and objects are written.
pub(super) const STYLES: &[&str] = &[
    "simple",
    "label",
    "matrix",
    "form",
    "spaceDelimited",
    "pipeDelimited",
    "tabDelimited",
    "deepObject",
    "json",
];

pub(super) static BODY: KeyBlock = KeyBlock {
    name: "body",
    about: "How the body is written",
    keys: &[
        KeySpec::optional(
            "content_type",
            ValueForm::Filled,
            "json, form, multipart, text or octet-stream, or any media type",
        ),
        KeySpec::optional(
            "format",
            ValueForm::OneOf(&["json", "form", "multipart", "text", "bytes"]),
            "How it is written, when the media type does not say so",
        ),
        KeySpec::optional("param", ValueForm::Filled, "The parameter that is the whole body"),
        KeySpec::optional("required", ValueForm::Flag, "It is sent even when it has no fields"),
        KeySpec::optional("needs", WORDS, "Parameters that must come as soon as any other of the body does"),
        KeySpec::optional(
            "parts",
            ValueForm::Map(&ValueForm::Block(&PART)),
            "How single fields of a form or a multipart body are written, by their name in the API",
        ),
    ],
};

static PART: KeyBlock = KeyBlock {
    name: "part",
    about: "How one field of a body is written",
    keys: &[
        KeySpec::optional("content_type", ValueForm::Filled, "multipart: its media type"),
        KeySpec::optional("file", ValueForm::Flag, "Its value is base64, and is sent as a file"),
        KeySpec::optional(
            "style",
            ValueForm::OneOf(STYLES),
            "How lists and objects are written, as in OpenAPI",
        ),
        KeySpec::optional("explode", ValueForm::Flag, "Each member stands for itself, as in OpenAPI"),
        KeySpec::optional("allow_reserved", ValueForm::Flag, "Reserved characters are sent as they are"),
    ],
};

pub(super) static IMPORTED_FROM: KeyBlock = KeyBlock {
    name: "imported_from",
    about: "Where an imported operation comes from",
    keys: &[
        KeySpec::required(
            "name",
            ValueForm::Text,
            "Its name in the document or on the other server",
            "The name it was imported from is required",
        ),
        KeySpec::optional(
            "unnamed",
            ValueForm::Flag,
            "It has no name there: this one was made from its place",
        ),
        KeySpec::optional("place", ValueForm::Text, "Where it is there; what maps_to says if absent"),
        KeySpec::optional("reason", ValueForm::Text, "Why it is in its list"),
        KeySpec::optional(
            "confidence",
            ValueForm::OneOf(&["low", "medium", "high"]),
            "How sure that is; high if absent",
        ),
        KeySpec::optional("needs_review", ValueForm::Flag, "A person should look at it"),
    ],
};

#[cfg(test)]
mod tests;

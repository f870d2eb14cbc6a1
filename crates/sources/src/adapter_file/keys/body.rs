//! The keys about bodies and about where an imported operation comes from.
//!
//! `check::body` and `check::origin` judge what they mean.

use super::WORDS;
use crate::document::keys::{Block, Form, Key};

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

pub(super) static BODY: Block = Block {
    name: "body",
    about: "How the body is written",
    keys: &[
        Key::optional(
            "content_type",
            Form::Filled,
            "json, form, multipart, text or octet-stream, or any media type",
        ),
        Key::optional(
            "format",
            Form::OneOf(&["json", "form", "multipart", "text", "bytes"]),
            "How it is written, when the media type does not say so",
        ),
        Key::optional("param", Form::Filled, "The parameter that is the whole body"),
        Key::optional("required", Form::Flag, "It is sent even when it has no fields"),
        Key::optional("needs", WORDS, "Parameters that must come as soon as any other of the body does"),
        Key::optional(
            "parts",
            Form::Map(&Form::Block(&PART)),
            "How single fields of a form or a multipart body are written, by their name in the API",
        ),
    ],
};

static PART: Block = Block {
    name: "part",
    about: "How one field of a body is written",
    keys: &[
        Key::optional("content_type", Form::Filled, "multipart: its media type"),
        Key::optional("file", Form::Flag, "Its value is base64, and is sent as a file"),
        Key::optional("style", Form::OneOf(STYLES), "How lists and objects are written, as in OpenAPI"),
        Key::optional("explode", Form::Flag, "Each member stands for itself, as in OpenAPI"),
        Key::optional("allow_reserved", Form::Flag, "Reserved characters are sent as they are"),
    ],
};

pub(super) static IMPORTED_FROM: Block = Block {
    name: "imported_from",
    about: "Where an imported operation comes from",
    keys: &[
        Key::required(
            "name",
            Form::Text,
            "Its name in the document or on the other server",
            "The name it was imported from is required",
        ),
        Key::optional("unnamed", Form::Flag, "It has no name there: this one was made from its place"),
        Key::optional("place", Form::Text, "Where it is there; what maps_to says if absent"),
        Key::optional("reason", Form::Text, "Why it is in its list"),
        Key::optional(
            "confidence",
            Form::OneOf(&["low", "medium", "high"]),
            "How sure that is; high if absent",
        ),
        Key::optional("needs_review", Form::Flag, "A person should look at it"),
    ],
};

#[cfg(test)]
mod tests {
    use super::STYLES;
    use aqueduct_operations::params::Style;

    #[test]
    fn styles_are_those_of_the_vocabulary() {
        assert_eq!(STYLES, Style::ALL.map(|(name, _)| name));
    }
}

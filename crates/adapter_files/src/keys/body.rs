//! The keys about bodies and about where an imported operation comes from.
//!
//! `check::body` and `check::origin` judge what they mean.

use super::WORDS;
use aqueduct_documents::keys::ValueForm::{Block, Filled, Flag, Map, OneOf, Text};
use aqueduct_documents::keys::{KeyBlock, optional, required};
use aqueduct_operations::origin::Confidence;
use aqueduct_operations::params::ParamStyle;
use aqueduct_operations::target::BodyFormat;

pub(super) static BODY: KeyBlock = KeyBlock::new("body", "How the body is written").keys(&[
    optional("content_type", Filled, "json, form, multipart, text or octet-stream, or any media type"),
    optional("format", OneOf(BodyFormat::NAMES), "How it is written, when the media type does not say so"),
    optional("param", Filled, "The parameter that is the whole body"),
    optional("required", Flag, "It is sent even when it has no fields"),
    optional("needs", WORDS, "Parameters that must come as soon as any other of the body does"),
    optional(
        "parts",
        Map(&Block(&PART)),
        "How single fields of a form or a multipart body are written, by their name in the API",
    ),
]);

static PART: KeyBlock = KeyBlock::new("part", "How one field of a body is written").keys(&[
    optional("content_type", Filled, "multipart: its media type"),
    optional("file", Flag, "Its value is base64, and is sent as a file"),
    optional("style", OneOf(ParamStyle::NAMES), "How lists and objects are written, as in OpenAPI"),
    optional("explode", Flag, "Each member stands for itself, as in OpenAPI"),
    optional("allow_reserved", Flag, "Reserved characters are sent as they are"),
]);

pub(super) static IMPORTED_FROM: KeyBlock =
    KeyBlock::new("imported_from", "Where an imported operation comes from").keys(&[
        required(
            "name",
            Text,
            "Its name in the document or on the other server",
            "The name it was imported from is required",
        ),
        optional("unnamed", Flag, "It has no name there: this one was made from its place"),
        optional("place", Text, "Where it is there; what maps_to says if absent"),
        optional("reason", Text, "Why it is in its list"),
        optional("confidence", OneOf(Confidence::NAMES), "How sure that is; high if absent"),
        optional("needs_review", Flag, "A person should look at it"),
    ]);

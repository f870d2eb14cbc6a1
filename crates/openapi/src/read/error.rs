//! Why a text is not an OpenAPI document that can be used: what was expected, what was found, and the line where known.
//!
//! Texts are for the person who gave the document. Anything less than these is a warning, and the document is still
//! used.

use aqueduct_source_kind::disk_reader::EncodingError;

/// Why a document could not be opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// There is nothing in it.
    #[error("the document is empty")]
    Empty,
    /// It is a page for people.
    #[error("this is a web page (HTML or XML), not an OpenAPI document in JSON or YAML")]
    WebPage,
    /// The bytes are not UTF-8.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    /// It is larger than what is read.
    #[error("the document is larger than {} MiB, the most that is read", most / (1024 * 1024))]
    TooLarge {
        /// The cap in bytes.
        most: usize,
    },
    /// The text does not follow its own grammar.
    #[error("the document is not valid {format}, line {line}, column {column}: {reason}")]
    Syntax {
        /// JSON or YAML.
        format: &'static str,
        /// Where, counted from 1.
        line: u32,
        /// Where, counted from 1.
        column: u32,
        /// The parser's words.
        reason: String,
    },
    /// Objects and lists stand too deep in each other.
    #[error("the document nests deeper than {most} levels, line {line}")]
    TooDeep {
        /// The most that is read.
        most: usize,
        /// Where, counted from 1.
        line: u32,
    },
    /// The document is no object.
    #[error("an OpenAPI document is an object, but this is {found}")]
    NotAnObject {
        /// What it is.
        found: &'static str,
    },
    /// It does not say that it is OpenAPI.
    #[error("the document has no 'openapi' (3.0, 3.1, 3.2) or 'swagger' (2.0) key; it has {found}")]
    NotOpenApi {
        /// The keys it has.
        found: String,
    },
    /// It is a version that is not read.
    #[error("expected 'openapi' 3.0, 3.1 or 3.2, or 'swagger' 2.0, but the document says {found}")]
    Version {
        /// What it says.
        found: String,
    },
    /// A section has the wrong form.
    #[error("'{section}' must be an object, but it is {found}")]
    Section {
        /// The key.
        section: String,
        /// What it is.
        found: &'static str,
    },
    /// The root document could not be read.
    #[error("{reason}")]
    Unreadable {
        /// The reader's words.
        reason: String,
    },
}

impl OpenError {
    /// The line and column of the mistake, when it has a place.
    pub fn place(&self) -> Option<(u32, u32)> {
        match self {
            OpenError::Syntax { line, column, .. } => Some((*line, *column)),
            OpenError::TooDeep { line, .. } => Some((*line, 1)),
            _ => None,
        }
    }
}

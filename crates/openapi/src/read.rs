//! Reading OpenAPI documents: text in, a library of documents out in which every reference can be followed.
//!
//! Documents are kept as JSON text with an index of where things stand, and only the parts that are asked for are
//! parsed: a document of 13 MB with a thousand operations costs its text and little more. Swagger 2.0 is presented in
//! the words of OpenAPI 3. Nothing here touches the network: other documents come through a `DocumentReader`.

mod anchors;
mod discriminator;
mod error;
mod library;
mod open;
mod outline;
mod pointer;
mod references;
mod schema;
mod strip;
mod swagger2;
mod text;
mod valid;
mod yaml;

pub use error::OpenError;
pub use library::{DocumentSet, PartLocation, SpecVersion};
pub use open::{OpenedDocument, RootDocument};
pub use references::{RefProblem, ResolvedReference};
pub use schema::SchemaWithNotes;
pub(crate) use swagger2::strings;

#[cfg(test)]
mod tests;

//! Which operation a request means.
//!
//! Documents of operations in, an index for each source out; a request in a person's words in, the operations that serve it
//! best out. Words, a lexicon of what people say instead of what documents say, and small word vectors: no model, no
//! network, no state, and the same answer every time. `data/README.md` says where the data come from.

mod align;
mod concepts;
mod document;
mod explain;
mod fields;
mod index;
mod intent;
mod language;
mod lexicon;
mod lists;
mod near;
mod nouns;
mod ownership;
mod phrases;
mod query;
mod score;
mod search;
mod source_index;
mod stems;
mod term;
mod text;
mod texts;
mod typos;
mod undone;
mod unknown;
mod vectors;
mod verbs;
mod wordlists;

pub use document::{Parameter, SearchDocument};
pub use explain::{Explanation, MatchEvidence};
pub use index::{OperationRef, SearchIndex};
pub use lexicon::Lexicon;
pub use score::Parts;
pub use search::{Match, MatchConfidence, Ranking, RequestHints};
pub use source_index::SourceIndex;
pub use stems::stems;
pub use unknown::UnknownShare;
pub use verbs::OperationClass;

#[cfg(test)]
mod tests;

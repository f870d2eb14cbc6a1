//! Calling out. An operation and its checked values come in; the upstream's response, or the reason why there is none,
//! goes out.
//!
//! Follow a call by reading `upstream`, then `http/build`, `http`, `credentials`, `http/send`,
//! `http/read`, or `http/events` where the response is a stream. What is kept between calls is in `cache`, tokens in
//! `http/oauth`.
//! Credentials are read from the environment when a call needs them, live in types that do not print, and are taken out
//! of everything that comes back. What talks to the network, and what knows secrets, is in `aqueduct_egress`.

mod cache;
pub mod credentials;
pub mod error;
mod http;
mod prepared;
mod response;
mod sensitive;
#[cfg(test)]
mod test_support;
pub mod upstream;

pub use aqueduct_egress::environment::{Environment, ProcessEnvironment};
pub use cache::{CacheSettings, HandlerResult, ReadOptions};
pub use error::{LinkError, UpstreamError};
pub use http::events::{CollectLimits, CollectedEvents, EventStream, ServerSentEvent, collect};
pub use http::fetch::{
    DocumentCredentials, DocumentRequest, DocumentVersion, FetchError, FetchedDocument, NamedBy, RedirectedTo,
};
#[doc(hidden)]
pub use http::link::next as next_link;
pub use prepared::PreparedRequest;
pub use response::UpstreamResponse;
pub use sensitive::without_sent;
pub use upstream::{Upstream, UpstreamSettings};

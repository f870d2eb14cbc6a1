//! For tests only: a recording fake API, an API of jobs, a clock to move, an environment to fill, short ways to build operations,
//! any JSON, the log of one test, a real PostgreSQL, a network that goes silent, several instances of the program on one store, and a search for codes
//! that stand where they must not.
//!
//! Nothing here is a part of the product; helpers panic where a test has made a mistake.

pub mod api;
pub mod clock;
pub mod environment;
pub mod fleet;
pub mod jobs;
pub mod json;
pub mod leaks;
pub mod list_questions;
pub mod log;
pub mod mcp;
pub mod operation;
pub mod paged_list;
pub mod permit;
pub mod postgres;
pub mod silent_proxy;

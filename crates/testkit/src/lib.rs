//! For tests only: a recording fake API, a clock to move, an environment to fill, and short ways to build operations.
//!
//! Nothing here is a part of the product; helpers panic where a test has made a mistake.

pub mod api;
pub mod clock;
pub mod environment;
pub mod operation;

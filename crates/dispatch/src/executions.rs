//! Executions: jobs of APIs that go on after the call that started them (core specification, section 8.4).
//!
//! A call of an operation with a lifecycle starts one (`start`), a thread of its own follows it (`follower`), and four built-in
//! operations ask about it (`respond`). `step` sends what is asked of a job, `observation` understands what it tells, `session_end` closes
//! what no caller waits for. Every request passes the gate and the meter of its source (ruling S10).

mod follower;
mod index;
mod job_request;
mod listen;
mod memory;
mod observation;
mod poll_failures;
mod respond;
mod service;
mod session_end;
mod start;
mod step;

pub use index::ExecutionIndex;
pub use respond::{cancel, get, list, retry};
pub use service::Executions;
pub use start::start;

#[cfg(test)]
mod tests;

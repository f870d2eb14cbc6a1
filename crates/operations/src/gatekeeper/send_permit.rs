//! The proof that something may be sent, for whatever sends: a permit of any kind, and nothing else.
//!
//! It says that there is a permit. What the permit is for is checked where it is taken.

use super::{ConnectPermit, FetchPermit, Permit, ProgramOperation, ProgramPermit};
use crate::rate_limits::metering::RequestMeter;
use std::sync::Arc;

mod sealed {
    pub trait Sealed {}
}

/// A permit of any kind. No other type is one:
///
/// ```compile_fail,E0277
/// use aqueduct_operations::gatekeeper::SendPermit;
///
/// struct Forged;
///
/// impl SendPermit for Forged {}
/// ```
pub trait SendPermit: sealed::Sealed + Sync {
    /// Holds what is sent by it to the limits of its source. Only calls of clients have limits.
    fn meter(&self) -> Option<&Arc<dyn RequestMeter>> {
        None
    }
}

impl sealed::Sealed for Permit<'_> {}
impl SendPermit for Permit<'_> {
    fn meter(&self) -> Option<&Arc<dyn RequestMeter>> {
        self.record().meter()
    }
}

impl sealed::Sealed for ProgramPermit<'_, ProgramOperation> {}
impl SendPermit for ProgramPermit<'_, ProgramOperation> {}

impl<T: Sync> sealed::Sealed for FetchPermit<'_, T> {}
impl<T: Sync> SendPermit for FetchPermit<'_, T> {}

impl sealed::Sealed for ConnectPermit {}
impl SendPermit for ConnectPermit {}

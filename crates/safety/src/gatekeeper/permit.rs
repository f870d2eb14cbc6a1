//! The proof that the gatekeeper let a call through.
//!
//! Its field is private and its constructor is visible to the gatekeeper alone: whoever holds one has asked.

/// Leave to run one call.
#[derive(Debug)]
#[must_use = "a permit is leave to run one call"]
pub struct Permit {
    _made_by_the_gatekeeper: (),
}

impl Permit {
    pub(super) fn new() -> Permit {
        Permit { _made_by_the_gatekeeper: () }
    }
}

//! Operations that this server answers itself, besides `introspect`. They take the same way through the stages as all
//! others, and what they send on their behalf asks the gatekeeper again.

pub mod relationships;

//! What is secret, in one place: names that mean a credential (`names`), looks that nothing but a credential has (`shapes`),
//! values behind such names in a text (`keyed`) or in JSON (`values`), and the mark that is shown instead.
//!
//! Everything that refuses, hides or replaces credentials asks here. Known values are found by `aqueduct_egress::redact`.

pub mod keyed;
pub mod names;
pub mod shapes;
pub mod values;

/// What stands in the place of a secret.
pub const MARK: &str = "[REDACTED]";

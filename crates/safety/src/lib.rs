//! Every decision about what may run.
//!
//! `gatekeeper` judges an operation once per registry (its standing) and each call of it (a permit or a refusal);
//! `confirmation` issues and redeems the tokens by which a person says yes.

pub mod confirmation;
pub mod gatekeeper;

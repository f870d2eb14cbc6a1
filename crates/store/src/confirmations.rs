//! Confirmation tokens: issued for exactly one call, or the calls of one plan, and redeemed once for each.
//!
//! A token is kept as its SHA-256. A row of `confirmations` holds everything that a redemption depends on, so that redeeming is
//! one conditional update of one row: of any number at once, on any number of machines, one succeeds.

mod cover;
mod issue;
mod redeem;
mod reject;
mod revoke;

pub use cover::Coverage;
pub use issue::{Issue, IssueRequest, StoredToken, TokenKind};
pub use redeem::{Redeem, Redemption, StoredTokenRefusal};
pub(crate) use revoke::revoke_of_caller;

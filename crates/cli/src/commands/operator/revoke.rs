//! `operator revoke`: takes back what can still run something, before it does.
//!
//! The name of a token or an approval, or a session or a caller, in; what was taken back out. Calls that run already go on.

use super::approvals::check_length;
use super::passphrase::{OPERATOR, unlocked};
use crate::cli::RevokeArgs;
use crate::report::{self, CommandError, Exit, terminal_safe};
use crate::store::failed;
use aqueduct::store::revocation::{Revocation, Revoked};

/// Takes back a token or an approval, or all of a session or a caller.
pub async fn revoke(args: &RevokeArgs) -> Result<Exit, CommandError> {
    let what = match (&args.id, &args.session, &args.caller) {
        (Some(id), _, _) => {
            check_length(id, "aqueduct operator audit")?;
            Revocation::Named(id.clone())
        }
        (None, Some(session), _) => Revocation::Session(session.clone()),
        (None, None, Some(caller)) => Revocation::Caller(caller.clone()),
        (None, None, None) => {
            return Err(CommandError::invalid("name what to take back: an id, --session or --caller"));
        }
    };
    let store = unlocked(&args.operator).await?;
    match store.revoke(what, args.reason.clone(), OPERATOR).await.map_err(failed)? {
        Revoked::Done(names) if names.is_empty() => Err(CommandError::failed(
            "nothing was taken back: there is no such token or approval that can still run something",
        )),
        Revoked::Done(names) => {
            for name in &names {
                report::data(&format!("taken back  {}", terminal_safe(name)));
            }
            Ok(Exit::Done)
        }
        Revoked::Ambiguous(names) => Err(CommandError::invalid(format!(
            "several begin so; give more of the id: {}",
            terminal_safe(&names.join(", "))
        ))),
    }
}

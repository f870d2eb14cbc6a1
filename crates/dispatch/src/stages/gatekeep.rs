//! Asks the gatekeeper: a checked request in; out, the same with a permit, or with the reason why it may not run.
//!
//! Without a permit there is no `Permitted`, and without that no call.

use super::validate::Checked;
use aqueduct_operations::call::SessionId;
use aqueduct_safety::gatekeeper::{Application, Gatekeeper, Permit, Refusal};

/// A checked request that may run.
pub struct Permitted<'a> {
    checked: Checked<'a>,
    _permit: Permit,
}

impl<'a> Permitted<'a> {
    /// The request.
    pub fn checked(&self) -> &Checked<'a> {
        &self.checked
    }
}

/// A checked request that may not run, or not yet.
pub struct Refused<'a> {
    /// The request.
    pub checked: Checked<'a>,
    /// Why.
    pub refusal: Refusal,
}

/// Asks for leave to run the request.
pub fn gatekeep<'a>(
    gatekeeper: &Gatekeeper,
    checked: Checked<'a>,
    session: &SessionId,
) -> Result<Permitted<'a>, Box<Refused<'a>>> {
    let admitted = gatekeeper.admit(Application {
        entry: checked.entry,
        standing: checked.standing,
        values: &checked.values,
        session,
        token: checked.token.as_deref(),
    });
    match admitted {
        Ok(permit) => Ok(Permitted { checked, _permit: permit }),
        Err(refusal) => Err(Box::new(Refused { checked, refusal })),
    }
}

//! Asks the gatekeeper. Without its permit there is no `Permitted`, and without that no call.

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

/// Asks for leave to run the request.
pub fn gatekeep<'a>(
    gatekeeper: &Gatekeeper,
    checked: Checked<'a>,
    session: &SessionId,
) -> Result<Permitted<'a>, Refusal> {
    let permit = gatekeeper.admit(Application {
        entry: checked.entry,
        standing: checked.standing,
        values: &checked.values,
        session,
        token: checked.token.as_deref(),
    })?;
    Ok(Permitted { checked, _permit: permit })
}

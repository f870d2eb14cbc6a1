//! Waits for the request's turn, as the source's declared concurrency asks.

use super::gatekeep::Permitted;
use crate::turns::{Turn, Turns};

/// A permitted request whose turn it is. The turn ends when this is dropped.
pub struct Admitted<'a> {
    /// The request.
    pub permitted: Permitted<'a>,
    _turn: Turn,
}

/// Waits.
pub async fn meter<'a>(turns: &Turns, permitted: Permitted<'a>) -> Admitted<'a> {
    let checked = permitted.checked();
    let turn = turns.wait(checked.entry, &checked.values).await;
    Admitted { permitted, _turn: turn }
}

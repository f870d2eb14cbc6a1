//! Work that is too much for one call, or that the end of the server cut off.

use aqueduct_operations::failure::{Code, Failure, wording};
use aqueduct_schema::work::WorkStop;

/// A check, or a query of a list, that takes more steps than one call may.
pub fn too_much_work(stop: WorkStop, advice: &str) -> Failure {
    match stop {
        WorkStop::Spent(limit) => Failure::new(
            Code::ValidationPayloadTooLarge,
            format!(
                "Payload exceeds work limit of {limit}: this call takes more steps than that. {advice}, or let the \
                 operator raise 'max_work_steps' in [limits]."
            ),
        )
        .with("limit_type", "work")
        .with("limit_value", limit)
        .with("unit", "steps"),
        WorkStop::Deep(levels) => Failure::new(
            Code::ValidationPayloadTooLarge,
            format!("Payload exceeds depth limit of {levels}: its schemas lead to each other through more levels. {advice}."),
        )
        .with("limit_type", "depth")
        .with("limit_value", levels)
        .with("unit", "levels"),
        WorkStop::Stopped => ending(),
    }
}

/// The server ends, and does not finish this.
pub fn ending() -> Failure {
    let mut failure = wording::internal("the server is ending");
    failure.message =
        "The server is ending and did not finish this call. Send it again when the server is back."
            .to_owned();
    failure
}

//! Values held against a schema: whether they fit, and everything that is wrong with them.
//!
//! `rules` is a schema made ready, `build` makes it; `run` decides, `evaluated` knows which properties and items have been
//! looked at, `faults` explains. Every pair of a schema that is used in several places and a value is decided once, and
//! every step is counted: alternatives of alternatives take as many steps as there are pairs, not as there are ways.

mod build;
mod equal;
mod evaluated;
mod faults;
pub(crate) mod number;
mod rules;
mod run;
mod stack;

#[cfg(test)]
mod tests;

pub(crate) use build::build;
pub(crate) use equal::{equal, weight};
pub(crate) use faults::{FaultMark, SchemaFault};
pub(crate) use rules::{CheckProgram, RuleId};

use crate::problem::{SchemaProblem, problems};
use crate::work::{Meter, WorkResult};
use run::Evaluation;
use serde_json::Value;

/// Whether a value fits a rule of a program.
pub(crate) fn fits(program: &CheckProgram, id: RuleId, value: &Value, meter: &Meter) -> WorkResult<bool> {
    stack::with_room(|deepest| Evaluation::new(program, meter, deepest).fits(id, value))
}

/// Everything that is wrong with a value, as far as it is reported; nothing when it fits.
pub(crate) fn explain(
    program: &CheckProgram,
    id: RuleId,
    value: &Value,
    meter: &Meter,
) -> WorkResult<Vec<SchemaProblem>> {
    stack::with_room(|deepest| {
        let mut run = Evaluation::new(program, meter, deepest);
        if run.fits(id, value)? {
            return Ok(Vec::new());
        }
        Ok(problems(run.all_faults(id, value)?))
    })
}

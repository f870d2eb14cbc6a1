//! A value fitted to a schema: without what is not declared, with the defaults filled in, and nothing invented.
//!
//! A schema and a value in; the value, the places of what was dropped and what still does not fit, out. Which
//! properties are declared never depends on the value, so nothing is both dropped and filled; which branch of a union
//! fills defaults does, so each object is gone over until nothing changes.

mod view;

use crate::check::weight;
use crate::node::{NodeKind, SchemaNode};
use crate::problem::too_deep;
use crate::work::{Meter, WorkResult, WorkStop};
use crate::{Schema, SchemaProblem, depth, place};
use serde_json::{Map, Value};
use std::collections::HashSet;
use view::{ApplicableNode, SchemaView};

/// A value fitted to a schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Normalised {
    /// The value, without what is not declared and with the defaults filled in.
    pub value: Value,
    /// Places of what was dropped.
    pub dropped: Vec<String>,
    /// What still does not fit: nothing is invented to mend it.
    pub mismatches: Vec<SchemaProblem>,
}

/// How often one object is gone over at most.
const ROUNDS: usize = 16;
/// Steps for each value that is filled in, and for each that is dropped: both take memory.
const STEPS_TO_FILL: u64 = 100;
const STEPS_TO_DROP: u64 = 50;

/// Fits a value to a schema.
pub(crate) fn normalise(schema: &Schema, value: &Value, meter: &Meter) -> WorkResult<Normalised> {
    if depth::is_deeper_than(value, depth::VALUE_LEVELS) {
        let mismatches = vec![too_deep(depth::VALUE_LEVELS)];
        return Ok(Normalised { value: Value::Null, dropped: Vec::new(), mismatches });
    }
    let (filled, dropped) = fitted(schema, value, FitMode::Fill, meter)?;
    let mismatches = schema.lenient_problems(&filled, meter)?;
    if !mismatches.is_empty() {
        // Defaults may be wrong, or wrong together: they must not spoil a value that fits without them.
        let (bare, dropped) = fitted(schema, value, FitMode::Prune, meter)?;
        if schema.lenient_problems(&bare, meter)?.is_empty() {
            return Ok(Normalised { value: bare, dropped, mismatches: Vec::new() });
        }
    }
    Ok(Normalised { value: filled, dropped, mismatches })
}

/// The value without what closed objects refuse.
pub(crate) fn without_refused(
    schema: &Schema,
    value: &Value,
    meter: &Meter,
) -> WorkResult<(Value, Vec<String>)> {
    if depth::is_deeper_than(value, depth::VALUE_LEVELS) {
        return Ok((value.clone(), Vec::new()));
    }
    fitted(schema, value, FitMode::PruneRefused, meter)
}

fn fitted(schema: &Schema, value: &Value, mode: FitMode, meter: &Meter) -> WorkResult<(Value, Vec<String>)> {
    let mut value = value.clone();
    let mut fitter = Fitter { schema, meter, mode, dropped: Vec::new(), filling: Vec::new() };
    let whole = [ApplicableNode { node: schema.node(), applies: true }];
    match fitter.fit(&mut value, &whole, "") {
        Err(NormaliseError::Work(stop)) => Err(stop),
        // An endless default is noticed where it is filled, never here.
        Err(NormaliseError::Endless(_)) | Ok(_) => Ok((value, fitter.dropped)),
    }
}

/// What is done to a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FitMode {
    /// Undeclared properties go, unless the object allows others; defaults are filled in.
    Fill,
    /// Undeclared properties go, unless the object allows others.
    Prune,
    /// Undeclared properties go only where the object refuses others.
    PruneRefused,
}

/// A property and the place of its default. The tree may hold copies of a node, but each has one place.
type DefaultValue<'s> = (&'s str, Option<&'s str>);

/// Why fitting is not finished.
enum NormaliseError<'s> {
    /// The default of this property contains itself, directly or through others, without end.
    Endless(DefaultValue<'s>),
    /// It takes more work than may be done.
    Work(WorkStop),
}

/// Whether a value was changed.
type FitResult<'s> = Result<bool, NormaliseError<'s>>;

impl From<WorkStop> for NormaliseError<'_> {
    fn from(stop: WorkStop) -> Self {
        NormaliseError::Work(stop)
    }
}

struct Fitter<'s> {
    schema: &'s Schema,
    meter: &'s Meter,
    mode: FitMode,
    dropped: Vec<String>,
    filling: Vec<DefaultValue<'s>>,
}

impl<'s> Fitter<'s> {
    /// Fits a value to all these parts; true when it changed.
    fn fit(&mut self, value: &mut Value, parts: &[ApplicableNode<'s>], here: &str) -> FitResult<'s> {
        let mut changed = false;
        for _ in 0..ROUNDS {
            if !matches!(value, Value::Object(_) | Value::Array(_)) {
                break;
            }
            let view = SchemaView::of(self.schema, parts, value, self.meter)?;
            let again = match value {
                Value::Object(map) => self.object(map, &view, here)?,
                Value::Array(items) => self.array(items, &view, here)?,
                _ => false,
            };
            if !again {
                break;
            }
            changed = true;
        }
        Ok(changed)
    }

    fn array(&mut self, items: &mut [Value], view: &SchemaView<'s>, here: &str) -> FitResult<'s> {
        let mut changed = false;
        self.meter.spend(items.len() as u64)?;
        for (index, item) in items.iter_mut().enumerate() {
            let parts = view.item(index);
            if !parts.is_empty() && matches!(item, Value::Object(_) | Value::Array(_)) {
                changed |= self.fit(item, &parts, &place::item(here, index))?;
            }
        }
        Ok(changed)
    }

    fn object(&mut self, map: &mut Map<String, Value>, view: &SchemaView<'s>, here: &str) -> FitResult<'s> {
        let before = map.len();
        self.meter.spend(before as u64 * view.weight())?;
        let goes = match self.mode {
            FitMode::Fill | FitMode::Prune => !view.keeps_undeclared(),
            FitMode::PruneRefused => view.refuses_undeclared(),
        };
        if goes {
            let dropped = &mut self.dropped;
            map.retain(|name, _| {
                let declared = view.declares(name);
                if !declared {
                    dropped.push(place::property(here, name));
                }
                declared
            });
        }
        let mut changed = map.len() != before;
        self.meter.spend(STEPS_TO_DROP * (before - map.len()) as u64)?;
        for (name, value) in map.iter_mut() {
            if matches!(value, Value::Object(_) | Value::Array(_)) {
                changed |= self.fit(value, &view.property(name), &place::property(here, name))?;
            }
        }
        if self.mode == FitMode::Fill {
            changed |= self.fill(map, view, here)?;
        }
        Ok(changed)
    }

    fn fill(&mut self, map: &mut Map<String, Value>, view: &SchemaView<'s>, here: &str) -> FitResult<'s> {
        let mut changed = false;
        for (name, node) in view.fillable() {
            if map.contains_key(name) {
                continue;
            }
            let Some((place, default)) = self.default_of(node)? else { continue };
            self.meter.spend(STEPS_TO_FILL * weight(default))?;
            let mut value = default.clone();
            let this = (name, place);
            if self.filling.contains(&this) {
                return Err(NormaliseError::Endless(this));
            }
            self.filling.push(this);
            let drops = self.dropped.len();
            let fitted = self.fit(&mut value, &view.property(name), &place::property(here, name));
            // What a default lost was never part of the value.
            self.dropped.truncate(drops);
            self.filling.pop();
            match fitted {
                Ok(_) => {
                    map.insert(name.to_owned(), value);
                    changed = true;
                }
                Err(NormaliseError::Endless(other)) if other == this => {}
                Err(outer) => return Err(outer),
            }
        }
        Ok(changed)
    }

    /// The default that a property declares, itself or through what it refers to, if it fits where it is declared.
    fn default_of(&self, node: &'s SchemaNode) -> WorkResult<Option<(Option<&'s str>, &'s Value)>> {
        let mut rest = vec![node];
        let mut seen: HashSet<*const SchemaNode> = HashSet::new();
        while let Some(next) = rest.pop() {
            self.meter.spend(1)?;
            if !seen.insert(std::ptr::from_ref(next)) {
                continue;
            }
            if let Some(default) = next.default() {
                let fits = self.schema.fits(next, default, self.meter)?;
                return Ok(fits.then_some((next.pointer.as_deref(), default)));
            }
            match &next.kind {
                NodeKind::Reference(path) => rest.extend(self.schema.target(path)),
                NodeKind::Intersection(parts) => rest.extend(parts.iter().rev()),
                _ => {}
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests;

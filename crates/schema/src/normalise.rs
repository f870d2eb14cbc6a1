//! A value fitted to a schema: without what is not declared, with the defaults filled in, and nothing invented.
//!
//! A schema and a value in; the value, the places of what was dropped and what still does not fit, out. Which
//! properties are declared never depends on the value, so nothing is both dropped and filled; which branch of a union
//! fills defaults does, so each object is gone over until nothing changes.

mod view;

use crate::node::{Kind, Node};
use crate::problem::too_deep;
use crate::{Problem, Schema, depth, place};
use serde_json::{Map, Value};
use view::{Part, View};

/// A value fitted to a schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Normalised {
    /// The value, without what is not declared and with the defaults filled in.
    pub value: Value,
    /// Places of what was dropped.
    pub dropped: Vec<String>,
    /// What still does not fit: nothing is invented to mend it.
    pub mismatches: Vec<Problem>,
}

/// How often one object is gone over at most.
const ROUNDS: usize = 16;

/// Fits a value to a schema.
pub(crate) fn normalise(schema: &Schema, value: &Value) -> Normalised {
    if depth::is_deeper_than(value, depth::VALUE_LEVELS) {
        let mismatches = vec![too_deep(depth::VALUE_LEVELS)];
        return Normalised { value: Value::Null, dropped: Vec::new(), mismatches };
    }
    let (filled, dropped) = fitted(schema, value, Defaults::Fill, Undeclared::Goes);
    let mismatches = schema.lenient_problems(&filled);
    if !mismatches.is_empty() {
        // Defaults may be wrong, or wrong together: they must not spoil a value that fits without them.
        let (bare, dropped) = fitted(schema, value, Defaults::Leave, Undeclared::Goes);
        if schema.lenient_problems(&bare).is_empty() {
            return Normalised { value: bare, dropped, mismatches: Vec::new() };
        }
    }
    Normalised { value: filled, dropped, mismatches }
}

/// The value without what closed objects refuse.
pub(crate) fn without_refused(schema: &Schema, value: &Value) -> (Value, Vec<String>) {
    if depth::is_deeper_than(value, depth::VALUE_LEVELS) {
        return (value.clone(), Vec::new());
    }
    fitted(schema, value, Defaults::Leave, Undeclared::GoesWhereRefused)
}

fn fitted(
    schema: &Schema,
    value: &Value,
    defaults: Defaults,
    undeclared: Undeclared,
) -> (Value, Vec<String>) {
    let mut value = value.clone();
    let mut fitter = Fitter { schema, defaults, undeclared, dropped: Vec::new(), filling: Vec::new() };
    let whole = [Part { node: schema.node(), applies: true }];
    // An endless default is noticed where it is filled, never here.
    let endless = fitter.fit(&mut value, &whole, "").is_err();
    debug_assert!(!endless, "a default was abandoned outside of its filling");
    (value, fitter.dropped)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Defaults {
    Fill,
    Leave,
}

/// What becomes of properties that are not declared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Undeclared {
    /// They go, unless the object allows others.
    Goes,
    /// They go only where the object refuses others.
    GoesWhereRefused,
}

/// A property and the place of its default. The tree may hold copies of a node, but each has one place.
type Filling<'s> = (&'s str, Option<&'s str>);

/// The default of this property contains itself, directly or through others, without end.
struct Endless<'s>(Filling<'s>);

struct Fitter<'s> {
    schema: &'s Schema,
    defaults: Defaults,
    undeclared: Undeclared,
    dropped: Vec<String>,
    filling: Vec<Filling<'s>>,
}

impl<'s> Fitter<'s> {
    /// Fits a value to all these parts; true when it changed.
    fn fit(&mut self, value: &mut Value, parts: &[Part<'s>], here: &str) -> Result<bool, Endless<'s>> {
        let mut changed = false;
        for _ in 0..ROUNDS {
            if !matches!(value, Value::Object(_) | Value::Array(_)) {
                break;
            }
            let view = View::of(self.schema, parts, value);
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

    fn array(&mut self, items: &mut [Value], view: &View<'s>, here: &str) -> Result<bool, Endless<'s>> {
        let mut changed = false;
        for (index, item) in items.iter_mut().enumerate() {
            let parts = view.item(index);
            if !parts.is_empty() && matches!(item, Value::Object(_) | Value::Array(_)) {
                changed |= self.fit(item, &parts, &place::item(here, index))?;
            }
        }
        Ok(changed)
    }

    fn object(
        &mut self,
        map: &mut Map<String, Value>,
        view: &View<'s>,
        here: &str,
    ) -> Result<bool, Endless<'s>> {
        let before = map.len();
        let goes = match self.undeclared {
            Undeclared::Goes => !view.keeps_undeclared(),
            Undeclared::GoesWhereRefused => view.refuses_undeclared(),
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
        for (name, value) in map.iter_mut() {
            if matches!(value, Value::Object(_) | Value::Array(_)) {
                changed |= self.fit(value, &view.property(name), &place::property(here, name))?;
            }
        }
        if self.defaults == Defaults::Fill {
            changed |= self.fill(map, view, here)?;
        }
        Ok(changed)
    }

    fn fill(
        &mut self,
        map: &mut Map<String, Value>,
        view: &View<'s>,
        here: &str,
    ) -> Result<bool, Endless<'s>> {
        let mut changed = false;
        for (name, node) in view.fillable() {
            if map.contains_key(name) {
                continue;
            }
            let Some((place, default)) = self.default_of(node) else { continue };
            let mut value = default.clone();
            let this = (name, place);
            if self.filling.contains(&this) {
                return Err(Endless(this));
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
                Err(Endless(other)) if other == this => {}
                Err(outer) => return Err(outer),
            }
        }
        Ok(changed)
    }

    /// The default that a property declares, itself or through what it refers to, if it fits where it is declared.
    fn default_of(&self, node: &'s Node) -> Option<(Option<&'s str>, &'s Value)> {
        let mut rest = vec![node];
        let mut seen: Vec<*const Node> = Vec::new();
        while let Some(next) = rest.pop() {
            if seen.contains(&std::ptr::from_ref(next)) {
                continue;
            }
            seen.push(next);
            if let Some(default) = next.default() {
                return self.schema.fits(next, default).then_some((next.pointer.as_deref(), default));
            }
            match &next.kind {
                Kind::Reference(path) => rest.extend(self.schema.target(path)),
                Kind::Intersection(parts) => rest.extend(parts.iter().rev()),
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests;

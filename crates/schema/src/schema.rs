//! A compiled schema: the document, its rules, and what is only made when it is first needed.
//!
//! A document in; verdicts, problems, the tree and fitted values out. Checking input takes `oneOf` and formats at their
//! word; fitting a value reads `oneOf` as `anyOf` and leaves formats alone, with rules of their own.

use crate::check::{self, CheckProgram, RuleId};
use crate::compile::{CheckLevel, CompiledSchemas, compile};
use crate::convert::{SchemaTree, convert};
use crate::depth;
use crate::node::{NodeKind, SchemaNode};
use crate::normalise::{Normalised, normalise, without_refused};
use crate::problem::{SchemaProblem, too_deep, too_much};
use crate::sample::sample;
use crate::work::{Meter, WorkResult};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

/// A compiled schema.
pub struct Schema {
    document: Value,
    rules: RuleSet,
    depends_on_reading: bool,
    fitting: OnceLock<Box<Fitting>>,
}

/// Rules, and the one to begin with: nothing when every value fits.
struct RuleSet {
    program: CheckProgram,
    start: Option<RuleId>,
}

/// Rules of parts by their pointers: nothing where every value fits.
type PartRules = HashMap<Box<str>, Option<RuleId>>;

/// What only normalising and the tree need.
struct Fitting {
    tree: SchemaTree,
    /// The rules of the whole and of its parts, with `oneOf` read as `anyOf`; for the parts by their pointers.
    lenient: OnceLock<(RuleSet, PartRules)>,
}

impl Schema {
    /// Compiles a document.
    pub(crate) fn of(document: &Value) -> Schema {
        Schema::compiled(depth::cut(document, depth::SCHEMA_LEVELS))
    }

    /// Compiles a document that has one user.
    pub(crate) fn owning(document: Value) -> Schema {
        if depth::is_deeper_than(&document, depth::SCHEMA_LEVELS) {
            let schema = Schema::of(&document);
            depth::dismantle(document);
            return schema;
        }
        Schema::compiled(document)
    }

    fn compiled(document: Value) -> Schema {
        let CompiledSchemas { program, starts, depends_on_reading } =
            compile(&document, &[&document], CheckLevel::Strict);
        let rules = RuleSet { program, start: starts.first().copied().flatten() };
        Schema { document, rules, depends_on_reading, fitting: OnceLock::new() }
    }

    /// The schema as it was given, without what lies deeper than can be looked into.
    pub fn document(&self) -> &Value {
        &self.document
    }

    /// True when every value fits.
    pub fn accepts_anything(&self) -> bool {
        self.rules.start.is_none()
    }

    /// True when the value fits. One that takes more than the usual work to check does not.
    pub fn accepts(&self, value: &Value) -> bool {
        self.accepts_within(value, &Meter::default()).unwrap_or(false)
    }

    /// True when the value fits, found within the steps of a meter.
    pub fn accepts_within(&self, value: &Value, meter: &Meter) -> WorkResult<bool> {
        match self.rules.start {
            Some(start) => Ok(!is_too_deep(value) && check::fits(&self.rules.program, start, value, meter)?),
            None => Ok(true),
        }
    }

    /// Everything that is wrong with a value, outer places first; nothing when it fits.
    pub fn problems(&self, value: &Value) -> Vec<SchemaProblem> {
        self.problems_within(value, &Meter::default()).unwrap_or_else(|stop| vec![too_much(stop)])
    }

    /// Everything that is wrong with a value, found within the steps of a meter.
    pub fn problems_within(&self, value: &Value, meter: &Meter) -> WorkResult<Vec<SchemaProblem>> {
        self.rules.problems(value, meter)
    }

    /// The value without undeclared properties and with defaults filled in; nothing is invented.
    pub fn normalise(&self, value: &Value) -> Normalised {
        self.normalise_within(value, &Meter::default()).unwrap_or_else(|stop| Normalised {
            value: value.clone(),
            dropped: Vec::new(),
            mismatches: vec![too_much(stop)],
        })
    }

    /// The same, within the steps of a meter.
    pub fn normalise_within(&self, value: &Value, meter: &Meter) -> WorkResult<Normalised> {
        normalise(self, value, meter)
    }

    /// The value without the properties that objects of the schema refuse (`additionalProperties: false`), and their
    /// places, found within the steps of a meter. Nothing else is changed.
    pub fn without_refused(&self, value: &Value, meter: &Meter) -> WorkResult<(Value, Vec<String>)> {
        without_refused(self, value, meter)
    }

    /// A small value that fits, if one can be made; text takes the given word where nothing else decides.
    pub fn sample(&self, word: &str) -> Option<Value> {
        sample(self, word)
    }

    /// What the schema says, as a tree.
    pub fn node(&self) -> &SchemaNode {
        &self.fitting().tree.root
    }

    /// The node that a reference of the tree leads to, if it is in the document.
    pub fn target(&self, reference: &str) -> Option<&SchemaNode> {
        self.fitting().tree.targets.get(reference)
    }

    /// The problems of a value that came, not of one that is sent: `oneOf` is `anyOf`, and formats are not checked.
    pub(crate) fn lenient_problems(&self, value: &Value, meter: &Meter) -> WorkResult<Vec<SchemaProblem>> {
        if self.depends_on_reading {
            self.lenient().0.problems(value, meter)
        } else {
            self.problems_within(value, meter)
        }
    }

    /// True when the value fits this part of the tree, with `oneOf` read as `anyOf`.
    pub(crate) fn fits(&self, part: &SchemaNode, value: &Value, meter: &Meter) -> WorkResult<bool> {
        let Some(pointer) = &part.pointer else {
            meter.spend(1)?;
            return Ok(is_of_kind(&part.kind, value));
        };
        let (rules, parts) = self.lenient();
        match parts.get(pointer).copied().flatten() {
            Some(id) => check::fits(&rules.program, id, value, meter),
            None => Ok(true),
        }
    }

    /// All rules that fitting needs are made together, however many parts there are.
    fn lenient(&self) -> &(RuleSet, PartRules) {
        let fitting = self.fitting();
        fitting.lenient.get_or_init(|| {
            let places = fitting.tree.pointers();
            let parts = places.iter().filter_map(|place| Some((*place, self.document.pointer(place)?)));
            let (places, mut starts): (Vec<&str>, Vec<&Value>) = parts.unzip();
            starts.push(&self.document);
            let mut compiled = compile(&self.document, &starts, CheckLevel::Lenient);
            let start = compiled.starts.pop().flatten();
            let ids = places.into_iter().map(Box::from).zip(compiled.starts).collect();
            (RuleSet { program: compiled.program, start }, ids)
        })
    }

    fn fitting(&self) -> &Fitting {
        self.fitting.get_or_init(|| {
            let tree = convert(&self.document);
            Box::new(Fitting { tree, lenient: OnceLock::new() })
        })
    }
}

impl RuleSet {
    fn problems(&self, value: &Value, meter: &Meter) -> WorkResult<Vec<SchemaProblem>> {
        match self.start {
            Some(_) if is_too_deep(value) => Ok(vec![too_deep(depth::VALUE_LEVELS)]),
            Some(start) => check::explain(&self.program, start, value, meter),
            None => Ok(Vec::new()),
        }
    }
}

fn is_too_deep(value: &Value) -> bool {
    depth::is_deeper_than(value, depth::VALUE_LEVELS)
}

/// True when the value is of this kind, without a look inside; for kinds that are no schema of their own.
fn is_of_kind(kind: &NodeKind, value: &Value) -> bool {
    match kind {
        NodeKind::Never => false,
        NodeKind::Null => value.is_null(),
        NodeKind::Boolean => value.is_boolean(),
        NodeKind::Integer | NodeKind::Number => value.is_number(),
        NodeKind::String => value.is_string(),
        NodeKind::Literal(literal) => literal == value,
        NodeKind::Array(_) | NodeKind::Tuple { .. } => value.is_array(),
        NodeKind::Object(_) => value.is_object(),
        NodeKind::Any | NodeKind::Union(_) | NodeKind::Intersection(_) | NodeKind::Reference(_) => true,
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Schema").field("document", &self.document).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;

//! `fields` and `preset`: which members of each item are kept (field-selection document).
//!
//! A preset's name, a list of paths, or both in; out, what to select, what to work out, and what to send to the upstream.

use crate::stages::validate::{ProblemKind, RequestProblem, SentControls};
use crate::worker_pool::BYTES_IN_A_STEP;
use aqueduct_operations::controls::Control;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::response::{ComputedField, FieldPath, FieldRules, ResponseRules};
use aqueduct_query::select::Selection;
use serde_json::Value;

/// Fields by which items are distinguished, for `minimal` where an adapter does not say what that is.
const IDENTIFYING: [&str; 11] =
    ["id", "uid", "uuid", "key", "slug", "number", "name", "title", "full_name", "login", "username"];

/// Presets that every operation has.
const PRESETS: [&str; 3] = ["minimal", "standard", "full"];
const COMPUTED_PREFIX: &str = "_computed.";
const COMPUTED: &str = "_computed";

/// Which fields to keep.
#[derive(Default, Clone)]
pub struct FieldChoice {
    /// Those to select; everything when absent.
    pub selection: Option<Selection>,
    /// Those to work out.
    pub computed: Vec<ComputedField>,
    /// The paths that were chosen; everything when absent.
    pub paths: Option<Vec<FieldPath>>,
}

impl FieldChoice {
    /// Steps that choosing from this text takes: it is scanned once, and once more for each computed field.
    pub fn steps(&self, text: &str) -> u64 {
        (1 + self.computed.len() as u64) * text.len() as u64 / BYTES_IN_A_STEP
    }
}

/// The names of all presets, those of the operation's own last.
pub fn preset_names(rules: &FieldRules) -> String {
    let own = rules.presets.iter().map(|preset| preset.name.as_str());
    let all: Vec<&str> = PRESETS.into_iter().chain(own.filter(|name| !PRESETS.contains(name))).collect();
    all.join(", ")
}

/// The names by which requests choose computed fields.
pub fn computed_names<'f>(
    fields: impl IntoIterator<Item = &'f ComputedField>,
) -> impl Iterator<Item = String> {
    fields.into_iter().map(|computed| format!("{COMPUTED_PREFIX}{}", computed.name))
}

/// What the request chooses, or what holds when it chooses nothing.
pub(super) fn choice(
    operation: &Operation,
    controls: &SentControls,
    problems: &mut Vec<RequestProblem>,
) -> FieldChoice {
    let mut wanted = WantedFields::default();
    let name = Control::Fields.name_on(operation);
    let preset = controls.text(Control::Preset);
    match (controls.get(Control::Fields), preset) {
        (None, None) => wanted.add_preset(&operation.answers, default_preset(operation)),
        (fields, preset) => {
            if let Some(preset) = preset {
                wanted.named(operation, &Control::Preset.name_on(operation), preset, problems);
            }
            match fields {
                Some(Value::String(preset)) => wanted.named(operation, &name, preset, problems),
                Some(Value::Array(paths)) => {
                    for (index, path) in paths.iter().enumerate() {
                        let path = path.as_str().unwrap_or_default();
                        wanted.path(operation, &format!("{name}[{index}]"), path, problems);
                    }
                    wanted.is_chosen = true;
                }
                _ => {}
            }
        }
    }
    wanted.into_choice()
}

/// The preset of a request that names none (field-selection document, section 3.2). One that is not declared is
/// everything.
fn default_preset(operation: &Operation) -> &str {
    let rules = &operation.answers.fields;
    let usual = match operation.is_list() {
        true if operation.name.starts_with("search_") => "minimal",
        true => "standard",
        false => "full",
    };
    match &rules.default {
        Some(default) => default,
        None if rules.preset(usual).is_some() => usual,
        None => "full",
    }
}

#[derive(Default)]
struct WantedFields {
    paths: Vec<FieldPath>,
    computed: Vec<ComputedField>,
    is_everything: bool,
    is_chosen: bool,
}

impl WantedFields {
    fn named(
        &mut self,
        operation: &Operation,
        place: &str,
        preset: &str,
        problems: &mut Vec<RequestProblem>,
    ) {
        let rules = &operation.answers.fields;
        if rules.preset(preset).is_some() || PRESETS.contains(&preset) {
            self.add_preset(&operation.answers, preset);
            return;
        }
        let paths: Vec<&str> = preset.split(',').map(str::trim).collect();
        let expected = format!("a preset ({}) or a list of fields", preset_names(rules));
        let hint = format!("to choose fields, send a list: {}", serde_json::json!(paths));
        problems.push(
            RequestProblem::new(ProblemKind::Constraint("preset"), place, expected)
                .received(preset)
                .hint(Some(hint)),
        );
    }

    fn add_preset(&mut self, answers: &ResponseRules, name: &str) {
        self.is_chosen = true;
        match answers.fields.preset(name) {
            Some(preset) => {
                let (computed, paths): (Vec<&FieldPath>, Vec<&FieldPath>) =
                    preset.paths.iter().partition(|path| path.first() == COMPUTED);
                self.paths.extend(paths.into_iter().cloned());
                // The preset of a type may name one that this operation does not have.
                let is_named = |each: &&ComputedField| {
                    computed.iter().any(|path| path.names().get(1).is_some_and(|name| *name == each.name))
                };
                self.computed.extend(answers.computed.iter().filter(is_named).cloned());
            }
            None if name == "minimal" => {
                self.paths.extend(IDENTIFYING.iter().filter_map(|name| FieldPath::parse(name)));
            }
            None => self.is_everything = true,
        }
    }

    fn path(&mut self, operation: &Operation, place: &str, text: &str, problems: &mut Vec<RequestProblem>) {
        let answers = &operation.answers;
        if let Some(name) = text.strip_prefix(COMPUTED_PREFIX) {
            match answers.computed.iter().find(|computed| computed.name == name) {
                Some(computed) => self.computed.push(computed.clone()),
                None => {
                    let known: Vec<String> = computed_names(&answers.computed).collect();
                    problems.push(RequestProblem::unknown_name("known field", place, text, &known));
                }
            }
            return;
        }
        let Some(path) = FieldPath::parse(text) else {
            let expected = "a field's name, or names with dots between them";
            let problem = RequestProblem::new(ProblemKind::Constraint("path"), place, expected);
            problems.push(problem.received(text));
            return;
        };
        if let Some(known) = &answers.fields.known
            && !known.iter().any(|name| name == path.first())
        {
            let known: Vec<String> = known.iter().cloned().chain(computed_names(&answers.computed)).collect();
            problems.push(RequestProblem::unknown_name("known field", place, text, &known));
            return;
        }
        self.paths.push(path);
    }

    fn into_choice(self) -> FieldChoice {
        if self.is_everything || !self.is_chosen {
            return FieldChoice { selection: None, computed: self.computed, paths: None };
        }
        let selection = Some(Selection::new(&self.paths));
        FieldChoice { selection, computed: self.computed, paths: Some(self.paths) }
    }
}

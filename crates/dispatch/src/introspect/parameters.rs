//! Parameters as introspection shows them: the closed `ParameterInfo` shape. Shared definitions are already expanded.
//!
//! An operation in, one JSON object a parameter out; nothing but the members of the schema, so that clients can check it.

use super::put_some;
use crate::stages::query_options::{computed_names, preset_names};
use aqueduct_operations::controls::Control;
use aqueduct_operations::operation::{Grouping, Operation};
use aqueduct_operations::params::Param;
use aqueduct_operations::response::Paging;
use serde_json::{Value, json};

/// What becomes of the fields of an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputHandling {
    /// They change what is there.
    AsChanges,
    /// They replace what is there: what is left out is gone.
    AsTheWhole,
}

/// Said of an update that replaces what is there.
const THE_WHOLE: &str = "The whole object is needed: fields left out are removed or reset";

/// Everything that may be sent in `params`.
pub fn list(operation: &Operation, needs_confirmation: bool, sent: InputHandling) -> Vec<Value> {
    let mut listed: Vec<Value> = operation.outer_params().map(info).collect();
    if operation.grouping == Grouping::Input {
        listed.push(input(operation, sent));
    }
    if operation.grouping == Grouping::WholeInput && sent == InputHandling::AsTheWhole {
        for each in listed.iter_mut().filter(|each| each["name"] == "input") {
            let description = match each["description"].as_str() {
                Some(own) => format!("{}. {THE_WHOLE}", own.trim_end_matches('.')),
                None => THE_WHOLE.to_owned(),
            };
            each["description"] = description.into();
        }
    }
    let controls = Control::all().filter(|control| control.is_offered_on(operation));
    listed.extend(controls.map(|control| self::control(control, operation)));
    if needs_confirmation && operation.param("confirmation_token").is_none() {
        listed.push(json!({
            "name": "confirmation_token",
            "type": "string",
            "required": false,
            "description": "Token from CONFIRMATION_REQUIRED, once the user has agreed",
        }));
    }
    listed
}

/// A control, with what is special about it on this operation.
fn control(control: Control, operation: &Operation) -> Value {
    let mut param = control.param_on(operation);
    let answers = &operation.answers;
    let more = match control {
        Control::Fields => {
            let computed: Vec<String> = computed_names(&answers.computed).collect();
            let also =
                if computed.is_empty() { String::new() } else { format!("; also {}", computed.join(", ")) };
            Some(format!("presets {}{also}", preset_names(&answers.fields)))
        }
        Control::Filter => {
            keys("done by the API", answers.push.filters.iter().map(|filter| filter.key.as_str()))
        }
        Control::Sort => {
            let fields = answers.push.sort.iter().flat_map(|sort| &sort.fields);
            keys("done by the API", fields.map(|(name, _)| name.as_str()))
        }
        Control::First => {
            let most = answers.paging.as_ref().map_or(Paging::MAX_LIMIT, |paging| paging.max_limit);
            Some(format!("up to {most}"))
        }
        _ => None,
    };
    param.default = control.default_on(operation).map(Into::into);
    if let (Some(more), Some(description)) = (more, &mut param.description) {
        *description = format!("{description} ({more})");
    }
    info(&param)
}

fn keys<'a>(label: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    let names: Vec<&str> = names.collect();
    (!names.is_empty()).then(|| format!("{label}: {}", names.join(", ")))
}

/// One parameter.
pub fn info(param: &Param) -> Value {
    let mut info = json!({"name": param.name, "type": param.shape.shown_type(), "required": param.required});
    put_some(&mut info, "description", param.description.as_deref());
    put_some(&mut info, "default", param.default.clone());
    param.shape.put_keywords(&mut info, |shape| json!({"type": shape.shown_type()}));
    put_some(&mut info, "sensitive", param.sensitive.then_some(true));
    info
}

/// The `input` object of an update, with its fields described in the open `items` member.
fn input(operation: &Operation, sent: InputHandling) -> Value {
    let fields: Vec<Value> = operation
        .input_params()
        .map(|param| {
            let mut field = info(param);
            // Defaults are not filled in here: they would overwrite what is stored.
            if let Some(object) = field.as_object_mut() {
                object.remove("default");
            }
            field
        })
        .collect();
    let names: Vec<&str> = operation.input_params().map(|p| p.name.as_str()).collect();
    let names = names.join(", ");
    let description = match sent {
        InputHandling::AsChanges => format!("Fields to change: {names}. Null removes a field."),
        InputHandling::AsTheWhole => format!("{THE_WHOLE}. Fields: {names}."),
    };
    json!({
        "name": "input",
        "type": "object",
        "required": true,
        "description": description,
        "items": {"fields": fields},
    })
}

#[cfg(test)]
mod tests;

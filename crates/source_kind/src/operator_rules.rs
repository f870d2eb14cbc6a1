//! What an operator sets for the requests of a source: whether updates are merged, what happens to values that are declared
//! otherwise.
//!
//! A loaded source and settings in; the same source out, with the operator's settings in every operation that they concern.

use crate::settings::SourceSettings;
use aqueduct_operations::category::Category;
use aqueduct_operations::operation::{Declaration, Grouping, Operation};
use aqueduct_operations::params::Param;
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::target::{HttpTarget, Method, Target};

/// What is said of a field that must be there, by whom it may be left out.
const THERE_ALREADY: &str = "Required, unless it is there already";

/// Applies what is set for a source as a whole.
pub fn apply(loaded: &mut LoadedSource, settings: &SourceSettings) {
    for operation in &mut loaded.operations {
        if let Some(merge) = settings.merge {
            set_merge(operation, merge);
        }
        if let Some(validation) = settings.validation {
            operation.validation = validation;
        }
    }
}

/// Has an update merged into what is stored, or sent as it is.
pub fn set_merge(operation: &mut Operation, merge: bool) {
    let Operation { declaration, target } = operation;
    let Declaration { category, params, grouping, update, .. } = declaration;
    let is_changed = update.merge != merge;
    update.merge = merge;
    let Target::Http(target) = target else { return };
    if *category != Category::Update || *grouping != Grouping::Input || target.method != Method::Put {
        return;
    }
    match merge {
        true if is_changed => need_not_be_sent(params, target),
        true => {}
        false => must_be_sent(params, target),
    }
}

/// Fields that must be there need not be sent: what is stored already is merged in.
fn need_not_be_sent(params: &mut [Param], target: &mut HttpTarget) {
    for param in params.iter_mut().filter(|param| param.is_body() && param.required) {
        param.required = false;
        target.body_needs.push(param.name.clone());
        add_words(param, THERE_ALREADY);
    }
}

/// And back.
fn must_be_sent(params: &mut [Param], target: &mut HttpTarget) {
    for param in params.iter_mut().filter(|param| param.is_body() && !param.required) {
        let Some(words) = param.description.as_deref().and_then(|words| words.strip_suffix(THERE_ALREADY))
        else {
            continue;
        };
        let words = words.trim_end().to_owned();
        param.description = (!words.is_empty()).then_some(words);
        param.required = true;
        target.body_needs.retain(|name| *name != param.name);
    }
}

/// Adds a sentence to the description.
pub fn add_words(param: &mut Param, words: &str) {
    param.description = Some(match param.description.take() {
        Some(own) if own.ends_with(['.', '…', '!', '?']) => format!("{own} {words}"),
        Some(own) => format!("{own}. {words}"),
        None => words.to_owned(),
    });
}

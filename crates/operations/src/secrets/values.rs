//! Values behind names that mean a credential, in JSON.
//!
//! A value in; the same with the mark in the place of what stands under such a name, however deep, out.

use super::MARK;
use super::names::{NamePlace, is_secret};
use serde_json::Value;

/// Hides what stands under names of credentials. Only whole names count that mean nothing else: anyone who decides on the rest has to
/// see it.
pub fn hide_named(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if !member.is_null() && is_secret(name, NamePlace::Parameter) {
                    *member = MARK.into();
                } else {
                    hide_named(member);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(hide_named),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests;

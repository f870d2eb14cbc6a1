//! Operations that clients do not see, because the trust in their source does not cover them (ruling S1).
//!
//! A registry in; each hidden operation with its rule and the setting that shows it, or one line about all of them, out.

use super::counted;
use aqueduct_operations::danger::Origin;
use aqueduct_operations::registry::Registry;
use aqueduct_operations::target::Target;
use aqueduct_operations::trust::TrustLevel;
use aqueduct_safety::gatekeeper::{Denial, Standing};
use serde::Serialize;

/// One operation that is not shown.
#[derive(Debug, Serialize)]
pub struct Hidden {
    /// Its name.
    pub name: String,
    /// Which rule hides it.
    pub rule: String,
    /// The flag that shows it.
    pub setting: String,
    /// Its name alone makes it so dangerous; the author can declare otherwise.
    #[serde(skip)]
    pub is_by_name: bool,
    #[serde(skip)]
    source: String,
    #[serde(skip)]
    needed: TrustLevel,
}

/// Every operation that is not shown.
pub fn of(registry: &Registry) -> Vec<Hidden> {
    let mut hidden = Vec::new();
    for entry in registry.entries() {
        let standing = Standing::of(entry);
        let Standing::Denied(denial) = &standing else { continue };
        hidden.push(Hidden {
            name: entry.public_name.clone(),
            rule: standing.rule(entry),
            setting: denial.setting(entry),
            is_by_name: matches!(
                (denial, &entry.operation.danger.origin),
                (Denial::Danger { .. }, Origin::Pattern(_))
            ),
            source: entry.source.name.clone(),
            needed: denial.needed(),
        });
    }
    hidden
}

/// One line about all that is hidden, if anything is: how many, what shows them, and where to look.
pub fn summary(registry: &Registry) -> Option<String> {
    let hidden = of(registry);
    let is_built_in = |target: &Target| matches!(target, Target::BuiltIn(_));
    let all = registry.entries().iter().filter(|entry| !is_built_in(&entry.operation.target)).count();
    let settings: Vec<String> =
        registry.sources().iter().filter_map(|source| setting_for_all(&source.name, &hidden)).collect();
    let is = if hidden.len() == 1 { "is" } else { "are" };
    (!hidden.is_empty()).then(|| {
        format!(
            "{} of {} {is} hidden; to show all: {}; for the reasons: aqueduct introspect --why",
            hidden.len(),
            counted(all, "operation"),
            settings.join(" ")
        )
    })
}

/// The flag that shows all hidden operations of a source.
fn setting_for_all(source: &str, hidden: &[Hidden]) -> Option<String> {
    let rank = |level: TrustLevel| TrustLevel::names().position(|name| name == level.name());
    let own = hidden.iter().filter(|each| each.source == source);
    own.max_by_key(|each| rank(each.needed)).map(|each| each.setting.clone())
}

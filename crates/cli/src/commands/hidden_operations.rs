//! Operations that clients do not see, because the trust in their source does not cover them, or a rule denies them (ruling S1).
//!
//! A registry in; each hidden operation with its rule and the setting that shows it, or one line about all of them, out.

use super::counted;
use aqueduct_dispatch::Catalog;
use aqueduct_operations::danger::DangerOrigin;

use aqueduct_operations::gatekeeper::{Denial, GateDecision, PolicyRules};
use aqueduct_operations::registry::Registry;
use aqueduct_operations::target::Target;
use aqueduct_operations::trust::TrustLevel;
use serde::Serialize;

/// One operation that is not shown.
#[derive(Debug, Serialize)]
pub struct HiddenOperation {
    /// Its name.
    pub name: String,
    /// Which rule hides it.
    pub rule: String,
    /// The flag that shows it, or what hides it.
    pub setting: String,
    /// Its name alone makes it so dangerous; the author can declare otherwise.
    #[serde(skip)]
    pub is_by_name: bool,
    #[serde(skip)]
    source: String,
    /// What hides it.
    #[serde(skip)]
    cause: HidingCause,
}

/// What hides an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HidingCause {
    /// Its source needs this trust.
    Trust(TrustLevel),
    /// Its adapter trusts it less than the rest.
    Override,
    /// A rule of the operator's.
    Policy,
}

impl HiddenOperation {
    /// The trust in its source that shows it, if that does.
    fn needed(&self) -> Option<TrustLevel> {
        match self.cause {
            HidingCause::Trust(level) => Some(level),
            HidingCause::Override | HidingCause::Policy => None,
        }
    }
}

/// Every operation that is not shown.
pub fn of(registry: &Registry, rules: &PolicyRules) -> Vec<HiddenOperation> {
    let mut hidden = Vec::new();
    for entry in registry.entries() {
        let decision = GateDecision::under(rules, entry);
        let Some(denial) = decision.denial() else { continue };
        hidden.push(HiddenOperation {
            name: entry.public_name.clone(),
            rule: decision.rule.to_string(),
            setting: denial.setting(entry),
            is_by_name: matches!(
                (denial, &entry.operation.danger.origin),
                (Denial::Danger { .. }, DangerOrigin::Pattern(_))
            ),
            source: entry.source.name.clone(),
            cause: match denial.needed() {
                None => HidingCause::Policy,
                Some(_) if entry.trust().is_override => HidingCause::Override,
                Some(level) => HidingCause::Trust(level),
            },
        });
    }
    hidden
}

/// One line about all that is hidden, if anything is: how many, what shows them, and where to look.
pub fn summary(catalog: &Catalog) -> Option<String> {
    let registry = catalog.registry();
    let hidden = of(registry, catalog.rules());
    let count = |cause: HidingCause| hidden.iter().filter(|each| each.cause == cause).count();
    let (by_policy, by_override) = (count(HidingCause::Policy), count(HidingCause::Override));
    let is_built_in = |target: &Target| matches!(target, Target::BuiltIn(_));
    let all = registry.entries().iter().filter(|entry| !is_built_in(&entry.operation.target)).count();
    let advice: Vec<TrustAdvice> = registry
        .sources()
        .iter()
        .filter_map(|source| TrustAdvice::for_source(&source.name, &hidden))
        .collect();
    let others: Vec<TrustLevel> = registry
        .sources()
        .iter()
        .filter(|source| !hidden.iter().any(|each| each.source == source.name))
        .map(|source| source.trust)
        .collect();
    let is = if hidden.len() == 1 { "is" } else { "are" };
    let by_trust = (!advice.is_empty()).then(|| TrustAdvice::describe(&advice, &others));
    let by_policy = (by_policy > 0).then(|| format!("{by_policy} by the rules of [[policy]]"));
    let by_override = (by_override > 0).then(|| format!("{by_override} by trust.operation_overrides"));
    (!hidden.is_empty()).then(|| {
        format!(
            "{} of {} {is} hidden; {}; for the reasons: aqueduct introspect --why",
            hidden.len(),
            counted(all, "operation"),
            by_policy.into_iter().chain(by_override).chain(by_trust).collect::<Vec<_>>().join("; ")
        )
    })
}

/// Of ten hidden operations a level has to show this many to be named before the one that shows them all: anyone who needs
/// little should not be told to trust a source with everything.
const NEARLY_ALL: usize = 8;

/// From this many sources on one flag is named for all of them.
const MANY: usize = 3;

/// A flag that shows operations, and the level that it names.
type Flag = (String, TrustLevel);

/// What shows the hidden operations of a source.
#[derive(Debug)]
struct TrustAdvice {
    /// The flag that shows nearly all.
    most: Flag,
    /// How many are left then, and the flag for those.
    rest: Option<(usize, Flag)>,
}

impl TrustAdvice {
    /// The lowest level that shows nearly all, and what the rest needs. Nothing when nothing is hidden.
    fn for_source(source: &str, hidden: &[HiddenOperation]) -> Option<TrustAdvice> {
        let of_source = hidden.iter().filter(|each| each.source == source);
        let mut own: Vec<(&HiddenOperation, TrustLevel)> =
            of_source.filter_map(|each| Some((each, each.needed()?))).collect();
        own.sort_by_key(|(_, needed)| rank(*needed));
        let last = own.last()?;
        let shown_by =
            |level: TrustLevel| own.iter().filter(|(_, needed)| rank(*needed) <= rank(level)).count();
        let most =
            own.iter().find(|(_, needed)| shown_by(*needed) * 10 >= own.len() * NEARLY_ALL).unwrap_or(last);
        let left = own.len() - shown_by(most.1);
        let flag = |(each, needed): &(&HiddenOperation, TrustLevel)| (each.setting.clone(), *needed);
        let rest = (left > 0).then(|| (left, flag(last)));
        Some(TrustAdvice { most: flag(most), rest })
    }

    /// What to say, where the other sources are trusted so far.
    fn describe(advice: &[TrustAdvice], others: &[TrustLevel]) -> String {
        let most: Vec<&Flag> = advice.iter().map(|each| &each.most).collect();
        let most = flags(&most, others);
        let rest: Vec<&(usize, Flag)> = advice.iter().filter_map(|each| each.rest.as_ref()).collect();
        let left: usize = rest.iter().map(|(count, _)| count).sum();
        let rest: Vec<&str> = rest.iter().map(|(_, (flag, _))| flag.as_str()).collect();
        match left {
            0 => format!("to show all: {most}"),
            1 => format!("to show all but one: {most}; for that one: {}", rest.join(" ")),
            _ => format!("to show all but {left}: {most}; for those too: {}", rest.join(" ")),
        }
    }
}

/// The flags, or one for all sources where many need the same, and none of the others is trusted further.
fn flags(flags: &[&Flag], others: &[TrustLevel]) -> String {
    let level = flags.first().map(|(_, level)| *level);
    let is_same = flags.iter().all(|(_, other)| Some(*other) == level);
    let lowers = |other: &TrustLevel| level.is_some_and(|level| rank(*other) > rank(level));
    match level {
        Some(level) if flags.len() >= MANY && is_same && !others.iter().any(lowers) => {
            format!("--trust '*={}'", level.name())
        }
        _ => flags.iter().map(|(flag, _)| flag.as_str()).collect::<Vec<_>>().join(" "),
    }
}

fn rank(level: TrustLevel) -> Option<usize> {
    TrustLevel::ALL.iter().position(|each| *each == level)
}

#[cfg(test)]
mod tests;

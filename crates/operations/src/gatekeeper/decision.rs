//! The decision on an operation, or on one call of it: allowed, to be confirmed, or denied (rulings S1, S2).
//!
//! Trust and danger decide first, then the rules of the operator. What holds for everybody and all values is worked out once
//! per registry: operations that are denied so are left out of every list.

use super::policy::PolicyDenial;
use super::policy_rules::{Permission, PolicyFacts, PolicyRules, PolicyVerdict};
use super::request::PushedParam;
use super::rule::GateRule;
use crate::call::Caller;
use crate::category::Category;
use crate::danger::{DangerLevel, DangerOrigin};
use crate::operation::RegistryEntry;
use crate::target::Target;
use crate::trust::{MatrixDecision, TrustLevel};
use serde_json::{Map, Value};

/// The decision on an operation, and the rule that it was made by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateDecision {
    /// What happens to a call of it.
    pub effect: GateEffect,
    /// Which rule says so.
    pub rule: GateRule,
}

/// What happens to calls of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GateEffect {
    /// They run.
    Allow,
    /// A person confirms each, for these reasons.
    Confirm(Vec<String>),
    /// They do not run.
    Deny(Denial),
}

/// Why an operation is denied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Denial {
    /// The source's trust does not cover the category.
    Trust {
        /// The least level that would.
        required: TrustLevel,
        /// The source's level.
        actual: TrustLevel,
        /// The operation's danger.
        danger: DangerLevel,
    },
    /// The source's trust does not cover the danger.
    Danger {
        /// The operation's danger.
        level: DangerLevel,
        /// The source's level.
        actual: TrustLevel,
        /// The least level that would cover it.
        minimum: TrustLevel,
        /// Why the operation is dangerous.
        reasons: Vec<String>,
    },
    /// A rule of the operator's denies it.
    Policy(PolicyDenial),
}

impl Denial {
    /// The least trust that would cover it, if trust is what it lacks.
    pub fn needed(&self) -> Option<TrustLevel> {
        match self {
            Denial::Trust { required: needed, .. } | Denial::Danger { minimum: needed, .. } => Some(*needed),
            Denial::Policy(_) => None,
        }
    }

    /// What lets the operation run: a flag, which names the source where names are namespaced (ruling S7), or what is to be changed.
    pub fn setting(&self, entry: &RegistryEntry) -> String {
        let level = match self {
            Denial::Trust { required: needed, .. } | Denial::Danger { minimum: needed, .. } => needed.name(),
            Denial::Policy(denial) => return denial.rule.clone(),
        };
        if entry.trust().is_override {
            format!("trust.operation_overrides.{} of the adapter file", entry.operation.name)
        } else if entry.public_name == entry.operation.name {
            format!("--trust {level}")
        } else {
            format!("--trust {}={level}", entry.source.name)
        }
    }
}

impl GateDecision {
    /// Judges an operation by its source's trust and its own danger. The stricter of the two wins.
    pub fn of(entry: &RegistryEntry) -> GateDecision {
        let (in_force, category, danger) = (entry.trust(), entry.operation.category, &entry.operation.danger);
        let trust = in_force.level;
        let by_matrix = |effect: GateEffect| {
            let (danger, origin) = (danger.level, danger.origin.clone());
            GateDecision { effect, rule: GateRule::Matrix { trust: in_force, danger, origin, category } }
        };
        if matches!(entry.operation.target, Target::BuiltIn(_)) {
            return by_matrix(GateEffect::Allow);
        }
        let minimum = TrustLevel::least_for(category, danger.level);
        let not_trusted = |required: TrustLevel, rule: GateRule| {
            let denial = Denial::Trust { required, actual: trust, danger: danger.level };
            GateDecision { effect: GateEffect::Deny(denial), rule }
        };
        if !trust.permits(category) {
            return not_trusted(minimum, GateRule::Category { trust: in_force, category });
        }
        if waits_for_review(entry) {
            let required = if minimum == TrustLevel::Generated { TrustLevel::Validated } else { minimum };
            return not_trusted(required, GateRule::Review(in_force));
        }
        match trust.cell(danger.level) {
            MatrixDecision::Deny => by_matrix(GateEffect::Deny(Denial::Danger {
                level: danger.level,
                actual: trust,
                minimum,
                reasons: reasons(entry),
            })),
            MatrixDecision::Confirm | MatrixDecision::Allow
                if danger.requires_confirmation || danger.requires_reauth =>
            {
                GateDecision { effect: GateEffect::Confirm(reasons(entry)), rule: GateRule::AdapterAsks }
            }
            MatrixDecision::Allow if danger.level < DangerLevel::Destructive => by_matrix(GateEffect::Allow),
            MatrixDecision::Confirm | MatrixDecision::Allow => by_matrix(GateEffect::Confirm(reasons(entry))),
        }
    }

    /// Judges an operation for everybody and all values, by the operator's rules too.
    pub fn under(rules: &PolicyRules, entry: &RegistryEntry) -> GateDecision {
        GateDecision::of(entry).ruled(rules.verdict(&PolicyFacts::of(entry)).as_ref())
    }

    /// Judges an operation for one caller and all values.
    pub fn for_caller(rules: &PolicyRules, entry: &RegistryEntry, caller: &Caller) -> GateDecision {
        let facts = PolicyFacts { caller: Some(caller.name()), ..PolicyFacts::of(entry) };
        GateDecision::of(entry).ruled(rules.verdict(&facts).as_ref())
    }

    /// What else calls of it may come to, by the operator's rules that look at their values, or at who calls where no caller is given:
    /// the decision, and the rule. What would change nothing is left out.
    pub fn by_call(
        &self,
        rules: &PolicyRules,
        entry: &RegistryEntry,
        caller: Option<&Caller>,
    ) -> Vec<(Permission, String)> {
        let facts = PolicyFacts { caller: caller.map(Caller::name), ..PolicyFacts::of(entry) };
        let asks =
            rules.verdict(&facts).is_some_and(|verdict| verdict.rule.permission == Permission::Confirm);
        let matters = |verdict: &PolicyVerdict<'_>| match (&self.effect, verdict.rule.permission) {
            (GateEffect::Deny(_), _) => false,
            (_, Permission::Deny) => true,
            (effect, Permission::Confirm) => *effect == GateEffect::Allow,
            (effect, Permission::Allow) => {
                *effect != GateEffect::Allow && !asks && verdict.lifts_confirmation
            }
        };
        let others = rules.by_call(entry, caller).filter(matters);
        others.map(|verdict| (verdict.rule.permission, verdict.to_string())).collect()
    }

    /// Judges one call with these values, and these parameters that controls are turned into.
    pub fn of_call(
        rules: &PolicyRules,
        entry: &RegistryEntry,
        caller: &Caller,
        values: &Map<String, Value>,
        pushed: &[PushedParam],
    ) -> GateDecision {
        let caller = Some(caller.name());
        let facts = PolicyFacts { caller, values: Some(values), pushed, ..PolicyFacts::of(entry) };
        GateDecision::of(entry).ruled(rules.verdict(&facts).as_ref())
    }

    /// The same, with the strictest of the operator's rules: it denies, asks for a confirmation, or lifts one. A denial stays.
    fn ruled(mut self, verdict: Option<&PolicyVerdict<'_>>) -> GateDecision {
        let Some(verdict) = verdict else { return self };
        let rule = || GateRule::Policy(verdict.to_string());
        match (&mut self.effect, verdict.rule.permission) {
            (GateEffect::Deny(_), _) | (GateEffect::Allow, Permission::Allow) => self,
            (_, Permission::Deny) => {
                GateDecision { effect: GateEffect::Deny(Denial::Policy(verdict.denial())), rule: rule() }
            }
            (GateEffect::Allow, Permission::Confirm) => {
                GateDecision { effect: GateEffect::Confirm(vec![verdict.reason()]), rule: rule() }
            }
            (GateEffect::Confirm(reasons), Permission::Confirm) => {
                reasons.extend(verdict.rule.reason.clone());
                self
            }
            (GateEffect::Confirm(_), Permission::Allow) if verdict.lifts_confirmation => {
                GateDecision { effect: GateEffect::Allow, rule: rule() }
            }
            (GateEffect::Confirm(_), Permission::Allow) => self,
        }
    }

    /// Why calls of it are denied, if they are.
    pub fn denial(&self) -> Option<&Denial> {
        match &self.effect {
            GateEffect::Deny(denial) => Some(denial),
            GateEffect::Allow | GateEffect::Confirm(_) => None,
        }
    }

    /// True when a person confirms each call.
    pub fn needs_confirmation(&self) -> bool {
        matches!(self.effect, GateEffect::Confirm(_))
    }

    /// True when the operation is left out of lists, search and descriptions.
    pub fn is_hidden(&self) -> bool {
        self.denial().is_some()
    }

    /// The name in responses.
    pub fn name(&self) -> &'static str {
        match &self.effect {
            GateEffect::Allow => "allow",
            GateEffect::Confirm(_) => "confirm",
            GateEffect::Deny(_) => "deny",
        }
    }
}

/// What a person should look at first is not offered where no one has looked at anything (ruling N3).
fn waits_for_review(entry: &RegistryEntry) -> bool {
    let needs_review = entry.operation.origin.as_ref().is_some_and(|origin| origin.needs_review);
    needs_review && entry.trust().level == TrustLevel::Generated
}

/// The author's reasons, else one of our own.
fn reasons(entry: &RegistryEntry) -> Vec<String> {
    let operation = &entry.operation;
    if !operation.danger.reasons.is_empty() {
        return operation.danger.reasons.clone();
    }
    if let DangerOrigin::Word(word) = operation.danger.origin {
        return vec![format!("'{word}' moves money or cannot be taken back")];
    }
    let reason = match operation.danger.level {
        DangerLevel::Safe | DangerLevel::Reversible => "the adapter asks for confirmation of each call",
        DangerLevel::Destructive if operation.category == Category::Delete => "it removes data",
        DangerLevel::Destructive => "it removes or overwrites data",
        DangerLevel::Dangerous => "it acts in bulk or bypasses checks, and is hard to undo",
        DangerLevel::Forbidden => "it can do catastrophic, system-wide damage",
    };
    vec![reason.to_owned()]
}

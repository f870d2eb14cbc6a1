//! The decision on an operation before anyone calls it: allowed, to be confirmed, or denied (rulings S1, S2).
//!
//! Worked out once per registry. Denied operations are left out of every list.

use crate::category::Category;
use crate::danger::{DangerLevel, DangerOrigin};
use crate::operation::RegistryEntry;
use crate::target::Target;
use crate::trust::{MatrixDecision, TrustLevel};

/// The decision on an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GateDecision {
    /// It runs.
    Allowed,
    /// A person confirms each call, for these reasons.
    NeedsConfirmation(Vec<String>),
    /// It does not run.
    Denied(Denial),
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
}

impl Denial {
    /// The least trust that would cover it.
    pub fn needed(&self) -> TrustLevel {
        match self {
            Denial::Trust { required: needed, .. } | Denial::Danger { minimum: needed, .. } => *needed,
        }
    }

    /// The flag that lets the operation run; where names are namespaced, flags name the source too (ruling S7).
    pub fn setting(&self, entry: &RegistryEntry) -> String {
        let level = self.needed().name();
        if entry.public_name == entry.operation.name {
            format!("--trust {level}")
        } else {
            format!("--trust {}={level}", entry.source.name)
        }
    }
}

impl GateDecision {
    /// Judges an operation by its source's trust and its own danger. The stricter of the two wins.
    pub fn of(entry: &RegistryEntry) -> GateDecision {
        if matches!(entry.operation.target, Target::BuiltIn(_)) {
            return GateDecision::Allowed;
        }
        let trust = entry.source.trust;
        let category = entry.operation.category;
        let danger = &entry.operation.danger;
        let minimum = TrustLevel::least_for(category, danger.level);
        if waits_for_review(entry) {
            let required = if minimum == TrustLevel::Generated { TrustLevel::Validated } else { minimum };
            return GateDecision::Denied(Denial::Trust { required, actual: trust, danger: danger.level });
        }
        if !trust.permits(category) {
            return GateDecision::Denied(Denial::Trust {
                required: minimum,
                actual: trust,
                danger: danger.level,
            });
        }
        match trust.cell(danger.level) {
            MatrixDecision::Deny => GateDecision::Denied(Denial::Danger {
                level: danger.level,
                actual: trust,
                minimum,
                reasons: reasons(entry),
            }),
            MatrixDecision::Confirm => GateDecision::NeedsConfirmation(reasons(entry)),
            MatrixDecision::Allow
                if danger.requires_confirmation || danger.level >= DangerLevel::Destructive =>
            {
                GateDecision::NeedsConfirmation(reasons(entry))
            }
            MatrixDecision::Allow => GateDecision::Allowed,
        }
    }

    /// True when the operation is left out of lists, search and descriptions.
    pub fn is_hidden(&self) -> bool {
        matches!(self, GateDecision::Denied(_))
    }

    /// The name in responses.
    pub fn name(&self) -> &'static str {
        match self {
            GateDecision::Allowed => "allow",
            GateDecision::NeedsConfirmation(_) => "confirm",
            GateDecision::Denied(_) => "deny",
        }
    }

    /// Which rule decided, in words.
    pub fn rule(&self, entry: &RegistryEntry) -> String {
        let danger = &entry.operation.danger;
        let origin = match &danger.origin {
            DangerOrigin::Declared => "declared".to_owned(),
            DangerOrigin::Pattern(pattern) => format!("by the name pattern {pattern}"),
            DangerOrigin::Category => format!("by the category {}", entry.operation.category.upper()),
            DangerOrigin::Method => "by its method and name".to_owned(),
            DangerOrigin::Word(word) => format!("by the word '{word}'"),
        };
        let (trust, level) = (entry.source.trust.name(), danger.level.name());
        match self {
            GateDecision::Denied(Denial::Trust { .. })
                if waits_for_review(entry) && entry.source.trust.permits(entry.operation.category) =>
            {
                format!("trust {trust} does not run what needs review")
            }
            GateDecision::Denied(Denial::Trust { .. }) => {
                format!("trust {trust} does not run {}", entry.operation.category.upper())
            }
            GateDecision::NeedsConfirmation(_) if danger.requires_confirmation => {
                "the adapter asks for confirmation".to_owned()
            }
            _ => format!("trust {trust}, danger {level} ({origin})"),
        }
    }
}

/// What a person should look at first is not offered where nobody has looked at anything (ruling N3).
fn waits_for_review(entry: &RegistryEntry) -> bool {
    let needs_review = entry.operation.origin.as_ref().is_some_and(|origin| origin.needs_review);
    needs_review && entry.source.trust == TrustLevel::Generated
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

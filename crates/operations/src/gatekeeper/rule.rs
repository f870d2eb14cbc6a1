//! The rule that decided about an operation or a request, as it was when it decided.
//!
//! It is written down by the judgement, and its words are made of it when somebody reads them: nothing is judged for that.

use crate::category::Category;
use crate::danger::{DangerLevel, DangerOrigin};
use crate::trust::OperationTrust;
use std::fmt;

/// Which rule decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GateRule {
    /// What needs review does not run at this trust.
    Review(OperationTrust),
    /// This trust does not cover the category.
    Category {
        /// How far the operation is trusted.
        trust: OperationTrust,
        /// The operation's category.
        category: Category,
    },
    /// The adapter asks for a confirmation of each call.
    AdapterAsks,
    /// The table of trust and danger.
    Matrix {
        /// How far the operation is trusted.
        trust: OperationTrust,
        /// The operation's danger.
        danger: DangerLevel,
        /// What gave the operation its danger.
        origin: DangerOrigin,
        /// The operation's category.
        category: Category,
    },
    /// The caller lacks this scope.
    Scope(String),
    /// A rule of the operator's policy, in words.
    Policy(String),
}

impl fmt::Display for GateRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GateRule::Review(trust) => write!(f, "{trust} does not run what needs review"),
            GateRule::Category { trust, category } => {
                write!(f, "{trust} does not run {}", category.upper())
            }
            GateRule::AdapterAsks => f.write_str("the adapter asks for confirmation"),
            GateRule::Matrix { trust, danger, origin, category } => {
                write!(f, "{trust}, danger {} (", danger.name())?;
                match origin {
                    DangerOrigin::Declared => f.write_str("declared")?,
                    DangerOrigin::Pattern(pattern) => write!(f, "by the name pattern {pattern}")?,
                    DangerOrigin::AdapterPattern(pattern) => {
                        write!(f, "by the adapter's name pattern {pattern}")?;
                    }
                    DangerOrigin::Category => write!(f, "by the category {}", category.upper())?,
                    DangerOrigin::Method => f.write_str("by its method and name")?,
                    DangerOrigin::Word(word) => write!(f, "by the word '{word}'")?,
                }
                f.write_str(")")
            }
            GateRule::Scope(scope) => write!(f, "the caller lacks the scope '{scope}'"),
            GateRule::Policy(rule) => f.write_str(rule),
        }
    }
}

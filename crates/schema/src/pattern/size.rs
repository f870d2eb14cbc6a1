//! How large a pattern becomes, estimated from its syntax tree before it is compiled.
//!
//! A tree in; its transitions, which take memory, and its positions, of which each can be under way for each byte of a
//! text, out. Repetitions multiply, which is how a short pattern becomes a large one.

use regex_syntax::hir::{Class, Hir, HirKind};

/// The size of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PatternSize {
    pub(super) transitions: u64,
    pub(super) positions: u64,
}

impl PatternSize {
    fn plain(count: u64) -> PatternSize {
        PatternSize { transitions: count, positions: count }
    }

    fn and(self, other: PatternSize) -> PatternSize {
        PatternSize {
            transitions: self.transitions.saturating_add(other.transitions),
            positions: self.positions.saturating_add(other.positions),
        }
    }

    fn times(self, count: u64) -> PatternSize {
        PatternSize {
            transitions: self.transitions.saturating_mul(count),
            positions: self.positions.saturating_mul(count),
        }
    }
}

/// Measures a tree. The parser bounds its depth.
pub(super) fn of(tree: &Hir) -> PatternSize {
    match tree.kind() {
        HirKind::Empty | HirKind::Look(_) => PatternSize::plain(1),
        HirKind::Literal(literal) => PatternSize::plain(literal.0.len() as u64),
        HirKind::Class(Class::Bytes(_)) => PatternSize::plain(1),
        HirKind::Class(Class::Unicode(class)) => {
            let is_ascii = class.ranges().last().is_none_or(|range| range.end().is_ascii());
            let ranges = class.ranges().len() as u64;
            if is_ascii {
                PatternSize::plain(1)
            } else {
                PatternSize { transitions: 2 * ranges + 2, positions: 4 }
            }
        }
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(repetition.min).max(repetition.min).max(1);
            of(&repetition.sub).and(PatternSize::plain(1)).times(u64::from(most))
        }
        HirKind::Capture(capture) => of(&capture.sub).and(PatternSize::plain(1)),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().map(of).fold(PatternSize::plain(1), PatternSize::and)
        }
    }
}

//! `danger_patterns`: more names that mean danger, besides ours (danger-level document, section 5).
//!
//! The block in; operations whose names fit are raised, and it is said which pattern raised them. They only raise; a level that
//! the operation itself declares wins, as it does over our own patterns.

use super::danger::DangerContext;
use super::operation::DraftOperation;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, described};
use aqueduct_operations::category::Category;
use aqueduct_operations::danger::{Danger, DangerLevel, DangerOrigin, NamePattern};
use std::cell::Cell;

/// Each is held against the name of every operation.
const MOST_PATTERNS: usize = 200;
const LONGEST: usize = 128;

/// The patterns of a file.
#[derive(Default)]
pub(super) struct DangerPatterns<'a> {
    patterns: Vec<FilePattern<'a>>,
}

struct FilePattern<'a> {
    at: NodeCursor<'a>,
    level: DangerLevel,
    pattern: NamePattern,
    has_raised: Cell<bool>,
}

impl<'a> DangerPatterns<'a> {
    /// Reads the block, the worse level first.
    pub(super) fn read(root: &NodeCursor<'a>, found: &mut Findings<'_>) -> DangerPatterns<'a> {
        let mut patterns = Vec::new();
        let Some(block) = root.get("danger_patterns") else { return DangerPatterns::default() };
        for level in [DangerLevel::Forbidden, DangerLevel::Dangerous] {
            for at in block.get(level.name()).into_iter().flat_map(|list| list.elements()) {
                let Some(text) = at.node.text() else { continue };
                match NamePattern::parse(text) {
                    Ok(_) if text.len() > LONGEST => {
                        let finding = at.error("INVALID_VALUE", "This pattern is longer than any name");
                        finding.expected(format!("up to {LONGEST} characters")).add_to(found);
                    }
                    Ok(pattern) => {
                        patterns.push(FilePattern { at, level, pattern, has_raised: Cell::new(false) });
                    }
                    Err(why) => {
                        let finding =
                            at.error("INVALID_VALUE", format!("This is no pattern of names: {why}"));
                        let expected = "a name in which '*' stands for any characters, such as ship_*";
                        finding.expected(expected).received(described(at.node)).add_to(found);
                    }
                }
            }
        }
        if patterns.len() > MOST_PATTERNS {
            let message = "There are more patterns than are allowed";
            block.error("TOO_MANY", message).expected(format!("up to {MOST_PATTERNS}")).add_to(found);
            patterns.truncate(MOST_PATTERNS);
        }
        DangerPatterns { patterns }
    }

    /// Raises the danger of an operation by the first pattern that its name fits. As with our own patterns, a READ is not raised.
    pub(super) fn raise(
        &self,
        operation: &NodeCursor<'_>,
        subject: &DangerContext<'_>,
        danger: &mut Danger,
        found: &mut Findings<'_>,
    ) {
        let DangerContext { name, category, .. } = *subject;
        if category == Category::Read || danger.origin == DangerOrigin::Declared {
            return;
        }
        let Some(fitting) = self.patterns.iter().find(|each| each.pattern.matches(name)) else { return };
        fitting.has_raised.set(true);
        danger.raise_to_pattern(fitting.level, &fitting.pattern);
        let message =
            format!("'{name}' is {} by the pattern '{}'", danger.level.name(), fitting.pattern.as_str());
        let at = operation.get("name").unwrap_or_else(|| operation.clone());
        at.warning("DANGER_PATTERN", message)
            .hint("a danger_level of the operation's own wins over patterns")
            .add_to(found);
    }

    /// Patterns that raise nothing are slips more often than not.
    pub(super) fn warn_of_idle(&self, drafts: &[DraftOperation<'_>], found: &mut Findings<'_>) {
        for each in self.patterns.iter().filter(|each| !each.has_raised.get()) {
            let fits = drafts.iter().any(|draft| each.pattern.matches(&draft.operation.name));
            let message = match fits {
                true => {
                    "Only operations fit this pattern that are a READ, declare a level, or fit another pattern"
                }
                false => "No operation fits this pattern",
            };
            each.at.warning("NO_EFFECT", message).add_to(found);
        }
    }
}

//! A text that matches a regular expression, found by walking its syntax tree.
//!
//! Repetitions are unrolled step by step, and a text that would not end is given up.

use crate::pattern::LONGEST_PATTERN;
use regex_syntax::hir::{Class, Hir, HirKind};

/// Nested repetitions multiply: beyond this many steps a text is left as it is.
const MOST_STEPS: u32 = 20_000;

/// Tries a few texts, with ever more repetitions, until one passes.
pub fn sample(pattern: &str, passes: &dyn Fn(&String) -> bool) -> Option<String> {
    if pattern.len() > LONGEST_PATTERN {
        return None;
    }
    let tree = regex_syntax::parse(pattern).ok()?;
    [0, 1, 2, 4, 8, 16, 32, 64].into_iter().find_map(|extra| {
        let mut text = String::new();
        let mut steps = MOST_STEPS;
        write(&tree, extra, &mut steps, &mut text);
        passes(&text).then_some(text)
    })
}

fn write(node: &Hir, extra: u32, steps: &mut u32, out: &mut String) {
    *steps = steps.saturating_sub(1);
    if *steps == 0 {
        return;
    }
    match node.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(class) => out.extend(readable_member(class)),
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(u32::MAX);
            for _ in 0..repetition.min.saturating_add(extra).min(most).min(1000) {
                if *steps == 0 {
                    break;
                }
                write(&repetition.sub, extra, steps, out);
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, extra, steps, out),
        HirKind::Concat(parts) => parts.iter().for_each(|part| write(part, extra, steps, out)),
        HirKind::Alternation(parts) => {
            if let Some(first) = parts.first() {
                write(first, extra, steps, out);
            }
        }
    }
}

/// A letter or digit where the class has one, else its first member.
fn readable_member(class: &Class) -> Option<char> {
    let Class::Unicode(class) = class else {
        return None;
    };
    let has = |c: char| class.ranges().iter().any(|range| range.start() <= c && c <= range.end());
    "aA1bB0".chars().find(|c| has(*c)).or_else(|| class.ranges().first().map(|range| range.start()))
}

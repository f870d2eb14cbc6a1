//! A text that a pattern takes: the shortest that its parts make, where the pattern is one of the usual kind.
//!
//! A regular expression in; no text for one that looks around, or that asks for a very long one.

use regex_syntax::hir::{Class, Hir, HirKind};

/// Texts longer than this are not made.
const LONGEST: usize = 1_000;

/// A text that matches; nothing for patterns that look around, or that this does not know.
pub(crate) fn matching(pattern: &str) -> Option<String> {
    let parsed = regex_syntax::Parser::new().parse(pattern).ok()?;
    let mut text = String::new();
    write(&parsed, &mut text)?;
    Some(text)
}

fn write(part: &Hir, text: &mut String) -> Option<()> {
    if text.len() > LONGEST {
        return None;
    }
    match part.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(Class::Unicode(class)) => {
            text.push(usual(class.ranges().iter().map(|range| (range.start(), range.end())))?)
        }
        HirKind::Class(Class::Bytes(class)) => {
            let ranges =
                class.ranges().iter().map(|range| (char::from(range.start()), char::from(range.end())));
            text.push(usual(ranges)?);
        }
        HirKind::Repetition(repetition) => {
            for _ in 0..repetition.min {
                write(&repetition.sub, text)?;
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, text)?,
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| write(part, text))?,
        HirKind::Alternation(choices) => write(choices.first()?, text)?,
    }
    Some(())
}

/// A character of a class: a letter or digit where there is one.
fn usual(ranges: impl Iterator<Item = (char, char)> + Clone) -> Option<char> {
    let has = |wanted: char| ranges.clone().any(|(start, end)| (start..=end).contains(&wanted));
    ['a', '1', 'A', '0', '-', '_']
        .into_iter()
        .find(|wanted| has(*wanted))
        .or_else(|| ranges.clone().next().map(|(start, _)| start))
}

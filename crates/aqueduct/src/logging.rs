//! Logging to stderr, as `AQUEDUCT_LOG` asks. Only our own events are ever written: the libraries below log whole
//! messages, and those may hold what clients sent.

use aqueduct_operations::visible::escaped;
use std::io::Write;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

/// How the targets of our events begin.
const OURS: &str = "aqueduct";

/// A filter that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error(
    "AQUEDUCT_LOG is '{0}'; use a level (off, error, warn, info, debug, trace) or target=level pairs such as \
     aqueduct::call=info"
)]
pub struct BadFilter(String);

/// Starts logging; warnings only when nothing is asked for.
pub fn start(asked: Option<&str>) -> Result<(), BadFilter> {
    let wanted = asked.filter(|text| !text.trim().is_empty()).unwrap_or("warn");
    let levels = levels(wanted).ok_or_else(|| BadFilter(wanted.to_owned()))?;
    let layer = fmt::layer().with_writer(|| Harmless(std::io::stderr())).with_ansi(false).with_filter(levels);
    // A library user may have set up logging before; theirs stays.
    if tracing_subscriber::registry().with(layer).try_init().is_err() {
        tracing::debug!(target: "aqueduct::load", "logging was already set up");
    }
    // What a panic says may quote what it stumbled over; where it happened is enough to find it.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(target: "aqueduct::panic", place, "a defect in aqueduct; please report it");
    }));
    Ok(())
}

/// Writes lines without what could make a terminal do something, or show something else than is there.
struct Harmless<W>(W);

impl<W: Write> Write for Harmless<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let lines: Vec<String> = text.split('\n').map(escaped).collect();
        self.0.write_all(lines.join("\n").as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

/// A level for all of ours, levels by target, or both, separated by commas. Other targets have none, whatever is asked:
/// a filter that knows this beforehand costs the libraries' events nothing.
fn levels(wanted: &str) -> Option<Targets> {
    let mut levels = Targets::new();
    for part in wanted.split(',').map(str::trim) {
        levels = match part.split_once('=') {
            Some((target, level)) if !target.is_empty() => {
                let (target, level) = (target.trim(), level_of(level)?);
                if target.starts_with(OURS) { levels.with_target(target, level) } else { levels }
            }
            Some(_) => return None,
            None => levels.with_target(OURS, level_of(part)?),
        };
    }
    Some(levels)
}

fn level_of(text: &str) -> Option<LevelFilter> {
    // The parser takes nothing at all for a level too.
    Some(text.trim()).filter(|text| !text.is_empty())?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::Harmless;
    use std::io::Write;

    /// Lines stay lines, and what could make a terminal show something else is written out.
    #[test]
    fn logs_hold_no_disguises() {
        let mut out = Vec::new();
        Harmless(&mut out).write_all("a\u{202e}b\u{1b}[2J\nc\n".as_bytes()).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a\\u{202e}b\\u{1b}[2J\nc\n");
    }
}

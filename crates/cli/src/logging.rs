//! Logging to stderr, as `AQUEDUCT_LOG` and `AQUEDUCT_LOG_FORMAT` ask. Only our own events are ever written: the libraries
//! below log whole messages, and those may hold what clients sent.

mod json;

use crate::report;
use aqueduct_operations::sanitize::escaped;
use json::JsonLines;
use serde_json::Map;
use std::io::Write;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
#[cfg(not(feature = "otlp"))]
use tracing_subscriber::layer::Identity;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

/// How the targets of our events begin.
const OURS: &str = "aqueduct";

/// What is asked for and cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum BadLogging {
    /// A filter that cannot be read.
    #[error(
        "AQUEDUCT_LOG is '{0}'; use a level (off, error, warn, info, debug, trace) or target=level pairs such as \
         aqueduct::call=info"
    )]
    Filter(String),
    /// A format that there is not.
    #[error("AQUEDUCT_LOG_FORMAT is '{0}'; use text or json")]
    Format(String),
    /// A collector that cannot be sent to.
    #[cfg(feature = "otlp")]
    #[error("{0}")]
    Traces(String),
}

/// What is logged by a server that is not told otherwise.
pub const OF_A_SERVER: &str = "warn";

/// What is logged by a command: who calls something by hand sees the failure itself.
pub const OF_A_COMMAND: &str = "warn,aqueduct::upstream=off,aqueduct::unsent=off";

/// What is asked for by the environment.
#[derive(Debug, Clone, Copy, Default)]
pub struct LogOptions<'a> {
    /// What is logged.
    pub filter: Option<&'a str>,
    /// In which form.
    pub format: Option<&'a str>,
    /// The collector that traces are sent to; a build without the feature `otlp` has none.
    pub traces: Option<&'a str>,
}

/// Starts logging: as usual when nothing is asked for, in lines of text when no format is.
pub fn start(wishes: LogOptions<'_>, usual: &str) -> Result<(), BadLogging> {
    let LogOptions { filter, format, traces } = wishes;
    let wanted = filter.filter(|text| !text.trim().is_empty()).unwrap_or(usual);
    let levels = levels(wanted).ok_or_else(|| BadLogging::Filter(wanted.to_owned()))?;
    #[cfg(feature = "otlp")]
    let traces = crate::traces::layer(traces).map_err(BadLogging::Traces)?;
    #[cfg(not(feature = "otlp"))]
    let traces = traces.map(|_| Identity::new());
    let started = match format.map(str::trim) {
        None | Some("" | "text") => {
            let lines = fmt::layer().with_writer(|| TerminalSafeWriter(std::io::stderr())).with_ansi(false);
            tracing_subscriber::registry().with(traces).with(lines.with_filter(levels)).try_init()
        }
        Some("json") => {
            report::set_line_format(|level, text| {
                json::line(level, "aqueduct::note", text.into(), Map::new())
            });
            let lines = JsonLines { out: std::io::stderr };
            tracing_subscriber::registry().with(traces).with(lines.with_filter(levels)).try_init()
        }
        Some(other) => return Err(BadLogging::Format(other.to_owned())),
    };
    // A library user may have set up logging before; theirs stays.
    if started.is_err() {
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
struct TerminalSafeWriter<W>(W);

impl<W: Write> Write for TerminalSafeWriter<W> {
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
mod tests;

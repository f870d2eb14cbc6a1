//! `doctor`: is everything in order? The configuration, what is kept between runs, the sources, the variables they need, the APIs
//! behind them.
//!
//! Sources in; findings on stdout and exit code 0, or 3 when something is to be fixed, out. No value of a variable is
//! shown and no credential is sent.

mod checks;
mod finding;
mod kept;

use super::pretty;
use crate::cli::{OutputFormat, ReportArgs, SourceArgs};
use crate::config;
use crate::progress::ProgressLine;
use crate::report::{self, CommandError, Exit};
use aqueduct::BuildError;
use aqueduct::tooling::CONNECTION_NOT_READY;
use aqueduct_operations::diagnostic::DiagnosticSeverity;
use finding::{CheckResult, CheckState};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Looks at everything and says what to fix.
pub fn doctor(args: &ReportArgs) -> Result<Exit, CommandError> {
    let progress = ProgressLine::new("looking at the sources");
    let findings = examine(&args.sources, &args.shared);
    drop(progress);
    let findings = findings?;
    let to_fix = findings.iter().filter(|finding| finding.state == CheckState::Fix).count();
    match args.format {
        OutputFormat::Json => report::data(&pretty(&json!({"ok": to_fix == 0, "findings": findings}))),
        OutputFormat::Text => {
            let width = findings.iter().map(|finding| finding.about.chars().count()).max().unwrap_or(0);
            for finding in &findings {
                report::data(&finding.shown(width));
            }
            report::data(&match to_fix {
                0 => "All is well.".to_owned(),
                1 => "1 thing to fix.".to_owned(),
                several => format!("{several} things to fix."),
            });
        }
    }
    Ok(if to_fix == 0 { Exit::Done } else { Exit::Configuration })
}

fn examine(sources: &[PathBuf], shared: &SourceArgs) -> Result<Vec<CheckResult>, CommandError> {
    let mut findings = Vec::new();
    let config = match config::resolve(shared, sources) {
        Ok(config) => config,
        Err(error) if error.exit == Exit::Invalid => return Err(error),
        Err(error) => return Ok(vec![CheckResult::fix("configuration", error.message, None)]),
    };
    let file = shared.config.as_deref().unwrap_or(Path::new(config::DEFAULT_FILE));
    if file.is_file() {
        findings.push(CheckResult::ok("configuration", format!("{} is in order", file.display())));
    }
    findings.extend(config.http.tls.as_ref().map(checks::of_certificate));
    findings.extend(kept::of_state(shared)?);
    let aqueduct = match config.builder.build() {
        Ok(aqueduct) => aqueduct,
        Err(BuildError::Invalid(diagnostics)) => {
            findings.extend(diagnostics.iter().filter_map(finding::of_diagnostic));
            return Ok(findings);
        }
        Err(error) => {
            findings.push(CheckResult::fix("sources", error.to_string(), None));
            return Ok(findings);
        }
    };
    let diagnostics =
        aqueduct.diagnostics().iter().filter(|each| each.severity >= DiagnosticSeverity::Warning);
    // Of servers there is a finding each.
    let diagnostics = diagnostics.filter(|each| each.code != CONNECTION_NOT_READY);
    findings.extend(diagnostics.filter_map(finding::of_diagnostic));
    findings.extend(checks::of_sources(&aqueduct)?);
    findings.extend(checks::of_servers(&aqueduct));
    Ok(findings)
}

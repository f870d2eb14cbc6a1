//! `operator audit`: the lines of the audit, shown, searched, exported; or all of them checked.
//!
//! A filter in, lines out, oldest first; or every problem that the check finds, and exit code 1.

use super::super::store::{created, unwritable};
use super::super::{counted, terminal_safe_json};
use super::maintain;
use super::passphrase::unlocked;
use crate::cli::{AuditArgs, OutputFormat};
use crate::report::{self, CommandError, Exit, terminal_safe};
use crate::store::failed;
use aqueduct::store::Store;
use aqueduct::store::audit::{AuditFilter, AuditLine};
use aqueduct_operations::clock::iso8601;
use serde_json::json;
use std::collections::VecDeque;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Lines that are read at once.
const PAGE: u32 = 1000;

/// Shows, exports or checks.
pub async fn audit(args: &AuditArgs) -> Result<Exit, CommandError> {
    let store = unlocked(&args.operator).await?;
    if args.verify {
        return verify(&store, args.format).await;
    }
    maintain(&store).await;
    let filter = AuditFilter { text: args.search.clone(), ..AuditFilter::default() };
    if let Some(path) = &args.export {
        return export(&store, filter, path).await;
    }
    for line in last(&store, filter, args.last).await? {
        report::data(&match args.format {
            OutputFormat::Json => terminal_safe_json(&json!(line).to_string()),
            OutputFormat::Text => as_text(&line),
        });
    }
    Ok(Exit::Done)
}

async fn verify(store: &Store, format: OutputFormat) -> Result<Exit, CommandError> {
    let found = store.verify_audit().await.map_err(failed)?;
    let problems: Vec<String> = found.problems.iter().map(ToString::to_string).collect();
    // What is whole is sealed, so that it stays so; what is not stays as it was found.
    let last = if found.is_whole() {
        maintain(store).await;
        store.seal_audit().await.map_err(failed)?
    } else {
        None
    };
    let (seals, sealed) =
        last.map_or((found.seals, found.sealed_through), |seal| (seal.number, seal.through));
    if format == OutputFormat::Json {
        let whole = json!({
            "is_whole": found.is_whole(), "lines": found.lines, "seals": seals, "sealed_through": sealed,
            "compared_with_seal": found.remembered, "problems": problems,
        });
        report::data(&whole.to_string());
    } else {
        let state = if found.is_whole() { "nothing was changed" } else { "the audit was changed" };
        let counted = |count: i64, thing| counted(usize::try_from(count).unwrap_or_default(), thing);
        let (lines, seals) = (counted(found.lines, "line"), counted(seals, "seal"));
        problems.iter().for_each(|problem| report::data(problem));
        report::data(&format!("{state}: {lines}, {seals}, sealed to line {sealed}"));
        report::data(&match found.remembered {
            Some(number) => format!("compared with seal {number}, which this machine remembers"),
            None => {
                "this machine remembered no seal: a store that was set back as a whole would look the same"
                    .to_owned()
            }
        });
    }
    Ok(if found.is_whole() { Exit::Done } else { Exit::Failed })
}

/// Every line that answers to the filter, as JSON lines.
async fn export(store: &Store, filter: AuditFilter, path: &Path) -> Result<Exit, CommandError> {
    let is_stdout = path == Path::new("-");
    let mut file = if is_stdout { None } else { Some(BufWriter::new(created(path)?)) };
    let mut count = 0_usize;
    let mut take = |line: &AuditLine| {
        let text = json!(line).to_string();
        count += 1;
        match &mut file {
            Some(file) => writeln!(file, "{text}").map_err(|error| unwritable(path, &error)),
            None => {
                report::data(&terminal_safe_json(&text));
                Ok(())
            }
        }
    };
    each_line(store, filter, |line| take(&line)).await?;
    if let Some(mut file) = file {
        file.flush().and_then(|()| file.get_ref().sync_all()).map_err(|error| unwritable(path, &error))?;
        report::note(&format!("{} written to {}", counted(count, "line"), path.display()));
    }
    Ok(Exit::Done)
}

/// The last so many lines that answer to the filter.
async fn last(
    store: &Store,
    mut filter: AuditFilter,
    most: u32,
) -> Result<VecDeque<AuditLine>, CommandError> {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    if filter.text.is_none() {
        let lines = store.status().await.map_err(failed)?.audit_lines;
        filter.after = Some(lines.saturating_sub(i64::try_from(most).unwrap_or(i64::MAX)).max(0));
    }
    let mut kept = VecDeque::new();
    let keep = |line| {
        kept.push_back(line);
        if kept.len() > most {
            kept.pop_front();
        }
        Ok(())
    };
    each_line(store, filter, keep).await?;
    Ok(kept)
}

async fn each_line(
    store: &Store,
    mut filter: AuditFilter,
    mut take: impl FnMut(AuditLine) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    loop {
        let page = store.audit_lines(filter.clone(), PAGE).await.map_err(failed)?;
        let Some(seq) = page.last().map(|line| line.seq) else { return Ok(()) };
        filter.after = Some(seq);
        page.into_iter().try_for_each(&mut take)?;
    }
}

fn as_text(line: &AuditLine) -> String {
    let AuditLine { seq, entry, .. } = line;
    let mut text = format!("{seq}  {}  {}  {}", iso8601(line.moment()), entry.event, entry.outcome);
    let fields = [
        ("caller", &entry.caller),
        ("source", &entry.source),
        ("operation", &entry.operation),
        ("rule", &entry.rule),
        ("approver", &entry.approver),
        ("token", &entry.token),
        ("detail", &entry.detail),
    ];
    for (name, value) in fields {
        if let Some(value) = value {
            text.push_str(&format!("  {name}={value}"));
        }
    }
    terminal_safe(&text)
}

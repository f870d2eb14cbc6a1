//! `tokens`: what a model pays for the tools, against one tool for every operation.
//!
//! Sources in, a table or JSON out.

use super::{SHORT_WAIT, build_to_show, hidden_operations, pretty};
use crate::cli::{OutputFormat, ReportArgs};
use crate::config;
use crate::cost::Cost;
use crate::progress::ProgressLine;
use crate::report::{self, CommandError, Exit};
use serde_json::json;

/// Shows the cost of sources.
pub fn tokens(args: &ReportArgs) -> Result<Exit, CommandError> {
    let builder = config::with_state(config::builder(&args.shared, &args.sources)?, &args.shared)?;
    let aqueduct = build_to_show(builder.patience(SHORT_WAIT))?;
    let progress = ProgressLine::new("counting tokens");
    let catalog = aqueduct.catalog();
    let cost = Cost::with_progress(&catalog, |done, total| {
        progress.set("counting the tokens of operations", done, total)
    });
    drop(progress);
    match args.format {
        OutputFormat::Json => report::data(&pretty(&json!(cost))),
        OutputFormat::Text => {
            report::data(&table(&cost));
            hidden_operations::summary(aqueduct.catalog().registry())
                .iter()
                .for_each(|line| report::note(line));
        }
    }
    Ok(Exit::Done)
}

/// A line for every source, one for all of them, one for what is offered instead.
fn table(cost: &Cost) -> String {
    let mut rows = vec![["".to_owned(), "operations".to_owned(), "tools".to_owned(), "tokens".to_owned()]];
    for source in &cost.sources {
        let count = source.operations.to_string();
        rows.push([report::terminal_safe(&source.source), count.clone(), count, grouped(source.tokens)]);
    }
    if cost.sources.len() > 1 {
        let count = cost.operations().to_string();
        let all = "one tool for every operation".to_owned();
        rows.push([all, count.clone(), count, grouped(cost.one_per_operation())]);
    }
    let offered = [
        "offered by aqueduct".to_owned(),
        cost.shown.to_string(),
        cost.tools.to_string(),
        grouped(cost.tokens),
    ];
    rows.push(offered);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2), width(3)];
    let lines = rows.iter().map(|row| {
        let [name, operations, tools, tokens] = row;
        format!(
            "{name:<w0$}  {operations:>w1$}  {tools:>w2$}  {tokens:>w3$}",
            w0 = widths[0],
            w1 = widths[1],
            w2 = widths[2],
            w3 = widths[3]
        )
    });
    let table: Vec<String> = lines.collect();
    format!(
        "{}\n(tokens of {}; names of sources stand for one tool for each of their operations)",
        table.join("\n"),
        cost.vocabulary
    )
}

/// A number with its thousands apart.
pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests;

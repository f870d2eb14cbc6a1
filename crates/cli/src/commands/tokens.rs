//! `tokens`: what a model pays for the tools, for a discovery and for a task, against one tool for every operation.
//!
//! Sources in; a table, JSON or a chart out. A task is one search, in words of the source itself, and the call of what it finds.

mod chart;

use super::introspect::{Introspected, introspected};
use super::{build_to_show, hidden_operations, pretty};
use crate::cli::{ChartFormat, SourceArgs};
use crate::config;
use crate::cost::{SourceCost, TaskCost, ToolCost};
use crate::progress::ProgressLine;
use crate::report::{self, CommandError, Exit};
use aqueduct::Aqueduct;
use aqueduct_operations::category::Category;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::reply::Reply;
use aqueduct_operations::size::grouped;
use serde_json::json;
use std::path::PathBuf;

/// Shows the cost of sources.
pub fn tokens(sources: &[PathBuf], shared: &SourceArgs, format: ChartFormat) -> Result<Exit, CommandError> {
    let builder = config::with_state(config::builder(shared, sources)?, shared)?;
    let aqueduct = build_to_show(builder)?;
    let progress = ProgressLine::new("counting tokens");
    let catalog = aqueduct.catalog();
    let mut cost = ToolCost::with_progress(&catalog, |done, total| {
        progress.set("counting the tokens of operations", done, total)
    });
    for source in &mut cost.sources {
        source.task = task(&aqueduct, &source.source)?;
    }
    drop(progress);
    match format {
        ChartFormat::Json => report::data(&pretty(&json!(cost))),
        ChartFormat::Svg => report::data(&chart::svg(&cost)),
        ChartFormat::Text => {
            report::data(&table(&cost));
            hidden_operations::summary(&aqueduct.catalog()).iter().for_each(|line| report::note(line));
        }
    }
    Ok(Exit::Done)
}

/// Tries a task with a source; nothing where it has no operation to show.
fn task(aqueduct: &Aqueduct, source: &str) -> Result<Option<TaskCost>, CommandError> {
    let catalog = aqueduct.catalog();
    let is_of_it = |entry: &RegistryEntry| entry.source.name == source;
    let reads = |entry: &RegistryEntry| is_of_it(entry) && entry.operation.category == Category::Read;
    let view = catalog.common_view();
    let Some(request) = view.sample_request_for(reads).or_else(|| view.sample_request_for(is_of_it)) else {
        return Ok(None);
    };
    let search = json!({"operation": "introspect", "params": {"query": "search", "search": request}});
    let params = search["params"].as_object().cloned().unwrap_or_default();
    let Introspected { reply, answer } = introspected(aqueduct, params)?;
    Ok(matches!(reply, Reply::Success(_)).then(|| TaskCost::of(request, &search, &answer)))
}

/// One line of the table.
type CostRow = [String; 6];

/// A line for every source, one for all of them, and what is offered instead with a task for each source.
fn table(cost: &ToolCost) -> String {
    let heading = ["", "operations", "tools", "tool list", "discovery", "task"].map(str::to_owned);
    let mut rows: Vec<CostRow> = vec![heading];
    let shown = |number: Option<usize>| number.map_or_else(|| "-".to_owned(), grouped);
    for source in &cost.sources {
        let count = source.operations.to_string();
        let name = report::terminal_safe(&source.source);
        let task = shown(cost.task_of_tools(source));
        rows.push([name, count.clone(), count, grouped(source.tokens), "-".to_owned(), task]);
    }
    if cost.sources.len() > 1 {
        let count = cost.operations().to_string();
        let all = "one tool for every operation".to_owned();
        let (none, list) = ("-".to_owned(), grouped(cost.one_per_operation()));
        rows.push([all, count.clone(), count, list, none.clone(), none]);
    }
    let offered = |name: String, source: Option<&SourceCost>| -> CostRow {
        let discovery = source.and_then(|source| source.task.as_ref()).map(|task| task.discovery);
        let task = source.and_then(|source| cost.task(source));
        [
            name,
            cost.shown.to_string(),
            cost.tools.to_string(),
            grouped(cost.tokens),
            shown(discovery),
            shown(task),
        ]
    };
    match cost.sources.as_slice() {
        [only] => rows.push(offered("offered by aqueduct".to_owned(), Some(only))),
        several => {
            rows.push(offered("offered by aqueduct".to_owned(), None));
            for source in several {
                let mut row =
                    offered(format!("  a task with {}", report::terminal_safe(&source.source)), Some(source));
                row[1..4].iter_mut().for_each(String::clear);
                rows.push(row);
            }
        }
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..6).map(width).collect();
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match column {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    });
    format!(
        "{}\n(tokens of {}; names of sources stand for one tool for each of their operations; a task is the tool list, one \
         discovery where there is one, and one call)",
        lines.collect::<Vec<_>>().join("\n"),
        cost.vocabulary
    )
}

#[cfg(test)]
mod tests;

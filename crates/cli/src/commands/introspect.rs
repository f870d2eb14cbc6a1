//! `introspect`: what a model can find out, printed for people or as the very answer that a model gets.
//!
//! A question in; a table, or the answer as JSON, out. `--why` also shows what the policy hides.

use super::{SHORT_WAIT, build_to_show, hidden_operations, pretty, runtime};
use crate::cli::{IntrospectArgs, OutputFormat};
use crate::config;
use crate::report::{self, CommandError, Exit};
use aqueduct::Aqueduct;
use aqueduct_operations::origin::ImportOrigin;
use aqueduct_operations::reply::Reply;
use serde_json::{Map, Value};

/// Answers a question about sources.
pub fn introspect(question: &IntrospectArgs) -> Result<Exit, CommandError> {
    let aqueduct = build_to_show(config::builder(&question.shared, &question.sources)?.patience(SHORT_WAIT))?;
    if question.why {
        return why(&aqueduct, question);
    }
    let mut params = Map::new();
    let query = if question.types { "types" } else { "operations" };
    params.insert("query".to_owned(), query.into());
    if let Some(name) = &question.name {
        params.insert("name".to_owned(), name.as_str().into());
    }
    let is_list = !question.types && question.name.is_none();
    if is_list {
        // People have no budget.
        params.insert("budget".to_owned(), i32::MAX.into());
    }
    let reply = runtime()?.block_on(aqueduct.call_operation("introspect", params));
    let answer: Value = serde_json::from_str(&reply.to_json())
        .map_err(|error| CommandError::failed(format!("the answer cannot be read: {error}")))?;
    let nothing = ["operation", "type"].iter().any(|key| answer["data"].get(key) == Some(&Value::Null));
    if question.format == OutputFormat::Json {
        report::data(&pretty(&answer));
    } else if !nothing {
        report::data(&as_text(&answer["data"]));
        let summary = hidden_operations::summary(aqueduct.catalog().registry()).filter(|_| is_list);
        summary.iter().for_each(|line| report::note(line));
    }
    if nothing {
        let name = question.name.as_deref().unwrap_or_default();
        let near = near_names(&answer);
        return Err(CommandError::failed(format!(
            "there is no '{name}' to show{near} (--why shows hidden operations too)"
        )));
    }
    Ok(if matches!(reply, Reply::Success(_)) { Exit::Done } else { Exit::Failed })
}

/// The closest names, as the answer's warning has them.
fn near_names(answer: &Value) -> String {
    let near: Vec<&str> = answer["warnings"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|warning| warning["details"]["suggestions"].as_array())
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(", ")) }
}

/// The decision on each operation and its rule, hidden ones included.
fn why(aqueduct: &Aqueduct, question: &IntrospectArgs) -> Result<Exit, CommandError> {
    let catalog = aqueduct.catalog();
    let mut rows = Vec::new();
    for entry in catalog.registry().entries() {
        if question.name.as_ref().is_some_and(|name| *name != entry.public_name) {
            continue;
        }
        if let Some((_, _, decision)) = catalog.find(&entry.public_name) {
            let category = entry.operation.origin.as_ref().map(classified).unwrap_or_default();
            let name = decision.name().to_owned();
            rows.push(vec![entry.public_name.clone(), name, decision.rule(entry), category]);
        }
    }
    if rows.is_empty() {
        let name = question.name.as_deref().unwrap_or_default();
        return Err(CommandError::failed(format!("there is no operation '{name}'")));
    }
    if question.format == OutputFormat::Json {
        let objects: Vec<Value> = rows
            .iter()
            .map(|row| {
                let mut shown = serde_json::json!({"name": row[0], "decision": row[1], "rule": row[2]});
                if !row[3].is_empty() {
                    shown["category"] = row[3].as_str().into();
                }
                shown
            })
            .collect();
        report::data(&pretty(&Value::from(objects)));
    } else {
        report::data(&table(&rows));
    }
    Ok(Exit::Done)
}

/// Why an imported operation has its category.
fn classified(origin: &ImportOrigin) -> String {
    let review = if origin.needs_review { "; needs review" } else { "" };
    report::terminal_safe(&format!(
        "category: {} ({} confidence{review})",
        origin.reason,
        origin.confidence.name()
    ))
}

fn as_text(data: &Value) -> String {
    let rows_of = |list: &Value, keys: &[&str]| -> Vec<Vec<String>> {
        let items = list.as_array().map(Vec::as_slice).unwrap_or_default();
        items.iter().map(|item| keys.iter().map(|key| text_of(&item[*key])).collect()).collect()
    };
    if let Some(list) = data.get("operations") {
        return table(&rows_of(list, &["name", "semantic_category", "description"]));
    }
    if let Some(list) = data.get("types") {
        return table(&rows_of(list, &["name", "kind", "description"]));
    }
    pretty(data.get("operation").or_else(|| data.get("type")).unwrap_or(data))
}

fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => report::terminal_safe(text),
        other => other.to_string(),
    }
}

/// Columns as wide as their widest cell; the last one is free.
fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
        })
        .collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().enumerate().map(|(column, cell)| {
            let width = if column + 1 == row.len() { 0 } else { widths[column] };
            format!("{cell:<width$}")
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

//! `introspect`: what a model can find out, printed for people or as the very answer that a model gets.
//!
//! A question in; a table, or the answer as JSON, out. `--why` also shows what the policy hides, or what a search goes by.

use super::{build_to_show, hidden_operations, pretty, runtime, terminal_safe_json};
use crate::cli::{IntrospectArgs, OutputFormat};
use crate::config;
use crate::report::{self, CommandError, Exit};
use aqueduct::Aqueduct;
use aqueduct_dispatch::Parts;
use aqueduct_operations::call::Caller;
use aqueduct_operations::category::Category;
use aqueduct_operations::gatekeeper::GateDecision;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::origin::ImportOrigin;
use aqueduct_operations::reply::Reply;
use serde_json::{Map, Value, json};

/// What `introspect` said.
pub(super) struct Introspected {
    /// As a client gets it.
    pub(super) reply: Reply,
    /// Its text, read.
    pub(super) answer: Value,
}

/// Calls `introspect`.
pub(super) fn introspected(
    aqueduct: &Aqueduct,
    params: Map<String, Value>,
) -> Result<Introspected, CommandError> {
    let reply = runtime()?.block_on(aqueduct.call_operation("introspect", params));
    let answer = serde_json::from_str(&reply.to_json())
        .map_err(|error| CommandError::failed(format!("the answer cannot be read: {error}")))?;
    Ok(Introspected { reply, answer })
}

/// Answers a question about sources.
pub fn introspect(question: &IntrospectArgs) -> Result<Exit, CommandError> {
    // People have no budget.
    let builder = config::builder(&question.shared, &question.sources)?.whole_answers();
    let aqueduct = build_to_show(builder)?;
    if let Some(word) = question.category.as_deref().filter(|word| Category::parse(word).is_none()) {
        let word = report::terminal_safe(word);
        let message =
            format!("--category '{word}' is not known; use create, read, update, delete or execute");
        return Err(CommandError::invalid(message));
    }
    if question.search.as_deref().is_some_and(|request| request.trim().is_empty()) {
        let message =
            "--search is empty; describe the task in your own words, such as --search 'list the books'";
        return Err(CommandError::invalid(message));
    }
    if question.why {
        return match &question.search {
            Some(request) => why_found(&aqueduct, question, request),
            None => why(&aqueduct, question),
        };
    }
    let query = match (question.types, &question.search) {
        (true, _) => "types",
        (false, Some(_)) => "search",
        (false, None) => "operations",
    };
    let mut params = Map::new();
    params.insert("query".to_owned(), query.into());
    let texts = [("name", &question.name), ("search", &question.search), ("category", &question.category)];
    let given =
        texts.into_iter().filter_map(|(key, text)| Some((key.to_owned(), Value::from(text.as_deref()?))));
    params.extend(given);
    if let Some(first) = question.first {
        params.insert("first".to_owned(), first.into());
    }
    let is_list = query == "operations" && question.name.is_none();
    if is_list || query == "search" {
        params.insert("budget".to_owned(), i32::MAX.into());
    }
    let Introspected { reply, answer } = introspected(&aqueduct, params)?;
    let nothing = ["operation", "type"].iter().any(|key| answer["data"].get(key) == Some(&Value::Null));
    if question.format == OutputFormat::Json {
        report::data(&pretty(&answer));
    } else if let Some(message) = answer["error"]["message"].as_str() {
        return Err(CommandError::failed(report::terminal_safe(message)));
    } else if !nothing {
        report::data(&as_text(&answer["data"]));
        left_out(&answer).iter().for_each(|line| report::note(line));
        let summary = hidden_operations::summary(&aqueduct.catalog()).filter(|_| is_list);
        summary.iter().for_each(|line| report::note(line));
    }
    if nothing {
        let name = question.name.as_deref().unwrap_or_default();
        let near = near_names(&answer);
        let search = match question.types {
            true => String::new(),
            false => {
                format!("--search \"{}\" finds one by words, ", aqueduct.catalog().request_of_name(name))
            }
        };
        return Err(CommandError::failed(format!(
            "there is no '{name}' to show{near} ({search}--why shows hidden operations too)"
        )));
    }
    Ok(if matches!(reply, Reply::Success(_)) { Exit::Done } else { Exit::Failed })
}

/// What is not shown: what the warnings tell, and how many there are besides those that `--first` has room for.
fn left_out(answer: &Value) -> Vec<String> {
    let warnings = answer["warnings"].as_array().into_iter().flatten();
    let mut lines: Vec<String> =
        warnings.filter_map(|warning| warning["message"].as_str()).map(report::terminal_safe).collect();
    let page = &answer["data"]["_protocol"]["page"];
    if let (Some(total), Some(returned)) = (page["total"].as_u64(), page["returned"].as_u64())
        && returned < total
        && lines.is_empty()
    {
        lines.push(format!("{returned} of {total} operations are listed; --first says how many"));
    }
    if let Some(count) = answer["data"]["left_out"].as_u64() {
        lines.push(format!("{count} more matches are left out"));
    }
    lines
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

/// The decision on each operation and its rule, hidden ones included, and what rules make of some of its calls.
fn why(aqueduct: &Aqueduct, question: &IntrospectArgs) -> Result<Exit, CommandError> {
    let catalog = aqueduct.catalog();
    let entries: Vec<&RegistryEntry> = match &question.name {
        Some(name) => match catalog.find(name) {
            Some((_, entry, _)) => vec![entry],
            None => return Err(CommandError::failed(format!("there is no operation '{name}'"))),
        },
        None => catalog.registry().entries().iter().map(|entry| &**entry).collect(),
    };
    let caller = question.caller.as_deref().map(|name| match name {
        "local" => Caller::local(),
        name => Caller::named(name),
    });
    let (mut rows, mut objects) = (Vec::new(), Vec::new());
    for entry in entries {
        let rules = catalog.rules();
        let decision = match &caller {
            Some(caller) => GateDecision::for_caller(rules, entry, caller),
            None => GateDecision::under(rules, entry),
        };
        let by_call = decision.by_call(rules, entry, caller.as_ref());
        let (name, rule) = (decision.name(), decision.rule.to_string());
        let category = entry.operation.origin.as_ref().map(classified).unwrap_or_default();
        let mut shown = json!({"name": entry.public_name, "decision": name, "rule": rule});
        if !category.is_empty() {
            shown["category"] = category.as_str().into();
        }
        rows.push(vec![entry.public_name.clone(), name.to_owned(), rule, category]);
        let mut others = Vec::new();
        for (permission, rule) in by_call {
            others.push(json!({"decision": permission.name(), "rule": rule}));
            rows.push(vec![String::new(), permission.name().to_owned(), format!("some calls, by {rule}")]);
        }
        if !others.is_empty() {
            shown["by_call"] = others.into();
        }
        objects.push(shown);
    }
    if question.format == OutputFormat::Json {
        report::data(&pretty(&Value::from(objects)));
    } else {
        report::data(&table(&rows));
    }
    Ok(Exit::Done)
}

/// Operations by default where scores are shown.
const SCORED: usize = 10;

/// The operations for a request, with what each part of their scores came from.
fn why_found(aqueduct: &Aqueduct, question: &IntrospectArgs, request: &str) -> Result<Exit, CommandError> {
    let category = question.category.as_deref().and_then(Category::parse);
    let most = question.first.map_or(SCORED, |first| usize::try_from(first).unwrap_or(usize::MAX));
    let catalog = aqueduct.catalog();
    let admits = |entry: &RegistryEntry| category.is_none_or(|category| entry.operation.category == category);
    let found = catalog.explain_search(request, admits, most);
    if question.format == OutputFormat::Json {
        let shown = found.iter().map(|(entry, why)| {
            let parts = parts(&why.parts)
                .into_iter()
                .map(|(name, part)| (name.to_owned(), Value::from(rounded(part))));
            let words = why.evidence.iter().map(
                |each| json!({"asked": each.requested, "found": each.found, "points": rounded(each.points)}),
            );
            json!({"name": entry.public_name, "score": rounded(why.score), "parts": Map::from_iter(parts),
                   "words": words.collect::<Vec<_>>()})
        });
        report::data(&pretty(&Value::from(shown.collect::<Vec<_>>())));
        return Ok(Exit::Done);
    }
    let heading = ["score"].into_iter().chain(parts(&Parts::default()).into_iter().map(|(name, _)| name));
    let mut rows: Vec<Vec<String>> =
        vec![heading.chain(["operation", "by the words"]).map(str::to_owned).collect()];
    for (entry, why) in &found {
        let numbers = [why.score].into_iter().chain(parts(&why.parts).into_iter().map(|(_, part)| part));
        let words = why.evidence.iter().take(MOST_WORDS).map(|each| {
            let is_same = each.requested == each.found;
            if is_same { each.requested.clone() } else { format!("{} = {}", each.requested, each.found) }
        });
        let words = report::terminal_safe(&words.collect::<Vec<_>>().join(", "));
        let numbers = numbers.map(|number| format!("{:.2}", rounded(number)));
        rows.push(numbers.chain([entry.public_name.clone(), words]).collect());
    }
    report::data(&table(&rows));
    Ok(Exit::Done)
}

/// Words that are shown of each operation.
const MOST_WORDS: usize = 6;

/// The parts of a score by name.
fn parts(parts: &Parts) -> [(&'static str, f32); 12] {
    [
        ("words", parts.words),
        ("name", parts.name),
        ("path", parts.head),
        ("verb", parts.class),
        ("meaning", parts.meaning),
        ("aligned", parts.aligned),
        ("own", parts.own),
        ("depth", parts.depth),
        ("deprecated", parts.deprecated),
        ("source", parts.source),
        ("values", parts.values),
        ("called", parts.called),
    ]
}

/// Hundredths are all that tells anything.
fn rounded(number: f32) -> f64 {
    let hundredths = (f64::from(number) * 100.0).round();
    // No minus before a zero.
    (hundredths + 0.0) / 100.0
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
    if let Some(list) = data.get("matches") {
        return matches(data, list);
    }
    if let Some(list) = data.get("operations") {
        return table(&rows_of(list, &["name", "semantic_category", "description"]));
    }
    if let Some(list) = data.get("types") {
        return table(&rows_of(list, &["name", "kind", "description"]));
    }
    pretty(data.get("operation").or_else(|| data.get("type")).unwrap_or(data))
}

/// What a search found: a line for each match with what it requires, how the best one is called, and how sure it is that this
/// one is meant.
fn matches(data: &Value, found: &Value) -> String {
    let found = found.as_array().map(Vec::as_slice).unwrap_or_default();
    let has_required = found.iter().any(|each| each.get("required").is_some());
    let row = |each: &Value| {
        let required = has_required.then(|| required(&each["required"]));
        let before = ["name", "tool"].map(|key| text_of(&each[key]));
        before.into_iter().chain(required).chain([text_of(&each["description"])]).collect()
    };
    let mut text = table(&found.iter().map(row).collect::<Vec<_>>());
    let example = data["matches"].get(0).and_then(|best| best.get("example"));
    if let Some(example) = example {
        text.push_str(&format!("\n\n{}", terminal_safe_json(&example.to_string())));
    }
    if let Some(hint) = data["hint"].as_str() {
        let groups = data.get("groups").map(|groups| terminal_safe_json(&groups.to_string()));
        text.push_str(&format!("\n\n{hint}"));
        groups.iter().for_each(|groups| text.push_str(&format!("\n{groups}")));
    }
    text.push_str(&format!("\n\nconfidence: {}", text_of(&data["confidence"])));
    text.trim_start().to_owned()
}

/// Required parameters with their types: `product_id: integer`; a dash where there are none.
fn required(params: &Value) -> String {
    let named = params.as_object().into_iter().flatten();
    let named: Vec<String> =
        named.map(|(name, kind)| format!("{}: {}", report::terminal_safe(name), text_of(kind))).collect();
    if named.is_empty() { "-".to_owned() } else { named.join(", ") }
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

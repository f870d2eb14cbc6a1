//! How long it takes to select 3 of 60 fields from a list of 2 MB, and how much memory, beside reading it into a tree.
//!
//! In: nothing. Out: a table on stdout, and exit code 1 when a target is missed. Run by `cargo xtask bench select`.

#![allow(clippy::print_stdout, reason = "a measurement speaks to the person who runs it")]

use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::response::FieldPath;
use aqueduct_query::select::Selection;
use peak_alloc::PeakAlloc;
use serde_json::{Map, Value, json};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Counts what is allocated, also while a piece grows and is there twice. It makes the tree slower by about a tenth, far
/// less than the targets leave room for.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const SIZE: usize = 2_000_000;
const FIELDS: usize = 60;
const CHOSEN: [&str; 3] = ["id", "title_7", "owner.login"];
const RUNS: usize = 51;
const MOST_TIME: f64 = 1.5;
const MOST_MEMORY: f64 = 2.0;

fn main() -> ExitCode {
    let text = list();
    let paths: Vec<FieldPath> = CHOSEN.into_iter().filter_map(FieldPath::parse).collect();
    let selection = Selection::new(&paths);
    let select = |json: &str| {
        let mut out = String::new();
        selection.select(black_box(json), &mut out);
        out
    };
    let tree = || serde_json::from_slice::<Value>(black_box(text.as_bytes()));
    let checked = || RawJson::parse(black_box(&text)).map(|json| select(json.as_str()));
    let selected = || select(&text);

    println!(
        "{} of {FIELDS} fields of a list of {:.1} MB, {} bytes selected",
        CHOSEN.len(),
        text.len() as f64 / 1e6,
        selected().len()
    );
    println!("{:<36} {:>12} {:>18}", "", "median", "memory / size");
    let (tree_time, _) = measured("serde_json::from_slice::<Value>", &text, tree);
    measured("checked as text, then selection", &text, checked);
    let (time, memory) = measured("selection", &text, selected);
    let share = time.as_secs_f64() / tree_time.as_secs_f64();
    let met = [
        verdict("selection's time, of from_slice's", share, MOST_TIME),
        verdict("selection's memory with the text, of its size", memory, MOST_MEMORY),
    ];
    if met.contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn verdict(what: &str, found: f64, most: f64) -> bool {
    let is_met = found <= most;
    let word = if is_met { "met" } else { "MISSED" };
    println!("{what:<52} {found:>8.2} times   target <= {most:<4} {word}");
    is_met
}

/// The median time, and the most memory in use, with the text itself, as a share of the text's size.
fn measured<T>(what: &str, text: &str, work: impl Fn() -> T) -> (Duration, f64) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    drop(black_box(work()));
    let memory = (MEMORY.peak_usage() - before + text.len()) as f64 / text.len() as f64;
    let mut times: Vec<Duration> = (0..RUNS).map(|_| time(&work)).collect();
    times.sort();
    let median = times[RUNS / 2];
    println!("{what:<36} {:>9.3} ms {memory:>18.2}", median.as_secs_f64() * 1e3);
    (median, memory)
}

/// Without the time to free what was made.
fn time<T>(work: impl Fn() -> T) -> Duration {
    let start = Instant::now();
    let made = black_box(work());
    let elapsed = start.elapsed();
    drop(made);
    elapsed
}

/// What APIs answer with: numbers, texts, times, addresses, flags, gaps, something nested.
fn list() -> String {
    let mut text = String::from("[");
    for id in 0.. {
        let more = item(id).to_string();
        if text.len() + more.len() + 2 > SIZE {
            break;
        }
        if id > 0 {
            text.push(',');
        }
        text.push_str(&more);
    }
    text.push(']');
    text
}

fn item(id: usize) -> Value {
    let owner = json!({"id": id % 97, "login": format!("user-{}", id % 97), "site_admin": false});
    let mut members = Map::from_iter([("id".to_owned(), json!(id)), ("owner".to_owned(), owner)]);
    for field in members.len()..FIELDS {
        let (name, value) = match field % 8 {
            0 => ("count", json!(id * field)),
            1 => ("is_open", json!(id.is_multiple_of(2))),
            2 => ("created_at", json!(format!("2026-11-{:02}T08:{:02}:00Z", 1 + id % 28, field))),
            3 => ("html_url", json!(format!("https://api.example.com/things/{id}/parts/{field}"))),
            4 => ("closed_by", Value::Null),
            5 => ("labels", json!(["bug", "help wanted", {"name": "ui", "color": "f00"}])),
            6 => ("note", json!(format!("He said \"{id}\"\nand left."))),
            _ => ("title", json!(format!("A thing that does what number {field} of {id} should do"))),
        };
        members.insert(format!("{name}_{field}"), value);
    }
    Value::Object(members)
}

//! The first pages work for anyone who has nothing but them: what they call is started as they say, and what they name is where they
//! say.
//!
//! `every_block_of_every_page_is_true` gives every page a folder with the samples and an API; here neither is a gift.

use super::workplace::Workplace;
use super::{blocks, problem_with, root, text_of};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// Pages that somebody reads first, each up to a heading.
const FIRST_PAGES: [(&str, &str); 5] = [
    ("README.md", "## Your first adapter"),
    ("docs/start/adapter-author.md", ""),
    ("docs/start/mcp-servers.md", ""),
    ("docs/start/openapi.md", ""),
    ("docs/start/team.md", ""),
];

/// What such a page says to start.
const START: &str = "aqueduct demo --todos\n";

/// A program that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// What a page says to start, on a free port, and its address.
fn started() -> (Running, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aqueduct"));
    command.args(["demo", "--todos", "127.0.0.1:0"]).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    let first = said.next().unwrap().unwrap();
    let running = Running(child);
    // Its other lines are read too, so that it never waits for a reader.
    std::thread::spawn(move || said.for_each(drop));
    let address = first.strip_prefix("listening on ").unwrap_or_else(|| panic!("{first}")).to_owned();
    (running, address)
}

/// The blocks of a page, up to its heading.
fn first_blocks(page: &str, end: &str) -> Vec<blocks::Block> {
    let text = text_of(page);
    let last = text.lines().position(|line| !end.is_empty() && line == end);
    assert_eq!(last.is_some(), !end.is_empty(), "{page} has no '{end}'");
    blocks::of(&text).into_iter().filter(|block| last.is_none_or(|last| block.line <= last)).collect()
}

/// With nothing else to call than what the page says to start, everything that it shows holds.
#[test]
fn the_first_pages_start_what_they_call() {
    let mut problems = Vec::new();
    for (page, end) in FIRST_PAGES {
        let blocks = first_blocks(page, end);
        let starts = blocks.iter().position(|block| block.info == "text" && block.text == START);
        let (_running, address) = match starts {
            Some(_) => started(),
            // Nothing answers there.
            None => (started().0, "http://127.0.0.1:9".to_owned()),
        };
        let mut place = Workplace::new(&root().join("examples"), &address);
        for block in &blocks {
            if let Some(problem) = problem_with(block, &mut place) {
                problems.push(format!("{page}:{}: [{}] {problem}", block.line, block.info));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}

/// A page that names a sample has said before where it is, and does not take it for granted.
#[test]
fn the_first_pages_say_where_the_samples_are() {
    let folder = std::fs::read_dir(root().join("examples")).unwrap();
    let names: Vec<String> = folder.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    for (page, end) in FIRST_PAGES {
        let text = text_of(page);
        for block in first_blocks(page, end).iter().filter(|block| block.info != "text") {
            let before: String = text.lines().take(block.line).collect::<Vec<_>>().join("\n");
            let is_told = |name: &String| {
                before.contains("cd examples") || before.contains(&format!("cp examples/{name} "))
            };
            let named = names.iter().filter(|name| block.text.contains(name.as_str()));
            let untold: Vec<&String> = named.filter(|name| !is_told(name)).collect();
            assert!(untold.is_empty(), "{page}:{}: nobody was told where {untold:?} is", block.line);
        }
    }
}

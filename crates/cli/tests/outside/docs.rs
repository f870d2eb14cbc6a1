//! The documents are true: every fenced block of every page is loaded, run or replayed, and the pages that list
//! something (codes, keys, flags) list all of it.
//!
//! How blocks are marked is told in `CONTRIBUTING.md`. A page has a folder of its own with the example adapters in it,
//! and its adapter blocks are saved there as the page goes on.

mod blocks;
mod compare;
mod first_pages;
mod programs;
mod session;
mod todo_api;
mod workplace;

use aqueduct_operations::controls::Control;
use aqueduct_operations::failure::Code;
use aqueduct_operations::limits::Limits;
use blocks::Block;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use workplace::Workplace;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every page but the generated one, by its path from the root. Adapter files are data, and are tried as such.
fn pages() -> Vec<String> {
    let mut pages = Vec::new();
    for folder in ["", "docs", "docs/start", "docs/decisions", "examples"] {
        for file in std::fs::read_dir(root().join(folder)).unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            if path.ends_with(".md") && !path.ends_with("-adapter.md") && path != "docs/conformance.md" {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

#[expect(clippy::disallowed_methods, reason = "a test reads the documents of its own checkout")]
fn text_of(page: &str) -> String {
    std::fs::read_to_string(root().join(page)).unwrap()
}

fn problem_with(block: &Block, place: &mut Workplace) -> Option<String> {
    let mut words = block.info.split_whitespace();
    match (words.next(), words.next(), words.next()) {
        (Some("json" | "yaml" | "toml"), Some("file"), Some(name)) => place.keep(name, &block.text),
        (Some("rust"), Some(file), None) => not_in(file, &block.text),
        (Some("yaml"), mark, None) => place.load(&block.text, mark == Some("warns")),
        (Some("toml"), None, None) => place.configure(&block.text),
        (Some("console"), None, None) => place.run(&block.text),
        (Some("json"), Some("call"), Some(tool)) => place.call(tool, &block.text),
        (Some("json"), Some("answer"), None) => place.compare_answer(&block.text),
        (Some("json"), None, None) => place.start_servers_of(&block.text),
        (Some("text"), Some("description"), Some(tool)) => place.describe(tool, &block.text),
        // Nothing is claimed by a drawing, and code is compiled where it lives.
        (Some("rust" | "text"), None, None) | (None, None, None) => None,
        _ => Some("this kind of block is not known".to_owned()),
    }
}

/// Code on a page is a part of a program that is compiled and run.
fn not_in(file: &str, shown: &str) -> Option<String> {
    let text = text_of(file);
    let parts = shown.split("// ...\n").map(str::trim);
    let missing = parts.into_iter().find(|part| !text.contains(part))?;
    Some(format!("{file} has no such lines:\n{missing}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_block_of_every_page_is_true() {
    let api = todo_api::start().await;
    let mut problems = Vec::new();
    for page in pages() {
        let mut place = Workplace::new(&root().join("examples"), &api.base_url());
        for block in blocks::of(&text_of(&page)) {
            if let Some(problem) = problem_with(&block, &mut place) {
                problems.push(format!("{page}:{}: [{}] {problem}", block.line, block.info));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}

/// The page on the library compiles as it stands: its blocks, one after the other, are the program that is compiled here.
#[test]
fn the_page_on_the_library_is_a_whole_program() {
    let file = "examples/library.rs";
    let program = text_of(file);
    let code = program.split_once("\n\n").map(|(_, code)| code.trim()).unwrap();
    let blocks = blocks::of(&text_of("docs/library.md"));
    let shown: Vec<&str> = blocks
        .iter()
        .filter(|block| block.info == format!("rust {file}"))
        .map(|block| block.text.trim())
        .collect();
    assert_eq!(shown.join("\n\n"), code);
    let others = blocks.iter().filter(|block| block.info.starts_with("rust") && !block.info.ends_with(file));
    assert_eq!(others.count(), 0, "every block of the page is a part of it");
}

#[test]
fn the_pages_hold_blocks_of_every_kind() {
    let text: String = pages().iter().map(|page| text_of(page)).collect();
    let kinds = [
        "yaml",
        "yaml warns",
        "yaml file ",
        "toml",
        "console",
        "json call ",
        "json answer",
        "json file ",
        "text description ",
        "rust examples/",
    ];
    for kind in kinds {
        assert!(text.contains(&format!("\n```{kind}")), "no page has a block of the kind '{kind}'");
    }
}

#[test]
fn every_example_loads_without_a_remark() {
    let place = Workplace::new(&root().join("examples"), "http://127.0.0.1:9");
    let files = place.adapters();
    assert!(files.len() >= 3, "{files:?}");
    for file in files {
        let shown = place.shell(&format!("aqueduct validate {file}"));
        assert!(shown.starts_with(&format!("{file}: valid")) && shown.ends_with("0 warnings\n"), "{shown}");
    }
}

/// C10.2-3: codes and queries beyond the specification are documented, and so is every other code.
#[test]
fn every_code_and_extension_is_documented() {
    let page = text_of("docs/errors.md");
    for code in Code::ALL {
        assert!(page.contains(&format!("`{}`", code.name())), "{} is not documented", code.name());
    }
    let place = Workplace::new(&root().join("examples"), "http://127.0.0.1:9");
    let list = place.shell("aqueduct introspect todo-adapter.md --format json");
    let list: Value = serde_json::from_str(&list).unwrap();
    let protocol = list["data"]["_protocol"].as_object().unwrap();
    let queries = protocol["extensions"].as_array().unwrap();
    assert!(queries.contains(&json!("adapter_info")));
    let words = queries.iter().filter_map(Value::as_str).chain(protocol.keys().map(String::as_str));
    for word in words {
        assert!(page.contains(&format!("`{word}`")), "{word} is not documented");
    }
}

#[test]
fn every_key_of_an_adapter_file_is_documented() {
    let page = text_of("docs/adapter-files.md");
    let place = Workplace::new(&root().join("examples"), "http://127.0.0.1:9");
    let schema: Value = serde_json::from_str(&place.shell("aqueduct schema")).unwrap();
    let mut keys = Vec::new();
    collect_keys(&schema, &mut keys);
    assert!(keys.len() > 80, "{}", keys.len());
    keys.retain(|key| !page.contains(&format!("`{key}`")) && !page.contains(&format!("{key}:")));
    assert!(keys.is_empty(), "not documented: {keys:?}");
}

fn collect_keys(schema: &Value, keys: &mut Vec<String>) {
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        keys.extend(properties.keys().cloned());
    }
    match schema {
        Value::Object(members) => members.values().for_each(|each| collect_keys(each, keys)),
        Value::Array(elements) => elements.iter().for_each(|each| collect_keys(each, keys)),
        _ => {}
    }
}

/// Every control is told, and every limit with its default.
#[test]
fn every_control_and_limit_is_documented() {
    let language = text_of("docs/query-language.md");
    for control in Control::all() {
        assert!(language.contains(&format!("`{}`", control.name())), "{control:?} is not documented");
    }
    let configuration = text_of("docs/configuration.md");
    for (name, default) in serde_json::to_value(Limits::default()).unwrap().as_object().unwrap() {
        assert!(configuration.contains(&format!("{name} = {default}")), "{name} is not documented");
    }
}

#[test]
fn every_command_and_flag_is_documented() {
    let page = text_of("docs/configuration.md");
    let place = Workplace::new(&root().join("examples"), "http://127.0.0.1:9");
    let mut commands = commands_of(&place, "aqueduct");
    assert!(commands.contains(&"aqueduct serve".to_owned()), "{commands:?}");
    let below: Vec<String> = commands.iter().flat_map(|command| commands_of(&place, command)).collect();
    assert!(below.contains(&"aqueduct import openapi".to_owned()), "{below:?}");
    commands.retain(|command| !below.iter().any(|each| each.starts_with(&format!("{command} "))));
    for command in commands.iter().chain(&below) {
        assert!(page.contains(command), "{command} is not documented");
        let help = place.shell(&format!("{command} --help"));
        let flags: Vec<&str> = help
            .lines()
            .filter(|line| line.trim_start().starts_with('-'))
            .filter_map(|line| Some(line.split_once("--")?.1.split([' ', '<']).next().unwrap_or_default()))
            .collect();
        for name in flags {
            assert!(page.contains(&format!("`--{name}")), "--{name} of {command} is not documented");
        }
    }
}

/// The commands that stand in the help of a command.
fn commands_of(place: &Workplace, command: &str) -> Vec<String> {
    let help = place.shell(&format!("{command} --help"));
    let lines =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // A description that goes on in the next line stands further to the right.
    let names = lines.filter_map(|line| {
        line.strip_prefix("  ")?.split_whitespace().next().filter(|_| !line.starts_with("   "))
    });
    names.filter(|name| *name != "help").map(|name| format!("{command} {name}")).collect()
}

/// S-extend-8: the page on source kinds has a section for each of them, with its page, its code and its functions.
#[test]
fn every_source_kind_is_documented() {
    let page = text_of("docs/adding-a-source-kind.md");
    let library = text_of("crates/aqueduct/src/lib.rs");
    let (_, table) = page.split_once("| Source |").unwrap();
    let row = |path: &str| {
        let row = table.lines().find(|line| line.contains(&format!("`{path}`")));
        row.unwrap_or_else(|| panic!("{path} is not in the table")).to_owned()
    };
    let modules = text_of("crates/sources/src/lib.rs");
    let helpers = ["filter", "kind_table", "overrides"];
    let modules = modules.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let mut kinds: Vec<String> = modules
        .filter(|module| !helpers.contains(module))
        .map(|module| format!("crates/sources/src/{module}.rs"))
        .collect();
    let imports = text_of("crates/sources/src/kind_table.rs");
    let crates = imports.lines().filter_map(|line| line.strip_prefix("use aqueduct_")?.split_once("::"));
    let crates = crates.map(|(folder, _)| folder).filter(|folder| *folder != "source_kind");
    kinds.extend(crates.map(|folder| format!("crates/{folder}/src/lib.rs")));
    kinds.push("crates/adapter_files/src/operation_file.rs".to_owned());
    assert!(kinds.len() >= 6, "{kinds:?}");
    for module in kinds {
        let row = row(&module);
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let functions = cells[4].split('`').skip(1).step_by(2);
        for function in functions {
            let name = function.rsplit("::").next().unwrap();
            let methods =
                text_of("crates/aqueduct/src/builder.rs") + &text_of("crates/aqueduct/src/aqueduct.rs");
            let is_public = library.contains(name) || methods.contains(&format!("pub fn {name}"));
            assert!(is_public, "{function} of {module} is not public");
        }
        assert!(cells[5].contains(".md"), "{module} has no page: {row}");
    }
}

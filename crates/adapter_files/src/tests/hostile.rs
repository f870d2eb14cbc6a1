//! Files made to hurt: whatever comes in, an answer comes out, soon and of bounded size.
//!
//! Random bytes, random YAML, mutations of a good file, bombs, and files of the largest size.

use super::{SHOP, good, load_text, with_operations};
use crate::load;
use aqueduct_source_kind::settings::{LoadOutcome, SourceSettings};
use proptest::prelude::{Strategy, any, prop, proptest};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Loads bytes and holds the promises that every outcome keeps.
fn judged(bytes: &[u8]) -> LoadOutcome {
    let started = Instant::now();
    let outcome = load("shop-adapter.md", bytes, &SourceSettings::default());
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    assert_eq!(outcome.loaded.is_none(), outcome.errors().next().is_some());
    assert!(outcome.diagnostics.len() <= 402);
    let printed: usize = outcome.diagnostics.iter().map(|d| d.to_string().len()).sum();
    assert!(printed < 2_000_000, "{printed}");
    outcome
}

fn front_matter(yaml: &str) -> String {
    format!("---\n{yaml}\n---\n")
}

#[test]
fn bombs_and_depth() {
    let mut laughs = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..30 {
        let before = level - 1;
        writeln!(laughs, "a{level}: &a{level} [*a{before}, *a{before}, *a{before}, *a{before}, *a{before}]")
            .unwrap();
    }
    let merges: String = "x: &x {a: 1}\n".to_owned() + &"y: {<<: *x}\n".repeat(20_000);
    for yaml in [
        laughs,
        merges,
        "[".repeat(1_000_000),
        "{".repeat(1_000_000),
        "- ".repeat(1_000_000),
        "? ".repeat(1_000_000),
        "&a ".repeat(100_000),
        "!!str ".repeat(100_000),
        "a: &a [*a]".to_owned(),
        "x: !!binary ////".to_owned(),
        "--- ---\n--- x".to_owned(),
        "x: 1\n...\ny: 2".to_owned(),
    ] {
        let outcome = judged(front_matter(&yaml).as_bytes());
        assert!(outcome.loaded.is_none());
    }
}

#[test]
fn huge_files() {
    let ten = 10 * 1024 * 1024 - 1024;
    let two = 2 * 1024 * 1024;
    for text in [
        front_matter(&format!("name: {}", "x".repeat(ten))),
        "x".repeat(two),
        "-".repeat(two),
        "\n".repeat(two),
        front_matter(&format!("{}: 1", "x".repeat(two))),
        front_matter(&"a\n".repeat(two / 2)),
        front_matter(&"#\n".repeat(two / 2)),
        format!("---\n{}", "a: 1\n".repeat(two / 5)),
    ] {
        assert!(judged(text.as_bytes()).loaded.is_none());
    }
    let prose = format!("{SHOP}{}", "All work and no play.\n".repeat(two / 22));
    assert!(judged(prose.as_bytes()).loaded.is_some());
    let larger = judged(&vec![b'x'; 128 * 1024 * 1024 + 1]);
    assert!(larger.diagnostics[0].message.contains("larger than 128 MiB"));
}

#[test]
fn a_file_full_of_credentials() {
    let token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    let headers: String =
        (0..5_000).map(|number| format!("    X-Api-Key-{number}: hunter2-{number}\n")).collect();
    let keys: String = (0..5_000).map(|number| format!("{token}{number}: {token}{number}\n")).collect();
    let text = SHOP.replace("target:\n", &format!("{keys}target:\n  headers:\n{headers}"));
    let printed: String = judged(text.as_bytes()).diagnostics.iter().map(ToString::to_string).collect();
    assert!(!printed.contains("ghp_abc") && !printed.contains("hunter2"));
}

#[test]
fn ten_thousand_operations() {
    let mut list = String::from("  read:\n");
    for number in 0..10_000 {
        writeln!(
            list,
            "    - {{name: get_item_{number}, description: \"Read it\", maps_to: 'GET /items/{{id}}', params: {{id: {{type: integer, required: true}}}}}}"
        )
        .unwrap();
    }
    let loaded = good(&with_operations(&list));
    assert_eq!(loaded.operations.len(), 10_000);
    assert_eq!(loaded.operations[9_999].name, "get_item_9999");
    let broken = with_operations(&list.replace("integer", "intger").replace("{id}", "{idd}"));
    let outcome = judged(broken.as_bytes());
    assert!(outcome.diagnostics.last().unwrap().message.ends_with("more errors are not shown"));
}

#[test]
fn huge_values() {
    let long = "x".repeat(1_000_000);
    for (from, to) in [
        ("GET /items/{id}", format!("GET /{{{long}}}")),
        ("get_item", long.clone()),
        ("integer", long.clone()),
        ("integer", "string[]".repeat(100_000)),
        ("integer", format!("string{}", "[]".repeat(100_000))),
        ("rest", long.clone()),
        ("id: {", format!("{long}: {{")),
    ] {
        assert!(judged(SHOP.replacen(from, &to, 1).as_bytes()).loaded.is_none());
    }
}

/// A large group used by many operations would multiply.
#[test]
fn multiplied_references() {
    let values = (0..1_000).map(|number| number.to_string()).collect::<Vec<_>>().join(", ");
    let group: String =
        (0..100).map(|n| format!("    - {{name: p{n}, type: integer, enum: [{values}]}}\n")).collect();
    let uses: String = (0..500)
        .map(|n| format!("    - {{name: get_{n}, description: x, maps_to: GET /x, params: [{{$ref: '#/shared_parameters/g'}}]}}\n"))
        .collect();
    let text = with_operations(&format!("  read:\n{uses}"))
        .replace("operations:\n", &format!("shared_parameters:\n  g:\n{group}operations:\n"));
    let outcome = judged(text.as_bytes());
    assert_eq!(outcome.errors().next().unwrap().code, "TOO_MANY");
}

/// `count` pieces, each made from its number.
fn many(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect()
}

/// A large type that many operations return would multiply; so would a large operation that many links lead to.
#[test]
fn multiplied_types() {
    let fields = many(4_000, |n| format!("f{n}: {{type: string}}, "));
    let presets = many(4_000, |n| format!("f{n}, "));
    let params = many(4_000, |n| format!("p{n}: {{type: string}}, "));
    let reads = many(1_000, |n| {
        format!("    - {{name: list_{n}, description: x, maps_to: GET /x, response: {{type: 'A[]'}}}}\n")
    });
    let large = format!("    - {{name: get_a, description: x, maps_to: GET /a, params: {{{params}}}}}\n");
    let types =
        format!("types:\n  A: {{kind: object, fields: {{{fields}}}, presets: {{all: [{presets}]}}}}\n");
    let links =
        many(5_000, |n| format!("  - {{type: t{n}, from: A, to: A, via: get_a, params: {{p0: f0}}}}\n"));
    for (types, operations) in [
        (types.clone(), format!("  read:\n{reads}")),
        (format!("{types}relationships:\n{links}"), format!("  read:\n{large}")),
    ] {
        let text = with_operations(&operations).replace("operations:\n", &format!("{types}operations:\n"));
        let outcome = judged(text.as_bytes());
        assert_eq!(outcome.errors().next().unwrap().code, "TOO_MANY");
    }
}

/// Long lists inside one operation, and many operations that refer to others.
#[test]
fn long_lists() {
    let read = |keys: &str| {
        with_operations(&format!(
            "  read:\n    - {{name: list_x, description: x, maps_to: GET /x, {keys}}}\n"
        ))
    };
    let names = many(20_000, |n| format!("f{n}, "));
    let presets = many(20_000, |n| format!("f{n}: [a], "));
    let fields = many(10_000, |n| format!("{{name: f{n}, type: integer, value: {{count: a}}}}, "));
    let chosen = many(10_000, |n| format!("_computed.f{n}, "));
    let puts = many(5_000, |n| {
        format!(
            "    - {{name: put_{n}, description: x, maps_to: PUT /x, params: {{a: {{type: string}}}}, deprecated: {{replacement: put_x{n}}}}}\n"
        )
    });
    let slots = "{nothing}".repeat(200_000);
    for text in [
        read(&format!("collection: {{sort: {{param: s, fields: [{names}]}}}}")),
        read(&format!("fields: {{presets: {{{presets}}}}}")),
        read(&format!("computed: [{fields}], fields: {{presets: {{all: [{chosen}]}}}}")),
        with_operations(&format!("  update:\n{puts}")),
        SHOP.replace("operations:\n", &format!("error_mapping: {{404: {{code: NOT_FOUND_RESOURCE, message_template: '{slots}'}}}}\noperations:\n")),
    ] {
        assert!(judged(text.as_bytes()).loaded.is_some());
    }
}

#[test]
fn odd_documents() {
    for yaml in
        ["null", "~", "5", "text", "[]", "{}", "true", "name:", "operations: {read: [null, 5, [], x]}"]
    {
        assert!(load_text(&front_matter(yaml)).loaded.is_none(), "{yaml}");
    }
}

fn yaml_like() -> impl Strategy<Value = String> {
    let token = prop::sample::select(vec![
        "name",
        "type",
        "operations",
        "read",
        "params",
        "- ",
        ": ",
        "\n",
        "  ",
        "    ",
        "{",
        "}",
        "[",
        "]",
        ",",
        "\"",
        "'",
        "|",
        ">",
        "&a",
        "*a",
        "<<",
        "#",
        "---",
        "GET /x",
        "string",
        "true",
        "null",
        "1e999",
        ".nan",
        "0x1F",
        "!!int",
        "é",
        "$ref",
        "#/shared_parameters/x",
        "?",
        "%",
        "@",
        "\t",
        "\u{85}",
        "\u{2028}",
    ]);
    prop::collection::vec(token, 0..60).prop_map(|tokens| tokens.concat())
}

proptest! {
    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        judged(&bytes);
        let mut framed = b"---\n".to_vec();
        framed.extend(&bytes);
        framed.extend(b"\n---\n");
        judged(&framed);
    }

    #[test]
    fn random_yaml(text in yaml_like()) {
        judged(front_matter(&text).as_bytes());
    }

    #[test]
    fn mutations(at in 0..SHOP.len(), length in 0..20_usize, with in yaml_like()) {
        let end = (at + length).min(SHOP.len());
        let mutated = format!("{}{with}{}", &SHOP[..at], &SHOP[end..]);
        judged(mutated.as_bytes());
    }

    /// The same bytes give the same operations.
    #[test]
    fn same_in_same_out(at in 0..SHOP.len(), with in "[a-z0-9: ]{0,3}") {
        let text = format!("{}{with}{}", &SHOP[..at], &SHOP[at..]);
        let shown = |outcome: LoadOutcome| format!("{:?} {:?}", outcome.loaded.map(|l| l.operations), outcome.diagnostics);
        assert_eq!(shown(judged(text.as_bytes())), shown(judged(text.as_bytes())));
    }
}

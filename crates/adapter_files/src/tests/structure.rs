//! The file itself: its name, its front matter, the keys that must be there, the index of operations.
//!
//! Runtime specification, sections 3 and 4.1; adapter document, sections 1 to 4.

use super::{SHOP, changed, codes, good, load_text, refusal, with_operations};
use crate::{load, name_prefix};
use aqueduct_source_kind::settings::SourceSettings;

/// R3.1-2 X-adapter-1: only `*-adapter.md` is an adapter file; another name is refused, another prefix is told.
#[test]
fn file_names() {
    assert_eq!(name_prefix("a/b/github-api-adapter.md"), Some("github-api"));
    assert_eq!(name_prefix("C:\\x\\shop-adapter.md"), Some("shop"));
    for other in ["shop.md", "shop-adapter.yaml", "-adapter.md", "shop-adapter.md.bak", "adapter.md"] {
        assert_eq!(name_prefix(other), None, "{other}");
        let outcome = load(other, SHOP.as_bytes(), &SourceSettings::default());
        assert!(outcome.loaded.is_none());
        assert_eq!(outcome.diagnostics[0].code, "FILE_NAME");
    }
    let outcome = load("other-adapter.md", SHOP.as_bytes(), &SourceSettings::default());
    assert!(outcome.loaded.is_some());
    assert_eq!(outcome.diagnostics[0].code, "NAME_MISMATCH");
}

/// R1.3-2 R3.1-3 R3.2-5 O5.1-5 X-adapter-3 X-adapter-25: a small file loads with nothing to say.
#[test]
fn a_small_file_loads() {
    let outcome = load_text(SHOP);
    assert!(outcome.diagnostics.is_empty(), "{:?}", outcome.diagnostics);
    let loaded = outcome.loaded.unwrap();
    assert_eq!((loaded.source.name.as_str(), loaded.source.version.as_str()), ("shop", "1.0.0"));
    assert_eq!(good(&changed("name: shop", "name: shop-api")).source.name, "shop-api");
    let smallest = with_operations("  read:\n    - name: get_status\n      maps_to: GET /status\n");
    assert_eq!(codes(&smallest), ["MISSING_DESCRIPTION operations.read[0]"]);
    assert_eq!(good(&smallest).operations[0].description, "Get status (GET /status)");
}

/// R3.1-4 R3.2-4: the prose is kept as documentation, and may be absent.
#[test]
fn documentation() {
    assert_eq!(good(SHOP).source.documentation, "# Shop");
    let bare = SHOP.strip_suffix("\n# Shop\n").unwrap();
    assert_eq!(good(bare).source.documentation, "");
}

/// R1.2-2 R3.1-3 R3.2-1 R3.2-2 R3.2-3: what is no front matter, or no YAML, does not load; the line is that of the file.
#[test]
fn broken_files() {
    for (text, code, line) in [
        ("# Only prose\n", "FRONT_MATTER", 1),
        ("\n---\nname: x\n---\n", "FRONT_MATTER", 1),
        ("---\nname: x\n", "FRONT_MATTER", 2),
        ("---\n---\n", "FRONT_MATTER", 2),
        ("", "FRONT_MATTER", 1),
        ("---\nname: shop\ntype: [adapter\n---\n", "YAML_SYNTAX", 3),
        ("---\nname: shop\n\tx: 1\n---\n", "YAML_SYNTAX", 3),
        ("---\nname: *x\n---\n", "YAML_SYNTAX", 2),
    ] {
        let outcome = load_text(text);
        let found = &outcome.diagnostics[0];
        assert_eq!(outcome.diagnostics.len(), 1, "{text:?}");
        assert_eq!((found.code, found.position.line), (code, line), "{text:?} {found}");
        assert!(outcome.loaded.is_none());
    }
    let outcome = load("shop-adapter.md", b"---\nname: \xff\n---\n", &SourceSettings::default());
    assert_eq!((outcome.diagnostics[0].code, outcome.diagnostics[0].position.line), ("FILE_CONTENT", 2));
    assert_eq!(refusal("---\n- a\n- b\n---\n"), ["WRONG_TYPE "]);
}

/// R3.2-2: a byte order mark, CRLF and white space after the delimiters change nothing.
#[test]
fn line_ends_and_marks() {
    let windows = format!("\u{feff}{}", SHOP.replace('\n', "\r\n").replacen("---\r\n", "---  \r\n", 1));
    let outcome = load_text(&windows);
    assert!(outcome.diagnostics.is_empty(), "{:?}", outcome.diagnostics);
    let broken = SHOP.replace("type: adapter", "type: plugin").replace('\n', "\r\n");
    let outcome = load_text(&broken);
    assert_eq!(outcome.diagnostics[0].position.line, 3);
    assert_eq!(outcome.diagnostics[0].position.source_line, "type: plugin");
}

/// R2.1-1 R1.3-3 R4.1-1 R4.1-2 R4.1-3 R4.1-4 R4.1-5 R4.1-6 R4.1-7 R4.1-8 R4.1-9 X-adapter-4: each required key, when it
/// is missing; what is not valid gives nothing to call.
#[test]
fn required_keys() {
    for (line, path) in [
        ("name: shop\n", "name"),
        ("type: adapter\n", "type"),
        ("version: \"1.0.0\"\n", "version"),
        ("description: \"A shop that sells things\"\n", "description"),
        ("  base_url: https://api.example.com/v1\n", "target.base_url"),
        ("  transport: http\n", "target.transport"),
        ("  protocol: rest\n", "target.protocol"),
        ("  serialization: json\n", "target.serialization"),
    ] {
        assert_eq!(refusal(&changed(line, "")), [format!("MISSING_KEY {path}")]);
        let key = line.split_once(':').unwrap().0;
        assert_eq!(refusal(&changed(line, &format!("{key}:\n"))), [format!("MISSING_KEY {path}")], "null");
    }
    let (head, rest) = SHOP.split_once("target:\n").unwrap();
    let (target, operations) = rest.split_once("operations:\n").unwrap();
    assert_eq!(refusal(&format!("{head}operations:\n{operations}")), ["MISSING_KEY target"]);
    assert_eq!(refusal(&format!("{head}target:\n{target}---\n")), ["MISSING_KEY operations"]);
}

/// R4.1-1 R4.1-2 R4.1-3 R4.1-4 R4.1-5 X-adapter-5 X-adapter-6: each required key, when its value is wrong.
#[test]
fn wrong_values() {
    for (from, to, expected) in [
        ("name: shop", "name: My Shop", "INVALID_VALUE name"),
        ("name: shop", "name: \"\"", "INVALID_VALUE name"),
        ("name: shop", "name: s", "INVALID_VALUE name"),
        ("name: shop", "name: 7", "WRONG_TYPE name"),
        ("type: adapter", "type: Adapter", "INVALID_VALUE type"),
        ("type: adapter", "type: \"adapter \"", "INVALID_VALUE type"),
        ("type: adapter", "type: [adapter]", "WRONG_TYPE type"),
        ("\"1.0.0\"", "\"1.0\"", "INVALID_VALUE version"),
        ("\"1.0.0\"", "1.0", "WRONG_TYPE version"),
        ("\"1.0.0\"", "\"v1.0.0\"", "INVALID_VALUE version"),
        ("\"1.0.0\"", "\"01.0.0\"", "INVALID_VALUE version"),
        ("\"1.0.0\"", "\"1.0.0.0\"", "INVALID_VALUE version"),
        ("\"1.0.0\"", "\"1.0.0-\"", "INVALID_VALUE version"),
        ("\"A shop that sells things\"", "\"  \"", "INVALID_VALUE description"),
        ("\"A shop that sells things\"", "{a: b}", "WRONG_TYPE description"),
        ("https://api.example.com/v1", "api.example.com", "INVALID_VALUE target.base_url"),
        ("https://api.example.com/v1", "ftp://a.example", "INVALID_VALUE target.base_url"),
        ("https://api.example.com/v1", "https://a.example?x=1", "INVALID_VALUE target.base_url"),
    ] {
        assert_eq!(refusal(&changed(from, to)), [expected], "{to}");
    }
    let name = |length: usize| changed("name: shop", &format!("name: {}", "x".repeat(length)));
    assert_eq!(good(&name(64)).source.name.len(), 64);
    assert_eq!(refusal(&name(65)), ["INVALID_VALUE name"]);
    for version in ["1.0.0-beta.1", "1.0.0+build.7", "10.20.30"] {
        assert_eq!(good(&changed("1.0.0", version)).source.version, version);
    }
}

/// X-adapter-7: 10 to 200 characters are advised, not required.
#[test]
fn description_length() {
    for (length, expected) in [
        (9, &["DESCRIPTION_LENGTH description"][..]),
        (10, &[]),
        (200, &[]),
        (201, &["DESCRIPTION_LENGTH description"]),
    ] {
        let text = changed("A shop that sells things", &"é".repeat(length));
        assert_eq!(codes(&text), expected, "{length}");
        good(&text);
    }
}

/// X-adapter-4 X-adapter-14 X-adapter-15 X-adapter-17: unknown keys are errors that name the nearest one.
#[test]
fn unknown_keys() {
    for (from, to, path, hint) in [
        ("version:", "versoin: x\nversion:", "versoin", Some("did you mean 'version'?")),
        ("  transport:", "  timeout: 5\n  transport:", "target.timeout", Some("did you mean 'timeout_ms'?")),
        ("  read:", "  reads: []\n  read:", "operations.reads", Some("did you mean 'read'?")),
        (
            "      maps_to:",
            "      map_to: x\n      maps_to:",
            "operations.read[0].map_to",
            Some("did you mean 'maps_to'?"),
        ),
        (
            "required: true",
            "required: true, requird: true",
            "operations.read[0].params.id.requird",
            Some("did you mean 'required'?"),
        ),
        (
            "operations:",
            "auth: {type: bearer, token_env: T, prefx: x}\noperations:",
            "auth.prefx",
            Some("did you mean 'prefix'?"),
        ),
        (
            "      maps_to:",
            "      response: {typ: Item}\n      maps_to:",
            "operations.read[0].response.typ",
            Some("did you mean 'type'?"),
        ),
        ("version:", "zzzz: x\nversion:", "zzzz", None),
    ] {
        let outcome = load_text(&changed(from, to));
        assert!(outcome.loaded.is_none(), "{to}");
        let found = &outcome.diagnostics[0];
        assert_eq!((found.code, found.path.as_str(), found.hint.as_deref()), ("UNKNOWN_KEY", path, hint));
    }
}

/// A key written twice is told with both places, at every depth.
#[test]
fn repeated_keys() {
    let text = changed("type: adapter", "type: adapter\nname: other");
    let outcome = load_text(&text);
    let found = &outcome.diagnostics[0];
    assert_eq!((found.code, found.path.as_str(), found.position.line), ("DUPLICATE_KEY", "name", 4));
    assert!(found.message.contains("line 2"), "{found}");
}

/// R3.3-1 R3.3-2 R3.3-3 X-adapter-14 C6.2-1 O5.1-3: each list gives its category; lists are read in a fixed order; an absent or
/// empty list is no problem.
#[test]
fn the_index() {
    let one = |list: &str| {
        format!("  {list}:\n    - {{name: {list}_x, description: \"It does this\", maps_to: POST /x}}\n")
    };
    let text = with_operations(&["execute", "delete", "update", "read", "create"].map(one).concat());
    let found: Vec<_> =
        good(&text).operations.iter().map(|o| format!("{} {}", o.name, o.category.lower())).collect();
    assert_eq!(
        found,
        ["create_x create", "read_x read", "update_x update", "delete_x delete", "execute_x execute"]
    );
    let two_lists = with_operations(&["read", "delete"].map(one).concat().replace("delete_x", "read_x"));
    assert_eq!(refusal(&two_lists)[0], "DUPLICATE_NAME operations.delete[0].name", "one category each");
    let text = with_operations(&format!("  create:\n  update: []\n{}", one("read")));
    assert_eq!(good(&text).operations.len(), 1);
    let none =
        SHOP.replace(&SHOP[SHOP.find("  read:").unwrap()..SHOP.find("---\n# Shop").unwrap()], "  read: []\n");
    for text in [none.replace("operations:\n  read: []", "operations: {}"), none] {
        assert_eq!(codes(&text), ["NO_OPERATIONS operations"]);
        assert!(good(&text).operations.is_empty());
    }
}

/// R3.3-4 R4.2-2: a name twice, in one list or in two, is an error with this text.
#[test]
fn duplicate_names() {
    let item = "    - {name: get_x, description: \"It does this\", maps_to: GET /x}\n";
    for text in [format!("  read:\n{item}{item}"), format!("  read:\n{item}  execute:\n{item}")] {
        let outcome = load_text(&with_operations(&text));
        let errors: Vec<_> = outcome.errors().collect();
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].message, "Duplicate operation name: get_x");
        assert_eq!(errors[0].code, "DUPLICATE_NAME");
    }
}

/// R4.4-1 R4.4-2 R4.4-3: the missing name, word for word.
#[test]
fn missing_operation_name() {
    let outcome = load_text(&changed("- name: get_item\n      maps_to", "- maps_to"));
    let found = &outcome.diagnostics[0];
    assert_eq!(found.path, "operations.read[0].name");
    assert_eq!(found.message, "Operation name is required");
    assert_eq!(found.expected.as_deref(), Some("non-empty string"));
    assert_eq!(found.received.as_deref(), Some("undefined"));
    assert_eq!((found.position.line, found.position.column), (13, 7));
    assert_eq!(found.position.source_line, "    - maps_to: GET /items/{id}");
}

/// R1.2-1: what looks like code is text: it is kept as it is.
#[test]
fn nothing_is_evaluated() {
    let text = "{{7*7}} ${HOME} $(id) <%= 1 %>";
    let loaded = good(&changed("A shop that sells things", text));
    assert_eq!(loaded.source.description, text);
    let headers = changed("  transport:", "  headers: {X-Home: '${HOME}'}\n  transport:");
    let aqueduct_operations::target::Target::Http(target) = good(&headers).operations.remove(0).target else {
        panic!()
    };
    assert_eq!(target.site.headers[0].1, "${HOME}");
    let tagged = changed("name: shop", "name: !!python/object/apply:os.system [id]");
    assert_eq!(refusal(&tagged), ["WRONG_TYPE name"]);
}

/// A key with nothing after it never makes a file neither load nor say why.
#[test]
fn empty_keys() {
    for key in
        ["auth", "trust", "tags", "shared_parameters", "types", "compat", "concurrency", "cache", "author"]
    {
        load_text(&changed("operations:", &format!("{key}:\noperations:")));
    }
    for key in ["headers", "timeout_ms"] {
        load_text(&changed("  transport:", &format!("  {key}:\n  transport:")));
    }
    for key in ["params", "examples", "danger", "response", "description", "danger_level", "tags"] {
        load_text(&super::with_operation("read", "get_x", &format!("maps_to: GET /x\n{key}:")));
    }
}

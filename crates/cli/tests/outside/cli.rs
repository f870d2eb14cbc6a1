//! The commands that make no call: introspect, validate, schema, completions, help, and wrong usage.

use super::harness::{Place, run, shop};
use serde_json::json;

#[tokio::test]
async fn help() {
    let mut text = run(&["--help"]).await.stdout;
    for command in [
        "serve",
        "demo",
        "call",
        "introspect",
        "validate",
        "doctor",
        "client-config",
        "schema",
        "completions",
        "man",
    ] {
        let ran = run(&[command, "--help"]).await;
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{command}");
        text.push_str(&format!("\n=== {command}\n{}", ran.stdout));
    }
    insta::assert_snapshot!(text);
}

#[tokio::test]
async fn wrong_usage() {
    for (arguments, said) in [
        (vec!["serv"], "serve"),
        (vec!["serve", "--unknown"], "--unknown"),
        (vec![], "Usage"),
        (vec!["validate"], "FILE"),
        (vec!["call"], "OPERATION"),
        (vec!["completions", "cobol"], "cobol"),
        (vec!["introspect", "--format", "xml"], "xml"),
    ] {
        let ran = run(&arguments).await;
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.contains(said), "{arguments:?}: {}", ran.stderr);
    }
    let version = run(&["--version"]).await;
    assert_eq!((version.code, version.stdout.trim()), (0, concat!("aqueduct ", env!("CARGO_PKG_VERSION"))));
}

#[tokio::test]
async fn introspect_text() {
    let shop = shop();
    let all = run(&["introspect", &shop]).await;
    assert_eq!(all.code, 0, "{all:?}");
    insta::assert_snapshot!("introspect_operations", all.stdout);
    insta::assert_snapshot!(
        "introspect_one",
        run(&["introspect", &shop, "--name", "delete_order"]).await.stdout
    );
    insta::assert_snapshot!("introspect_types", run(&["introspect", &shop, "--types"]).await.stdout);
    insta::assert_snapshot!("introspect_why", run(&["introspect", &shop, "--why"]).await.stdout);
}

#[tokio::test]
async fn introspect_json() {
    let shop = shop();
    let all = run(&["introspect", &shop, "--format", "json"]).await.json();
    assert_eq!(all["success"], true);
    assert_eq!(all["data"]["operations"].as_array().unwrap().len(), 8);
    let one = run(&["introspect", &shop, "--format", "json", "--name", "get_product"]).await.json();
    assert_eq!(one["data"]["operation"]["mcpTool"], "mcp_aql_read");
    let of_type =
        run(&["introspect", &shop, "--types", "--name", "OrderState", "--format", "json"]).await.json();
    assert_eq!(of_type["data"]["type"]["values"], json!(["open", "paid", "shipped"]));
    let why = run(&["introspect", &shop, "--why", "--format", "json"]).await.json();
    assert!(why.as_array().unwrap().iter().any(|row| row["decision"] == "confirm"), "{why}");
    let one = run(&["introspect", &shop, "--why", "--name", "get_product", "--format", "json"]).await.json();
    assert_eq!((one.as_array().unwrap().len(), &one[0]["name"]), (1, &json!("get_product")), "{one}");
    assert_eq!(one[0]["decision"], "allow", "{one}");
}

#[tokio::test]
async fn introspect_of_nothing() {
    let shop = shop();
    for more in
        [vec!["--name", "no_such"], vec!["--types", "--name", "NoSuch"], vec!["--why", "--name", "no_such"]]
    {
        let mut arguments = vec!["introspect", shop.as_str()];
        arguments.extend(&more);
        let ran = run(&arguments).await;
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{ran:?}");
        assert!(ran.stderr.contains("no_such") || ran.stderr.contains("NoSuch"), "{ran:?}");
    }
}

/// Hidden operations are shown with the rule that hides them, when asked why.
#[tokio::test]
async fn why_shows_hidden_operations() {
    let shop = shop();
    let listed = run(&["introspect", &shop, "--trust", "generated"]).await;
    assert!(!listed.stdout.contains("create_order"), "{}", listed.stdout);
    let why = run(&["introspect", &shop, "--trust", "generated", "--why"]).await;
    let line = why.stdout.lines().find(|line| line.starts_with("create_order")).unwrap();
    assert!(line.contains("deny"), "{line}");
}

/// What an author wrote cannot steer the terminal of the person who reads it.
#[tokio::test]
async fn escapes_of_terminals() {
    let place = Place::new();
    let text = std::fs::read_to_string(shop()).unwrap();
    let hostile = text
        .replace("List products", "List \\e[2J\\u009b31m products")
        .replace("kind: enum", "kind: \"\\e[2J\"");
    let file = place.write("shop-adapter.md", hostile.replace("kind: \"\\e[2J\"", "kind: enum"));
    let broken = place.write("b/shop-adapter.md", hostile);
    for arguments in
        [vec!["introspect", file.as_str()], vec!["introspect", &file, "--why"], vec!["validate", &broken]]
    {
        let ran = place.run(&arguments, &[], "").await;
        let shown = format!("{}{}", ran.stdout, ran.stderr);
        assert!(!shown.contains('\u{1b}') && !shown.contains('\u{9b}'), "{arguments:?}: {shown:?}");
    }
}

#[tokio::test]
async fn validate() {
    let place = Place::new();
    let text = std::fs::read_to_string(shop()).unwrap();
    let good = place.write("good-adapter.md", text.replace("name: shop", "name: good"));
    let bad = place.write(
        "bad-adapter.md",
        text.replace("type: adapter", "type: adaptor")
            .replace("maps_to: \"GET /search\"", "maps_to: \"FETCH search\""),
    );
    let ran = place.run(&["validate", &good], &[], "").await;
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.ends_with("good-adapter.md: valid, 7 operations, 0 warnings\n"), "{}", ran.stdout);
    let ran = place.run(&["validate", "bad-adapter.md"], &[], "").await;
    assert_eq!((ran.code, ran.stderr.as_str()), (2, ""), "{ran:?}");
    insta::assert_snapshot!("validate_bad", ran.stdout);
    let several = place.run(&["validate", &good, &bad], &[], "").await;
    assert_eq!(several.code, 2);
    assert!(
        several.stdout.contains("good-adapter.md: valid")
            && several.stdout.contains("bad-adapter.md: invalid")
    );
    let missing = place.run(&["validate", &bad, "none-adapter.md", &good], &[], "").await;
    assert_eq!(missing.code, 4);
    assert!(missing.stderr.contains("none-adapter.md"), "{}", missing.stderr);
    assert!(missing.stdout.contains("good-adapter.md: valid"));
}

#[tokio::test]
async fn validate_json() {
    let place = Place::new();
    let bad = place.write("bad-adapter.md", "---\nname: bad\n---\n");
    let ran = place.run(&["validate", &bad, "none-adapter.md", &shop(), "--format", "json"], &[], "").await;
    assert_eq!(ran.code, 4);
    let reports = ran.json();
    let valid: Vec<_> = reports.as_array().unwrap().iter().map(|report| report["valid"].clone()).collect();
    assert_eq!(valid, [json!(false), json!(false), json!(true)]);
    let first = &reports[0]["diagnostics"][0];
    assert_eq!((first["severity"].as_str(), first["line"].is_u64()), (Some("error"), true), "{first}");
    assert!(reports[1]["error"].as_str().unwrap().contains("none-adapter.md"));
}

/// Every adapter file of a directory is checked, and whether they can be served together.
#[tokio::test]
async fn validate_directories() {
    let place = Place::new();
    let text = std::fs::read_to_string(shop()).unwrap();
    place.write("apis/shop-adapter.md", &text);
    place.write("apis/depot-adapter.md", text.replace("name: shop", "name: depot"));
    place.write("apis/README.md", "# No adapter\n");
    let both = place.run(&["validate", "apis"], &[], "").await;
    assert_eq!((both.code, both.stderr.as_str()), (0, ""), "{both:?}");
    let lines: Vec<&str> = both.stdout.lines().collect();
    let verdict = |name: &str| format!("apis/{name}-adapter.md: valid, 7 operations, 0 warnings");
    assert_eq!(lines, [verdict("depot"), verdict("shop")]);
    place.write("apis/twin-adapter.md", &text);
    let twins = place.run(&["validate", "apis"], &[], "").await;
    assert!(twins.code == 2 && twins.stderr.contains("apis: two sources are named 'shop'"), "{twins:?}");
    place.write("apis/twin-adapter.md", "---\nname: twin\n---\n");
    let broken = place.run(&["validate", "apis", "--format", "json"], &[], "").await;
    let valid: Vec<_> = broken.json().as_array().unwrap().iter().map(|each| each["valid"].clone()).collect();
    assert_eq!((broken.code, valid), (2, vec![json!(true), json!(true), json!(false)]));
    std::fs::create_dir(place.path().join("empty")).unwrap();
    let empty = place.run(&["validate", "empty"], &[], "").await;
    assert!(empty.code == 3 && empty.stderr.contains("empty holds no file named *-adapter.md"), "{empty:?}");
}

/// Ruling S1: what the policy hides is told to the person: by name in `validate`, in one line elsewhere, with the
/// setting that shows it.
#[tokio::test]
async fn hidden_operations_are_told() {
    let place = Place::new();
    let text = std::fs::read_to_string(shop()).unwrap();
    let file = place.write("shop-adapter.md", text.replace("execute_recount", "reset_cart"));
    let checked = place.run(&["validate", "shop-adapter.md"], &[], "").await;
    let lines: Vec<&str> = checked.stdout.lines().collect();
    let told = "shop-adapter.md: reset_cart is hidden (trust validated, danger forbidden (by the name pattern reset_*)); \
                --trust certified would show it, and so would a 'danger' that the file declares for it";
    assert_eq!(lines, [told, "shop-adapter.md: valid, 7 operations (1 hidden), 0 warnings"], "{checked:?}");
    let json = place.run(&["validate", "shop-adapter.md", "--format", "json"], &[], "").await.json();
    let hidden = &json[0]["hidden"];
    assert_eq!(
        (&hidden[0]["name"], &hidden[0]["setting"]),
        (&json!("reset_cart"), &json!("--trust certified"))
    );

    let line = "1 of 7 operations is hidden; to show all: --trust certified; for the reasons: aqueduct introspect --why\n";
    let listed = place.run(&["introspect", &file], &[], "").await;
    assert_eq!((listed.code, listed.stderr.as_str()), (0, line));
    let served = place.run(&["serve", &file], &[("SHOP_TOKEN", "x")], "").await;
    assert!(served.code == 0 && served.stderr == line, "{served:?}");
    let shown = place.run(&["introspect", &file, "--trust", "certified"], &[], "").await;
    assert!(shown.stderr.is_empty() && shown.stdout.contains("reset_cart"), "{shown:?}");

    let other = place.write("depot-adapter.md", text.replace("name: shop", "name: depot"));
    let both = place.run(&["introspect", &file, &other, "--trust", "depot=generated"], &[], "").await;
    assert!(both.stderr.contains("warning[NOT_GRANTED] The variable SHOP_TOKEN is not sent"), "{both:?}");
    assert!(
        both.stderr.contains(
            "5 of 14 operations are hidden; to show all: --trust shop=certified --trust depot=validated;"
        ),
        "{both:?}"
    );
    let declared = text.replace("execute_recount", "reset_cart").replace(
        "\"Count an order again\"",
        "\"Count an order again\"\n      danger: { level: reversible, reasons: [\"it can be filled again\"] }",
    );
    place.write("shop-adapter.md", declared);
    let checked = place.run(&["validate", "shop-adapter.md"], &[], "").await;
    assert_eq!(checked.stdout, "shop-adapter.md: valid, 7 operations, 0 warnings\n");
}

/// A file that is no adapter by its name says so.
#[tokio::test]
async fn validate_other_things() {
    let place = Place::new();
    let notes = place.write("notes.md", "# Notes\n");
    let ran = place.run(&["validate", &notes], &[], "").await;
    assert_eq!(ran.code, 2);
    assert!(ran.stdout.contains("-adapter.md"), "{}", ran.stdout);
}

/// Text of a file cannot pass for ours: what would break a line, move the cursor or turn the direction is written out.
#[tokio::test]
async fn text_that_pretends() {
    let place = Place::new();
    let text = std::fs::read_to_string(shop()).unwrap();
    let forged = text.replacen("---\n", "---\n\"na\\r\\nFAKE: valid\\u202e\": x\n# \u{202e}\n", 1);
    let bad = place.write("bad-adapter.md", forged);
    let ran = place.run(&["validate", &bad], &[], "").await;
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stdout.contains("Unknown key 'na\\r\\nFAKE: valid\\u{202e}'"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("\nFAKE") && !ran.stdout.contains(['\r', '\u{202e}']), "{}", ran.stdout);

    let turned = text.replace("description: \"", "description: \"\\u202E\\u2066");
    let turned = place.write("turned-adapter.md", turned);
    for (more, shown) in
        [(vec![], "Get one product"), (vec!["--name", "get_product"], "\\u202e\\u2066Get one product")]
    {
        let mut arguments = vec!["introspect", &turned];
        arguments.extend(more);
        let ran = place.run(&arguments, &[], "").await;
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(ran.stdout.contains(shown), "{}", ran.stdout);
        assert!(!ran.stdout.contains(['\u{202e}', '\u{2066}']), "{}", ran.stdout);
    }
}

#[tokio::test]
async fn schema_and_completions() {
    let schema = run(&["schema"]).await;
    assert_eq!(schema.code, 0);
    let schema = schema.json();
    assert!(schema["properties"]["operations"].is_object(), "{schema}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = run(&["completions", shell]).await;
        assert_eq!(ran.code, 0);
        assert!(ran.stdout.contains("introspect"), "{shell}");
    }
}

#[tokio::test]
async fn every_command_has_a_page() {
    let place = Place::new();
    let folder = place.path().join("pages");
    let ran = run(&["man", "--output-dir", &folder.display().to_string()]).await;
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""));
    let mut pages: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    pages.sort();
    for page in ["aqueduct.1", "aqueduct-serve.1", "aqueduct-operator-token-add.1"] {
        assert!(pages.iter().any(|name| name == page), "{page} is not in {pages:?}");
    }
    let printed = run(&["man", "operator", "approve"]).await;
    assert_eq!(printed.code, 0);
    assert!(printed.stdout.contains(".TH aqueduct-operator-approve 1"), "{}", printed.stdout);
    let wrong = run(&["man", "operator", "aprove"]).await;
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("'operator' has no command 'aprove'; it has init,"), "{}", wrong.stderr);
}

/// A reader that goes away, such as `head`, changes nothing: the exit code is that of the work, and nothing is said.
#[tokio::test]
async fn output_that_nobody_reads() {
    use std::process::{Command, Stdio};
    let (shop, place) = (shop(), Place::new());
    let bad = place.write("bad-adapter.md", "---\nname: bad\n---\n");
    for (arguments, exit) in [
        (vec!["schema"], 0),
        (vec!["completions", "bash"], 0),
        (vec!["--help"], 0),
        (vec!["introspect", &shop], 0),
        (vec!["validate", &shop, &bad], 2),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_aqueduct"))
            .args(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let ended = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        assert_eq!((ended.status.code(), &*said), (Some(exit), ""), "{arguments:?}");
    }
}

#[tokio::test]
async fn sources_that_are_none() {
    let place = Place::new();
    let folder = place.path().join("empty");
    std::fs::create_dir(&folder).unwrap();
    place.write("api.json", "{}");
    for (arguments, exit, said) in [
        (vec!["serve"], 3, "no source was given; name an adapter file"),
        (vec!["serve"], 3, "aqueduct serve shop-adapter.md"),
        (vec!["introspect"], 3, "no source was given"),
        (vec!["call", "demo"], 2, "no operation was named"),
        (vec!["introspect", "demo", "demo"], 3, "name in aqueduct.toml"),
        (vec!["serve", "missing-adapter.md"], 4, "missing-adapter.md"),
        (vec!["serve", "empty"], 3, "holds no file named *-adapter.md"),
        (vec!["serve", "api.json"], 2, "is no source that is known"),
        (vec!["serve", "http://127.0.0.1:9/openapi.json"], 4, "cannot be fetched: connection refused"),
        (vec!["serve", "mcp:'npx thing"], 2, "is not closed"),
        (vec!["serve", "--state-dir", "/proc/nope/here"], 4, "--state-dir"),
    ] {
        let ran = place.run(&arguments, &[], "").await;
        assert_eq!((ran.code, ran.stdout.as_str()), (exit, ""), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.contains(said), "{arguments:?}: {}", ran.stderr);
    }
}

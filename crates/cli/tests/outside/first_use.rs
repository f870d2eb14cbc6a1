//! What a first try meets: values as people type them, mistakes in a settings file, a server that does not start, and a
//! line that says that something takes its time.

use super::harness::{Place, TOKEN, shop};
#[cfg(unix)]
use super::terminal::watched_on_a_terminal;
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

/// Controls are typed as parameters are, and a large integer goes out with every digit; text stays text.
#[tokio::test]
async fn values_as_they_are_typed() {
    let place = Place::new();
    let items: Vec<Value> = (1..=5).map(|id| json!({"id": id})).collect();
    let api = FakeApi::always(Answer::json(200, json!(items))).await;
    let (shop, url) = (shop(), api.base_url());
    let call = async |words: &[&str]| {
        let arguments = [&["call", &shop], words, &["--base-url", &url]].concat();
        place.run(&arguments, &[("SHOP_TOKEN", TOKEN)], "").await
    };
    let first = call(&["list_products", "first=2"]).await.json();
    assert_eq!(first["data"]["items"], json!([{"id": 1}, {"id": 2}]), "{first}");
    let all = call(&["list_products", "all=true"]).await.json();
    assert_eq!(all["data"]["items"].as_array().unwrap().len(), 5, "{all}");
    let chosen = call(&["list_products", "first=1", "fields=id,name"]).await.json();
    assert_eq!(chosen["data"]["items"], json!([{"id": 1}]), "{chosen}");
    assert_eq!(call(&["list_products", "first=1", "fields=minimal"]).await.code, 0, "a preset is one");
    let small = call(&["list_products", "budget=500"]).await;
    assert_eq!(small.code, 0, "{small:?}");
    // A word that is no number is told as one that is wrong, not taken for something else.
    let wrong = call(&["list_products", "first=two"]).await;
    assert_eq!(
        (wrong.code, &wrong.json()["error"]["details"]["param_name"]),
        (2, &json!("first")),
        "{wrong:?}"
    );

    let sent = api.requests().len();
    for id in ["9007199254740993", "18446744073709551615", "-9223372036854775808"] {
        let dry = call(&["create_order", &format!("product_id={id}"), "dry_run=true", "note=12"]).await;
        let ok = dry.stdout.contains(&format!("\"product_id\": {id}"));
        let refused = id.starts_with('-') && dry.stdout.contains("1 or more");
        assert!(ok || refused, "{dry:?}");
        assert_eq!(api.requests().len(), sent, "nothing is sent");
    }
    let exact = call(&["get_product", "product_id=9007199254740993"]).await;
    assert_eq!(exact.code, 0, "{exact:?}");
    assert_eq!(api.requests().last().unwrap().path(), "/products/9007199254740993");
    let json =
        call(&["create_order", "product_id:=9007199254740993", "dry_run=true", "note=12"]).await.json();
    assert_eq!(json["data"]["request"]["body"]["note"], "12", "text that looks like a number stays text");
    assert_eq!(json["data"]["request"]["body"]["product_id"], json!(9_007_199_254_740_993_u64));
}

/// A correction of an operation that is not there is an error with the nearest name, in both files that can hold one; a
/// pattern that fits nothing yet is only remarked upon.
#[tokio::test]
async fn corrections_of_nothing() {
    let place = Place::new();
    let from = format!("[sources.shop]\nfrom = {:?}\n", shop());
    let rule = |name: &str, change: &str| format!("{from}[sources.shop.operations.\"{name}\"]\n{change}\n");
    for change in ["hide = true", "rename = \"gone\"", "category = \"read\""] {
        place.write("aqueduct.toml", rule("get_prodct", change));
        let ran = place.run(&["introspect"], &[], "").await;
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{change}: {ran:?}");
        assert!(
            ran.stderr.contains("get_prodct") && ran.stderr.contains("did you mean 'get_product'?"),
            "{ran:?}"
        );
        assert!(ran.stderr.contains("aqueduct.toml:3:"), "{ran:?}");
    }
    place.write("aqueduct.toml", rule("get_product", "hide = true"));
    let hidden = place.run(&["introspect"], &[], "").await;
    assert!(hidden.code == 0 && !hidden.stdout.contains("get_product"), "{hidden:?}");
    place.write("aqueduct.toml", rule("purge_*", "hide = true"));
    let pattern = place.run(&["introspect"], &[], "").await;
    assert!(pattern.code == 0 && pattern.stderr.contains("purge_*"), "{pattern:?}");
    place.write("aqueduct.toml", "");
    for (text, code) in [
        ("operations: {get_prodct: {hide: true}}\n", 2),
        ("sources: {shop: {operations: {get_prodct: {hide: true}}}}\n", 2),
        // One file may serve several sources, not all of which are there each time.
        ("sources: {shopp: {operations: {get_product: {hide: true}}}}\n", 0),
    ] {
        place.write("own.yaml", text);
        let ran = place.run(&["introspect", &shop(), "--overrides", "own.yaml"], &[], "").await;
        assert!(ran.code == code && ran.stderr.contains("did you mean"), "{text}: {ran:?}");
    }
}

/// A section that does not say where its source is names section and key; one for a source that comes from elsewhere is fine.
#[tokio::test]
async fn sections_without_a_source() {
    let place = Place::new();
    place.write("apis/shop-adapter.md", std::fs::read_to_string(shop()).unwrap());
    let settings = "[sources.shop]\ntrust = \"generated\"\n";
    place.write("aqueduct.toml", settings);
    let alone = place.run(&["introspect"], &[], "").await;
    assert_eq!((alone.code, alone.stdout.as_str()), (3, ""), "{alone:?}");
    assert!(alone.stderr.contains("[sources.shop] has no 'from'"), "{alone:?}");
    let given = place.run(&["introspect", "apis/shop-adapter.md"], &[], "").await;
    assert!(given.code == 0 && !given.stdout.contains("create_order"), "its settings hold: {given:?}");
    place.write("aqueduct.toml", format!("[sources.all]\nfrom = \"apis\"\n{settings}"));
    let found = place.run(&["introspect"], &[], "").await;
    assert!(found.code == 0 && !found.stdout.contains("create_order"), "its settings hold: {found:?}");
    place.write(
        "aqueduct.toml",
        format!("[sources.all]\nfrom = \"apis\"\n{}", settings.replace("shop", "shopp")),
    );
    let lost = place.run(&["introspect"], &[], "").await;
    assert!(lost.code == 2 && lost.stderr.contains("[sources.shopp] has no 'from'"), "{lost:?}");
}

/// A number of tokens in a settings file is shown as it is written; a secret beside it is not.
#[tokio::test]
async fn numbers_of_tokens_are_no_secrets() {
    let place = Place::new();
    place.write("aqueduct.toml", "[limits]\nmax_response_tokens = 5\n");
    let ran = place.run(&["introspect", &shop()], &[], "").await;
    assert!(ran.stderr.contains("max_response_tokens = 5") && !ran.stderr.contains("[REDACTED]"), "{ran:?}");
    place.write("aqueduct.toml", "[limits]\napi_token = \"hunter2hunter2\"\n");
    let secret = place.run(&["introspect", &shop()], &[], "").await;
    assert!(!secret.stderr.contains("hunter2") && secret.stderr.contains("[REDACTED]"), "{secret:?}");
}

/// A server that does not start is one line, whether others do or not.
#[tokio::test]
async fn a_broken_server_is_one_line() {
    let place = Place::new();
    let file = place.write(
        "servers.json",
        json!({"mcpServers": {"broken": {"command": "no-such-program-here"}}}).to_string(),
    );
    let variables = [("PATH", "/usr/bin:/bin")];
    let (shop, input) = (shop(), "");
    for words in [
        vec!["introspect", &file],
        vec!["tokens", &file],
        vec!["introspect", &file, &shop],
        vec!["serve", &file, &shop],
    ] {
        let ran = place.run(&words, &variables, input).await;
        let told: Vec<&str> = ran.stderr.lines().filter(|line| line.contains("broken")).collect();
        assert_eq!(told.len(), 1, "{words:?}: {}", ran.stderr);
        assert!(told[0].contains("'no-such-program-here' was not found"), "{told:?}");
    }
}

/// Where one level shows nearly all that is hidden, that one is named, and what the rest needs beside it.
#[tokio::test]
async fn the_level_that_shows_nearly_all() {
    let place = Place::new();
    let operation = |name: String| {
        format!("    - {{ name: {name}, maps_to: \"POST /{name}\", description: \"Does it\" }}\n")
    };
    let many: String = (0..20).map(|number| operation(format!("create_thing{number}"))).collect();
    let text = format!(
        "---\nname: things\ntype: adapter\nversion: \"1.0.0\"\ndescription: \"Many things to make\"\ntarget: {{ base_url: \
         \"https://api.example.com\", transport: http, protocol: rest, serialization: json }}\ntrust: {{ level: generated \
         }}\noperations:\n  create:\n{many}  execute:\n{}---\n",
        operation("reset_all".to_owned())
    );
    place.write("things-adapter.md", text);
    let ran = place.run(&["introspect", "things-adapter.md"], &[], "").await;
    let line = "21 of 21 operations are hidden; to show all but one: --trust validated; for that one: --trust certified;";
    assert!(ran.stderr.starts_with(line), "{ran:?}");
}

/// On a terminal a call that takes longer than a second says so, and nothing of it is left; elsewhere nothing is drawn.
#[cfg(unix)]
#[tokio::test]
async fn progress_on_a_terminal() {
    use aqueduct_testkit::api::Gate;
    let shop = shop();
    for (words, line) in [
        (vec!["list_products", "all=true"], "Under way …"),
        (vec!["get_product", "product_id=1"], "calling get_product …"),
    ] {
        let gate = Gate::default();
        let behind = gate.clone();
        let api = FakeApi::start(move |_| Answer::behind(&behind, Answer::json(200, json!([])))).await;
        let url = api.base_url();
        let arguments = [&["call", &shop], words.as_slice(), &["--base-url", &url]].concat();
        let seen = watched_on_a_terminal(&arguments, &[("SHOP_TOKEN", TOKEN)], line, || gate.open()).await;
        assert!(seen.contains(line) && seen.ends_with("\r\u{1b}[K"), "drawn and cleared: {seen:?}");
        let quiet = Place::new().run(&arguments, &[("SHOP_TOKEN", TOKEN)], "").await;
        assert!(quiet.code == 0 && !quiet.stderr.contains('…'), "{quiet:?}");
    }
}

//! Several sources, options that name one, and the configuration file.

use super::harness::{Place, Ran, Server, shop};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::json;

/// A folder with two adapters, each with a bearer token of its own.
fn two() -> Place {
    let place = Place::new();
    let text = std::fs::read_to_string(shop()).unwrap();
    place.write("apis/shop-adapter.md", &text);
    let depot = text.replace("name: shop", "name: depot").replace("SHOP_TOKEN", "DEPOT_TOKEN");
    place.write("apis/depot-adapter.md", depot);
    place
}

const VARIABLES: [(&str, &str); 3] =
    [("SHOP_TOKEN", "shop-secret"), ("DEPOT_TOKEN", "depot-secret"), ("OTHER", "other-secret")];

/// Ruling N2: a directory namespaces its operations, also with one file in it.
#[tokio::test]
async fn directories() {
    let place = two();
    let listed = place.run(&["introspect", "apis"], &[], "").await;
    assert!(listed.stdout.contains("shop__get_product") && listed.stdout.contains("depot__get_product"));
    std::fs::remove_file(place.path().join("apis/depot-adapter.md")).unwrap();
    let alone = place.run(&["introspect", "apis"], &[], "").await;
    assert!(alone.stdout.contains("shop__get_product"), "{}", alone.stdout);
    let file = place.run(&["introspect", "apis/shop-adapter.md"], &[], "").await;
    assert!(file.stdout.contains("\nget_product") && !file.stdout.contains("__"), "{}", file.stdout);
}

/// Ruling S7: each source gets its own address, token and headers, and never another's.
#[tokio::test]
async fn options_by_source() {
    let (first, second) = (
        FakeApi::always(Answer::json(200, json!({}))).await,
        FakeApi::always(Answer::json(200, json!({}))).await,
    );
    let place = two();
    let (shop_url, depot_url) =
        (format!("shop={}", first.base_url()), format!("depot={}", second.base_url()));
    let options = [
        "--base-url",
        &shop_url,
        "--base-url",
        &depot_url,
        "--auth-env",
        "depot=OTHER",
        "--header",
        "shop=X-Shop: yes",
        "--trust",
        "depot=generated",
    ];
    for (operation, exit) in [
        ("shop__list_products", 0),
        ("depot__list_products", 0),
        ("depot__execute_recount", 1),
        ("list_products", 2),
    ] {
        let mut arguments = vec!["call", "apis", operation];
        if operation.ends_with("recount") {
            arguments.push("order_id=1");
        }
        arguments.extend(options);
        let ran = place.run(&arguments, &VARIABLES, "").await;
        assert_eq!(ran.code, exit, "{operation}: {ran:?}");
    }
    let (first, second) = (first.only_request(), second.only_request());
    assert_eq!(
        (first.header("authorization"), first.header("x-shop")),
        (Some("Bearer shop-secret"), Some("yes"))
    );
    assert_eq!(
        (second.header("authorization"), second.header("x-shop")),
        (Some("Bearer other-secret"), None)
    );
}

#[tokio::test]
async fn wrong_options() {
    let place = two();
    for (options, exit, said) in [
        (
            vec!["apis", "--base-url", "http://127.0.0.1:1"],
            2,
            "--base-url needs the source's name: --base-url SOURCE=VALUE",
        ),
        (vec!["apis", "--trust", "official"], 2, "--trust SOURCE=VALUE"),
        (vec!["apis", "--auth-env", "OTHER"], 2, "--auth-env SOURCE=VALUE"),
        (vec!["apis", "--header", "X-A: b=c"], 2, "--header SOURCE=VALUE"),
        (
            vec!["apis", "--trust", "nobody=official"],
            2,
            "there is no source named 'nobody'; the sources are: ",
        ),
        (vec!["apis", "--source-name", "x"], 2, "--source-name works with one source"),
        (
            vec!["apis/shop-adapter.md", "--trust", "boundless"],
            2,
            "'boundless' is no trust level; use one of",
        ),
        (vec!["apis/shop-adapter.md", "--base-url", "ftp://x"], 2, "--base-url"),
        (vec!["apis/shop-adapter.md", "--base-url", "not a url"], 2, "--base-url"),
        (vec!["apis/shop-adapter.md", "--base-url", "http://169.254.169.254"], 2, "metadata service"),
        (vec!["demo", "--base-url", "demo=http://[fd00:ec2::254]/x"], 2, "metadata service"),
        (vec!["apis/shop-adapter.md", "--confirmation", "nobody"], 2, "use client, ask or operator"),
        (vec!["apis/shop-adapter.md", "--trust", "depot=high"], 2, "no source named 'depot'"),
        (vec!["apis/shop-adapter.md", "apis/shop-adapter.md"], 3, "two sources are named 'shop'"),
        (vec!["apis/shop-adapter.md", "--source-name", "Not A Name"], 2, "--source-name"),
        (vec!["apis/shop-adapter.md", "--header", "Bad Name: x"], 2, "--header"),
    ] {
        let mut arguments = vec!["introspect"];
        arguments.extend(&options);
        let ran = place.run(&arguments, &VARIABLES, "").await;
        assert_eq!((ran.code, ran.stdout.as_str()), (exit, ""), "{options:?}: {ran:?}");
        assert!(ran.stderr.contains(said), "{options:?}: {}", ran.stderr);
    }
}

async fn introspect(place: &Place, more: &[&str]) -> Ran {
    let mut arguments = vec!["introspect"];
    arguments.extend(more);
    place.run(&arguments, &VARIABLES, "").await
}

/// Sources, limits and confirmations from the file; relative paths are seen from the file's folder.
#[tokio::test]
async fn a_whole_file() {
    let api = FakeApi::always(Answer::json(200, json!({"id": 1}))).await;
    let place = two();
    let config = format!(
        "mode = \"single\"\nprefix = \"x_\"\nstrict_mode = false\n[limits]\nmax_nesting_depth = 8\n[confirmation]\n\
         ttl_seconds = 30\n[sources.tea]\nfrom = \"../apis/shop-adapter.md\"\nbase_url = \"{}\"\ntrust = \"official\"\n\
         concurrency = \"serialized\"\n",
        api.base_url()
    );
    let file = place.write("conf/my.toml", config);
    let mut server = Server::start_in(place, &["--config", &file], &VARIABLES);
    server.open().await;
    assert_eq!(server.tool_names().await, ["x_mcp_aql"]);
    let listed = server.call("x_mcp_aql", "introspect", json!({"query": "operations"})).await;
    let protocol = &listed["data"]["_protocol"];
    assert_eq!(
        (&protocol["limits"]["max_nesting_depth"], &protocol["concurrency"]),
        (&json!(8), &json!("serialized"))
    );
    let info = server.call("x_mcp_aql", "introspect", json!({"query": "adapter_info"})).await;
    assert_eq!((&info["data"]["name"], &info["data"]["trust"]["level"]), (&json!("tea"), &json!("official")));
    let lenient = server.call("x_mcp_aql", "get_product", json!({"product_id": 1, "whatever": 2})).await;
    assert_eq!(lenient["success"], true, "{lenient}");
    assert_eq!(server.finish().await.0, 0);
}

/// The only source may be named too, by the name that it has in the end.
#[tokio::test]
async fn options_that_name_the_only_source() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let place = two();
    let base_url = format!("shop={}", api.base_url());
    let options = [
        "--base-url",
        &base_url,
        "--auth-env",
        "shop=OTHER",
        "--header",
        "shop=X-A: b=c",
        "--trust",
        "shop=low",
    ];
    let mut arguments = vec!["call", "apis/shop-adapter.md", "list_products"];
    arguments.extend(options);
    let ran = place.run(&arguments, &VARIABLES, "").await;
    assert_eq!(ran.code, 0, "{ran:?}");
    let sent = api.only_request();
    assert_eq!(
        (sent.header("authorization"), sent.header("x-a")),
        (Some("Bearer other-secret"), Some("b=c"))
    );
    let listed = introspect(&place, &["apis/shop-adapter.md", "--trust", "shop=low"]).await;
    assert!(listed.code == 0 && !listed.stdout.contains("create_order"), "{listed:?}");
    let renamed = ["apis/shop-adapter.md", "--source-name", "tea", "--trust", "tea=low"];
    let listed = introspect(&place, &renamed).await;
    assert!(listed.code == 0 && !listed.stdout.contains("create_order"), "{listed:?}");
}

/// Settings of the file hold for a source that is named on the command line too; flags win.
#[tokio::test]
async fn flags_win_over_the_file() {
    let place = two();
    place.write("aqueduct.toml", "[sources.shop]\ntrust = \"generated\"\n");
    let listed = introspect(&place, &["apis/shop-adapter.md"]).await;
    assert_eq!(listed.code, 0, "{listed:?}");
    assert!(!listed.stdout.contains("create_order"), "{}", listed.stdout);
    let raised = introspect(&place, &["apis/shop-adapter.md", "--trust", "official"]).await;
    assert!(raised.stdout.contains("create_order"), "{}", raised.stdout);
}

/// Flags hold for the sources of the file too, by name where there are several, and leave the rest as it is.
#[tokio::test]
async fn flags_and_sources_of_the_file() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let place = two();
    let one = format!("[sources.tea]\nfrom = \"apis/shop-adapter.md\"\nbase_url = \"{}\"\n", api.base_url());
    place.write("aqueduct.toml", &one);
    let lowered = introspect(&place, &["--trust", "generated"]).await;
    assert!(lowered.code == 0 && !lowered.stdout.contains("create_order"), "{lowered:?}");
    let named = place.run(&["call", "list_products", "--header", "X-A: b"], &VARIABLES, "").await;
    assert_eq!(named.code, 0, "{named:?}");
    assert_eq!(api.only_request().header("x-a"), Some("b"));

    place.write("aqueduct.toml", format!("{one}[sources.store]\nfrom = \"apis/depot-adapter.md\"\n"));
    let unnamed = introspect(&place, &["--trust", "generated"]).await;
    assert_eq!(unnamed.code, 2, "{unnamed:?}");
    let lowered = introspect(&place, &["--trust", "tea=generated"]).await;
    assert!(!lowered.stdout.contains("tea__create_order"), "{lowered:?}");
    assert!(lowered.stdout.contains("tea__list_products") && lowered.stdout.contains("store__create_order"));
    let called = place.run(&["call", "tea__list_products", "--trust", "tea=official"], &VARIABLES, "").await;
    assert_eq!((called.code, api.requests().len()), (0, 2), "{called:?}");
}

/// Variables that are set to nothing say nothing.
#[tokio::test]
async fn empty_variables() {
    let empty = [
        "MCP_AQL_ENDPOINT_MODE",
        "MCP_AQL_ENDPOINT_PROFILE",
        "MCP_AQL_TOOL_PREFIX",
        "AQUEDUCT_STATE_DIR",
        "AQUEDUCT_LOG",
    ];
    let variables: Vec<(&str, &str)> = empty.iter().map(|name| (*name, "")).collect();
    let ran = Place::new().run(&["introspect", &shop()], &variables, "").await;
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:?}");
}

#[tokio::test]
async fn bad_files() {
    let mut shown = String::new();
    for text in [
        "mode = ",
        "mode = \"both\"\n",
        "mood = \"single\"\n",
        "prefix = 5\n",
        "[limits]\nmax_nesting_depth = 1000\n",
        "[limits]\nmax_depth = 10\n",
        "[sources.shop]\nfrom = \"apis/shop-adapter.md\"\ntrust = \"boundless\"\n",
        "[sources.shop]\nfrom = \"apis/shop-adapter.md\"\nbase_url = \"nowhere\"\n",
        "[sources.shop]\nfrom = \"apis/shop-adapter.md\"\nconcurrency = \"wild\"\n",
        "[confirmation]\nttl_seconds = 100000\n",
        "[[policy]]\ndecision = \"refuse\"\n",
        "profile = \"mine\"\n",
        "prefix = \"Nope\"\n",
        "mode = \"single\"\nmode = \"all\"\n",
    ] {
        let place = two();
        place.write("aqueduct.toml", text);
        let ran = introspect(&place, &["apis/shop-adapter.md"]).await;
        shown.push_str(&format!("=== {text}{}exit {}\n\n", ran.stderr, ran.code));
        assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{text}: {ran:?}");
    }
    insta::assert_snapshot!(shown);
}

#[tokio::test]
async fn unreadable_files() {
    let place = two();
    let missing = introspect(&place, &["apis/shop-adapter.md", "--config", "none.toml"]).await;
    assert_eq!(missing.code, 4, "{missing:?}");
    place.write("aqueduct.toml", b"mode = \"\xFF\"");
    let binary = introspect(&place, &["apis/shop-adapter.md"]).await;
    assert_eq!(binary.code, 3, "{binary:?}");
    assert!(binary.stderr.contains("UTF-8"), "{binary:?}");
}

//! Profiles of one's own and what the configuration file sets for sources, as clients and people see them.

use super::harness::{Place, Server, TOKEN, code, shop};
use aqueduct::{Aqueduct, Category, Exposure, FamilyRequest, Glob, Profile, SourceSettings};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

/// Families by intent, as the documents have them for databases.
const DATABASE: &str = r#"
profile = "database"
[profiles.database.inspect]
operations = ["introspect", "list_*"]
description = "What there is."
[profiles.database.query]
categories = ["read"]
[profiles.database.mutate]
categories = ["CREATE", "UPDATE", "DELETE"]
description = "Changes of orders"
[profiles.database.administer]
categories = ["EXECUTE"]
"#;

/// The five standard families and one for permissions.
const AUTHORIZE: &str = r#"
[profiles.extended]
create.categories = ["CREATE"]
read.categories = ["READ"]
update.categories = ["UPDATE"]
delete.categories = ["DELETE"]
execute.categories = ["EXECUTE"]
authorize = { operations = ["*_recount"], description = "Permissions and approvals" }
"#;

async fn server(file: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Server {
    let place = Place::new();
    place.write("aqueduct.toml", file);
    let shop = shop();
    let mut all = vec![shop.as_str()];
    all.extend(arguments);
    let mut server = Server::start_in(place, &all, variables);
    server.open().await;
    server
}

fn description<'a>(tools: &'a [Value], name: &str) -> &'a str {
    let tool =
        tools.iter().find(|tool| tool["name"] == name).unwrap_or_else(|| panic!("no {name}: {tools:?}"));
    tool["description"].as_str().unwrap()
}

/// C3.3-3 X-modes-9 X-modes-4: the file's families are the tools; each operation is behind exactly one, a named one
/// behind the family that names it, and introspection tells which.
#[tokio::test]
async fn families_of_the_file() {
    let mut server = server(DATABASE, &["--trust", "official"], &[]).await;
    let names = ["mcp_aql_inspect", "mcp_aql_query", "mcp_aql_mutate", "mcp_aql_administer"];
    assert_eq!(server.tool_names().await, names);
    let all = server.call("mcp_aql_inspect", "introspect", json!({"query": "operations"})).await;
    assert_eq!(all["data"]["_protocol"]["profile"], "database", "{all}");
    for (operation, family) in [
        ("introspect", "inspect"),
        ("list_products", "inspect"),
        ("get_product", "query"),
        ("create_order", "mutate"),
        ("delete_order", "mutate"),
        ("execute_recount", "administer"),
    ] {
        let params = json!({"query": "operations", "name": operation});
        let shown = server.call("mcp_aql_inspect", "introspect", params).await;
        assert_eq!(shown["data"]["operation"]["mcpTool"], format!("mcp_aql_{family}"), "{shown}");
        let wrong = if family == "query" { "mcp_aql_mutate" } else { "mcp_aql_query" };
        let refused = server.call(wrong, operation, json!({})).await;
        assert_eq!(code(&refused), "VALIDATION_ENDPOINT_MISMATCH", "{refused}");
        let message = refused["error"]["message"].as_str().unwrap();
        assert!(message.contains(&format!("mcp_aql_{family}")), "{message}");
    }
}

/// M2.1.1-9: the template of families of one's own, part by part, in this order.
#[tokio::test]
async fn template_of_a_family() {
    let tools = server(DATABASE, &["--trust", "official"], &[]).await.tools().await;
    let mutate = description(&tools, "mcp_aql_mutate");
    let parts = [
        "Changes of orders (shop).",
        "\nPrimary semantic categories: CREATE, UPDATE, DELETE",
        "\nSupported operations: create_order, update_order, delete_order",
        "\nQuick start example:\n{operation:",
        "\nDiscover all operations and parameters:\nmcp_aql_inspect { operation: \"introspect\", params: { query: \"operations\" } }",
    ];
    let mut from = 0;
    for part in parts {
        let place = mutate[from..].find(part).unwrap_or_else(|| panic!("{part} not after {from}: {mutate}"));
        from += place + part.len();
    }
    assert!(
        description(&tools, "mcp_aql_inspect")
            .starts_with("What there is (shop).\nPrimary semantic categories: READ\n")
    );
    assert!(description(&tools, "mcp_aql_query").starts_with("Query operations (shop)."));
}

/// O6.1-9 X-modes-9: the standard families and `authorize`, which has the operations that it names.
#[tokio::test]
async fn a_family_for_permissions() {
    let options = ["--profile", "extended", "--trust", "official"];
    let mut server = server(AUTHORIZE, &options, &[]).await;
    // Its only EXECUTE operation is behind `authorize`, and a family with nothing left has no tool.
    let names = ["mcp_aql_create", "mcp_aql_read", "mcp_aql_update", "mcp_aql_delete", "mcp_aql_authorize"];
    assert_eq!(server.tool_names().await, names);
    let tools = server.tools().await;
    let authorize = description(&tools, "mcp_aql_authorize");
    assert!(
        authorize.starts_with("Permissions and approvals (shop).\nPrimary semantic categories: EXECUTE\n"),
        "{authorize}"
    );
    let refused = server.call("mcp_aql_read", "execute_recount", json!({"order_id": "1"})).await;
    assert!(refused["error"]["message"].as_str().unwrap().contains("mcp_aql_authorize"), "{refused}");
}

/// X-modes-4: file, environment and flag, each over the one before; the families of the flag need not be the file's.
#[tokio::test]
async fn which_profile_holds() {
    let first = |names: Vec<String>| names.into_iter().next().unwrap();
    assert_eq!(first(server(DATABASE, &[], &[]).await.tool_names().await), "mcp_aql_inspect");
    let environment = [("MCP_AQL_ENDPOINT_PROFILE", "discover")];
    assert_eq!(first(server(DATABASE, &[], &environment).await.tool_names().await), "mcp_aql_discover");
    let flag = ["--profile", "crude"];
    assert_eq!(first(server(DATABASE, &flag, &environment).await.tool_names().await), "mcp_aql_create");
}

/// X-modes-4: the same through the library.
#[tokio::test]
async fn profile_of_the_library() {
    let family = |name: &str, categories: &[Category], operations: &[&str]| FamilyRequest {
        name: name.to_owned(),
        purpose: None,
        categories: categories.to_vec(),
        operations: operations.iter().map(|glob| Glob::parse(glob).unwrap()).collect(),
    };
    let everything = |operations: &[&str]| {
        let families = vec![family("all", &Category::ALL, &["list_*"]), family("look", &[], operations)];
        let profile = Profile::custom("mine", families).unwrap();
        let exposure = Exposure { profile, ..Exposure::default() };
        Aqueduct::builder().source(shop(), SourceSettings::default()).exposure(exposure).build()
    };
    let aqueduct = everything(&["get_*"]).unwrap();
    let params = json!({"query": "operations", "name": "get_product"});
    let shown = aqueduct.call_operation("introspect", params.as_object().unwrap().clone()).await.to_json();
    assert!(shown.contains("\"mcp_aql_look\""), "{shown}");
    let contested = everything(&["*_products"]).unwrap_err().to_string();
    assert!(contested.contains("'list_products'") && contested.contains("'all' and 'look'"), "{contested}");
}

/// An operation in two families, found when the sources are known: nothing is served.
#[tokio::test]
async fn contested_operations() {
    let place = Place::new();
    let second =
        DATABASE.replace("categories = [\"read\"]", "categories = [\"read\"]\noperations = [\"*_products\"]");
    place.write("aqueduct.toml", second);
    let ran = place.run(&["introspect", &shop()], &[], "").await;
    assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{ran:?}");
    assert!(ran.stderr.contains("'list_products' is in two families of the profile 'database'"), "{ran:?}");
}

/// Ruling S7: the file names variables and headers of each source; they replace the adapter's own, and a flag wins.
#[tokio::test]
async fn credentials_and_headers_of_sources() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let place = Place::new();
    let sent = |arguments: &'static [&'static str]| {
        let (place, api) = (&place, &api);
        async move {
            let mut all = vec!["call", "list_products"];
            all.extend(arguments);
            let variables =
                [("SHOP_TOKEN", "of-the-adapter"), ("TEA", "of-the-file"), ("FLAG", "of-the-flag")];
            let ran = place.run(&all, &variables, "").await;
            assert_eq!(ran.code, 0, "{ran:?}");
            api.requests().last().unwrap().clone()
        }
    };
    let file = format!(
        "[sources.tea]\nfrom = {:?}\nbase_url = \"{}\"\nheaders = {{ X-Team = \"red\", X-Kept = \"yes\" }}\n\
         [sources.tea.auth]\ntype = \"api_key\"\nkey_env = \"TEA\"\nheader_name = \"X-Key\"\n",
        shop(),
        api.base_url()
    );
    place.write("aqueduct.toml", file);
    let request = sent(&[]).await;
    assert_eq!((request.header("x-key"), request.header("authorization")), (Some("of-the-file"), None));
    assert_eq!((request.header("x-team"), request.header("x-kept")), (Some("red"), Some("yes")));
    let request = sent(&["--auth-env", "FLAG", "--header", "x-team: blue"]).await;
    assert_eq!(
        (request.header("x-key"), request.header("authorization")),
        (None, Some("Bearer of-the-flag"))
    );
    assert_eq!((request.header("x-team"), request.header("x-kept")), (Some("blue"), Some("yes")));
}

#[tokio::test]
async fn bad_profiles_and_sources() {
    let mut shown = String::new();
    for text in [
        "profile = \"discovr\"\n",
        "[profiles.crude.all]\ncategories = [\"CREATE\", \"READ\", \"UPDATE\", \"DELETE\", \"EXECUTE\"]\n",
        "[profiles.mine.look]\ncategories = [\"REED\"]\n",
        "[profiles.mine.look]\ncategory = [\"READ\"]\n",
        "[profiles.mine.look]\ncategories = [\"READ\"]\noperations = [\"List *\"]\n",
        "[profiles.mine.look]\ncategories = [\"READ\", \"CREATE\", \"UPDATE\"]\n[profiles.mine.act]\ncategories = [\"EXECUTE\", \"read\"]\n[profiles.mine.rest]\n",
        "[profiles.mine.Look]\ncategories = [\"CREATE\", \"READ\", \"UPDATE\", \"DELETE\", \"EXECUTE\"]\noperations = [\"introspect\"]\n[profiles.mine.act]\noperations = [\"introspect\"]\n",
        "[sources.Tea]\nfrom = \"shop-adapter.md\"\n",
        "[sources.tea.auth]\ntype = \"beerer\"\n",
        "[sources.tea.auth]\ntype = \"bearer\"\ntoken = \"hunter2hunter2\"\n",
        "[sources.tea.auth]\ntype = \"bearer\"\ntoken_env = \"ghp_0123456789abcdefghijABCDEFGHIJ012345\"\n",
        "[sources.tea]\nheaders = { Authorization = \"Basic c2VjcmV0OnNlY3JldA==\", \"X Y\" = \"1\" }\n",
    ] {
        let place = Place::new();
        place.write("aqueduct.toml", text);
        let ran = place.run(&["introspect", &shop()], &[("SHOP_TOKEN", TOKEN)], "").await;
        shown.push_str(&format!("=== {text}{}exit {}\n\n", ran.stderr, ran.code));
        assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{text}: {ran:?}");
        for secret in ["hunter2", "ghp_0123", "c2VjcmV0"] {
            assert!(!ran.stderr.contains(secret), "{}", ran.stderr);
        }
    }
    insta::assert_snapshot!(shown);
}

//! Modes, profiles and prefixes, as a client sees them.

use super::harness::{Place, Server, code, inside, shop};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

async fn names(arguments: &[&str], variables: &[(&str, &str)]) -> Vec<String> {
    let shop = shop();
    let mut all = vec![shop.as_str()];
    all.extend(arguments);
    let mut server = Server::start(&all, variables);
    server.open().await;
    server.tool_names().await
}

/// C3.3-1 C3.3-4 C3.3-5 C3.3-6 M2.2.1-1 M2.2.1-5 X-modes-1 X-modes-3: the modes by flag and by environment, semantic when nothing is said.
#[tokio::test]
async fn modes() {
    let five = ["mcp_aql_create", "mcp_aql_read", "mcp_aql_update", "mcp_aql_delete", "mcp_aql_execute"];
    assert_eq!(names(&[], &[]).await, five);
    assert_eq!(names(&["--mode", "single"], &[]).await, ["mcp_aql"]);
    assert_eq!(names(&[], &[("MCP_AQL_ENDPOINT_MODE", "single")]).await, ["mcp_aql"]);
    assert_eq!(names(&["--mode", "semantic"], &[("MCP_AQL_ENDPOINT_MODE", "single")]).await, five);
    assert_eq!(names(&["--mode", "all"], &[]).await.len(), 6);
}

/// C3.3-2 X-modes-2: the profile by flag and by environment.
#[tokio::test]
async fn profiles() {
    let four = ["mcp_aql_discover", "mcp_aql_query", "mcp_aql_manage", "mcp_aql_operate"];
    assert_eq!(names(&["--profile", "discover"], &[]).await, four);
    assert_eq!(names(&[], &[("MCP_AQL_ENDPOINT_PROFILE", "discover")]).await, four);
}

/// M6.2-1 M6.2-2 M6.3-1 M6.3-2 M6.3-4 M7.2-3 M7.3-4: the prefix by flag, environment and file, in this order, before every
/// name.
#[tokio::test]
async fn prefix_precedence() {
    let first = |place: Place, arguments: Vec<String>, variables: Vec<(&'static str, &'static str)>| async move {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut server = Server::start_in(place, &arguments, &variables);
        server.open().await;
        server.tool_names().await[0].clone()
    };
    let with_file = || {
        let place = Place::new();
        place.write("aqueduct.toml", "prefix = \"file_\"\n");
        place
    };
    let env = ("MCP_AQL_TOOL_PREFIX", "env_");
    let flag = vec![shop(), "--prefix".to_owned(), "flag_".to_owned()];
    assert_eq!(first(Place::new(), vec![shop()], vec![]).await, "mcp_aql_create");
    assert_eq!(first(with_file(), vec![shop()], vec![]).await, "file_mcp_aql_create");
    assert_eq!(first(with_file(), vec![shop()], vec![env]).await, "env_mcp_aql_create");
    assert_eq!(first(with_file(), flag, vec![env]).await, "flag_mcp_aql_create");
    let github = [("MCP_AQL_TOOL_PREFIX", "github_")];
    let five = ["create", "read", "update", "delete", "execute"];
    assert_eq!(names(&[], &github).await, five.map(|family| format!("github_mcp_aql_{family}")));
    assert!(names(&["--profile", "discover"], &github).await.contains(&"github_mcp_aql_query".to_owned()));
}

/// Mode and profile from the file.
#[tokio::test]
async fn mode_and_profile_from_the_file() {
    let place = Place::new();
    place.write("aqueduct.toml", "mode = \"all\"\nprofile = \"discover\"\n");
    let mut server = Server::start_in(place, &[&shop()], &[]);
    server.open().await;
    assert_eq!(server.tool_names().await.len(), 5);
}

/// M6.4-1 M6.4-2: a bad prefix, mode or profile ends the start with the rule that was broken: exit code 2 for a flag, 3
/// for a variable.
#[tokio::test]
async fn bad_settings() {
    for (arguments, variables, said) in [
        (vec!["--prefix", "GitHub-"], vec![], "lower-case letters, digits and underscores"),
        (vec!["--prefix", "github"], vec![], "end with an underscore"),
        (vec![], vec![("MCP_AQL_TOOL_PREFIX", "Nope")], "'Nope'"),
        (vec!["--mode", "both"], vec![], "unknown mode 'both'; use semantic, single or all"),
        (vec!["--mode", "both"], vec![("MCP_AQL_ENDPOINT_MODE", "both")], "unknown mode 'both'"),
        (vec![], vec![("MCP_AQL_ENDPOINT_MODE", "many")], "unknown mode 'many'"),
        (vec!["--profile", "mine"], vec![], "unknown profile 'mine'; use crude or discover"),
        (vec![], vec![("MCP_AQL_ENDPOINT_PROFILE", "mine")], "unknown profile 'mine'"),
    ] {
        let expected = if arguments.is_empty() { 3 } else { 2 };
        let shop = shop();
        let mut all = vec![shop.as_str()];
        all.extend(arguments);
        let mut server = Server::start(&all, &variables);
        let (exit, said_there) = server.finish().await;
        assert_eq!(exit, expected, "{said}");
        assert!(said_there.contains(said), "{said_there}");
        assert!(server.seen.is_empty());
    }
}

/// M6.4-3: a prefix of 20 characters is accepted with a warning, one of 19 without.
#[tokio::test]
async fn long_prefixes() {
    for (prefix, warns) in [("a_prefix_of_20_char_", true), ("a_prefix_of_19_cha_", false)] {
        let mut server = Server::start(&[&shop(), "--prefix", prefix], &[("SHOP_TOKEN", "x")]);
        server.open().await;
        assert!(server.tool_names().await[0].starts_with(prefix));
        let (exit, said) = server.finish().await;
        assert_eq!((exit, said.contains("20 or more characters")), (0, warns), "{said}");
    }
}

/// M1.1-3 M2.2.2-1 M6.1-1 M6.6-1 M7.1-5: two servers in one client: distinct names, and neither shows the other's operations.
#[tokio::test]
async fn two_servers_of_one_client() {
    let place = Place::new();
    let text = std::fs::read_to_string(shop()).unwrap();
    let other = text.replace("name: shop", "name: depot").replace("_product", "_pallet");
    let depot = place.write("depot-adapter.md", other);
    let mut first = Server::start(&[&shop(), "--prefix", "shop_"], &[]);
    let mut second = Server::start(&[&depot, "--prefix", "depot_"], &[]);
    first.open().await;
    second.open().await;
    let (ours, theirs) = (first.tool_names().await, second.tool_names().await);
    assert!(ours.iter().all(|name| name.starts_with("shop_mcp_aql_")));
    assert!(theirs.iter().all(|name| name.starts_with("depot_mcp_aql_")));
    let listed = first.call("shop_mcp_aql_read", "introspect", json!({"query": "operations"})).await;
    assert!(!listed.to_string().contains("pallet"), "{listed}");
    let unknown = first.call("shop_mcp_aql_read", "list_pallets", json!({})).await;
    assert_eq!(code(&unknown), "NOT_FOUND_OPERATION");
}

/// M2.2.1-4 C10.1-3 C10.2-2 X-modes-5: introspection names the tool, the family and the active profile.
#[tokio::test]
async fn introspection_names_tools() {
    for (profile, family, tool) in
        [("crude", "delete", "s_mcp_aql_delete"), ("discover", "manage", "s_mcp_aql_manage")]
    {
        let mut server = Server::start(&[&shop(), "--profile", profile, "--prefix", "s_"], &[]);
        server.open().await;
        let introspects = if profile == "crude" { "s_mcp_aql_read" } else { "s_mcp_aql_discover" };
        let all = server.call(introspects, "introspect", json!({"query": "operations"})).await;
        assert_eq!(all["data"]["_protocol"]["profile"], profile);
        for operation in all["data"]["operations"].as_array().unwrap() {
            let params = json!({"query": "operations", "name": operation["name"]});
            let detail = server.call(introspects, "introspect", params).await;
            let detail = &detail["data"]["operation"];
            let expected = format!("s_mcp_aql_{}", operation["endpoint"].as_str().unwrap());
            assert_eq!((&detail["endpoint"], &detail["mcpTool"]), (&operation["endpoint"], &json!(expected)));
            if operation["name"] == "delete_order" {
                assert_eq!((&detail["endpoint"], &detail["mcpTool"]), (&json!(family), &json!(tool)));
            }
        }
    }
}

/// C6.2-3 R5.3-1 X-modes-13 C3.2-2: in every mode the same rules hold; a wrong tool is refused before anything is sent.
#[tokio::test]
async fn wrong_tool() {
    let api = FakeApi::always(Answer::json(200, json!({"id": 1}))).await;
    let mut server = Server::shop(&api.base_url(), &["--mode", "all"], &[]).await;
    let refused = server.call("mcp_aql_create", "get_product", json!({"product_id": 1})).await;
    assert_eq!(code(&refused), "VALIDATION_ENDPOINT_MISMATCH");
    let message = refused["error"]["message"].as_str().unwrap();
    assert_eq!(message, "Operation 'get_product' must use READ endpoint, not CREATE. Call mcp_aql_read.");
    let introspect = server.call("mcp_aql_delete", "introspect", json!({"query": "operations"})).await;
    assert_eq!(code(&introspect), "VALIDATION_ENDPOINT_MISMATCH");
    assert!(api.requests().is_empty());
    for tool in ["mcp_aql_read", "mcp_aql"] {
        assert_eq!(server.call(tool, "get_product", json!({"product_id": 1})).await["success"], true);
        let wrong = server.call(tool, "get_product", json!({"product_id": "x", "more": 1})).await;
        assert_eq!(code(&wrong), "VALIDATION_INVALID_TYPE");
        let dangerous = if tool == "mcp_aql" { tool } else { "mcp_aql_delete" };
        let asked = server.call(dangerous, "delete_order", json!({"order_id": "o1"})).await;
        assert_eq!(code(&asked), "CONFIRMATION_REQUIRED");
    }
    assert_eq!(api.requests().len(), 2);
}

/// X-modes-8 O2.4-1: an unknown operation is refused in every mode, never guessed.
#[tokio::test]
async fn unknown_operations() {
    for (mode, tool) in [("semantic", "mcp_aql_read"), ("single", "mcp_aql")] {
        let mut server = Server::start(&[&shop(), "--mode", mode], &[]);
        server.open().await;
        for name in ["get_produkt", "Get_Product", "getProduct", "get_product ", "GET_PRODUCT"] {
            let answer = server.call_raw(tool, json!({"operation": name, "params": {"product_id": 1}})).await;
            let failure = inside(&answer);
            assert_eq!(code(&failure), "NOT_FOUND_OPERATION", "{name}");
            assert_eq!(answer["result"]["isError"], false);
            assert_eq!(failure["error"]["details"]["suggestions"][0], "get_product", "{name}: {failure}");
        }
    }
}

/// C10.1-1 C10.1-2 R1.3-4 R1.3-5 R1.3-6 R1.3-7: every operation of the file can be called, in its category and on its
/// tool, by no other tool, and `introspect` lists it there.
#[tokio::test]
async fn everything_can_be_called() {
    let api = FakeApi::start(|request| Answer::json(200, json!({"path": request.target}))).await;
    let mut server = Server::shop(&api.base_url(), &[], &[]).await;
    let mut sent = Vec::new();
    for (tool, operation, params, expected) in [
        ("create", "create_order", json!({"product_id": 7}), "POST /orders"),
        (
            "read",
            "list_products",
            json!({"category": "tea & co"}),
            "GET /products?category=tea%20%26%20co&per_page=20",
        ),
        ("read", "get_product", json!({"product_id": 7}), "GET /products/7"),
        ("read", "search_products", json!({"q": "a"}), "GET /search?q=a"),
        ("update", "update_order", json!({"order_id": "o1", "input": {"state": "paid"}}), "PATCH /orders/o1"),
        ("execute", "execute_recount", json!({"order_id": "o1"}), "POST /orders/o1/recounts"),
    ] {
        let result = server.call(&format!("mcp_aql_{tool}"), operation, params).await;
        assert_eq!(result["success"], true, "{operation}: {result}");
        sent.push(expected);
    }
    let asked = server.call("mcp_aql_delete", "delete_order", json!({"order_id": "o1"})).await;
    let token = asked["error"]["details"]["confirmation_token"].clone();
    let params = json!({"order_id": "o1", "confirmation_token": token});
    assert_eq!(server.call("mcp_aql_delete", "delete_order", params).await["success"], true);
    sent.push("DELETE /orders/o1");
    let seen: Vec<String> =
        api.requests().iter().map(|request| format!("{} {}", request.method, request.target)).collect();
    assert_eq!(seen, sent);
    for request in api.requests() {
        assert_eq!(request.header("authorization"), Some("Bearer sk-live-4242-shop-token"));
    }
    assert_eq!(api.requests()[0].json(), json!({"product_id": 7, "quantity": 1}));
    assert_eq!(api.requests()[4].json(), json!({"state": "paid"}));
    let wrong = server.call("mcp_aql_read", "create_order", json!({"product_id": 7})).await;
    assert_eq!((&wrong["success"], code(&wrong)), (&json!(false), "VALIDATION_ENDPOINT_MISMATCH"));
    assert_eq!(api.requests().len(), sent.len(), "nothing was sent for it");
    let list = server.call("mcp_aql_read", "introspect", json!({"query": "operations"})).await;
    let mut listed: Vec<String> = list["data"]["operations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|each| {
            format!("{} {}", each["semantic_category"].as_str().unwrap(), each["name"].as_str().unwrap())
        })
        .collect();
    listed.sort();
    assert_eq!(
        listed,
        [
            "CREATE create_order",
            "DELETE delete_order",
            "EXECUTE execute_recount",
            "READ get_product",
            "READ introspect",
            "READ list_products",
            "READ search_products",
            "UPDATE update_order",
        ]
    );
}

/// C2.3.5-1 C2.3.5-2 C2.3.5-3 C2.3.5-5 C2.3.5-6: the session is the server's own; what a client claims changes nothing.
#[tokio::test]
async fn session_identity() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let mut server = Server::shop(&api.base_url(), &[], &[]).await;
    let listed = server.call("mcp_aql_read", "introspect", json!({"query": "operations"})).await;
    let session = listed["data"]["_protocol"]["session_id"].as_str().unwrap().to_owned();
    assert!(session.starts_with("sess_") && session.len() > 20, "{session}");
    let failed = server.call("mcp_aql_read", "no_such_thing", json!({})).await;
    assert_eq!(failed["error"]["details"]["session_id"], session);
    let claim = json!({"session_id": "sess_other", "sessionId": "sess_other"});
    let claimed = json!({"operation": "no_such_thing", "_meta": claim, "params": {"_meta": claim}});
    let failed = inside(&server.call_raw("mcp_aql_read", claimed).await);
    assert_eq!(failed["error"]["details"]["session_id"], session);

    // A token of one session is worth nothing in another, whatever that one claims.
    let asked = server.call("mcp_aql_delete", "delete_order", json!({"order_id": "o1"})).await;
    let token = asked["error"]["details"]["confirmation_token"].clone();
    let mut other = Server::shop(&api.base_url(), &[], &[]).await;
    let listed = other.call("mcp_aql_read", "introspect", json!({"query": "operations"})).await;
    assert_ne!(listed["data"]["_protocol"]["session_id"], session);
    let stolen = json!({"operation": "delete_order", "_meta": {"session_id": session},
                        "params": {"order_id": "o1", "confirmation_token": token}});
    assert!(code(&inside(&other.call_raw("mcp_aql_delete", stolen).await)).starts_with("TOKEN_"));
    assert!(api.requests().is_empty());
    assert_eq!(Value::Null, failed["data"]);
}

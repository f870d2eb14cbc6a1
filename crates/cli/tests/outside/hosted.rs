//! Servers and documents of a team, behind credentials: what the operator gives is used, for whom it was given and for no
//! other; and what is said where it is missing.

use super::harness::{Place, code, fake_server};
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::mcp::web::{Speaks, WebServer};
use serde_json::json;

const VARIABLES: [(&str, &str); 2] = [("HOSTED", "h0sted-token-value"), ("PATH", "/usr/bin:/bin")];
const BEARER: &str = "Bearer h0sted-token-value";
/// `ann:h0sted-token-value`, as the scheme wants it.
const BASIC: &str = "Basic YW5uOmgwc3RlZC10b2tlbi12YWx1ZQ==";

/// The credentials of a server over HTTP may be flags, or stand in the configuration.
#[tokio::test]
async fn credentials_of_a_server_over_http() {
    let place = Place::new();
    let config = |url: &str| {
        format!(
            "[sources.team]\nfrom = \"mcp+{url}\"\ntrust = \"validated\"\n[sources.team.auth]\ntype = \"bearer\"\ntoken_env = \"HOSTED\"\n"
        )
    };
    let by_config = WebServer::start(Speaks::Newest).await;
    place.write("aqueduct.toml", config(by_config.url.as_str()));
    let ran = place.run(&["introspect", "--state-dir", "state"], &VARIABLES, "").await;
    assert!(ran.code == 0 && ran.stdout.contains("tool_0"), "{ran:?}");
    assert!(by_config.credentials().iter().all(|sent| sent == BEARER), "{:?}", by_config.credentials());
    for flag in [["--auth-env", "HOSTED"], ["--header", "Authorization: Bearer h0sted-token-value"]] {
        let server = WebServer::start(Speaks::Older).await;
        let source = format!("mcp+{}", server.url);
        let words =
            ["introspect", &source, flag[0], flag[1], "--config", "none.toml", "--state-dir", "state"];
        place.write("none.toml", "");
        let ran = place.run(&words, &VARIABLES, "").await;
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(!server.credentials().is_empty());
        assert!(
            server.credentials().iter().all(|sent| sent == BEARER),
            "{flag:?}: {:?}",
            server.credentials()
        );
        assert!(!format!("{ran:?}").contains("h0sted-token-value"), "{ran:?}");
    }
}

/// A name and a password go out as the scheme wants them, from the configuration, from a file of servers and from an adapter
/// file; neither they nor their encoded form come back.
#[tokio::test]
async fn a_name_and_a_password_for_a_server_over_http() {
    let place = Place::new();
    let variables = [("TEAM_USER", "ann"), VARIABLES[0], VARIABLES[1]];
    let auth = "type = \"basic\"\nusername_env = \"TEAM_USER\"\npassword_env = \"HOSTED\"\n";
    for way in ["configuration", "list", "adapter file"] {
        let server = WebServer::start(Speaks::Older).await;
        let url = server.url.as_str();
        let words: Vec<String> = match way {
            "configuration" => {
                let text = format!("[sources.team]\nfrom = \"mcp+{url}\"\n[sources.team.auth]\n{auth}");
                vec!["--config".to_owned(), place.write("own.toml", text)]
            }
            "list" => {
                let headers = json!({"Authorization": "Basic ${TEAM_USER}:${HOSTED}"});
                let text = json!({"mcpServers": {"team": {"url": url, "headers": headers}}});
                vec![place.write("servers.json", text.to_string())]
            }
            _ => {
                let text = format!(
                    "---\nname: team\ntype: adapter\nversion: 1.0.0\ndescription: The team's tools\ntarget: {{base_url: '{url}', \
                     transport: http, protocol: mcp, serialization: json}}\nauth: {{type: basic, username_env: TEAM_USER, \
                     password_env: HOSTED}}\noperations:\n  read:\n    - {{name: tool_0, maps_to: TOOL tool_0, description: Look}}\n---\n"
                );
                vec![place.write("team-adapter.md", text)]
            }
        };
        let mut call = vec!["call"];
        call.extend(words.iter().map(String::as_str));
        call.extend(["tool_0", "--state-dir", "state"]);
        let ran = place.run(&call, &variables, "").await;
        let sent = server.credentials();
        assert!(!sent.is_empty() && sent.iter().all(|each| each == BASIC), "{way}: {sent:?} {ran:?}");
        let told = format!("{ran:?}");
        assert!(!told.contains("h0sted-token-value") && !told.contains(&BASIC[6..]), "{way}: {told}");
    }
}

/// One reader takes references apart: the variable that is filled in is the one that the operator is asked for, and what stands
/// in its place is no reference of its own.
#[tokio::test]
async fn a_reference_inside_a_default() {
    let place = Place::new();
    let api = FakeApi::always(Answer::empty(404)).await;
    let text = format!(
        "---\nname: team\ntype: adapter\nversion: 1.0.0\ndescription: The team's tools\ntarget: {{base_url: '{}/mcp', \
         transport: http, protocol: mcp, serialization: json, headers: {{X-Team: '${{SECRET:-${{HOME}}'}}}}\noperations:\n  \
         read:\n    - {{name: tool_0, maps_to: TOOL tool_0, description: Look}}\n---\n",
        api.base_url()
    );
    let file = place.write("team-adapter.md", text);
    let variables = [("HOME", "/srv/s3cret-folder"), ("SECRET", "s3cret-value"), VARIABLES[1]];
    let call = ["call", &file, "tool_0", "--state-dir", "state"];

    let asked = place.run(&[&call[..], &["--trust", "generated"]].concat(), &variables, "").await;
    let not_sent = format!("The variable SECRET is not sent to {}", api.base_url());
    assert!(asked.stderr.contains(&not_sent) && !asked.stderr.contains("HOME"), "{asked:?}");
    assert!(api.requests().is_empty(), "{:?}", api.requests());

    for (variables, sent) in [(&variables[..], "s3cret-value"), (&variables[..1], "${HOME")] {
        let before = api.requests().len();
        let ran = place.run(&call, variables, "").await;
        let headers: Vec<_> =
            api.requests()[before..].iter().map(|each| each.header("x-team").map(str::to_owned)).collect();
        assert!(
            !headers.is_empty() && headers.iter().all(|each| each.as_deref() == Some(sent)),
            "{headers:?} {ran:?}"
        );
        assert!(!format!("{ran:?}").contains("s3cret"), "{ran:?}");
    }
}

/// A server that wants credentials says so with the flags that give them, in one line.
#[tokio::test]
async fn a_server_that_wants_credentials() {
    let place = Place::new();
    let closed = FakeApi::always(Answer::empty(401).header("www-authenticate", "Bearer")).await;
    let source = format!("mcp+{}/mcp", closed.base_url());
    let ran = place.run(&["introspect", &source, "--state-dir", "state"], &VARIABLES, "").await;
    let told: Vec<&str> = ran.stderr.lines().filter(|line| line.contains("credentials")).collect();
    assert!(told.len() == 1 && told[0].contains("--auth-env") && told[0].contains("--header"), "{ran:?}");
}

/// Ruling S7: of several servers of a file, each gets what is named for it, and no other's.
#[tokio::test]
async fn no_server_gets_the_token_of_another() {
    let place = Place::new();
    let (one, other) = (WebServer::start(Speaks::Newest).await, WebServer::start(Speaks::Newest).await);
    let servers = json!({"one": {"url": one.url.as_str()}, "other": {"url": other.url.as_str()}});
    let file = place.write("servers.json", json!({"mcpServers": servers}).to_string());
    let vague = place.run(&["introspect", &file, "--auth-env", "HOSTED"], &VARIABLES, "").await;
    assert_eq!(vague.code, 2, "{vague:?}");
    assert!(one.credentials().is_empty() && other.credentials().is_empty());
    let ran = place
        .run(&["introspect", &file, "--auth-env", "one=HOSTED", "--state-dir", "state"], &VARIABLES, "")
        .await;
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(one.credentials().iter().all(|sent| sent == BEARER), "{:?}", one.credentials());
    assert!(other.credentials().iter().all(String::is_empty), "{:?}", other.credentials());
    // What is set for the file as a whole is for none of several.
    let of_file = format!(
        "[sources.all]\nfrom = {file:?}\n[sources.all.auth]\ntype = \"bearer\"\ntoken_env = \"HOSTED\"\n"
    );
    place.write("aqueduct.toml", of_file);
    let (before, seen) = (one.credentials().len(), other.credentials().len());
    place.run(&["introspect", "--state-dir", "state2"], &VARIABLES, "").await;
    let after: Vec<String> = [&one.credentials()[before..], &other.credentials()[seen..]].concat();
    assert!(!after.is_empty() && after.iter().all(String::is_empty), "{after:?}");
}

/// A file with one server is one source; for many there is a level for all, which names of single ones win over.
#[tokio::test]
async fn trust_in_servers() {
    let place = Place::new();
    let write =
        |servers: serde_json::Value| place.write("servers.json", json!({"mcpServers": servers}).to_string());
    let run = async |words: &[&str]| {
        let words = [words, &["--state-dir", "state"]].concat();
        place.run(&words, &VARIABLES, "").await
    };
    let file = write(json!({"only": {"command": fake_server()}}));
    let plain = run(&["call", &file, "only__fail", "--trust", "official"]).await.json();
    assert_eq!(code(&plain), "INTERNAL_ERROR", "it ran: {plain}");
    let low = run(&["call", &file, "only__fail"]).await.json();
    assert!(code(&low).starts_with("PERMISSION_"), "{low}");
    let file = write(json!({"one": {"command": fake_server()}, "two": {"command": fake_server()}}));
    let vague = run(&["call", &file, "one__fail", "--trust", "official"]).await;
    assert!(vague.code == 2 && vague.stderr.contains("--trust '*=LEVEL'"), "{vague:?}");
    let but_two = ["--trust", "*=official", "--trust", "two=generated"];
    for (operation, runs) in [("one__fail", true), ("two__fail", false)] {
        let told = run(&[&["call", &file, operation][..], &but_two].concat()).await.json();
        assert_eq!(code(&told) == "INTERNAL_ERROR", runs, "{operation}: {told}");
    }
    let unknown = run(&["introspect", &file, "--trust", "*=great"]).await;
    assert!(unknown.code == 2 && unknown.stderr.contains("'great'"), "{unknown:?}");
}

/// A list without a server says so, and what one looks like.
#[tokio::test]
async fn a_list_without_servers() {
    let place = Place::new();
    for text in [r#"{"mcpServers":{}}"#, r#"{"servers":{}}"#] {
        let file = place.write("servers.json", text);
        for command in ["introspect", "serve", "tokens"] {
            let ran = place.run(&[command, &file], &[], "").await;
            assert_eq!(ran.code, 3, "{ran:?}");
            for word in ["servers.json", "lists no MCP server", "'mcpServers'", "\"command\""] {
                assert!(ran.stderr.contains(word), "{word}: {ran:?}");
            }
        }
    }
}

/// A document behind a login is told as that, and fetched with what is given for it, which goes nowhere else.
#[tokio::test]
async fn a_document_behind_a_login() {
    let api = FakeApi::start(|request| match (request.path(), request.header("authorization")) {
        ("/openapi.json", Some(BEARER)) => Answer::json(
            200,
            json!({
                "openapi": "3.1.0", "info": {"title": "Team", "version": "1"}, "servers": [{"url": "https://api.example.com"}],
                "paths": {"/x": {"get": {"operationId": "get_x", "responses": {"200": {"$ref": "more.json"}}}}},
            }),
        ),
        ("/more.json", Some(BEARER)) => Answer::json(200, json!({"description": "ok"})),
        ("/login", _) => Answer::html(200, "<html>Log in</html>"),
        _ => Answer::redirect(302, "/login?next=/openapi.json"),
    })
    .await;
    let place = Place::new();
    let document = format!("{}/openapi.json", api.base_url());
    let told = place.run(&["introspect", &document, "--state-dir", "state"], &VARIABLES, "").await;
    assert_ne!(told.code, 0, "{told:?}");
    let host = api.base_url();
    for word in ["redirected", "/login", "302", "--auth-env", "--header", host.trim_start_matches("http://")]
    {
        assert!(told.stderr.contains(word), "{word}: {told:?}");
    }
    let words = ["introspect", &document, "--auth-env", "HOSTED", "--state-dir", "state"];
    let fetched = place.run(&words, &VARIABLES, "").await;
    assert!(fetched.code == 0 && fetched.stdout.contains("get_x"), "{fetched:?}");
    assert!(api.requests().iter().any(|request| request.path() == "/more.json"), "what it refers to as well");
    let header =
        ["introspect", &document, "--header", &format!("Authorization: {BEARER}"), "--state-dir", "state"];
    assert_eq!(place.run(&header, &VARIABLES, "").await.code, 0);
}

/// The name that a title gives is known only once the document is there. Where it is the only source, a name can mean no other;
/// where there are several, the source is named as it was given, so that nothing goes to another one.
#[tokio::test]
async fn a_document_that_is_named_by_its_title() {
    let behind = async || {
        FakeApi::start(|request| match (request.path(), request.header("authorization")) {
            ("/openapi.json", Some(BEARER)) => Answer::json(
                200,
                json!({
                    "openapi": "3.1.0", "info": {"title": "Team Tasks", "version": "1"}, "servers": [{"url": "/"}],
                    "paths": {"/x": {"get": {"operationId": "get_x", "responses": {"200": {"description": "ok"}}}}},
                }),
            ),
            _ => Answer::empty(401),
        })
        .await
    };
    let place = Place::new();
    let run =
        async |words: &[&str]| place.run(&[words, &["--state-dir", "state"]].concat(), &VARIABLES, "").await;
    let (api, other) = (behind().await, behind().await);
    let (document, another) =
        (format!("{}/openapi.json", api.base_url()), format!("{}/openapi.json", other.base_url()));
    let alone = run(&["introspect", &document, "--auth-env", "team-tasks=HOSTED"]).await;
    assert!(alone.code == 0 && alone.stdout.contains("get_x"), "{alone:?}");
    let misnamed = run(&["introspect", &document, "--auth-env", "team-task=HOSTED"]).await;
    assert!(misnamed.code == 2 && misnamed.stderr.contains("the sources are: team-tasks"), "{misnamed:?}");

    // Beside others a name is not enough, and the document's own trouble is what is told.
    let before = api.requests().len();
    let named = run(&["introspect", &document, "demo", "--auth-env", "team-tasks=HOSTED"]).await;
    let sent = &api.requests()[before..];
    assert!(!sent.is_empty() && sent.iter().all(|request| request.header("authorization").is_none()));
    assert!(named.stderr.contains("status 401") && named.stderr.contains("as it was given"), "{named:?}");
    assert!(named.code == 0 && named.stdout.contains("bookshop__get_book"), "{named:?}");

    let whole = format!("{document}=HOSTED");
    let header = format!("{document}=X-Team: a=b");
    let given =
        run(&["introspect", &document, &another, "demo", "--auth-env", &whole, "--header", &header]).await;
    assert!(given.code == 0 && given.stdout.contains("team_tasks__get_x"), "{given:?}");
    let last = api.requests().pop().unwrap();
    assert_eq!(last.header("x-team"), Some("a=b"));
    let elsewhere = other.requests();
    assert!(
        !elsewhere.is_empty() && elsewhere.iter().all(|request| request.header("authorization").is_none())
    );
    // The words of the client's entry are those that work.
    let words = ["client-config", "codex", &document, "demo", "--", "--auth-env", &whole];
    let entry = place.run(&words, &[VARIABLES[0], ("HOME", "/h")], "").await;
    assert!(entry.stdout.contains(&whole) && entry.stdout.contains("env_vars = [\"HOSTED\"]"), "{entry:?}");
}

/// A list whose servers are all switched off says that, and not that it is empty.
#[tokio::test]
async fn a_list_of_servers_that_are_off() {
    let place = Place::new();
    let file = place.write("servers.json", r#"{"mcpServers":{"files":{"command":"x","disabled":true}}}"#);
    let ran = place.run(&["introspect", &file], &[], "").await;
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.stderr.contains("'files': it is switched off"), "{ran:?}");
}

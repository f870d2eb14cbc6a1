//! Other MCP servers as sources, as child processes of the real binary: many at once, some of them bad.

use super::harness::{Place, Server, fake_server};
use serde_json::{Value, json};

fn servers(place: &Place, servers: Value) -> String {
    place.write("servers.json", json!({"mcpServers": servers}).to_string())
}

async fn call(server: &mut Server, tool: &str, operation: &str, params: Value) -> Value {
    server.call(tool, operation, params).await
}

/// S-mcp-1 S-mcp-6 S-mcp-7 S-mcp-9 S-mcp-22 S-mcp-26 S-registry-13, PEERS 7: a file of servers is served together, namespaced,
/// as one MCP server again; one that is bad, one that is switched off and one that hangs take nothing from the others.
#[tokio::test]
async fn a_file_of_servers() {
    let place = Place::new();
    let file = servers(
        &place,
        json!({
            "good": {"command": fake_server()},
            "other": {"command": fake_server()},
            "off": {"command": fake_server(), "disabled": true},
            "silent": {"command": "sleep", "args": ["1000"]},
            "gone": {"command": "no-such-program-here"},
            "odd": {"command": "x", "url": "http://127.0.0.1:1/mcp"},
        }),
    );
    let mut server =
        Server::start_in(place, &[&file, "--trust", "good=official"], &[("PATH", "/usr/bin:/bin")]);
    server.open().await;
    let list =
        call(&mut server, "mcp_aql_read", "introspect", json!({"query": "operations", "budget": 20000}))
            .await;
    let names: Vec<&str> = list["data"]["operations"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|each| each["name"].as_str())
        .collect();
    assert!(names.contains(&"good__echo") && names.contains(&"good__odd_schema"), "{names:?}");
    assert!(names.contains(&"other__echo"), "the tools of all in one list: {names:?}");
    let of_those = |name: &&str| ["good__", "other__"].iter().any(|source| name.starts_with(source));
    assert!(names.iter().all(|name| of_those(name) || *name == "introspect"), "{names:?}");
    let echoed = call(&mut server, "mcp_aql_read", "good__echo", json!({"some_text": "hi"})).await;
    assert_eq!(echoed["data"]["got"]["Some Text"], "hi", "{echoed}");
    let failed = call(&mut server, "mcp_aql_execute", "good__fail", json!({})).await;
    assert_eq!(failed["error"]["code"], "INTERNAL_ERROR", "{failed}");
    let info = call(&mut server, "mcp_aql_read", "introspect", json!({"query": "adapter_info"})).await;
    let states: Vec<(&str, &str)> = info["data"]["adapters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|each| (each["name"].as_str().unwrap(), each["state"].as_str().unwrap()))
        .collect();
    assert!(states.contains(&("good", "ok")) && states.contains(&("silent", "failed")), "{states:?}");
    let early = call(&mut server, "mcp_aql_read", "silent__read", json!({})).await;
    assert_eq!(early["error"]["code"], "NOT_FOUND_OPERATION", "{early}");
    assert_eq!(early["error"]["details"]["not_ready"][0]["source"], "silent", "{early}");
    let failed = call(&mut server, "mcp_aql_read", "gone__read", json!({})).await;
    assert_eq!(failed["error"]["details"]["not_ready"][0]["source"], "gone", "{failed}");
    let said = server.errors();
    assert!(said.contains("odd") && said.contains("gone"), "{said}");
}

/// PEERS 8: a server that dies is started again, and its calls fail clearly meanwhile.
#[tokio::test]
async fn a_server_that_dies_comes_back() {
    let place = Place::new();
    let file = servers(&place, json!({"frail": {"command": fake_server()}}));
    let mut server =
        Server::start_in(place, &[&file, "--trust", "frail=official"], &[("PATH", "/usr/bin:/bin")]);
    server.open().await;
    let before = call(&mut server, "mcp_aql_read", "frail__echo", json!({"some_text": "1"})).await;
    assert_eq!(before["success"], true, "{before}");
    let died = call(&mut server, "mcp_aql_execute", "frail__die", json!({})).await;
    assert_eq!(died["success"], false, "{died}");
    let mut clear = true;
    for _ in 0..600 {
        let again = call(&mut server, "mcp_aql_read", "frail__echo", json!({"some_text": "2"})).await;
        if again["success"] == true {
            assert!(clear);
            return;
        }
        clear &= again["error"]["message"].as_str().unwrap().contains("frail");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("it never came back");
}

/// S7: the flag that is named for a file of one server is one that is taken.
#[tokio::test]
async fn the_trust_flag_of_one_server() {
    let place = Place::new();
    let file = servers(&place, json!({"only": {"command": fake_server()}}));
    let variables = [("PATH", "/usr/bin:/bin")];
    let denied = place.run(&["call", &file, "only__die"], &variables, "").await.json();
    let flag = denied["error"]["details"]["setting"].as_str().unwrap().to_owned();
    let (name, value) = flag.split_once(' ').unwrap();
    assert!(name == "--trust" && value.starts_with("only="), "{flag}");
    let list = place.run(&["introspect", &file], &variables, "").await;
    assert!(format!("{list:?}").contains(&format!("to show all: {flag};")), "{list:?}");
    let taken = place.run(&["call", &file, "only__die", name, value], &variables, "").await;
    assert_ne!(taken.json()["error"]["details"]["setting"], flag, "{taken:?}");
}

/// Where no server is up there is nothing to show, and it is said which and why.
#[tokio::test]
async fn nothing_to_show() {
    let place = Place::new();
    let file = servers(&place, json!({"ill": {"command": fake_server(), "args": ["--exit", "3"]}}));
    for command in ["introspect", "tokens"] {
        let ran = place.run(&[command, &file], &[("PATH", "/usr/bin:/bin")], "").await;
        assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{ran:?}");
        assert!(
            ran.stderr.contains("error: no MCP server offers anything; 'ill' is not connected: "),
            "{ran:?}"
        );
    }
}

/// The first start of a server may fetch packages: what only shows something waits for one that is still starting, and says so.
#[tokio::test]
async fn a_slow_start_is_waited_for() {
    let place = Place::new();
    let slow = json!({"command": fake_server(), "args": ["--late", "7000"]});
    let file = servers(&place, json!({"slow": slow, "quick": {"command": fake_server()}}));
    let ran = place.run(&["introspect", &file], &[("PATH", "/usr/bin:/bin")], "").await;
    assert!(
        ran.code == 0 && ran.stdout.contains("slow__echo") && ran.stdout.contains("quick__echo"),
        "{ran:?}"
    );
    let said = "waiting for the MCP server 'slow', which is still starting";
    assert!(ran.stderr.contains(said) && !ran.stderr.contains("'quick'"), "{ran:?}");
}

/// The doctor has a finding on every server, and the log what servers say.
#[tokio::test]
async fn the_doctor_looks_at_servers() {
    let place = Place::new();
    let ill = json!({"command": fake_server(), "args": ["--exit", "3"]});
    let file = servers(&place, json!({"well": {"command": fake_server()}, "ill": ill}));
    let log = ("AQUEDUCT_LOG", "aqueduct::mcp=debug");
    let ran = place.run(&["doctor", &file, "--format", "json"], &[("PATH", "/usr/bin:/bin"), log], "").await;
    assert_eq!(ran.code, 3, "{ran:?}");
    let found = ran.json();
    let of = |name: &str| -> Vec<Value> {
        let all = found["findings"].as_array().unwrap().iter();
        all.filter(|each| each.to_string().contains(name)).cloned().collect()
    };
    let (well, ill) = (of("well"), of("ill"));
    assert_eq!((well.len(), ill.len()), (1, 1), "{found}");
    let message = well[0]["message"].as_str().unwrap();
    assert!(message.starts_with("connected, ") && message.ends_with(" tools"), "{message}");
    assert_eq!((&well[0]["state"], &ill[0]["state"]), (&json!("ok"), &json!("fix")));
    let message = ill[0]["message"].as_str().unwrap();
    assert!(
        message.contains("not connected: ") && message.ends_with("its last words: cannot go on"),
        "{found}"
    );
    assert!(ran.stderr.contains("cannot go on"), "{}", ran.stderr);
}

/// X-bundle-12 X-bundle-13: a server is imported as an adapter file of its own, with the discovery bundle; it is greeted and its tools
/// are listed, and nothing of it is called for that.
#[tokio::test]
async fn a_server_is_imported() {
    let place = Place::new();
    let out = place.path().join("fake-adapter.md").display().to_string();
    let bundle = place.path().join("bundle.json").display().to_string();
    let heard = place.path().join("heard.jsonl");
    let source = format!("mcp:sh -c 'tee {} | {}'", heard.display(), fake_server());
    let variables = [("PATH", "/usr/bin:/bin")];
    let imported =
        place.run(&["import", "mcp", &source, "-o", &out, "--bundle", &bundle], &variables, "").await;
    assert_eq!(imported.code, 0, "{imported:?}");
    let bundle: Value = serde_json::from_slice(&std::fs::read(&bundle).unwrap()).unwrap();
    assert_eq!(bundle["schema_version"], "1.0.0-draft");
    assert_eq!(bundle["raw_capture"]["tools"][0]["x-unknown"], json!({"kept": true}), "exactly as listed");
    let heard = std::fs::read_to_string(heard).unwrap();
    let methods: Vec<Value> =
        heard.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["method"].clone()).collect();
    // The greeting of the newest protocol first, then that of the older ones.
    assert_eq!(methods, ["server/discover", "initialize", "notifications/initialized", "tools/list"]);
    let written = std::fs::read_to_string(&out).unwrap();
    assert!(written.contains("\nname: fake\n"), "a server alone names itself: {written}");
    let params = &bundle["normalized_bundle"]["operations"][0]["params"];
    assert_eq!(params[0]["name"], "some_text", "a list there");
    assert!(written.contains("params:\n        some_text: {type: string"), "and a map here: {written}");
    assert!(
        !written.contains("provenance") && !written.contains("inference"),
        "that stays in the bundle: {written}"
    );
    // An import has been looked at by no one, so its program waits for the operator's word.
    let called =
        place.run(&["call", &out, "echo", "some_text=hi", "--trust", "validated"], &variables, "").await;
    assert_eq!(called.json()["data"]["got"]["Some Text"], "hi", "{called:?}");
}

/// Two servers that are the same program are two servers, each under the name that it was given.
#[tokio::test]
async fn servers_of_one_program_are_kept_apart() {
    let place = Place::new();
    let source = |name: &str, page: u8| {
        format!("[sources.{name}]\nfrom = \"mcp:{} --page {page}\"\ntrust = \"official\"\n", fake_server())
    };
    place.write("aqueduct.toml", source("one", 5) + &source("two", 6));
    let variables = [("PATH", "/usr/bin:/bin")];
    for operation in ["one__process", "two__process"] {
        let called = place.run(&["call", operation], &variables, "").await;
        assert_eq!((called.code, &called.json()["success"]), (0, &json!(true)), "{called:?}");
    }
}

/// S-mcp-27, PEERS 8: when the server ends, however it ends, no child of it is left.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn no_child_is_left_behind() {
    let place = Place::new();
    let file = servers(
        &place,
        json!({"one": {"command": fake_server(), "args": ["--sticky"]}, "two": {"command": fake_server(), "args": ["--sticky"]}}),
    );
    let mut server = Server::start_in(place, &[&file], &[("PATH", "/usr/bin:/bin")]);
    server.open().await;
    let children = descendants(server.process_id());
    assert!(children.len() >= 4, "a guard and a server each: {children:?}");
    server.kill().await;
    for _ in 0..400 {
        if children.iter().all(|pid| !is_alive(*pid)) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    let left: Vec<u32> = children.into_iter().filter(|pid| is_alive(*pid)).collect();
    panic!("still alive: {left:?}");
}

/// A server that is taken out of the file is ended; the other one goes on as it is.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_server_that_is_taken_out_ends() {
    let place = Place::new();
    let file = servers(&place, json!({"one": {"command": fake_server()}, "two": {"command": fake_server()}}));
    let arguments = [&*file, "--trust", "one=official"];
    let mut server = Server::start_in(place, &arguments, &[("PATH", "/usr/bin:/bin")]);
    server.open().await;
    let before = descendants(server.process_id());
    assert_eq!(before.len(), 4, "a guard and a server each: {before:?}");
    std::fs::write(&file, json!({"mcpServers": {"one": {"command": fake_server()}}}).to_string()).unwrap();
    let mut left = before.clone();
    for _ in 0..800 {
        left = before.iter().copied().filter(|pid| is_alive(*pid)).collect();
        if left.len() <= 2 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    assert_eq!(left.len(), 2, "the guard and the server of the other: {left:?}");
    let echoed = call(&mut server, "mcp_aql_read", "one__echo", json!({"some_text": "hi"})).await;
    assert_eq!(echoed["success"], true, "{echoed}");
}

#[cfg(target_os = "linux")]
fn descendants(of: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut next = vec![of];
    while let Some(parent) = next.pop() {
        let tasks = std::fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
        for task in tasks {
            let text = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
            let children = text.split_whitespace().filter_map(|pid| pid.parse::<u32>().ok());
            children.for_each(|pid| {
                found.push(pid);
                next.push(pid);
            });
        }
    }
    found
}

#[cfg(target_os = "linux")]
fn is_alive(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // A process that waits for its parent to notice its end is over.
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

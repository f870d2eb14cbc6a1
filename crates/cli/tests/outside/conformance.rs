//! `aqueduct conformance`: this server passes in every mode and with every kind of source, servers that break a rule are caught by
//! that rule, and nothing is left behind.

mod todo_api;

use super::harness::{Place, Ran, fake_server};
use aqueduct_testkit::mcp::faults;
use futures::StreamExt;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use todo_api::TodoApi;
use tokio::io::AsyncBufReadExt;
use tokio::process::Command;

/// A run examines a server with hundreds of calls, on a machine that may do other things.
const DEADLINE: Duration = Duration::from_secs(240);

/// Runs of a command at the same time.
const AT_A_TIME: usize = 4;

fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name).display().to_string()
}

/// The command of a server with these words, its state in a folder of its own.
fn serve(place: &Place, words: &str) -> String {
    let state = place.path().join("state");
    format!("{} serve {words} --state-dir {}", env!("CARGO_BIN_EXE_aqueduct"), state.display())
}

/// The program that breaks a rule, beside the fake server.
fn faulty_server() -> String {
    fake_server().replace("fake_mcp_server", "faulty_mcp_server")
}

/// Judges a server.
async fn judge(place: &Place, server: &str, flags: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aqueduct"));
    command.env_clear().env("PATH", "/usr/bin:/bin").arg("conformance").arg(server).args(flags);
    command.current_dir(place.path()).kill_on_drop(true).stdin(Stdio::null());
    let ended = tokio::time::timeout(DEADLINE, command.output()).await.expect("the run ends").unwrap();
    Ran {
        code: ended.status.code().unwrap_or(-1),
        stdout: String::from_utf8(ended.stdout).unwrap(),
        stderr: String::from_utf8(ended.stderr).unwrap(),
    }
}

fn tests(report: &Value) -> impl Iterator<Item = &Value> {
    report["categories"].as_array().unwrap().iter().flat_map(|category| category["tests"].as_array().unwrap())
}

/// The rules that a report says are broken.
fn broken(report: &Value) -> Vec<String> {
    let mut rules: Vec<String> = tests(report)
        .flat_map(|test| test["broken"].as_array().unwrap())
        .map(|rule| rule.as_str().unwrap().to_owned())
        .collect();
    rules.sort();
    rules.dedup();
    rules
}

/// The result of a test.
fn result_of<'a>(report: &'a Value, name: &str) -> &'a str {
    let test = tests(report).find(|test| test["name"] == name).unwrap_or_else(|| panic!("no test '{name}'"));
    test["result"].as_str().unwrap()
}

/// Judges a server of ours in every mode: nothing is wrong, nothing was warned of, and nothing is left behind. `{base}` is the
/// address of a to-do list that only this run changes.
async fn passes_in_every_mode(words: &str, flags: &[&str]) -> Vec<Value> {
    let runs = ["semantic", "single", "all"].map(|mode| async move {
        let (place, todos) = (Place::new(), TodoApi::start().await);
        let before = todos.numbers();
        let words = words.replace("{base}", &todos.api.base_url());
        let server = serve(&place, &format!("{words} --mode {mode}"));
        let mut all = vec!["--level", "2", "--format", "json"];
        all.extend(flags);
        let ran = judge(&place, &server, &all).await;
        let report = ran.json();
        assert_eq!((broken(&report), ran.code), (Vec::new(), 0), "{mode}: {report:#} {}", ran.stderr);
        assert_eq!((&report["conformanceLevel"], &report["summary"]["warned"]), (&json!(2), &json!(0)));
        assert_eq!(todos.numbers(), before, "what was created is gone");
        report
    });
    futures::future::join_all(runs).await
}

/// The tests of the specification by category, under its own names: 13 that must hold, 5 that should, and those with a model.
const SPECIFIED: [(&str, bool, &[&str]); 7] = [
    (
        "Introspection Fidelity",
        true,
        &[
            "Operations query is implemented",
            "Types query is implemented",
            "Operation detail payloads validate",
            "Introspection completeness matches accepted parameters",
        ],
    ),
    (
        "Parameter Handling",
        true,
        &[
            "Required parameters are enforced",
            "Unknown parameters are handled explicitly",
            "Documented defaults are observable",
            "Canonical parameter names use snake_case",
        ],
    ),
    (
        "Error Quality",
        true,
        &[
            "Error responses match the discriminated union schema",
            "Error messages do not leak implementation internals",
            "Error messages remain actionable",
        ],
    ),
    (
        "Round-Trip Integrity",
        true,
        &["Create-read cycles preserve submitted fields", "Updates preserve non-targeted fields"],
    ),
    (
        "Level 2 Features",
        false,
        &[
            "Both endpoint modes are documented",
            "Field selection is supported",
            "Batch operations are supported",
        ],
    ),
    (
        "Constraint Documentation",
        false,
        &[
            "Constraints are enforced with structured errors",
            "Constraints are disclosed in introspection guidance",
        ],
    ),
    ("Semantic Evaluation", false, &["Semantic evaluation skipped"]),
];

/// Every test of the specification is in its category, each once and in its order.
fn has_the_specified_tests(report: &Value) {
    let mut counts = (0, 0);
    for (name, required, specified) in SPECIFIED {
        let categories = report["categories"].as_array().unwrap();
        let category = categories.iter().find(|category| category["name"] == name).unwrap();
        assert_eq!(category["required"], required, "{name}");
        let names: Vec<&str> = category["tests"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|test| test["name"].as_str())
            .filter(|name| specified.contains(name))
            .collect();
        assert_eq!(names, specified, "{name}");
        *(if required { &mut counts.0 } else { &mut counts.1 }) += names.len();
    }
    assert_eq!(counts, (13, 2 + 3 + 1));
}

/// C10.1-1 C10.1-4 C10.1-5 C10.1-6 C10.3-2 CD-1 C10.1-7 C10.1-8 X-conf-22 X-conf-23 X-conf-34: the sample, with everything that can be judged.
#[tokio::test]
async fn the_demo_passes() {
    for report in passes_in_every_mode("demo", &["--allow-writes"]).await {
        has_the_specified_tests(&report);
        for name in [
            "Create-read cycles preserve submitted fields",
            "Updates preserve non-targeted fields",
            "Deletions wait for a confirmation",
            "Field selection is supported",
            "Batch operations are supported",
            "Both endpoint modes are documented",
        ] {
            assert_eq!(result_of(&report, name), "PASS");
        }
    }
}

/// The same for an adapter file, a document, and the adapter file that is generated from the document (X-conf-82), on an API that
/// remembers.
#[tokio::test]
async fn an_adapter_file_and_a_document_pass() {
    let place = Place::new();
    let document = example("todo-openapi.yaml");
    let generated = place.run(&["import", "openapi", &document, "-o", "generated-adapter.md"], &[], "").await;
    assert_eq!(generated.code, 0, "{generated:?}");
    let generated = place.path().join("generated-adapter.md").display().to_string();
    for words in [
        format!("{} --base-url {{base}}", example("todo-adapter.md")),
        format!("{document} --base-url {{base}} --trust validated"),
        format!("{generated} --base-url {{base}} --trust validated"),
    ] {
        for report in passes_in_every_mode(&words, &["--allow-writes"]).await {
            assert_eq!(
                result_of(&report, "Create-read cycles preserve submitted fields"),
                "PASS",
                "{report:#}"
            );
        }
    }
}

/// The same for another MCP server behind this one, which is really there, and X-conf-69: what cannot be judged is skipped, with its reason.
#[tokio::test]
async fn an_mcp_source_passes() {
    let place = Place::new();
    let weather = json!({"command": "sh", "args": [example("weather-server.sh")]});
    let servers = json!({"mcpServers": {"weather": weather}});
    let file = place.write("servers.json", servers.to_string());
    for report in passes_in_every_mode(&file, &[]).await {
        let skipped: Vec<&Value> = tests(&report).filter(|test| test["result"] == "SKIP").collect();
        assert!(skipped.iter().all(|test| !test["detail"].as_str().unwrap().is_empty()), "{skipped:?}");
        assert_eq!(result_of(&report, "Create-read cycles preserve submitted fields"), "SKIP");
        // Without the tools of the server there would be no fields to choose.
        assert_eq!(result_of(&report, "Field selection is supported"), "PASS");
        assert_eq!(result_of(&report, "Documented defaults are observable"), "PASS");
    }
}

/// The same in settings that a server may be run with: a profile with two families that read, small budgets, and an operator who
/// decides on deletions, with whom one thing is left behind and named (S3, W9, W16).
#[tokio::test]
async fn other_settings_pass() {
    let place = Place::new();
    place.write("small.toml", "[limits]\nmax_response_tokens = 500\n");
    let small = format!("demo --config {}", place.path().join("small.toml").display());
    for (words, flags) in
        [("demo --profile discover", &["--allow-writes"][..]), (&small, &["--allow-writes"])]
    {
        for report in passes_in_every_mode(words, flags).await {
            assert_eq!(result_of(&report, "Create-read cycles preserve submitted fields"), "PASS", "{words}");
            assert_eq!(result_of(&report, "A failing item leaves the others alone"), "PASS", "{words}");
        }
    }
    for report in passes_in_every_mode("demo --confirmation operator", &["--allow-writes"]).await {
        assert_eq!(result_of(&report, "Create-read cycles preserve submitted fields"), "PASS");
        assert_eq!(result_of(&report, "Deletions wait for a confirmation"), "PASS");
        assert_eq!(result_of(&report, "What is deleted is gone"), "SKIP");
    }
    let flags = ["--level", "2", "--allow-writes"];
    let ran = judge(&place, &serve(&place, "demo --confirmation operator"), &flags).await;
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(ran.stderr.matches("left behind").count(), 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("approval_id"), "{}", ran.stderr);
}

/// X-conf-3 X-conf-4 X-conf-26 X-conf-27 X-conf-28 X-conf-29 X-conf-31 X-conf-32 X-conf-33 X-conf-56 X-conf-57 X-conf-58 X-conf-59 X-conf-61
/// X-conf-64 X-conf-65 X-conf-66 X-conf-67 X-conf-75: each server that breaks one rule is caught by this rule and by no other; the right one
/// by none. Every finding has its request and answer, and the exit code is that of the report: 0, 1 or 2.
#[tokio::test]
async fn each_fault_is_caught_by_its_rule() {
    let judged = faults::all().map(|fault| async move {
        let (place, todos) = (Place::new(), TodoApi::start().await);
        let list = format!("{} --base-url {}", example("todo-adapter.md"), todos.api.base_url());
        let words = fault.served().replace("{todos}", &list);
        let server = format!("{} {} {}", faulty_server(), fault.name, serve(&place, &words));
        let ran = judge(&place, &server, &["--level", "2", "--format", "json", "--allow-writes"]).await;
        (fault, ran)
    });
    let judged: Vec<_> = futures::stream::iter(judged).buffer_unordered(AT_A_TIME).collect().await;
    assert!(judged.len() > 85, "{}", judged.len());
    let (mut wrong, mut codes) = (Vec::new(), BTreeSet::new());
    for (fault, ran) in &judged {
        let report = ran.json();
        assert_eq!(report["exitCode"], ran.code, "{}", fault.name);
        codes.insert(ran.code);
        wrong.extend(unexplained(&report).map(|finding| format!("{}: {finding}", fault.name)));
        let expected: Vec<&str> = Some(fault.rule).into_iter().filter(|rule| !rule.is_empty()).collect();
        if broken(&report) != expected {
            let found: Vec<&Value> =
                tests(&report).filter(|test| !test["broken"].as_array().unwrap().is_empty()).collect();
            wrong.push(format!(
                "{}: expected {expected:?}, got {:?}: {found:?}",
                fault.name,
                broken(&report)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert_eq!(codes, BTreeSet::from([0, 1, 2]));
}

/// Findings that lack the request or the answer.
fn unexplained(report: &Value) -> impl Iterator<Item = &str> {
    let findings = tests(report).flat_map(|test| test["findings"].as_array().unwrap());
    let findings = findings.map(|finding| finding.as_str().unwrap());
    findings.filter(|finding| !finding.contains(" Sent: ") || !finding.contains(" Answered: "))
}

/// A server that prints to its standard output fails by MCP's own rule, and by no other; one with a name of a source is told how to judge it.
#[cfg(unix)]
#[tokio::test]
async fn junk_on_standard_output_is_found() {
    let place = Place::new();
    let server = format!("sh -c \"echo Starting the server; exec {}\"", serve(&place, "demo"));
    let ran = judge(&place, &server, &["--format", "json"]).await;
    let report = ran.json();
    assert_eq!((ran.code, broken(&report)), (1, vec!["MCP-stdio".to_owned()]), "{ran:?}");
    assert_eq!(result_of(&report, "Standard output holds nothing but messages"), "FAIL");
    assert!(ran.stdout.contains("Starting the server"), "{}", ran.stdout);
    let meant = judge(&place, "demo", &[]).await;
    let said = "to judge the built-in sample, give the command that serves it: aqueduct conformance 'aqueduct serve demo'";
    assert!(meant.code == 3 && meant.stderr.contains(said), "{meant:?}");
}

/// Without leave nothing is changed, whatever else is tried; X-conf-75 X-conf-76: flags, exit codes 0 and 3, and one category alone.
#[tokio::test]
async fn reading_alone_and_its_flags() {
    let (place, todos) = (Place::new(), TodoApi::start().await);
    let words = format!("{} --base-url {}", example("todo-adapter.md"), todos.api.base_url());
    let server = format!("mcp:{}", serve(&place, &words));
    let plain = judge(&place, &server, &["-l", "1", "-f", "text"]).await;
    assert_eq!(plain.code, 0, "{plain:?}");
    assert!(
        plain.stdout.starts_with("Implementation: aqueduct\nSpec version: 1.0.0-draft\nRequested level: 1\n")
    );
    assert!(plain.stdout.contains("Round-Trip Integrity [MUST] -> SKIP"), "{}", plain.stdout);
    assert!(!plain.stdout.contains("Level 2 Features"), "level 1 alone");
    let flags = ["-c", "Error Quality", "-f", "markdown", "-o", "report.md"];
    let one = judge(&place, &server, &flags).await;
    assert_eq!((one.code, one.stdout.as_str()), (0, ""), "{one:?}");
    let page = std::fs::read_to_string(place.path().join("report.md")).unwrap();
    assert!(page.starts_with("# MCP-AQL Conformance Report\n") && page.ends_with('\n'));
    assert_eq!(page.matches("\n## ").count(), 1, "{page}");
    let none = judge(&place, &server, &["--category", "Everything"]).await;
    assert_eq!(none.code, 0);
    assert!(none.stderr.contains("Introspection Fidelity, Parameter Handling"), "{}", none.stderr);
    assert_eq!(todos.changes(), 0);
    let fake = fake_server();
    for (server, flags, said) in [
        ("/no/such/program", &[][..], "was not found"),
        (fake.as_str(), &[], "no MCP-AQL server"),
        ("http://127.0.0.1:9/mcp", &[], "is not connected"),
        ("'open", &[], "is no server"),
        (fake.as_str(), &["--level", "3"], "--level"),
        (fake.as_str(), &["--operations", "0"], "--operations"),
        (fake.as_str(), &["--token-env", "X"], "--token-env"),
    ] {
        let ran = judge(&place, server, flags).await;
        assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{ran:?}");
        assert!(ran.stderr.contains(said), "{server} {flags:?}: {}", ran.stderr);
    }
}

/// X-conf-37 X-conf-38 X-conf-39 X-conf-40 X-conf-41 X-conf-42 X-conf-43 X-conf-44 X-conf-45 X-conf-46 X-conf-47 X-conf-48 X-conf-49
/// X-conf-50 X-conf-51: the bundle holds answers of the server alone, and no test that a model would have to answer.
#[tokio::test]
async fn the_evidence_bundle() {
    let (place, todos) = (Place::new(), TodoApi::start().await);
    let words = format!("{} --base-url {}", example("todo-adapter.md"), todos.api.base_url());
    let flags = ["--level", "2", "--allow-writes", "--evidence", "bundle.json", "--format", "json"];
    let ran = judge(&place, &serve(&place, &words), &flags).await;
    let text = std::fs::read_to_string(place.path().join("bundle.json")).unwrap();
    let bundle: Value = serde_json::from_str(&text).unwrap();
    let keys: Vec<&String> = bundle.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "implementation",
            "version",
            "spec_version",
            "expected_level",
            "expected_exit_code",
            "endpoint_modes",
            "capabilities",
            "introspection",
            "accepted_parameters",
            "parameter_tests",
            "error_tests",
            "round_trip_tests",
            "update_preservation_tests",
            "batch_example",
            "constraint_tests",
            "semantic_tests"
        ]
    );
    let report = ran.json();
    assert_eq!(
        (&bundle["implementation"], &bundle["version"]),
        (&report["implementation"], &report["version"])
    );
    assert_eq!((&bundle["spec_version"], &bundle["semantic_tests"]), (&json!("1.0.0-draft"), &json!([])));
    assert_eq!((&bundle["expected_level"], &bundle["expected_exit_code"]), (&json!(2), &json!(0)));
    assert_eq!(bundle["endpoint_modes"], json!(["crude", "single"]));
    assert_eq!(bundle["capabilities"], json!({"field_selection": true, "batch_operations": true}));
    assert!(bundle["introspection"]["operations_list"]["data"]["operations"].is_array());
    assert!(bundle["introspection"]["types_list"]["data"]["types"].is_array());
    let details = bundle["introspection"]["operation_details"].as_array().unwrap();
    let missing = bundle["parameter_tests"]["missing_required"].as_array().unwrap();
    for detail in details {
        let accepted = bundle["accepted_parameters"][detail["name"].as_str().unwrap()].as_array().unwrap();
        for parameter in detail["parameters"].as_array().unwrap() {
            assert!(accepted.contains(&parameter["name"]), "{} {}", detail["name"], parameter["name"]);
            let is_case =
                |case: &&Value| case["operation"] == detail["name"] && case["parameter"] == parameter["name"];
            assert_eq!(missing.iter().any(|case| is_case(&case)), parameter["required"] == true);
        }
    }
    assert_eq!(details.len(), 6, "all of them, with leave to change");
    for (list, keys) in [
        (&bundle["parameter_tests"]["unknown_parameter"], &["operation", "parameter", "response"][..]),
        (
            &bundle["parameter_tests"]["optional_defaults"],
            &["operation", "parameter", "response", "expected_value_path", "expected_value"],
        ),
        (&bundle["error_tests"], &["name", "must_mention", "response"]),
        (&bundle["round_trip_tests"], &["name", "expected_fields", "read_response"]),
        (&bundle["update_preservation_tests"], &["name", "preserved_fields", "read_response"]),
        (&bundle["constraint_tests"], &["name", "documented", "response"]),
    ] {
        let first = list[0].as_object().unwrap_or_else(|| panic!("{list}"));
        assert_eq!(first.keys().collect::<Vec<_>>(), keys);
    }
    let default = &bundle["parameter_tests"]["optional_defaults"][0];
    assert_eq!((&default["operation"], &default["parameter"]), (&json!("create_todo"), &json!("done")));
    assert_eq!(
        (&default["expected_value_path"], &default["expected_value"]),
        (&json!("data.done"), &json!(false))
    );
    assert_eq!(default["response"]["data"]["done"], false);
    let kept = &bundle["round_trip_tests"][0];
    assert_eq!(kept["expected_fields"]["data.title"], kept["read_response"]["data"]["title"]);
    assert!(bundle["batch_example"]["results"].is_array());
}

/// A server over HTTP; a run that is stopped deletes what it has created, and says so.
#[cfg(unix)]
#[tokio::test]
async fn over_http_and_stopped() {
    let (place, todos) = (Place::new(), TodoApi::start().await);
    let state = place.path().join("state").display().to_string();
    let adapter = example("todo-adapter.md");
    let base = todos.api.base_url();
    let arguments = ["serve", &adapter, "--base-url", &base, "--http", "127.0.0.1:0", "--state-dir", &state];
    let mut server = super::harness::command(&arguments, &[], &place.path()).spawn().unwrap();
    let mut said = tokio::io::BufReader::new(server.stderr.take().unwrap()).lines();
    let address = loop {
        let line = said.next_line().await.unwrap().expect("an address");
        if let Some(address) = line.strip_prefix("listening on ") {
            break address.to_owned();
        }
    };
    let before = todos.numbers();
    let ran = judge(&place, &address, &["--level", "2", "--allow-writes"]).await;
    assert_eq!(ran.code, 0, "{ran:?}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_aqueduct"));
    command.args(["conformance", &address, "--allow-writes"]).kill_on_drop(true);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // As soon as it has created something, it is stopped.
    let created = todos.changes();
    tokio::time::timeout(DEADLINE, async {
        while todos.changes() == created {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    })
    .await
    .expect("something is created");
    let process = child.id().unwrap().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &process]).status().unwrap().success());
    let ended = tokio::time::timeout(DEADLINE, child.wait_with_output()).await.expect("it ends").unwrap();
    let stderr = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("the run was stopped; nothing was left behind"), "{stderr}");
    assert_eq!(todos.numbers(), before);
}

/// A server that never answers: the handshake, or the call, during which the run is stopped.
const MUTE: &str = r#"while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"mute","version":"1"}}}\n' "$id" ;;
    *'"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"mcp_aql","description":"introspect","inputSchema":{"type":"object","properties":{"operation":{"type":"string"}}}}]}}\n' "$id" ;;
    *'"tools/call"'*) : > called ;;
  esac
done
"#;

/// Ctrl-C ends a run that waits, for a server to start or for an answer.
#[cfg(unix)]
#[tokio::test]
async fn stopped_while_it_waits() {
    let place = Place::new();
    let script = place.write("mute.sh", MUTE);
    for (server, is_waiting, said) in [
        ("sh -c ': > started; exec sleep 100'".to_owned(), "started", "before the server was connected"),
        (format!("sh {script}"), "called", "nothing was left behind"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_aqueduct"));
        command.args(["conformance", &server]).current_dir(place.path()).kill_on_drop(true);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        tokio::time::timeout(DEADLINE, async {
            while !place.path().join(is_waiting).exists() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await
        .expect("it waits");
        let process = child.id().unwrap().to_string();
        assert!(std::process::Command::new("kill").args(["-INT", &process]).status().unwrap().success());
        // Without being stopped both would wait for 30 seconds or more.
        let ended = tokio::time::timeout(Duration::from_secs(20), child.wait_with_output());
        let ended = ended.await.expect("it ends").unwrap();
        let stderr = String::from_utf8(ended.stderr).unwrap();
        assert!(ended.status.code() == Some(3) && stderr.contains(said), "{server}: {stderr}");
    }
}

/// Files that cannot be written, and one file for both, are refused before the server is even started.
#[tokio::test]
async fn files_are_tried_before_the_run() {
    let place = Place::new();
    let mark = place.path().join("started").display().to_string();
    let server = format!("touch {mark}");
    let cases = [
        (vec!["--output", "none/x"], 3, "cannot be written"),
        (vec!["--evidence", "none/x"], 3, "cannot be written"),
        (vec!["--output", "same", "--evidence", "./same"], 3, "name the same file"),
    ];
    for (flags, code, said) in cases {
        let ran = judge(&place, &server, &flags).await;
        assert_eq!(ran.code, code, "{ran:?}");
        assert!(ran.stderr.contains(said), "{ran:?}");
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0, "{flags:?}");
    }
}

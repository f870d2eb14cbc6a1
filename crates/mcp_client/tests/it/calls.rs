use super::support::{
    LONG, add, call_of, clients, data, eventually, example, fake, object, program, run, run_with, settings,
    until, variables,
};
use aqueduct_mcp_client::{ClientEvent, ClientSettings, McpClients, ToolCall};
use aqueduct_operations::handler::{Boxed, ElicitRequest, ElicitResponse, Elicitor, HandlerError};
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_testkit::mcp::people::{Person, ProgressRecorder};
use aqueduct_testkit::mcp::stdio;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// S-mcp-2 S-mcp-3 S-mcp-6 S-mcp-7 S-mcp-28: a child process is started, greeted and listed; every field of
/// every tool is there, of all pages, banners on its output notwithstanding.
#[tokio::test]
async fn a_server_is_listed_exactly() {
    let clients = clients();
    add(&clients, fake("whole", &["--banner"]));
    add(&clients, fake("paged", &["--page", "5"]));
    add(&clients, fake("circles", &["--page", "5", "--circles"]));
    add(&clients, fake("endless", &["--endless"]));
    assert_eq!(clients.wait_ready(LONG).await, []);
    assert_eq!(clients.listing("endless").unwrap().tools.len(), 10_000);
    let listing = clients.listing("whole").unwrap();
    assert_eq!(listing.tools, stdio::tools());
    assert_eq!(listing.server, object(json!({"name": "fake", "version": "1.2.3", "x-more": 1})));
    assert_eq!(listing.instructions.as_deref(), Some("Be kind."));
    assert_eq!(clients.listing("paged").unwrap().tools, stdio::tools());
    assert_eq!(clients.listing("circles").unwrap().tools.len(), 10, "the second page is the first again");
    clients.close_all().await;
}

/// S-mcp-8 S-mcp-13 S-mcp-15 S-mcp-16 S-mcp-18: tools are called by their own names with the arguments as they are given, and
/// results come back in envelopes as they were given.
#[tokio::test]
async fn tools_are_called() {
    let clients = clients();
    let client = add(&clients, fake("fake", &[]));
    let echo = client.handler(call_of("echo"));
    let envelope = run_with(&echo, json!({"Some Text": "hi", "n": 1}), None, None).await.unwrap();
    assert_eq!(envelope.data["got"], json!({"Some Text": "hi", "n": 1}));
    assert_eq!(envelope.data["params"]["name"], "echo");
    assert_eq!((envelope.meta.source.as_str(), envelope.meta.operation_id.as_str()), ("mcp", "fake.echo"));
    let preview = echo.preview(&object(json!({"Some Text": "hi"})));
    assert_eq!(preview["params"], json!({"name": "echo", "arguments": {"Some Text": "hi"}}));
    let fitting = ToolCall { fits_output: true, ..call_of("echo") };
    let fitted = run_with(&client.handler(fitting), json!({"n": 1}), None, None).await.unwrap();
    assert_eq!(fitted.data, json!({"got": {"n": 1}}), "without what the tool does not declare");

    let blocks = data(&clients, "fake", "blocks").await;
    assert_eq!(blocks.as_array().unwrap().len(), 4);
    assert_eq!(blocks[0]["annotations"], json!({"priority": 1}));
    assert_eq!(blocks[3], json!({"type": "hologram", "depth": 3}));
    let failed = run(&clients, "fake", "fail", json!({})).await.unwrap();
    assert!(failed.is_error());
    assert_eq!(failed.data[0]["text"], "disk full");
    clients.close_all().await;
}

/// S-mcp-20: JSON in text blocks is read when the operator wants it.
#[tokio::test]
async fn json_text_is_read_when_wanted() {
    let settings = ClientSettings { parse_json_text: true, ..settings() };
    let clients = McpClients::start(settings, variables()).unwrap();
    add(&clients, fake("fake", &[]));
    assert_eq!(data(&clients, "fake", "blocks").await[0], json!({"a": 1}));
    clients.close_all().await;
}

/// Errors of the protocol are told in the server's words.
#[tokio::test]
async fn errors_keep_the_words_of_the_server() {
    let clients = clients();
    add(&clients, fake("fake", &[]));
    let unknown = run(&clients, "fake", "nothing", json!({})).await.unwrap_err();
    assert_eq!(unknown, HandlerError::Refused { message: "Unknown tool".into() });
    let refused = run(&clients, "fake", "refuse", json!({"code": -32602})).await.unwrap_err();
    assert_eq!(refused, HandlerError::Refused { message: "not today".into() });
    let failed = run(&clients, "fake", "refuse", json!({"code": -32010})).await.unwrap_err();
    let details = Some(json!({"code": -32010, "data": {"why": "because"}}));
    assert_eq!(failed, HandlerError::Failed { message: "not today".into(), details });
    assert!(clients.handler("other", "echo").is_none());
    clients.close_all().await;
}

/// Progress is passed on as the server tells it, all of it and in order, before the result.
#[tokio::test]
async fn progress_is_passed_on() {
    let clients = clients();
    let client = add(&clients, fake("fake", &[]));
    let ear = Arc::new(ProgressRecorder::default());
    let steps = client.handler(call_of("steps"));
    run_with(&steps, json!({"steps": 40}), Some(ear.clone()), None).await.unwrap();
    let expected: Vec<_> = (1..=40).map(|n| (f64::from(n), Some(40.0), Some(format!("step {n}")))).collect();
    assert_eq!(ear.heard(), expected);
    clients.close_all().await;
}

/// How many calls the server was told to cancel, once it was told of any: the notice may come after the next call.
async fn cancelled_calls(clients: &McpClients) -> usize {
    loop {
        let told = data(clients, "fake", "cancelled").await["cancelled"].as_array().unwrap().len();
        if told > 0 {
            return told;
        }
    }
}

/// Anyone who goes away cancels the call; the server is told which.
#[tokio::test]
async fn a_dropped_call_is_cancelled() {
    let clients = clients();
    let client = add(&clients, fake("fake", &[]));
    let ear = Arc::new(ProgressRecorder::default());
    let steps = client.handler(call_of("steps"));
    let call = run_with(&steps, json!({"steps": 100_000, "pause": 1}), Some(ear.clone()), None);
    tokio::select! {
        _ = call => panic!("it does not end"),
        () = eventually(|| !ear.heard().is_empty()) => {}
    }
    assert_eq!(cancelled_calls(&clients).await, 1);
    clients.close_all().await;
}

/// The wait for an answer starts again with each sign of life, and ends a call that gives none.
#[tokio::test]
async fn silence_ends_a_call_but_progress_does_not() {
    let clients = clients();
    let config = ServerConfig { timeout: Duration::from_millis(1_500), ..fake("fake", &[]) };
    add(&clients, config);
    assert_eq!(clients.wait_ready(LONG).await, []);
    let steps = run(&clients, "fake", "steps", json!({"steps": 4, "pause": 700})).await.unwrap();
    assert_eq!(steps.data, json!({"steps": 4}), "longer in all than the wait");
    let silent = run(&clients, "fake", "hang", json!({})).await.unwrap_err();
    assert_eq!(silent, HandlerError::TimedOut { milliseconds: 1_500 });
    assert_eq!(cancelled_calls(&clients).await, 1, "the server is told");
    clients.close_all().await;
}

/// A question reaches the person behind the call; with no one there it is declined.
#[tokio::test]
async fn questions_are_passed_on() {
    let clients = clients();
    let client = add(&clients, fake("fake", &[]));
    let ask = client.handler(call_of("ask"));
    for (says, expected) in [
        (ElicitResponse::Accepted(json!({"ok": true})), json!({"action": "accept", "content": {"ok": true}})),
        (ElicitResponse::Declined, json!({"action": "decline"})),
        (ElicitResponse::Cancelled, json!({"action": "cancel"})),
    ] {
        let person = Arc::new(Person::who_says(says));
        let envelope = run_with(&ask, json!({}), None, Some(person.clone())).await.unwrap();
        assert_eq!(envelope.data["answer"], expected);
        let asked = person.asked();
        assert_eq!((asked.len(), asked[0].message.as_str()), (1, "The MCP server 'fake' asks: Really?"));
        assert_eq!(asked[0].schema["properties"]["ok"]["type"], "boolean");
    }
    let alone = run_with(&ask, json!({}), None, None).await.unwrap();
    assert_eq!(alone.data["answer"], json!({"action": "decline"}));
    clients.close_all().await;
}

/// While a person thinks, no caller waits for the server.
#[tokio::test]
async fn a_person_may_take_longer_than_a_server() {
    #[derive(Debug)]
    struct Thoughtful;
    impl Elicitor for Thoughtful {
        fn ask<'a>(&'a self, _question: ElicitRequest) -> Boxed<'a, ElicitResponse> {
            Box::pin(async {
                tokio::time::sleep(Duration::from_millis(1_500)).await;
                ElicitResponse::Declined
            })
        }
    }
    let clients = clients();
    let client = add(&clients, ServerConfig { timeout: Duration::from_millis(500), ..fake("fake", &[]) });
    client.ready().await.unwrap();
    let ask = client.handler(call_of("ask"));
    let envelope = run_with(&ask, json!({}), None, Some(Arc::new(Thoughtful))).await.unwrap();
    assert_eq!(envelope.data["answer"]["action"], "decline");
    clients.close_all().await;
}

/// With several calls under way the one with somebody to ask is asked.
#[tokio::test]
async fn questions_go_to_a_call_with_somebody_to_ask() {
    let clients = clients();
    let client = add(&clients, fake("fake", &[]));
    let (ask, hang) = (client.handler(call_of("ask")), client.handler(call_of("hang")));
    let person = Arc::new(Person::who_says(ElicitResponse::Accepted(json!({"ok": true}))));
    let asking = run_with(&ask, json!({}), None, Some(person.clone()));
    tokio::select! {
        biased;
        _ = run_with(&hang, json!({}), None, None) => panic!("it hangs"),
        envelope = asking => assert_eq!(envelope.unwrap().data["answer"]["action"], "accept"),
    }
    assert_eq!(person.asked().len(), 1);
    clients.close_all().await;
}

/// A changed list is read again and told, once.
#[tokio::test]
async fn changes_of_the_tools_are_followed() {
    let clients = clients();
    let mut events = clients.events();
    add(&clients, fake("fake", &[]));
    until(&mut events, |event| matches!(event, ClientEvent::Listed { .. }).then_some(())).await;
    run(&clients, "fake", "grow", json!({})).await.unwrap();
    let listing = until(&mut events, |event| match event {
        ClientEvent::Changed { name, listing } if name == "fake" => Some(listing),
        _ => None,
    })
    .await;
    assert_eq!(listing.tools.last().unwrap()["name"], "grown");
    assert_eq!(clients.listing("fake").unwrap(), listing);
    clients.close_all().await;
}

/// A child gets its own variables and folder, and none of the secrets of others.
#[tokio::test]
async fn a_child_sees_only_its_own() {
    let clients = clients();
    let folder = std::env::temp_dir().canonicalize().unwrap();
    let mut config = fake("fake", &["--secret"]);
    if let ServerTransport::Stdio { env, cwd, .. } = &mut config.reach {
        env.push(NamedSecret::new("SECRET", "${GIVEN_SECRET}"));
        *cwd = Some(folder.clone());
    }
    add(&clients, config);
    let process = data(&clients, "fake", "process").await;
    let variables = process["variables"].as_object().unwrap();
    assert_eq!(variables["SECRET"], "[REDACTED]", "it is there, and does not come back");
    assert!(variables.contains_key("PATH") && variables.contains_key("HOME"));
    assert!(
        variables.keys().all(|name| ["SECRET", "PATH", "HOME"].contains(&name.as_str())),
        "{variables:?}"
    );
    assert_eq!(process["folder"], Value::from(folder.to_str().unwrap()));
    clients.close_all().await;
}

/// What a server was given does not come back: in results, failures, errors of the protocol or progress.
#[tokio::test]
async fn answers_hide_secrets() {
    let clients = clients();
    let mut config = fake("fake", &[]);
    if let ServerTransport::Stdio { env, .. } = &mut config.reach {
        env.push(NamedSecret::new("SECRET", "${GIVEN_SECRET}"));
    }
    let tell = add(&clients, config).handler(call_of("tell"));
    let ear = Arc::new(ProgressRecorder::default());
    let envelope = run_with(&tell, json!({}), Some(ear.clone()), None).await.unwrap();
    assert_eq!(envelope.data[0]["text"], "I have [REDACTED]");
    assert_eq!(ear.heard(), [(1.0, None, Some("with [REDACTED]".to_owned()))]);
    let failed = run_with(&tell, json!({"how": "fail"}), None, None).await.unwrap();
    assert_eq!((failed.is_error(), &failed.data[0]["text"]), (true, &json!("I have [REDACTED]")));
    let refused = run_with(&tell, json!({"how": "refuse"}), None, None).await.unwrap_err();
    assert_eq!(refused.to_string(), "not with [REDACTED]");
    clients.close_all().await;
}

/// An answer that is nested too deeply to be read fails at once.
#[tokio::test]
async fn unreadable_answers_fail_at_once() {
    let clients = clients();
    add(&clients, fake("fake", &[]));
    let error = run(&clients, "fake", "deep", json!({})).await.unwrap_err();
    assert_eq!(error.to_string(), "The answer of the server is nested too deeply");
    clients.close_all().await;
}

/// A listing of ever new empty pages is given up, with words.
#[tokio::test]
async fn empty_pages_are_given_up() {
    let clients = clients();
    add(&clients, fake("empty", &["--empty-pages"]));
    let missing = clients.wait_ready(LONG).await;
    assert_eq!(missing[0].why, "it lists its tools on more than 1000 pages");
    clients.close_all().await;
}

/// Progress keeps a call alive for ten times its wait and no longer.
#[tokio::test]
async fn progress_does_not_keep_a_call_for_ever() {
    let clients = clients();
    add(&clients, ServerConfig { timeout: Duration::from_millis(200), ..fake("fake", &[]) });
    assert_eq!(clients.wait_ready(LONG).await, []);
    let ended = run(&clients, "fake", "steps", json!({"steps": 100_000, "pause": 20})).await.unwrap_err();
    assert_eq!(ended, HandlerError::TimedOut { milliseconds: 2_000 });
    clients.close_all().await;
}

/// The operator is told what a server that cannot start said last, and each way of failing once.
#[tokio::test]
async fn failing_in_the_same_way_is_told_once() {
    let clients = clients();
    let mut events = clients.events();
    let client = add(&clients, fake("exits", &["--exit", "3"]));
    let failure = client.ready().await.unwrap_err();
    assert_eq!(failure.why, "it ended before it answered (exit status: 3); its last words: cannot go on");
    let trouble = client.why_not_ready().unwrap();
    assert!(!trouble.contains("cannot go on"), "models read this: {trouble}");
    let tries = tempfile::NamedTempFile::new().unwrap();
    let script = format!("echo x >> '{}'; exit 4", tries.path().display());
    add(&clients, program("again", "sh", &["-c", &script]));
    eventually(|| std::fs::read_to_string(tries.path()).unwrap().lines().count() > 4).await;
    let mut told = 0;
    while let Ok(event) = events.try_recv() {
        told += usize::from(matches!(event, ClientEvent::Lost { name, .. } if name == "again"));
    }
    assert_eq!(told, 1);
    clients.close_all().await;
}

/// What no restart mends is said so: a missing variable.
#[tokio::test]
async fn settings_that_cannot_work_are_named() {
    let clients = clients();
    let mut events = clients.events();
    let mut config = fake("fake", &[]);
    if let ServerTransport::Stdio { env, .. } = &mut config.reach {
        env.push(NamedSecret::new("SECRET", "${NOT_THERE}"));
    }
    add(&clients, config);
    add(&clients, program("nowhere", "no-such-program-anywhere", &[]));
    let missing = clients.wait_ready(LONG).await;
    assert_eq!(missing[0].why, "it needs the environment variable 'NOT_THERE', which is not set");
    assert_eq!(missing[1].why, "its command 'no-such-program-anywhere' was not found");
    let retry = until(&mut events, |event| match event {
        ClientEvent::Lost { name, retry_in, .. } if name == "fake" => Some(retry_in),
        _ => None,
    })
    .await;
    assert_eq!(retry, None, "no restart would help");
    let error = run(&clients, "fake", "echo", json!({})).await.unwrap_err();
    let HandlerError::Unavailable { message } = error else { panic!("{error:?}") };
    assert!(message.contains("'fake'") && message.contains("NOT_THERE"), "{message}");
    clients.close_all().await;
}

/// What a server says on its standard error is kept for the operator, without the secrets that it was given.
#[tokio::test]
async fn stderr_hide_secrets() {
    let clients = clients();
    let mut events = clients.events();
    let mut config = fake("fake", &["--secret"]);
    if let ServerTransport::Stdio { env, .. } = &mut config.reach {
        env.push(NamedSecret::new("SECRET", "${GIVEN_SECRET}"));
    }
    add(&clients, config);
    run(&clients, "fake", "die", json!({"code": 3})).await.unwrap_err();
    let (why, words) = until(&mut events, |event| match event {
        ClientEvent::Lost { why, stderr, .. } => Some((why, stderr)),
        _ => None,
    })
    .await;
    assert_eq!(why, "it ended (exit status: 3)");
    assert_eq!(words, ["using [REDACTED]"]);
    clients.close_all().await;
}

/// A server that is slow to start is waited for, also past the first question of the handshake.
#[tokio::test]
async fn calls_wait_for_the_first_start() {
    let clients = clients();
    add(&clients, fake("late", &["--late", "300"]));
    assert!(clients.listing("late").is_none());
    let envelope = run(&clients, "late", "echo", json!({"a": 1})).await.unwrap();
    assert_eq!(envelope.data["got"], json!({"a": 1}));
    clients.close_all().await;
}

/// The clients are usable outside of any runtime, and end their children when dropped.
#[test]
fn no_runtime_is_needed() {
    let clients = clients();
    add(&clients, fake("fake", &["--sticky"]));
    let process = futures_executor::block_on(data(&clients, "fake", "process"));
    let pid = process["pid"].as_u64().unwrap();
    assert!(super::support::is_alive(pid));
    drop(clients);
    assert!(!super::support::is_alive(pid));
    assert!(example("fake_server").exists());
}

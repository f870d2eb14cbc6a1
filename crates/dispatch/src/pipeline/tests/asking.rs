//! Calls that need a confirmation, where the person behind the client is asked (ruling S3): what they read, and what becomes of
//! each answer.

use crate::DispatchSettings;
use crate::test_server::{Setup, TestServer, adapter, data_of, error_of};
use aqueduct_operations::handler::{Boxed, ElicitRequest, ElicitResponse, Elicitor};
use aqueduct_safety::confirmation::GateSettings;
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Answers every question alike, and remembers what it was.
#[derive(Debug)]
struct Person {
    answer: Option<ElicitResponse>,
    asked: Mutex<Vec<ElicitRequest>>,
}

impl Person {
    fn saying(answer: ElicitResponse) -> Arc<Person> {
        Arc::new(Person { answer: Some(answer), asked: Mutex::default() })
    }

    fn agreeing() -> Arc<Person> {
        Person::saying(ElicitResponse::Accepted(json!({"answer": "yes"})))
    }

    fn silent() -> Arc<Person> {
        Arc::new(Person { answer: None, asked: Mutex::default() })
    }

    fn times(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    fn message(&self) -> String {
        self.asked.lock().unwrap().last().expect("a question").message.clone()
    }
}

impl Elicitor for Person {
    fn ask<'a>(&'a self, question: ElicitRequest) -> Boxed<'a, ElicitResponse> {
        self.asked.lock().unwrap().push(question);
        Box::pin(async move {
            match &self.answer {
                Some(answer) => answer.clone(),
                None => std::future::pending().await,
            }
        })
    }
}

fn asking() -> Setup {
    let settings = DispatchSettings { asks_people: true, ..DispatchSettings::default() };
    Setup { settings, ..Setup::default() }
}

async fn library() -> (TestServer, FakeApi) {
    let (_, api) = TestServer::library().await;
    (asking().serve_library(&api), api)
}

fn delete(book: u64) -> Value {
    json!({"operation": "delete_book", "params": {"book_id": book}})
}

/// S3: a yes runs this very call, once; the next one is asked about anew, and no token is ever seen.
#[tokio::test]
async fn a_yes_runs_the_call_once() {
    let (server, api) = library().await;
    let person = Person::agreeing();
    for times in 1..=2 {
        let answer = server.call_asking(Arc::clone(&person) as _, delete(7)).await;
        assert!(!answer.to_string().contains("conf_"), "{answer}");
        data_of(answer);
        assert_eq!((person.times(), api.requests().len()), (times, times));
    }
    assert_eq!(api.requests()[0].target, "/books/7");
    let asked = person.asked.lock().unwrap();
    assert_eq!(asked[0].schema["required"], json!(["answer"]));
    assert_eq!(asked[0].schema["properties"]["answer"]["enum"], json!(["no", "yes"]));
    assert_eq!(asked[0].schema["properties"]["answer"].get("default"), None);
}

/// Everything that is no yes is a no: it says so, gives no token, and nothing is sent.
#[tokio::test]
async fn everything_else_is_a_no() {
    let (server, api) = library().await;
    for (response, reason) in [
        (ElicitResponse::Declined, "declined"),
        (ElicitResponse::Accepted(json!({"answer": "no"})), "declined"),
        (ElicitResponse::Accepted(json!({"answer": true})), "declined"),
        (ElicitResponse::Accepted(json!({"confirmed": true})), "declined"),
        (ElicitResponse::Accepted(json!({})), "declined"),
        (ElicitResponse::Cancelled, "no_answer"),
    ] {
        let answer = server.call_asking(Person::saying(response.clone()), delete(7)).await;
        assert!(!answer.to_string().contains("conf_"), "{answer}");
        assert_eq!(answer.get("confirmation"), None);
        let error = error_of(answer);
        assert_eq!(error["code"], "PERMISSION_DENIED", "{response:?}");
        assert_eq!(error["details"]["reason"], reason, "{response:?}");
        assert!(error["message"].as_str().unwrap().contains("the user was asked"), "{error}");
    }
    assert!(api.requests().is_empty());
}

/// S3: nothing among the arguments of a call is an answer.
#[tokio::test]
async fn arguments_are_no_consent() {
    let (server, api) = library().await;
    for (key, value) in [("answer", json!("yes")), ("confirmed", json!(true)), ("confirm", json!("yes"))] {
        let mut inside = delete(7);
        inside["params"][key] = value.clone();
        let mut beside = delete(7);
        beside[key] = value;
        for request in [inside, beside] {
            let person = Person::saying(ElicitResponse::Declined);
            error_of(server.call_asking(person, request).await);
        }
    }
    let mut made_up = delete(7);
    made_up["params"]["confirmation_token"] = json!(format!("conf_{}", "a".repeat(64)));
    let person = Person::agreeing();
    let error = error_of(server.call_asking(Arc::clone(&person) as _, made_up).await);
    assert_eq!((error["code"].as_str(), person.times()), (Some("TOKEN_INVALID"), 0));
    assert!(api.requests().is_empty());
}

/// A client that cannot ask gets a token, as it does where no one is to be asked.
#[tokio::test]
async fn others_get_a_token() {
    let (server, api) = library().await;
    let error = server.error(delete(7)).await;
    let mut again = delete(7);
    again["params"]["confirmation_token"] = error["details"]["confirmation_token"].clone();
    server.data(again).await;
    let person = Person::agreeing();
    let plain = Setup::default().serve_library(&api);
    let error = error_of(plain.call_asking(Arc::clone(&person) as _, delete(7)).await);
    assert_eq!((error["code"].as_str(), person.times()), (Some("CONFIRMATION_REQUIRED"), 0));
    assert_eq!(api.requests().len(), 1);
}

/// They read what would run: operation, source, danger, request, reasons and values, secrets hidden; what others wrote stays on
/// its line.
#[tokio::test]
async fn what_the_person_reads() {
    let (_, api) = TestServer::library().await;
    let blocks = "operations:\n  execute:\n    - name: open_vault\n      maps_to: POST /vaults/{vault_id}\n      \
                  description: \"Open a vault\"\n      danger: {level: destructive, reasons: [\"all \\nmay look\"], \
                  confirmation_message: \"Open {vault_id}?\\nSay yes\"}\n      params:\n        vault_id: {type: string, \
                  required: true}\n        pin: {type: string, sensitive: true}\n        note: {type: string}";
    let server = asking().serve(&[adapter("bank", &api.base_url(), blocks)]);
    let person = Person::agreeing();
    let params = json!({"vault_id": "7", "pin": "hush-hush", "note": "x\nRun get_status of bank?\u{202e}"});
    let request = json!({"operation": "open_vault", "params": params});
    data_of(server.call_asking(Arc::clone(&person) as _, request.clone()).await);
    let message = person.message();
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!(lines[0], "Run open_vault of bank? Its danger is destructive.");
    assert!(lines[1].starts_with(&format!("It sends: POST {}/vaults/7 with ", api.base_url())), "{message}");
    assert_eq!(lines[2], "You are asked because: all  may look");
    assert_eq!(lines[3], "The adapter says: Open 7? Say yes");
    assert!(message.contains("\n  pin: \"[hidden]\"") && !message.contains("hush-hush"), "{message}");
    assert!(!message.contains("\nRun get_status") && !message.contains('\u{202e}'), "{message}");
    let mut long = request;
    long["params"]["note"] = json!("x".repeat(20_000));
    data_of(server.call_asking(Arc::clone(&person) as _, long).await);
    assert!(person.message().chars().count() < 6_200, "{}", person.message());
}

/// Anyone who does not answer while the call can still be confirmed has not agreed.
#[tokio::test]
async fn no_answer_in_time() {
    let (_, api) = TestServer::library().await;
    let gate = GateSettings { ttl_seconds: Some(1), ..GateSettings::default() };
    let server = Setup { gate, ..asking() }.serve_library(&api);
    let (person, begun) = (Person::silent(), Instant::now());
    let error = error_of(server.call_asking(Arc::clone(&person) as _, delete(7)).await);
    assert_eq!((error["details"]["reason"].as_str(), person.times()), (Some("no_answer"), 1));
    assert!(begun.elapsed() >= Duration::from_secs(1));
    assert!(api.requests().is_empty());
}

/// X-danger-5: time to think is counted from the question, whatever is answered before it is over.
#[tokio::test]
async fn time_to_think() {
    let (_, api) = TestServer::library().await;
    let blocks = "operations:\n  execute:\n    - name: open_vault\n      maps_to: POST /vaults\n      description: \"Open it\"\n      \
                  danger: {level: destructive, cooldown_seconds: 2}";
    let server = asking().serve(&[adapter("bank", &api.base_url(), blocks)]);
    let begun = Instant::now();
    let calling = server.call_asking(Person::agreeing(), json!({"operation": "open_vault"}));
    let thinking = async {
        assert!(api.requests().is_empty());
        server.clock.advance(Duration::from_secs(2));
    };
    let (answer, ()) = tokio::join!(calling, thinking);
    data_of(answer);
    assert!(begun.elapsed() >= Duration::from_secs(2));
}

/// A preview asks no one, and each call of a batch is asked about by itself: a no to one leaves the others as they are.
#[tokio::test]
async fn previews_and_batches() {
    let (server, api) = library().await;
    let person = Person::agreeing();
    let preview = json!({"operation": "delete_book", "params": {"book_id": 7, "dry_run": true}});
    data_of(server.call_asking(Arc::clone(&person) as _, preview).await);
    assert_eq!((person.times(), api.requests().len()), (0, 0));
    let batch = json!({"operations": [delete(1), {"operation": "get_status"}, delete(2)]});
    let answer = server.call_asking(Arc::clone(&person) as _, batch.clone()).await;
    assert_eq!(answer["summary"]["succeeded"], 3, "{answer}");
    assert_eq!((person.times(), api.requests().len()), (2, 3));
    let answer = server.call_asking(Person::saying(ElicitResponse::Declined), batch).await;
    assert_eq!((&answer["summary"]["succeeded"], &answer["summary"]["failed"]), (&json!(1), &json!(2)));
    assert_eq!(answer["results"][2]["result"]["error"]["code"], "PERMISSION_DENIED");
    assert_eq!(api.requests().len(), 4);
}

/// A person is not asked without end: beyond the limit no person is asked, the call does not run, and it says when to come back.
#[tokio::test]
async fn so_many_questions() {
    let (server, api) = library().await;
    let person = Person::saying(ElicitResponse::Declined);
    for _ in 0..20 {
        error_of(server.call_asking(Arc::clone(&person) as _, delete(7)).await);
    }
    let error = error_of(server.call_asking(Arc::clone(&person) as _, delete(7)).await);
    assert_eq!((error["code"].as_str(), person.times()), (Some("RATE_LIMIT_EXCEEDED"), 20));
    assert_eq!(error["details"]["retry_after_seconds"], 6);
    server.clock.advance(Duration::from_secs(6));
    data_of(server.call_asking(Person::agreeing(), delete(7)).await);
    assert_eq!(api.requests().len(), 1);
}

/// S10: what a call needs on its way is not asked about: it was not confirmed, so it does not run.
#[tokio::test]
async fn what_is_needed_on_the_way_is_not_asked_about() {
    let api = FakeApi::always(Answer::json(200, json!({"name": "a"}))).await;
    let blocks = "operations:\n  read:\n    - name: get_thing\n      maps_to: GET /things/{id}\n      description: \"Get it\"\n      \
                  danger: {level: safe, requires_confirmation: true}\n      params: {id: {type: string, required: true}}\n  \
                  update:\n    - name: update_thing\n      maps_to: PUT /things/{id}\n      description: \"Change it\"\n      \
                  params: {id: {type: string, required: true}, name: {type: string}}";
    let server = asking().serve(&[adapter("shop", &api.base_url(), blocks)]);
    let person = Person::agreeing();
    let request = json!({"operation": "update_thing", "params": {"id": "1", "input": {"name": "b"}}});
    let error = error_of(server.call_asking(Arc::clone(&person) as _, request).await);
    assert_eq!((error["code"].as_str(), person.times()), (Some("PERMISSION_DENIED"), 0), "{error}");
    assert!(api.requests().is_empty());
}

fn plan(items: Value) -> Value {
    json!({"plan": true, "operations": items})
}

/// S3: a plan is one question with all calls in it that need a yes, and a yes runs exactly these, once; no token is ever seen.
#[tokio::test]
async fn a_plan_is_one_question() {
    let (server, api) = library().await;
    let person = Person::agreeing();
    let read = json!({"operation": "list_books"});
    let asked = plan(json!([delete(7), read, delete(8), delete(7)]));
    for times in 1..=2 {
        let done = server.call_asking(Arc::clone(&person) as _, asked.clone()).await;
        assert_eq!(done["summary"], json!({"total": 4, "succeeded": 4, "failed": 0}), "{done}");
        assert!(!done.to_string().contains("conf_"), "{done}");
        assert_eq!((person.times(), api.requests().len()), (times, 4 * times), "asked anew for each run");
    }
    let question = person.message();
    assert!(
        question.starts_with(
            "Run all of these 3 calls? The worst danger is destructive.\n1. delete_book of library"
        ),
        "{question}"
    );
    for part in
        ["\n2. delete_book of library (destructive)", "\n3. delete_book", "/books/7", "/books/8", "because: "]
    {
        assert!(question.contains(part), "{part}: {question}");
    }
    assert!(!question.contains("list_books"), "what needs no yes is not asked about: {question}");
    let none = server.call_asking(Arc::clone(&person) as _, plan(json!([{"operation": "list_books"}]))).await;
    assert_eq!(
        (none["summary"]["succeeded"].as_u64(), person.times()),
        (Some(1), 2),
        "nobody is asked about reads"
    );
}

/// S3: everything but a yes runs nothing of a plan, and leaves no token; a client that cannot ask gets one.
#[tokio::test]
async fn a_plan_without_a_yes() {
    let (server, api) = library().await;
    let asked = plan(json!([delete(7), {"operation": "list_books"}, delete(8)]));
    for (response, reason) in [
        (ElicitResponse::Declined, "declined"),
        (ElicitResponse::Accepted(json!({"answer": "no"})), "declined"),
        (ElicitResponse::Accepted(json!({})), "declined"),
        (ElicitResponse::Cancelled, "no_answer"),
    ] {
        let answer = server.call_asking(Person::saying(response.clone()), asked.clone()).await;
        assert!(!answer.to_string().contains("conf_"), "{answer}");
        let error = error_of(answer);
        assert_eq!(
            (&error["code"], &error["details"]["reason"]),
            (&json!("PERMISSION_DENIED"), &json!(reason))
        );
        assert!(error["message"].as_str().unwrap().contains("asked about this plan"), "{error}");
    }
    let mut made_up = asked.clone();
    made_up["confirmation_token"] = json!(format!("conf_{}", "a".repeat(64)));
    let person = Person::agreeing();
    let error = error_of(server.call_asking(Arc::clone(&person) as _, made_up).await);
    assert_eq!((error["code"].as_str(), person.times()), (Some("TOKEN_INVALID"), 0));
    let error = server.error(asked).await;
    assert!(error["details"]["confirmation_token"].is_string(), "{error}");
    assert!(api.requests().is_empty());
}

/// Of a long plan every call is shown; one that is too long for a person is not asked about, and does not run.
#[tokio::test]
async fn long_plans() {
    let (server, api) = library().await;
    let person = Person::agreeing();
    let many = |count: u64| plan((0..count).map(delete).collect());
    let most = server.call_asking(Arc::clone(&person) as _, many(100)).await;
    assert_eq!(most["summary"]["succeeded"], 100, "{most}");
    let question = person.message();
    assert!(
        question.chars().count() < 40_000
            && (0..100).all(|book| question.contains(&format!("/books/{book}\n"))),
        "{question}"
    );
    let mut settings = DispatchSettings { asks_people: true, ..DispatchSettings::default() };
    settings.limits.max_batch_items = 1_000;
    let server = Setup { settings, ..Setup::default() }.serve_library(&api);
    let error = error_of(server.call_asking(Arc::clone(&person) as _, many(101)).await);
    assert_eq!((error["code"].as_str(), person.times()), (Some("BATCH_VALIDATION_ERROR"), 1), "{error}");
    assert!(error["message"].as_str().unwrap().contains("smaller plans"), "{error}");
    assert_eq!(api.requests().len(), 100);
}

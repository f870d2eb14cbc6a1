//! A file that changes while it is served: it wants a yes that was given for something else, or more trust than it was given.

use crate::outside::harness::{DEADLINE, Place, Server, code};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// An adapter with an operation that must be confirmed. What may change: lines of its front matter, its request, its words.
#[derive(Clone)]
struct Notes {
    base_url: String,
    more: &'static str,
    request: &'static str,
    words: &'static str,
}

impl Notes {
    fn text(&self) -> String {
        let Notes { base_url, more, request, words } = self;
        format!(
            "---\nname: notes\ntype: adapter\nversion: \"1.0.0\"\ndescription: \"Notes of mine\"\n{more}\ntarget: {{ base_url: \
             \"{base_url}\", transport: http, protocol: rest, serialization: json, retries: 0 }}\noperations:\n  read:\n    - {{ \
             name: list_notes, maps_to: \"GET /notes\", description: \"{words}\" }}\n  delete:\n    - {{ name: delete_note, \
             maps_to: \"{request}\", description: \"Remove a note\", params: {{ note_id: {{ type: string, required: true }} }} \
             }}\n---\n"
        )
    }
}

struct Served {
    server: Server,
    file: std::path::PathBuf,
    /// Beside the server: its folder must last as long.
    _place: Place,
}

impl Served {
    async fn start(notes: &Notes, flags: &[&str]) -> Served {
        let place = Place::new();
        let file = place.write("notes-adapter.md", notes.text());
        let mut server = Server::start(&[&[file.as_str()], flags].concat(), &[("OTHER_TOKEN", "x")]);
        server.open().await;
        Served { server, file: file.into(), _place: place }
    }

    async fn delete(&mut self, token: Option<&str>) -> Value {
        let mut params = json!({"note_id": "7"});
        if let Some(token) = token {
            params["confirmation_token"] = token.into();
        }
        self.server.call("mcp_aql_delete", "delete_note", params).await
    }

    async fn token(&mut self) -> String {
        let asked = self.delete(None).await;
        assert_eq!(code(&asked), "CONFIRMATION_REQUIRED");
        asked["error"]["details"]["confirmation_token"].as_str().unwrap().to_owned()
    }

    /// Replaces the file and waits until it is served, which its words tell.
    async fn change_to(&mut self, notes: &Notes) {
        std::fs::write(&self.file, notes.text()).unwrap();
        let served = async {
            let asked = json!({"query": "operations", "name": "list_notes"});
            loop {
                let told = self.server.call("mcp_aql_read", "introspect", asked.clone()).await;
                let description = told["data"]["operation"]["description"].as_str().unwrap_or_default();
                if description.split(". See also").next() == Some(notes.words) {
                    return;
                }
                sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(DEADLINE, served).await.expect("the file is served");
    }
}

async fn upstream() -> FakeApi {
    FakeApi::always(Answer::json(200, json!({}))).await
}

/// A yes is for what was shown: a file that would send something else by then, or elsewhere, has to ask again.
#[tokio::test]
async fn a_confirmation_does_not_outlive_what_it_confirmed() {
    let (api, other) = (upstream().await, upstream().await);
    let first =
        Notes { base_url: api.base_url(), more: "", request: "DELETE /notes/{note_id}", words: "As it was" };
    let auth = "auth: { type: bearer, token_env: OTHER_TOKEN }";
    for changed in [
        Notes { base_url: other.base_url(), words: "Another host", ..first.clone() },
        Notes { request: "DELETE /accounts/{note_id}", words: "Another path", ..first.clone() },
        Notes { request: "POST /notes/{note_id}", words: "Another method", ..first.clone() },
        Notes { more: auth, words: "Another credential", ..first.clone() },
    ] {
        let sent = api.requests().len() + other.requests().len();
        // The operator vouches for the file, so that it may have another credential at once.
        let mut served = Served::start(&first, &["--trust", "validated"]).await;
        let token = served.token().await;
        served.change_to(&changed).await;
        let refused = served.delete(Some(&token)).await;
        assert_eq!(code(&refused), "TOKEN_SCOPE_MISMATCH", "{}: {refused}", changed.words);
        assert!(refused["error"]["message"].as_str().unwrap().contains("has changed since"), "{refused}");
        assert_eq!(api.requests().len() + other.requests().len(), sent, "{}", changed.words);
        let anew = served.token().await;
        let done = served.delete(Some(&anew)).await;
        assert_eq!(done["success"], true, "{}: {done}", changed.words);
    }
}

/// Words that are mended do not take a yes away.
#[tokio::test]
async fn a_confirmation_outlives_other_words() {
    let api = upstream().await;
    let first =
        Notes { base_url: api.base_url(), more: "", request: "DELETE /notes/{note_id}", words: "As it was" };
    let mut served = Served::start(&first, &[]).await;
    let token = served.token().await;
    served.change_to(&Notes { words: "In other words", more: "tags: [notes]", ..first }).await;
    let done = served.delete(Some(&token)).await;
    assert_eq!(done["success"], true, "{done}");
}

/// A file that raises its own trust is served as it says, and the operator is told: which file, from where to where, and what it
/// makes callable. One that lowers it, or changes something else, is not worth a word.
#[tokio::test]
async fn a_file_that_raises_its_own_trust() {
    const TOLD: &str = "raises its own trust level";
    let nowhere = "http://127.0.0.1:9".to_owned();
    let request = "DELETE /notes/{note_id}";
    let low = Notes { base_url: nowhere, more: "trust: { level: generated }", request, words: "Low" };
    let mut served = Served::start(&low, &[]).await;
    served.change_to(&Notes { words: "Other words", ..low.clone() }).await;
    assert!(!served.server.errors().contains(TOLD), "{}", served.server.errors());
    served.change_to(&Notes { words: "High", more: "trust: { level: validated }", ..low.clone() }).await;
    let told = async {
        while !served.server.errors().contains(TOLD) {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(DEADLINE, told).await.expect("it is told");
    served.change_to(&low).await;
    let (_, errors) = served.server.finish().await;
    let lines: Vec<&str> = errors.lines().filter(|line| line.contains(TOLD)).collect();
    let [line] = lines[..] else { panic!("{errors}") };
    for part in
        ["WARN", "notes-adapter.md", "old=\"generated\"", "new=\"validated\"", "callable=\"delete_note\""]
    {
        assert!(line.contains(part), "{part}: {line}");
    }
}

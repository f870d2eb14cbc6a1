//! Lists of operations in parts: by category, source and tag, in pages, with what there is in few words.

use super::ask;
use crate::test_server::{Setup, TestServer, adapter};
use serde_json::{Value, json};

/// Two sources of many operations.
fn many() -> TestServer {
    let blocks = |nouns: &[&str]| {
        let mut text = "trust: {level: certified}\noperations:\n  read:\n".to_owned();
        for noun in nouns {
            for n in 0..12 {
                text.push_str(&format!(
                    "    - {{name: list_{noun}_{n}, maps_to: GET /x{n}/{noun}s, tags: [{noun}s, All], description: \"List the {noun}s of place {n}. **Note:** in beta.\"}}\n"
                ));
            }
        }
        text.push_str("  delete:\n");
        for noun in nouns {
            text.push_str(&format!(
                "    - {{name: delete_{noun}, maps_to: 'DELETE /{noun}s/{{id}}', description: \"Delete a {noun}\", params: {{id: {{type: integer, required: true}}}}}}\n"
            ));
        }
        text
    };
    Setup::default().serve(&[
        adapter("host", "http://127.0.0.1:9", &blocks(&["issue", "label", "branch", "commit"])),
        adapter("pay", "http://127.0.0.1:9", &blocks(&["charge", "refund", "customer"])),
    ])
}

fn names(list: &Value) -> Vec<&str> {
    list["operations"].as_array().unwrap().iter().map(|each| each["name"].as_str().unwrap()).collect()
}

/// X-intro-35 X-intro-26 W2 W16: a list over the budget comes in pages, ordered by source and noun, complete over all pages; the
/// first has the counts of the largest groups, later ones have the least of `_protocol`.
#[tokio::test]
async fn pages_by_source_and_noun() {
    let server = many();
    let mut params = json!({"query": "operations"});
    let mut seen: Vec<String> = Vec::new();
    let mut pages = 0;
    loop {
        let list = ask(&server, params.clone()).await;
        let protocol = &list["_protocol"];
        assert!(aqueduct_vocabulary::count(&protocol.to_string()) < 200, "{protocol}");
        assert!(aqueduct_vocabulary::count(&list["operations"].to_string()) <= 2_200);
        let page = &protocol["page"];
        assert_eq!((&page["total"], &page["returned"]), (&json!(92), &json!(names(&list).len())));
        if pages == 0 {
            let groups = page["groups"].as_object().unwrap_or_else(|| panic!("{protocol}"));
            assert_eq!(groups["host"]["branch"], 13, "{protocol}");
        } else {
            let keys: Vec<&String> = protocol.as_object().unwrap().keys().collect();
            assert_eq!(keys, ["version", "session_id", "hidden", "page"], "{protocol}");
            assert_eq!(page.get("groups"), None);
        }
        seen.extend(names(&list).into_iter().map(str::to_owned));
        pages += 1;
        let Some(after) = page["after"].as_str() else { break };
        params["after"] = after.into();
    }
    assert!(pages > 1, "{pages}");
    assert_eq!(seen.remove(0), "introspect");
    let key = |name: &String| {
        let (source, name) = name.split_once("__").unwrap();
        (source.to_owned(), name.split('_').nth(1).unwrap().to_owned())
    };
    assert!(seen.windows(2).all(|pair| key(&pair[0]) <= key(&pair[1])), "{seen:?}");
    let mut once = seen.clone();
    once.sort();
    once.dedup();
    assert_eq!((once.len(), seen.len()), (91, 91));
}

/// W2: the groups of the first page are of all sources, however long their names are, and `_protocol` stays under 200 tokens.
#[tokio::test]
async fn groups_of_sources_with_long_names() {
    let operations = |nouns: &[&str]| {
        let mut text = "trust: {level: certified}\noperations:\n  read:\n".to_owned();
        for noun in nouns {
            for n in 0..40 {
                text.push_str(&format!(
                    "    - {{name: list_{noun}_of_place_{n}, maps_to: GET /x{n}/{noun}s, description: \"List the {noun}s of place {n}\"}}\n"
                ));
            }
        }
        text
    };
    let names = [
        "api-github-com-enterprise",
        "stripe-payments-api",
        "music-streaming-service",
        "kanban-project-boards",
    ];
    let adapters: Vec<String> = names
        .iter()
        .map(|name| adapter(name, "http://127.0.0.1:9", &operations(&["issue", "payment_intent"])))
        .collect();
    let server = Setup::default().serve(&adapters);
    let list = ask(&server, json!({"query": "operations"})).await;
    let protocol = &list["_protocol"];
    let groups = protocol["page"]["groups"].as_object().unwrap_or_else(|| panic!("{protocol}"));
    let shown: Vec<&str> = groups.keys().map(String::as_str).collect();
    let mut sorted = shown.clone();
    sorted.sort_unstable();
    assert_eq!((shown.len(), sorted), (4, vec![names[0], names[3], names[2], names[1]]), "{protocol}");
    assert!(aqueduct_vocabulary::count(&protocol.to_string()) < 200, "{protocol}");
    assert!(protocol["limits"].is_object() && protocol["page"]["after"].is_string(), "{protocol}");
}

/// X-intro-35: by category in any letter case, by source, by tag; alone and together.
#[tokio::test]
async fn chosen_operations() {
    let server = many();
    let chosen = async |more: Value| {
        let mut params = json!({"query": "operations", "budget": 20_000});
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        ask(&server, params).await
    };
    let deleting = chosen(json!({"category": "delete"})).await;
    assert_eq!(names(&deleting).len(), 7);
    assert!(
        deleting["operations"].as_array().unwrap().iter().all(|each| each["semantic_category"] == "DELETE")
    );
    assert_eq!(deleting["_protocol"]["page"], json!({"total": 7, "returned": 7}));
    let paid = chosen(json!({"source": "PAY"})).await;
    assert_eq!(names(&paid).len(), 39);
    assert!(names(&paid).iter().all(|name| name.starts_with("pay__")));
    assert_eq!(names(&chosen(json!({"tag": "labels"})).await).len(), 12);
    let both = chosen(json!({"tag": "all", "source": "pay", "category": "READ"})).await;
    assert_eq!(both["_protocol"]["page"]["total"], 36);
    assert_eq!(names(&chosen(json!({"source": "pay", "tag": "labels"})).await), [""; 0]);
    let some = chosen(json!({"source": "pay", "first": 2, "after": "pay__list_charge_0"})).await;
    assert_eq!(names(&some), ["pay__list_charge_1", "pay__list_charge_2"]);
}

/// X-intro-35: a tag that a document lists and that operations have themselves chooses those alone; one that no operation has
/// is about all of them.
#[tokio::test]
async fn topics_of_a_document() {
    let blocks = "trust: {level: certified}\ntags: [issues, work]\noperations:\n  read:\n    \
        - {name: list_issues, maps_to: GET /issues, tags: [issues], description: List issues}\n    \
        - {name: list_labels, maps_to: GET /labels, tags: [labels], description: List labels}";
    let server = Setup::default().serve(&[adapter("host", "http://127.0.0.1:9", blocks)]);
    for (tag, chosen) in [("issues", &["list_issues"][..]), ("work", &["list_issues", "list_labels"])] {
        let list = ask(&server, json!({"query": "operations", "tag": tag})).await;
        assert_eq!(names(&list), chosen, "{tag}");
    }
}

/// X-intro-2: what is unknown is told with the closest and the known words, in code and message only.
#[tokio::test]
async fn unknown_words() {
    let server = many();
    for (key, word, parts) in [
        (
            "source",
            "hosts",
            &["There is no source 'hosts'.", "Did you mean 'host'?", "Known: 'host', 'pay'."][..],
        ),
        ("tag", "lables", &["There is no tag 'lables'.", "Did you mean 'labels'?", "'All'"]),
        (
            "category",
            "REED",
            &["There is no category 'REED'.", "'CREATE', 'READ', 'UPDATE', 'DELETE', 'EXECUTE'."],
        ),
    ] {
        let error = server
            .error(json!({"operation": "introspect", "params": {"query": "operations", key: word}}))
            .await;
        assert_eq!(error["code"], "VALIDATION_INVALID_VALUE");
        assert_eq!(error.as_object().unwrap().len(), 2, "{error}");
        for part in parts {
            assert!(error["message"].as_str().unwrap().contains(part), "{error}");
        }
    }
}

/// X-intro-5 W2: what a list says of an operation is one short sentence, with the words on confirmation at its end.
#[tokio::test]
async fn one_sentence_each() {
    let server = many();
    let list = ask(&server, json!({"query": "operations", "budget": 20_000})).await;
    let of = |name: &str| {
        let found = list["operations"].as_array().unwrap().iter().find(|each| each["name"] == name);
        found.unwrap()["description"].as_str().unwrap().to_owned()
    };
    assert_eq!(of("host__list_issue_3"), "List the issues of place 3");
    assert_eq!(of("host__delete_issue"), "Delete a issue. Destructive; needs confirmation.");
    let detail = super::detail(&server, "host__list_issue_3").await;
    assert!(
        detail["description"].as_str().unwrap().starts_with("List the issues of place 3. Note: in beta.")
    );
}

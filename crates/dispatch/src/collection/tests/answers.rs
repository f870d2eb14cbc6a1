//! What an answer holds: fields, computed fields, counts, what was applied, and how much fits.
//!
//! An adapter with everything declared in front of the shelf; answers, and what was sent for them, out.

use super::{ask, operations};
use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_testkit::api::FakeApi;
use aqueduct_testkit::paged_list;
use serde_json::{Value, json};
use std::sync::Arc;

/// Types, presets, computed fields and pushed controls.
const RICH: &str = "      response: {type: 'Thing[]'}
      fields:
        presets: {minimal: [id], standard: [id, title, state], people: [owner.login]}
      collection:
        filter: {state: {param: state, values: [open, closed]}, tag: {param: tag}}
        sort: {param: order_by, order_param: direction, fields: [id, score]}
        query: {param: q}
      computed:
        - {name: age_days, type: integer, description: Days since, filterable: true, sortable: true, value: {age_days: created_at}}
        - {name: label_count, type: integer, filterable: false, value: {count: labels}}
        - {name: path, type: string, value: {template: \"{owner.login}/{id}\"}}
";

const TYPES: &str = "types:
  Thing:
    kind: object
    fields:
      id: {type: integer}
      title: {type: string}
      state: {type: string}
      score: {type: integer}
      owner: {type: object}
      labels: {type: array}
      created_at: {type: string}
      milestone: {type: string}
";

async fn rich(count: usize) -> (TestServer, FakeApi) {
    let items = Arc::new(paged_list::items(count));
    let api = FakeApi::start(move |request| paged_list::answer(&items, request)).await;
    let blocks = format!("{TYPES}{}", operations("/page", RICH));
    (Setup::default().serve(&[adapter("rich", &api.base_url(), &blocks)]), api)
}

/// X-fields-1 X-fields-2 X-fields-5 X-fields-6 X-fields-8 X-fields-9 O4.2-6 O4.4.1-1: presets by name, paths with dots, both
/// together; the list's own default when nothing is said; `pageInfo` stays.
#[tokio::test]
async fn fields() {
    let (server, _api) = rich(3).await;
    for (params, item) in [
        (json!({}), json!({"id": 2, "title": "Blue number 2", "state": "closed"})),
        (json!({"fields": "minimal"}), json!({"id": 2})),
        (json!({"preset": "minimal"}), json!({"id": 2})),
        (json!({"fields": "people"}), json!({"owner": {"login": "user1"}})),
        (json!({"fields": ["score", "labels.name"]}), json!({"score": 37, "labels": [{"name": "bug"}]})),
        (json!({"preset": "minimal", "fields": ["score"]}), json!({"id": 2, "score": 37})),
        (json!({"fields": ["milestone"]}), json!({})),
    ] {
        let answer = server.data(ask(params.clone())).await;
        assert_eq!(answer["items"][1], item, "{params}");
        assert!(answer["pageInfo"]["hasNextPage"].is_boolean());
    }
    let full = server.data(ask(json!({"fields": "full"}))).await;
    assert_eq!(full["items"], Value::from(paged_list::items(3)));
}

/// X-fields-11 X-query-5 X-agg-6: names are checked where the shape is known, and the nearest one is told.
#[tokio::test]
async fn unknown_names() {
    let (server, api) = rich(3).await;
    for (params, param, hint) in [
        (json!({"fields": ["titel"]}), "fields[0]", "title"),
        (json!({"filter": {"stat": "open"}}), "filter.stat", "state"),
        (json!({"sort": {"field": "scor"}}), "sort.field", "score"),
        (json!({"aggregate": {"x": {"sum": "scre"}}}), "aggregate.x.sum", "score"),
        (json!({"fields": ["_computed.age_day"]}), "fields[0]", "_computed.age_days"),
        (json!({"filter": {"_computed.label_count": 1}}), "filter._computed.label_count", ""),
    ] {
        let error = server.error(ask(params.clone())).await;
        assert_eq!(error["code"], "VALIDATION_INVALID_VALUE", "{params}");
        assert_eq!(error["details"]["problems"][0]["param"], param, "{error}");
        assert!(error["message"].as_str().unwrap().contains(hint), "{error}");
    }
    let hinted = server.error(ask(json!({"filter": {"stat": {"over": 1}}}))).await;
    assert!(!hinted["message"].as_str().unwrap().contains(".."), "{hinted}");
    let two = server.error(ask(json!({"fields": ["a", "b"], "filter": {"c": 1}}))).await;
    assert_eq!(two["details"]["problems"].as_array().unwrap().len(), 3, "all problems are told at once");
    let preset = server.error(ask(json!({"fields": "title, state"}))).await;
    let message = preset["message"].as_str().unwrap();
    assert!(
        message.contains("minimal, standard, full, people") && message.contains(r#"["title","state"]"#),
        "{message}"
    );
    assert!(api.requests().is_empty());
}

/// X-comp-1 X-comp-2 X-comp-4: computed fields stand in `_computed`, and may be filtered and sorted by where that is said.
#[tokio::test]
async fn computed() {
    let (server, _api) = rich(5).await;
    let answer = server
        .data(ask(json!({"fields": ["id", "_computed.path", "_computed.label_count"], "first": 2})))
        .await;
    assert_eq!(answer["items"][1], json!({"id": 2, "_computed": {"path": "user1/2", "label_count": 1}}));
    let only = server.data(ask(json!({"fields": ["_computed.path"], "first": 1}))).await;
    assert_eq!(only["items"][0], json!({"_computed": {"path": "user0/1"}}));
    // The clock of the test stands on 2026-01-01.
    let sorted = server
        .data(ask(json!({"sort": {"field": "_computed.age_days"}, "filter": {"_computed.age_days": {"lt": -40}}, "fields": ["id"]})))
        .await;
    assert_eq!(sorted["items"], json!([{"id": 5}, {"id": 4}, {"id": 3}]));
}

/// X-query-8 X-query-10 O4.2-1 O4.2-4 O4.2-5 O4.4.1-2 O4.4.1-3 O4.4.1-4: what the adapter can say upstream goes there, the
/// rest is done here, and the answer tells which.
#[tokio::test]
async fn pushed_or_done_here() {
    let (server, api) = rich(30).await;
    for (params, sent, applied) in [
        (json!({"filter": {"state": "open"}}), "state=open", json!({"filter": "upstream"})),
        (json!({"filter": {"tag": "x"}}), "tag=x", json!({"filter": "upstream"})),
        (json!({"filter": {"state": {"ne": "open"}}}), "", json!({"filter": "here"})),
        (json!({"filter": {"state": "other"}}), "", json!({"filter": "here"})),
        (json!({"filter": {"state": "open", "score": 0}}), "state=open", json!({"filter": "here"})),
        (
            json!({"sort": {"field": "score", "order": "desc"}}),
            "direction=desc&order_by=score",
            json!({"sort": "upstream"}),
        ),
        (
            json!({"sort": "score", "order": "desc"}),
            "direction=desc&order_by=score",
            json!({"sort": "upstream"}),
        ),
        (json!({"sort": {"field": "title"}}), "", json!({"sort": "here"})),
        (json!({"query": "red or blue"}), "q=red%20or%20blue", json!({"query": "upstream"})),
        (json!({"query": {"title": "red"}}), "", json!({"query": "here"})),
        (
            json!({"aggregate": {"n": {"count": true}}, "filter": {"state": "open"}}),
            "state=open",
            json!({"filter": "upstream", "aggregate": "here"}),
        ),
    ] {
        let answer = server.data(ask(params.clone())).await;
        let target = api.requests().into_iter().rev().find(|r| !r.target.contains("&page=")).unwrap().target;
        assert!(target.contains(sent), "{params}: {target}");
        let size =
            target.trim_start_matches("/page?").split('&').filter(|pair| !pair.starts_with("per_page"));
        assert_eq!(size.collect::<Vec<_>>().join("&"), sent, "{params}: nothing else is sent");
        for (name, who) in applied.as_object().unwrap() {
            assert_eq!(answer["applied"][name], *who, "{params}");
        }
        assert!(answer["applied"]["items_seen"].is_u64() && answer["applied"]["complete"].is_boolean());
    }
    assert_eq!(server.data(ask(json!({}))).await.get("applied"), None, "nothing was asked for");
}

/// X-agg-1 X-agg-2 X-agg-3 X-agg-4 X-agg-5 O4.2-7 O4.4.1-5 O4.4.1-6: counts without items unless they are asked for; over what
/// filter leaves; fields do not touch them.
#[tokio::test]
async fn aggregates() {
    let (server, _api) = rich(10).await;
    let question = json!({"all_of_them": {"count": true}, "by": {"group_by": "state", "count": true}, "top": {"max": "score"}});
    let answer = server.data(ask(json!({"aggregate": question, "fields": "minimal"}))).await;
    assert_eq!(
        answer,
        json!({"aggregations": {"all_of_them": 10, "by": {"open": 5, "closed": 5}, "top": 94},
               "applied": {"aggregate": "here", "items_seen": 10, "complete": true}})
    );
    let open = json!({"aggregate": question, "filter": {"state": {"ne": "closed"}}, "include_items": true, "first": 2, "fields": "minimal"});
    let answer = server.data(ask(open)).await;
    assert_eq!(answer["aggregations"]["all_of_them"], 5);
    assert_eq!(answer["items"], json!([{"id": 1}, {"id": 3}]));
    assert_eq!(answer["pageInfo"]["totalCount"], 5);
    let each = json!({"sum": {"sum": "id"}, "avg": {"avg": "id"}, "min": {"min": "id"}, "max": {"max": "id"},
        "by": {"group_by": "state", "sum": "id"}});
    let answer = server.data(ask(json!({"aggregate": each}))).await;
    assert_eq!(
        answer["aggregations"],
        json!({"sum": 55, "avg": 5.5, "min": 1, "max": 10, "by": {"open": 25, "closed": 30}})
    );
    let found = json!({"aggregate": {"n": {"count": true}, "top": {"max": "id"}}, "query": {"title": "red"},
        "sort": {"field": "title", "order": "desc"}, "include_items": true, "first": 1, "fields": ["id"]});
    let answer = server.data(ask(found)).await;
    assert_eq!(
        answer["aggregations"],
        json!({"n": 4, "top": 10}),
        "of what was found, whatever is shown of it"
    );
    assert_eq!(answer["items"], json!([{"id": 7}]));
    for unknown in [json!({"m": {"median": "score"}}), json!({"m": {"count": "yes"}}), json!({"m": {}})] {
        let error = server.error(ask(json!({"aggregate": unknown}))).await;
        assert!(error["code"].as_str().unwrap().starts_with("VALIDATION_"), "{unknown}: {error}");
    }
    let odd = server.call(ask(json!({"aggregate": {"s": {"sum": "title"}}}))).await;
    assert_eq!(odd["warnings"][0]["code"], "VALIDATION_SKIPPED_WARNING");
}

/// Ruling W16: over the budget an answer is cut between two items, with a cursor to the rest and a way to narrow it; one item
/// that is larger than all of it is refused, with the sizes of its fields.
#[tokio::test]
async fn budgets() {
    let (server, _api) = rich(40).await;
    for params in [
        json!({"fields": "full", "first": 40}),
        json!({"all": true, "fields": "full"}),
        json!({"sort": {"field": "title"}, "first": 40, "fields": "full"}),
    ] {
        let mut cut = params.clone();
        cut["budget"] = json!(1500);
        let answer = server.call(ask(cut)).await;
        let count = answer["data"]["items"].as_array().unwrap().len();
        assert!((3..40).contains(&count), "{count}");
        assert!(aqueduct_vocabulary::count(&answer.to_string()) <= 1500 + 150, "the warning comes on top");
        assert_eq!(answer["data"]["pageInfo"]["hasNextPage"], true);
        let warning = &answer["warnings"][0];
        assert_eq!(warning["code"], "VALIDATION_TRUNCATED_WARNING");
        assert!(warning["message"].as_str().unwrap().contains("'fields'"), "{warning}");
        let mut on = params.clone();
        on["after"] = answer["data"]["pageInfo"]["endCursor"].clone();
        let rest = server.data(ask(on)).await;
        assert_eq!(count + rest["items"].as_array().unwrap().len(), 40, "nothing is lost between {params}");
    }
    let tiny = server.error(ask(json!({"fields": "full", "budget": 20}))).await;
    assert_eq!(tiny["code"], "VALIDATION_PAYLOAD_TOO_LARGE");
    assert_eq!(
        (&tiny["details"]["limit_type"], &tiny["details"]["limit_value"]),
        (&json!("budget"), &json!(20))
    );
    assert!(tiny["details"]["fields"]["title"].is_u64(), "{tiny}");
}

/// M5.5-1 M7.3-3: a READ of `all` tells how far it is, page by page, and never goes back.
#[tokio::test]
async fn all_tells_its_pages() {
    let (server, _api) = rich(100).await;
    let (_, told) = server.call_telling(ask(json!({"all": true, "fields": "minimal"}))).await;
    let told: Vec<f64> = told.iter().map(|each| each.done).collect();
    assert!(told.len() >= 5, "{told:?}");
    assert!(told.windows(2).all(|pair| pair[0] < pair[1]), "{told:?}");
    assert_eq!(told.last(), Some(&100.0));
}

/// W15: an answer without a list is the upstream's own, and takes fields; controls of lists are refused, not ignored. X-conf-59: with its
/// default a control asks for what comes without it.
#[tokio::test]
async fn no_list() {
    let one = json!({"title": "x", "size": 3});
    let api = FakeApi::always(aqueduct_testkit::api::Answer::json(200, one.clone())).await;
    let server = Setup::default().serve(&[super::things(&api, "/page")]);
    assert_eq!(server.data(ask(json!({}))).await, one);
    assert_eq!(server.data(ask(json!({"fields": ["size"]}))).await, json!({"size": 3}));
    let error = server.error(ask(json!({"filter": {"title": "y"}}))).await;
    assert!(error["message"].as_str().unwrap().contains("filter"), "{error}");
    let list = server
        .data(json!({"operation": "introspect", "params": {"query": "operations", "name": "list_things"}}))
        .await;
    let params = list["operation"]["parameters"].as_array().unwrap().iter();
    let defaults: Vec<(&str, &Value)> =
        params.filter_map(|param| Some((param["name"].as_str()?, param.get("default")?))).collect();
    assert!(defaults.len() >= 3, "{defaults:?}");
    for (name, default) in defaults {
        assert_eq!(server.data(ask(json!({name: default}))).await, one, "{name}");
        let other = default.as_u64().unwrap() + 1;
        let error = server.error(ask(json!({name: other}))).await;
        assert_eq!(error["details"]["controls"], json!([name]), "{error}");
    }
}

/// X-comp-3 X-agg-7 X-fields-8 X-query-7 X-query-11: introspection shows the controls with filter keys, sort fields, sizes,
/// every form of paging, presets, computed fields and functions, and a request with several of them that works.
#[tokio::test]
async fn introspected() {
    let (server, _api) = rich(1).await;
    let detail = server
        .data(json!({"operation": "introspect", "params": {"query": "operations", "name": "list_things"}}))
        .await;
    let detail = &detail["operation"];
    assert_eq!(
        detail["computed_fields"][0],
        json!({"name": "age_days", "type": "integer", "description": "Days since", "filterable": true, "sortable": true})
    );
    assert_eq!(
        detail["aggregation_support"],
        json!({"supported": true, "default_mode": "summary_only",
               "functions": ["count", "group_by", "sum", "avg", "min", "max"]})
    );
    let described = |name: &str| {
        let params = detail["parameters"].as_array().unwrap();
        let found = params.iter().find(|param| param["name"] == name).unwrap_or_else(|| panic!("{name}"));
        found["description"].as_str().unwrap().to_owned()
    };
    for (name, part) in [
        ("fields", "people"),
        ("fields", "_computed.age_days"),
        ("filter", "state, tag"),
        ("sort", "id, score"),
        ("first", "up to 40"),
        ("after", "endCursor"),
        ("last", "from the end"),
        ("before", "startCursor"),
        ("limit", "with offset"),
        ("offset", "to skip"),
        ("page", "from 1"),
        ("page_size", "with page"),
        ("all", "budget"),
        ("aggregate", "group_by"),
        ("query", "any of them"),
    ] {
        assert!(described(name).contains(part), "{name}: {}", described(name));
    }
    let names: Vec<&Value> =
        detail["parameters"].as_array().unwrap().iter().map(|each| &each["name"]).collect();
    assert!(!names.contains(&&json!("per_page")), "the pager sends it");
    assert!(names.contains(&&json!("preset")) && names.contains(&&json!("order")), "{names:?}");
    let request = &detail["examples"][1]["request"];
    assert_eq!(
        request["params"],
        json!({"filter": {"state": "open"}, "sort": {"field": "id"}, "first": 5, "fields": "minimal"})
    );
    assert_eq!(server.data(request.clone()).await["items"], json!([{"id": 1}]));
}

/// X-agg-7: what an adapter offers of sums is shown, and no more.
#[tokio::test]
async fn sums_that_are_offered() {
    let (_, api) = rich(1).await;
    let rule = "      aggregate: {functions: [count, sum], groupable_fields: [state], numeric_fields: [score, id]}\n";
    let server = Setup::default().serve(&[adapter("some", &api.base_url(), &operations("/page", rule))]);
    let detail = server
        .data(json!({"operation": "introspect", "params": {"query": "operations", "name": "list_things"}}))
        .await;
    assert_eq!(
        detail["operation"]["aggregation_support"],
        json!({"supported": true, "default_mode": "summary_only", "functions": ["count", "sum"],
               "groupable_fields": ["state"], "numeric_fields": ["score", "id"]})
    );
}

/// Ruling W14: a parameter that the source declares keeps its name, and the control has another; it is never sent upstream.
#[tokio::test]
async fn controls_make_way() {
    let items = paged_list::items(5);
    let api = FakeApi::start(move |request| paged_list::answer(&items, request)).await;
    let own = "      params: {fields: {type: string}, limit: {type: integer}}\n";
    let server = Setup::default().serve(&[adapter("own", &api.base_url(), &operations("/page", own))]);
    let answer =
        server.data(ask(json!({"fields": "theirs", "limit": 3, "aql_fields": ["id"], "aql_limit": 2}))).await;
    assert_eq!(answer["items"], json!([{"id": 1}, {"id": 2}]));
    let sent = api.requests()[0].target.clone();
    assert!(sent.contains("fields=theirs") && sent.contains("limit=3") && !sent.contains("aql"), "{sent}");
    let unknown = server.error(ask(json!({"aql_first": 1}))).await;
    assert_eq!(unknown["code"], "VALIDATION_UNKNOWN_PARAM", "only where a name is taken");
}

/// X-fields-3: a path is names with dots between them; a computed field is one level deep.
#[tokio::test]
async fn forms_of_paths() {
    let (server, _api) = rich(1).await;
    for bad in ["", ".", "a.", "owner..login", "_computed.age_days.more", "_computed"] {
        let error = server.error(ask(json!({"fields": [bad]}))).await;
        assert_eq!(error["code"], "VALIDATION_INVALID_VALUE", "{bad}");
    }
    server.data(ask(json!({"fields": ["owner.login", "_computed.age_days"]}))).await;
    let number = server.error(ask(json!({"fields": [1]}))).await;
    assert_eq!(number["code"], "VALIDATION_INVALID_TYPE");
}

/// X-query-1 X-query-2 X-query-3 X-query-8 X-page-9 O4.4.1-2 O4.4.4-3: every collection takes the same controls, each described
/// once and the same: text in `query` on a search, which a list does not need, and a query of one's own with its type, its
/// words and an example; all of them come in pages, filtered, sorted and counted.
#[tokio::test]
async fn the_same_controls_everywhere() {
    let items = Arc::new(paged_list::items(9));
    let api = FakeApi::start(move |request| paged_list::answer(&items, request)).await;
    let one = |name: &str| format!("    - {{name: {name}, maps_to: GET /page, description: Things}}\n");
    let blocks = format!(
        "operations:\n  read:\n{}{}{}",
        one("list_things"),
        one("search_things"),
        one("query_things")
    );
    let server = Setup::default().serve(&[adapter("three", &api.base_url(), &blocks)]);
    let mut shown = Vec::new();
    for name in ["list_things", "search_things", "query_things"] {
        let detail = server
            .data(json!({"operation": "introspect", "params": {"query": "operations", "name": name}}))
            .await;
        shown.push(detail["operation"]["parameters"].clone());
    }
    assert!(shown[0] == shown[1] && shown[1] == shown[2]);
    for name in ["list_things", "search_things", "query_things"] {
        let call = async |params: Value| server.data(json!({"operation": name, "params": params})).await;
        let page = call(json!({"first": 2, "fields": ["id"]})).await;
        assert_eq!(page["items"], json!([{"id": 1}, {"id": 2}]), "{name}");
        assert_eq!(page["pageInfo"]["hasNextPage"], true, "{name}");
        let sorted =
            json!({"filter": {"id": {"gt": 7}}, "sort": {"field": "id", "order": "desc"}, "fields": ["id"]});
        assert_eq!(call(sorted).await["items"], json!([{"id": 9}, {"id": 8}]), "{name}");
        let counted = call(json!({"query": "red", "aggregate": {"n": {"count": true}}})).await;
        assert_eq!(counted["aggregations"], json!({"n": 3}), "{name}");
    }
    let detail = server
        .data(json!({"operation": "introspect", "params": {"query": "operations", "name": "query_things"}}))
        .await;
    let combined = detail["operation"]["examples"][1]["request"].clone();
    assert_eq!(combined["params"], json!({"first": 5, "fields": "minimal"}));
    assert_eq!(server.data(combined).await["items"].as_array().unwrap().len(), 5);
    let names: Vec<&str> =
        shown[0].as_array().unwrap().iter().map(|param| param["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "fields",
            "preset",
            "filter",
            "sort",
            "order",
            "query",
            "aggregate",
            "include_items",
            "first",
            "after",
            "last",
            "before",
            "limit",
            "offset",
            "page",
            "page_size",
            "all",
            "budget"
        ]
    );
    let query = &shown[0].as_array().unwrap()[5];
    assert_eq!((&query["type"], &query["required"]), (&json!("string | object"), &json!(false)));
    let grammar = query["description"].as_str().unwrap();
    assert!(grammar.contains("any of them") && grammar.contains("in quotes"), "{grammar}");
    let found = server
        .data(
            json!({"operation": "search_things", "params": {"query": "red \"number 5\"", "fields": ["id"]}}),
        )
        .await;
    assert_eq!(
        found["items"],
        json!([{"id": 1}, {"id": 4}, {"id": 5}, {"id": 7}]),
        "any of the words, or the phrase"
    );
    let all = server.data(json!({"operation": "list_things", "params": {"fields": ["id"]}})).await;
    assert_eq!(all["items"].as_array().unwrap().len(), 9);
}

/// Ruling W11: the HTTP facts of a collection are those of its first page, for who asks.
#[tokio::test]
async fn http_facts() {
    let (server, _api) = rich(50).await;
    let mut request = ask(json!({"all": true}));
    assert_eq!(server.call(request.clone()).await.get("_meta"), None);
    request["_meta"] = json!({"http": true});
    assert_eq!(server.call(request).await["_meta"]["http"]["status"], 200);
}

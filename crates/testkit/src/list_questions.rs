//! Questions on a list of `paged_list::items`, for every kind of target that a list can be behind.
//!
//! The same questions in; what must be the same in the answers out.

use serde_json::{Value, json};

/// As many items as the questions are about.
pub const COUNT: usize = 60;

/// The questions, as parameters of the operation.
pub fn questions() -> Vec<Value> {
    vec![
        json!({}),
        json!({"first": 3}),
        json!({"first": 0}),
        json!({"last": 4}),
        json!({"limit": 7}),
        json!({"limit": 7, "offset": 5}),
        json!({"offset": 58}),
        json!({"offset": 200}),
        json!({"page": 2}),
        json!({"page": 3, "page_size": 20}),
        json!({"all": true, "fields": ["id"]}),
        json!({"fields": ["id", "owner.login"], "first": 2}),
        json!({"fields": ["labels.name"], "first": 3}),
        json!({"filter": {"state": "open"}}),
        json!({"filter": {"state": "open"}, "first": 3}),
        json!({"filter": {"id": [1, 3, 60]}}),
        json!({"filter": {"score": {"gte": 90}}}),
        json!({"filter": {"score": {"gt": 20, "lt": 30}}, "sort": "score"}),
        json!({"filter": {"title": {"contains": "red"}}}),
        json!({"filter": {"milestone": {"exists": true}}}),
        json!({"filter": {"owner.login": {"ne": "user1"}}, "first": 5}),
        json!({"filter": {"labels.name": "docs"}}),
        json!({"filter": {"state": "none"}}),
        json!({"filter": {"state": "open"}, "limit": 5, "offset": 10}),
        json!({"sort": {"field": "score", "order": "desc"}, "first": 5}),
        json!({"sort": "-id", "first": 5}),
        json!({"sort": "milestone", "first": 20}),
        json!({"sort": "score", "limit": 5, "offset": 20}),
        json!({"query": "green", "first": 4}),
        json!({"query": "\"number 5\""}),
        json!({"aggregate": {"n": {"count": true}}}),
        json!({"aggregate": {"by": {"count": true, "group_by": "state"}, "sum": {"sum": "score"}}}),
        json!({"aggregate": {"top": {"max": "score"}, "mean": {"avg": "score"}}, "filter": {"state": "open"}}),
        json!({"aggregate": {"n": {"count": true}}, "include_items": true, "fields": ["id"]}),
        json!({"budget": 2_000, "all": true}),
        json!({"budget": 20}),
        json!({"filter": {"state": {"over": 1}}}),
        json!({"first": 1, "last": 1}),
        json!({"sort": {"field": "unknown"}}),
        json!({"after": "nonsense", "first": 2}),
    ]
}

/// The question for a target with parameters of these names: controls that are called alike go by their other name.
pub fn with_own_params(own: &[&str], question: &Value) -> Value {
    let name =
        |name: &String| if own.contains(&name.as_str()) { format!("aql_{name}") } else { name.clone() };
    question.as_object().into_iter().flatten().map(|(key, value)| (name(key), value.clone())).collect()
}

/// What must be the same: items, counts, the flags of the page, the codes of warnings and failures.
pub fn essence(answer: &Value) -> Value {
    let data = &answer["data"];
    let codes: Vec<&Value> =
        answer["warnings"].as_array().into_iter().flatten().map(|warning| &warning["code"]).collect();
    let flags = ["hasNextPage", "hasPreviousPage"].map(|name| &data["pageInfo"][name]);
    json!({
        "items": data["items"], "counted": data["aggregations"], "flags": flags, "warnings": codes,
        "code": answer["error"]["code"],
    })
}

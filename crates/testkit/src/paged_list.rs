//! One collection behind four ways of paging: by `Link` headers, cursors, offsets and page numbers.
//!
//! A request in, the page that it asks for out. It pages as strictly as real APIs do, and knows nothing else.

use crate::api::{Answer, Recorded};
use serde_json::{Value, json};

/// The largest page that the API gives.
pub const LARGEST: usize = 40;

/// Items with texts, numbers, nested values, lists and gaps, as many as are asked for.
pub fn items(count: usize) -> Vec<Value> {
    (0..count).map(item).collect()
}

fn item(n: usize) -> Value {
    let labels: Vec<Value> = ["bug", "docs"][..n % 3].iter().map(|name| json!({"name": name})).collect();
    let state = ["open", "closed"][n % 2];
    let mut item = json!({
        "id": n + 1,
        "title": format!("{} number {}", ["Red", "Blue", "Green"][n % 3], n + 1),
        "state": state,
        "score": (n * 37) % 101,
        "owner": {"login": format!("user{}", n % 7), "id": n % 7},
        "labels": labels,
        "created_at": format!("2026-{:02}-{:02}T10:00:00Z", n % 10 + 1, n % 27 + 1),
    });
    if n.is_multiple_of(4) {
        item["milestone"] = json!(format!("m{}", n % 5));
    }
    item
}

/// The page that a request asks for. The path says the way of paging: `/link`, `/cursor`, `/offset` or `/page`.
pub fn answer(items: &[Value], request: &Recorded) -> Answer {
    let query: Vec<(String, String)> = request
        .query()
        .unwrap_or_default()
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let number = |name: &str| {
        query.iter().find(|(each, _)| each == name).and_then(|(_, value)| value.parse::<usize>().ok())
    };
    let size = number("per_page").or(number("limit")).unwrap_or(10).min(LARGEST);
    let from = match request.path() {
        "/link" => number("page").map_or(0, |page| (page.max(1) - 1) * size),
        "/cursor" => number("cursor").map_or(0, |cursor| cursor - 1000),
        "/offset" => number("offset").unwrap_or(0),
        _ => number("page").map_or(0, |page| page.max(1) - 1) * size,
    };
    let page: Vec<Value> = items.iter().skip(from).take(size).cloned().collect();
    let end = from + page.len();
    let is_more = end < items.len() && !page.is_empty();
    match request.path() {
        "/link" => {
            let answer = Answer::json(200, Value::from(page));
            if !is_more {
                return answer;
            }
            let next = from / size + 2;
            let link =
                format!("</link?page=1>; rel=\"first\", </link?per_page={size}&page={next}>; rel=\"next\"");
            answer.header("Link", &link)
        }
        "/cursor" => {
            let next = is_more.then(|| (end + 1000).to_string());
            Answer::json(200, json!({"data": page, "meta": {"next_cursor": next}}))
        }
        "/offset" => Answer::json(200, json!({"results": page, "limit": size, "offset": from})),
        _ => Answer::json(200, json!({"items": page})),
    }
}

/// The `pagination` block of an adapter for one of the four paths, indented for an operation.
pub fn pagination(path: &str) -> &'static str {
    match path {
        "/link" => "{style: link_header, per_page_param: per_page, max_limit: 40}",
        "/cursor" => "{style: cursor, param_name: cursor, per_page_param: limit, max_limit: 40}",
        "/offset" => "{style: offset, param_name: offset, per_page_param: limit, max_limit: 40}",
        _ => "{style: page, param_name: page, per_page_param: per_page, max_limit: 40}",
    }
}

//! Faults of lists in pages: what a page says of itself and of the others.
//!
//! Each is a change of answers to `list_todos`, in the table below.

use super::{Fault, Request, inside, remove};
use serde_json::{Value, json};

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "empty_page_with_more_to_come",
        rule: "X-page-6",
        change: |request, answer| {
            if is_later_page(request) {
                let info = json!({"hasNextPage": true, "hasPreviousPage": true, "startCursor": null, "endCursor": null});
                in_list(request, answer, |data| *data = json!({"items": [], "pageInfo": info}));
            }
        },
    },
    Fault {
        name: "list_without_an_end",
        rule: "X-page-6",
        change: |request, answer| {
            in_list(request, answer, |data| data["pageInfo"]["hasNextPage"] = true.into());
        },
    },
    Fault {
        name: "last_page_that_is_none",
        rule: "X-page-5",
        change: |request, answer| {
            in_list(request, answer, |data| {
                let has_items = data["items"].as_array().is_some_and(|items| !items.is_empty());
                data["pageInfo"]["hasNextPage"] = has_items.into();
            });
        },
    },
    Fault {
        name: "later_page_with_none_before",
        rule: "X-page-5",
        change: |request, answer| {
            if is_later_page(request) {
                in_list(request, answer, |data| data["pageInfo"]["hasPreviousPage"] = false.into());
            }
        },
    },
    Fault {
        name: "total_of_another_list",
        rule: "X-page-5",
        change: |request, answer| {
            in_list(request, answer, |data| data["pageInfo"]["totalCount"] = 99.into());
        },
    },
    Fault {
        name: "list_without_its_page",
        rule: "X-page-5",
        change: |request, answer| in_list(request, answer, |data| remove(data, "pageInfo")),
    },
    Fault {
        name: "cursor_that_is_refused",
        rule: "X-page-13",
        change: |request, answer| {
            if is_later_page(request) {
                super::refuse(answer, "VALIDATION_INVALID_VALUE", "'after' is no cursor of this list.");
            }
        },
    },
];

/// It asks for a page after the first one.
fn is_later_page(request: &Request) -> bool {
    request.calls("list_todos") && request.param("first") == 2 && !request.param("after").is_null()
}

/// Changes the data of a list that was answered.
fn in_list(request: &Request, answer: &mut Value, change: impl FnOnce(&mut Value)) {
    if request.calls("list_todos") {
        inside(answer, |result| {
            if result["data"]["items"].is_array() {
                change(&mut result["data"]);
            }
        });
    }
}

//! What is hidden by its name, and what stays to be judged.

use super::hide_named;
use serde_json::json;

#[test]
fn hidden_wherever_it_stands() {
    let mut value = json!({
        "password": "p", "apiKey": 5, "Client-Secret": {"a": 1}, "token": null,
        "list": [{"access_token": "t", "page_token": "next"}], "key": "PROJ-1", "author": "ann",
    });
    hide_named(&mut value);
    let expected = json!({
        "password": "[REDACTED]", "apiKey": "[REDACTED]", "Client-Secret": "[REDACTED]", "token": null,
        "list": [{"access_token": "[REDACTED]", "page_token": "next"}], "key": "PROJ-1", "author": "ann",
    });
    assert_eq!(value, expected);
}

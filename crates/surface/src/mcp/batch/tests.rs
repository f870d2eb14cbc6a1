//! What counts as a batch, and how many messages one has.

use super::{MOST_ITEMS, is_batch, items, joined};
use serde_json::Value;

#[test]
fn one_to_a_hundred_messages() {
    let of = |count: usize| format!(" [{}]", vec!["{\"id\":1}"; count].join(","));
    assert!(is_batch(of(2).as_bytes()) && !is_batch(b"{\"a\":[]}") && !is_batch(b""));
    assert_eq!(items(of(MOST_ITEMS).as_bytes()).unwrap().unwrap().len(), MOST_ITEMS);
    for (count, said) in [(0, "empty"), (MOST_ITEMS + 1, "more than 100 messages")] {
        let refused = items(of(count).as_bytes()).unwrap().unwrap_err();
        assert_eq!((&refused["id"], &refused["error"]["code"]), (&Value::Null, &Value::from(-32600)));
        assert!(refused["error"]["message"].as_str().unwrap().contains(said), "{refused}");
    }
    for broken in ["[1,", "[1] 2", "[1 2]", "{}"] {
        assert!(items(broken.as_bytes()).is_none(), "{broken}");
    }
    let unread = format!("[{}{}", "1,".repeat(MOST_ITEMS + 1), "[".repeat(50));
    assert!(items(unread.as_bytes()).unwrap().is_err(), "what comes after one too many is not looked at");
    let deep = format!("[{}1{}]", "[".repeat(9_000), "]".repeat(9_000));
    assert_eq!(items(deep.as_bytes()).unwrap().unwrap().len(), 1, "how deep an item is says the item");
}

#[test]
fn responses_are_one_array() {
    assert_eq!(joined([&b"{}"[..], b"1"]), b"[{},1]");
    assert_eq!(joined([]), b"[]");
}

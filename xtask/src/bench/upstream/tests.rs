//! Tests of `upstream`.

use super::{Body, MARKER, answer};

#[test]
fn bodies_are_json_of_their_length() {
    for (kind, length) in [(Body::Small, 1024), (Body::Large, 102_400)] {
        let answer = String::from_utf8(answer(kind)).unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        assert_eq!(body.len(), length);
        assert_eq!(serde_json::from_str::<serde_json::Value>(body).unwrap()["name"], MARKER);
        assert!(kind.path().ends_with(&kind.number().to_string()));
    }
}

//! Tests of `upstream`.

#[test]
fn body_is_one_kilobyte_of_json() {
    let answer = String::from_utf8(super::answer()).unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    assert_eq!(body.len(), 1024);
    assert_eq!(serde_json::from_str::<serde_json::Value>(body).unwrap()["name"], super::MARKER);
}

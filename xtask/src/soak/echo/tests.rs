//! Tests of `echo`.

#[test]
fn the_path_comes_back() {
    let answer = String::from_utf8(super::answer(b"GET /v/12 HTTP/1.1\r\nhost: x\r\n\r\n")).unwrap();
    assert!(answer.ends_with("content-length: 16\r\n\r\n{\"path\":\"/v/12\"}"), "{answer}");
}

#[test]
fn a_list_is_a_list() {
    let answer = String::from_utf8(super::answer(b"GET /list/s1 HTTP/1.1\r\nhost: x\r\n\r\n")).unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let items: Vec<serde_json::Value> = serde_json::from_str(body).unwrap();
    assert_eq!((items.len(), &items[1]["path"]), (20, &serde_json::json!("/list/s1")));
}

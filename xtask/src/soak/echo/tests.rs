//! Tests of `echo`.

#[test]
fn the_path_comes_back() {
    let answer = String::from_utf8(super::answer(b"GET /v/12 HTTP/1.1\r\nhost: x\r\n\r\n")).unwrap();
    assert!(answer.ends_with("content-length: 16\r\n\r\n{\"path\":\"/v/12\"}"), "{answer}");
}

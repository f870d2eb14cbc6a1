//! Tests of `content_blocks`.

use super::are_all;

#[test]
fn which_answers_are_blocks() {
    assert!(are_all(r#"[{"type":"text","text":"x"},{"type":"image","data":""}]"#));
    for other in ["[]", r#"[{"type":"cat"}]"#, r#"[{"id":1}]"#, r#"{"type":"text"}"#, r#"["text"]"#] {
        assert!(!are_all(other), "{other}");
    }
}

//! Tests of `openapi`.

mod plain_text;

use super::looks_like_openapi;

#[test]
fn documents_are_recognised() {
    for yes in [
        r#"{"openapi":"3.0.3"}"#,
        "{\n  \"swagger\" : \"2.0\"\n}",
        "openapi: 3.1.0\ninfo: {}\n",
        "# a comment\n'swagger': '2.0'\n",
        "{openapi: 3.1.0}",
        r#"{"info":{},"paths":{},"openapi":"3.2.0"}"#,
    ] {
        assert!(looks_like_openapi(yes), "{yes}");
    }
    for no in [
        "",
        r#"{"mcpServers":{"swagger":{"command":"x"}}}"#,
        r#"{"name":"openapi","version":"3.0.0"}"#,
        "# openapi in words: 3 things",
        "name: x\ndescription: our swagger: 2 pages\n",
    ] {
        assert!(!looks_like_openapi(no), "{no}");
    }
}

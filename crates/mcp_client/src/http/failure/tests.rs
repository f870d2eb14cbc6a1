//! Tests of `failure`.

use super::{describe, find_failure, is_unreachable};
use rmcp::transport::streamable_http_client::{HttpStatusError, StreamableHttpError};
use rmcp::transport::worker::WorkerQuitReason;

/// What an operator or a model reads has no types of the SDK in it.
#[test]
fn failures_are_told_in_words() {
    for (failure, words) in [
        (
            StreamableHttpError::UnexpectedContentType(Some("text/html; charset=utf-8".into())),
            "it answers with text/html, which is no message of the protocol",
        ),
        (HttpStatusError::new(503, None).into(), "it answers with HTTP 503"),
        (
            StreamableHttpError::UnexpectedServerResponse("HTTP 302: go".into()),
            "it answers with HTTP 302: go",
        ),
        (
            StreamableHttpError::UnexpectedServerResponse("got Foo { bar }".into()),
            "its answer is not what the protocol asks for",
        ),
    ] {
        assert_eq!(describe(&failure), words);
        assert!(!is_unreachable(&failure));
        let wrapped = WorkerQuitReason::fatal(failure, "process initialize response");
        assert_eq!(describe(find_failure(&wrapped).unwrap()), words);
    }
    assert!(find_failure(&std::io::Error::other("x")).is_none());
}

#[tokio::test]
async fn nobody_there_is_known() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    aqueduct_egress::tls::ready();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let error = client.get(format!("http://127.0.0.1:{port}/?key=s3cret")).send().await.unwrap_err();
    let failure = StreamableHttpError::Client(error);
    assert!(is_unreachable(&failure));
    let words = describe(&failure);
    assert!(words.starts_with("it cannot be reached: ") && !words.contains("s3cret"), "{words}");
}

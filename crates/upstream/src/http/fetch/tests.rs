//! Tests of `fetch`.

use super::{Auth, DocumentCredentials, DocumentRequest, FetchError, FetchedDocument, NamedBy};
use crate::test_support::upstream;
use aqueduct_operations::gatekeeper::FetchPermit;
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::json;
use url::Url;

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

fn document(named_by: NamedBy) -> DocumentRequest<'static> {
    DocumentRequest { named_by, known: None, credentials: None, max_bytes: 1_000 }
}

/// S-openapi-24: a document is fetched by its URL, redirects followed; the same version is not fetched again.
#[tokio::test]
async fn once_per_version() {
    let api = FakeApi::in_turn(vec![
        Answer::json(302, json!({})).header("location", "/v2/openapi.json"),
        Answer::json(200, json!({"openapi": "3.1.0"})).header("etag", "\"v7\""),
        Answer::empty(304),
    ])
    .await;
    let caller = upstream(&[]);
    let place = url(&format!("{}/openapi.json", api.base_url()));
    let first = caller.fetch(FetchPermit::document(&place), document(NamedBy::Operator)).await.unwrap();
    let FetchedDocument::New { bytes, version, url } = first else { panic!("{first:?}") };
    assert_eq!((bytes.as_slice(), url.path()), (br#"{"openapi":"3.1.0"}"#.as_slice(), "/v2/openapi.json"));
    let again = caller
        .fetch(
            FetchPermit::document(&url),
            DocumentRequest { known: Some(&version), ..document(NamedBy::Operator) },
        )
        .await
        .unwrap();
    assert!(matches!(again, FetchedDocument::Unchanged));
    assert_eq!(api.requests()[2].header("if-none-match"), Some("\"v7\""));
    assert_eq!(api.requests()[0].header("authorization"), None);
}

/// S-openapi-24: a server that only knows dates is asked by the date.
#[tokio::test]
async fn once_per_date() {
    let date = "Sun, 15 Nov 2026 10:30:00 GMT";
    let api = FakeApi::in_turn(vec![
        Answer::json(200, json!({"openapi": "3.1.0"})).header("last-modified", date),
        Answer::empty(304),
    ])
    .await;
    let caller = upstream(&[]);
    let place = url(&format!("{}/openapi.json", api.base_url()));
    let first = caller.fetch(FetchPermit::document(&place), document(NamedBy::Operator)).await.unwrap();
    let FetchedDocument::New { version, .. } = first else { panic!("{first:?}") };
    let again = caller
        .fetch(
            FetchPermit::document(&place),
            DocumentRequest { known: Some(&version), ..document(NamedBy::Operator) },
        )
        .await
        .unwrap();
    assert!(matches!(again, FetchedDocument::Unchanged));
    let asked = &api.requests()[1];
    assert_eq!((asked.header("if-modified-since"), asked.header("if-none-match")), (Some(date), None));
}

/// Ruling S7: a document cannot lead us to addresses of a private network; only the operator can name one.
#[tokio::test]
async fn documents_name_no_private_address() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let place = url(&api.base_url());
    let refused = upstream(&[]).fetch(FetchPermit::document(&place), document(NamedBy::Document)).await;
    assert!(matches!(refused, Err(FetchError::Upstream(_))), "{refused:?}");
    assert!(api.requests().is_empty());
}

/// PEERS 7: a server that sends a byte now and then does not keep us longer than one that sends none.
#[tokio::test]
async fn one_deadline_for_the_whole() {
    use std::time::Duration;
    use tokio::io::AsyncWriteExt;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let place = url(&format!("http://{}/slow.json", listener.local_addr().unwrap()));
    let dripping = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n").await.unwrap();
        while stream.write_all(b" ").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    let caller = upstream(&[]);
    let request = DocumentRequest { max_bytes: 1_000_000, ..document(NamedBy::Operator) };
    let permit = FetchPermit::document(&place);
    let fetching = super::fetch_within(Duration::from_millis(300), caller.shared(), &permit, request);
    let error = tokio::time::timeout(Duration::from_secs(20), fetching).await.unwrap().unwrap_err();
    assert!(error.to_string().starts_with("it cannot be fetched: "), "{error}");
    dripping.abort();
}

/// Where a document was moved to is told when that is what is wrong.
#[tokio::test]
async fn a_bad_redirect_says_where_it_leads() {
    let to = "http://169.254.169.254/latest?key=secret-1";
    let api = FakeApi::always(Answer::json(302, json!({})).header("location", to)).await;
    let place = url(&format!("{}/openapi.json", api.base_url()));
    let error = upstream(&[])
        .fetch(FetchPermit::document(&place), document(NamedBy::Operator))
        .await
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("it is redirected to http://169.254.169.254/latest (status 302), "), "{error}");
    assert!(!error.contains("secret-1"));
}

/// A document behind a login is told as that, with the host, the status and what to do.
#[tokio::test]
async fn a_login_is_told() {
    let page = Answer::bytes(200, "<html>Log in</html>").header("content-type", "text/html; charset=utf-8");
    let to_login = Answer::json(302, json!({})).header("location", "/login?next=secret-1");
    let api = FakeApi::in_turn(vec![to_login.clone(), page, to_login, Answer::empty(403)]).await;
    let place = url(&format!("{}/openapi.json", api.base_url()));
    for why in ["web page", "status 403"] {
        let told = upstream(&[])
            .fetch(FetchPermit::document(&place), document(NamedBy::Operator))
            .await
            .unwrap_err()
            .to_string();
        let login = format!("{}/login (status 302)", api.base_url());
        for word in [login.as_str(), why, "--auth-env", "--header"] {
            assert!(told.contains(word) && !told.contains("secret-1"), "{word}: {told}");
        }
    }
    let closed = FakeApi::always(Answer::empty(401)).await;
    let place = url(&closed.base_url());
    let told = upstream(&[])
        .fetch(FetchPermit::document(&place), document(NamedBy::Operator))
        .await
        .unwrap_err()
        .to_string();
    assert!(told.contains("status 401") && told.contains("--auth-env"), "{told}");
}

/// What the operator gives for a document goes to its own origin, and along no redirect to another.
#[tokio::test]
async fn credentials_are_for_the_documents_origin() {
    let other = FakeApi::always(Answer::json(200, json!({}))).await;
    let away = format!("{}/x.json", other.base_url().replace("127.0.0.1", "localhost"));
    let api = FakeApi::in_turn(vec![
        Answer::json(302, json!({})).header("location", "/moved.json"),
        Answer::json(302, json!({})).header("location", &away),
    ])
    .await;
    let place = url(&format!("{}/openapi.json", api.base_url()));
    let given = DocumentCredentials {
        url: place.clone(),
        auth: Auth::Bearer { token_env: "TOKEN".into(), prefix: "Bearer ".into() },
        headers: vec![NamedSecret::new("X-Team", "blue")],
    };
    let caller = upstream(&[("TOKEN", "t0ken-value")]);
    let request = DocumentRequest { credentials: Some(&given), ..document(NamedBy::Operator) };
    caller.fetch(FetchPermit::document(&place), request).await.unwrap_err();
    let sent = api.requests();
    assert_eq!(sent.len(), 2);
    for request in sent {
        let headers = (request.header("authorization"), request.header("x-team"));
        assert_eq!(headers, (Some("Bearer t0ken-value"), Some("blue")));
    }
    assert!(other.requests().iter().all(|request| request.header("authorization").is_none()));
    // Without the variable it is fetched as it is, for it may be there for everybody.
    let open = FakeApi::always(Answer::json(200, json!({}))).await;
    let place = url(&open.base_url());
    let own = DocumentCredentials { url: place.clone(), ..given.clone() };
    let request = DocumentRequest { credentials: Some(&own), ..document(NamedBy::Operator) };
    upstream(&[]).fetch(FetchPermit::document(&place), request).await.unwrap();
    assert_eq!(open.only_request().header("authorization"), None);
    // A document of another origin, which the first one refers to, gets nothing.
    let request = DocumentRequest { credentials: Some(&given), ..request };
    caller.fetch(FetchPermit::document(&place), request).await.unwrap();
    let headers = &open.requests()[1];
    assert_eq!((headers.header("authorization"), headers.header("x-team")), (None, None));
}

#[tokio::test]
async fn bounds() {
    let place = |api: &FakeApi| url(&api.base_url());
    let large = FakeApi::always(Answer::json(200, json!("x".repeat(2_000)))).await;
    let error = upstream(&[])
        .fetch(FetchPermit::document(&place(&large)), document(NamedBy::Operator))
        .await
        .unwrap_err();
    assert!(matches!(error, FetchError::TooLarge(1_000)));
    let gone = FakeApi::always(Answer::json(404, json!({}))).await;
    let error = upstream(&[])
        .fetch(FetchPermit::document(&place(&gone)), document(NamedBy::Operator))
        .await
        .unwrap_err();
    assert_eq!(error.to_string(), "the server answered with status 404");
    let circle = FakeApi::always(Answer::json(301, json!({})).header("location", "/again")).await;
    let error = upstream(&[])
        .fetch(FetchPermit::document(&place(&circle)), document(NamedBy::Operator))
        .await
        .unwrap_err();
    assert!(matches!(error, FetchError::Redirect));
    assert_eq!(circle.requests().len(), 6);
}

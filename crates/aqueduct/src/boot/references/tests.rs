//! Tests of `references`.

use super::DocumentReferences;
use aqueduct_source_kind::disk_reader::FileCache;
use aqueduct_source_kind::kind::DocumentReader;
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::json;
use url::Url;

/// S-openapi-3: a file may refer to a URL that the operator allows; only where the host stands in the pattern may that
/// be a private address. What was read is known.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_refers_to_a_url() {
    let api = FakeApi::always(Answer::json(200, json!({"type": "string"}))).await;
    let place = format!("{}/pet.json", api.base_url());
    let named = DocumentReferences::of_file(
        "openapi.yaml",
        vec![format!("{}/*", api.base_url())],
        FileCache::default(),
    );
    assert_eq!(named.read(&place).unwrap(), r#"{"type":"string"}"#);
    assert_eq!(named.read(&place).unwrap(), r#"{"type":"string"}"#);
    assert_eq!(api.requests().len(), 1);
    let vague =
        DocumentReferences::of_file("openapi.yaml", vec!["http://*".to_owned()], FileCache::default());
    assert!(vague.read(&place).unwrap_err().contains("loopback"));
    assert_eq!(api.requests().len(), 1);
}

/// A document on the web reads no files.
#[test]
fn urls_lead_to_no_files() {
    let url = Url::parse("http://127.0.0.1:9/openapi.json").unwrap();
    let reader = DocumentReferences::of_url(url, vec!["*".to_owned()], super::KnownDocuments::default());
    assert_eq!(reader.read("/etc/passwd").unwrap_err(), "'/etc/passwd' is not a URL");
}

//! Tests of `sources`.

use super::super::file;
use aqueduct_operations::credential_scope::origin_text;

/// Credentials are let go to whole origins: a path would promise more than it keeps.
#[test]
fn origins_of_credentials() {
    let read = |list: &str| {
        let text = format!("[sources.shop]\nfrom = \"x\"\ncredential_origins = [{list}]\n");
        file::parse("aqueduct.toml", &text)
    };
    let (good, told) = read("\"https://up.example.com\", \"http://127.0.0.1:9/\"");
    assert!(told.is_empty(), "{told:?}");
    let origins: Vec<String> =
        good.unwrap().sources[0].settings.credential_origins.iter().map(origin_text).collect();
    assert_eq!(origins, ["https://up.example.com", "http://127.0.0.1:9"]);
    for bad in ["\"https://up.example.com/v1\"", "\"up.example.com\"", "\"*\"", "\"file:///x\""] {
        let (refused, told) = read(bad);
        assert!(refused.is_none() && told[0].path.contains("credential_origins"), "{bad}: {told:?}");
    }
}

//! An API that answers with something other than what was asked for: bombs, endless bodies, other callers' secrets, and lies about
//! length or type.

mod large;

use crate::outside::harness::{Server, TOKEN};
use aqueduct_testkit::api::{Answer, FakeApi};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};

/// Every form in which an API may give a credential back.
fn forms() -> Vec<String> {
    let percent: String = TOKEN.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let in_part: String = TOKEN.replace('-', "%2D");
    let hex: String = TOKEN.bytes().map(|byte| format!("{byte:02x}")).collect();
    let mut forms = vec![
        TOKEN.to_owned(),
        format!("{TOKEN}{TOKEN}"),
        percent.replace('%', "%25"),
        percent,
        in_part,
        hex.to_uppercase(),
        hex,
    ];
    for before in ["", "u", "us", "user:"] {
        forms.push(STANDARD.encode(format!("{before}{TOKEN}")));
        forms.push(URL_SAFE_NO_PAD.encode(format!("{before}{TOKEN}?")));
    }
    forms
}

/// R11.2-1: a credential that an API gives back comes through in no form, in data, in headers or in the words of an error;
/// what is beside it does.
#[tokio::test]
async fn a_credential_comes_back_in_no_form() {
    let answers = forms().into_iter().flat_map(|form| {
        let told = json!({"message": form, "beside": "c2FmZSB0ZXh0 %41 beef"});
        [200, 400].map(|status| Answer::json(status, told.clone()).header("x-echo", &form))
    });
    let api = FakeApi::in_turn(answers.collect()).await;
    let mut server = Server::shop(&api.base_url(), &[], &[]).await;
    for (number, form) in forms().into_iter().enumerate() {
        for status in [200, 400] {
            let product = number * 1_000 + status;
            let params = json!({"product_id": product});
            let arguments = json!({"operation": "get_product", "params": params, "_meta": {"http": true}});
            let told = server.call_raw("mcp_aql_read", arguments).await.to_string();
            assert!(told.contains("[REDACTED]"), "{status} {form}: {told}");
            assert!(!told.contains(&form), "{status} {form}: {told}");
            assert!(!told.contains("live-4242") && !told.contains("shop-token"), "{told}");
            assert!(status != 200 || told.contains("c2FmZSB0ZXh0 %41 beef"), "{told}");
        }
    }
    assert!(!server.errors().contains(TOKEN));
}

/// R11.2-1: of credentials that overlap no tail is left: a header and a token that share a part.
#[tokio::test]
async fn overlapping_credentials_leave_no_tail() {
    let together = format!("{TOKEN}-and-more-of-it");
    let echo = Answer::json(200, json!({"echo": together}));
    let api = FakeApi::always(echo).await;
    let header = format!("X-Other: {}", &together[TOKEN.len() - 6..]);
    let mut server = Server::shop(&api.base_url(), &["--header", &header], &[]).await;
    let told = server.call("mcp_aql_read", "get_product", json!({"product_id": 1})).await;
    assert_eq!(told["data"]["echo"], Value::from("[REDACTED]"), "{told}");
}

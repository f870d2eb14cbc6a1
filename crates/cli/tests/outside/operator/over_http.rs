//! The same over HTTP, where several callers reach one server: a yes to a call of one of them is of no use to another, whatever headers
//! they send.

use super::desk::{PASSPHRASE, approval_id, state_of};
use crate::outside::harness::{Place, TOKEN, code, shop};
use crate::outside::http::server::{ANN, BOB, HttpServer, TOKENS, delete};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::json;

/// S3 S4: neither the session of another caller nor headers that name them, a proxy or a confirmation get hold of their yes.
#[tokio::test]
async fn headers_of_another_caller() {
    let api = FakeApi::always(Answer::json(200, json!({"ok": true}))).await;
    let (office, place) = (Place::new(), Place::new());
    place.write("aqueduct.toml", TOKENS);
    let state = state_of(&office).display().to_string();
    let operator = async |words: &[&str]| {
        let all = [&["operator"], words, &["--state-dir", &state, "--passphrase-stdin"]].concat();
        office.run(&all, &[], PASSPHRASE).await
    };
    assert_eq!(operator(&["init"]).await.code, 0);
    let (shop, base_url) = (shop(), api.base_url());
    let arguments =
        [shop.as_str(), "--base-url", &base_url, "--confirmation", "operator", "--state-dir", &state];
    let server = HttpServer::start(place, &arguments, &[("SHOP_TOKEN", TOKEN)]).await;
    let ann = server.open("2025-11-25", &[ANN]).await;
    let bob = server.open("2025-11-25", &[BOB]).await;
    let id = approval_id(&server.in_session(&ann, &[ANN], &delete(None)).await.inside());
    assert_eq!(operator(&["approve", &id]).await.code, 0);
    let stolen = server.in_session(&ann, &[BOB], &delete(None)).await;
    assert!([401, 403, 404].contains(&stolen.status), "{stolen:?}");
    let nobody = server.in_session(&ann, &[], &delete(None)).await;
    assert_eq!(nobody.status, 401, "{nobody:?}");
    let tricks: [(&str, &str); 9] = [
        ("x-forwarded-user", "ann"),
        ("x-forwarded-for", "127.0.0.1"),
        ("x-caller", "ann"),
        ("x-confirmation", &id),
        ("confirmation-token", &id),
        ("x-approval-id", &id),
        ("cookie", "caller=ann; approved=true"),
        ("x-http-method-override", "GET"),
        ("mcp-session-id", &ann),
    ];
    for trick in tricks {
        let in_session = server.in_session(&bob, &[BOB, trick], &delete(None)).await;
        let stateless = server.stateless(&[BOB, trick], &delete(None)).await;
        for answer in [in_session, stateless] {
            if answer.status == 200 {
                let answer = answer.inside();
                assert_eq!(code(&answer), "CONFIRMATION_REQUIRED", "{trick:?}: {answer}");
                assert_ne!(approval_id(&answer), id, "{trick:?}");
            } else {
                assert!((400..500).contains(&answer.status), "{trick:?}: {answer:?}");
            }
        }
    }
    let stateless = server.stateless(&[ANN], &delete(None)).await.inside();
    assert_eq!(code(&stateless), "CONFIRMATION_REQUIRED", "her own, and of another session: {stateless}");
    assert_eq!(api.requests().len(), 0);
    let done = server.in_session(&ann, &[ANN], &delete(None)).await.inside();
    assert_eq!((&done["success"], api.requests().len()), (&json!(true), 1), "{done}");
}

//! What goes to PostgreSQL for a call, counted on the connection: nothing for a READ that is allowed.

use crate::tests::gatekeeper::entry;
use crate::{Confirmer, GateSettings, stored_gatekeeper};
use aqueduct_operations::call::{CallOrigin, Caller, Scopes, SessionId};
use aqueduct_operations::category::Category;
use aqueduct_operations::clock::SystemClock;
use aqueduct_operations::danger::DangerLevel;
use aqueduct_operations::gatekeeper::{ConfirmationInput, GateRequest};
use aqueduct_store::audit::AuditKey;
use aqueduct_store::{PostgresSettings, Store, StoreSettings};
use aqueduct_testkit::fleet::Balancer;
use aqueduct_testkit::postgres::Postgres;
use secrecy::SecretString;
use serde_json::json;
use std::sync::Arc;

#[tokio::test(flavor = "multi_thread")]
async fn an_allowed_read_sends_nothing() {
    let server = Postgres::start();
    let counter = Balancer::start(vec![([127, 0, 0, 1], server.port()).into()]).await;
    let (direct, counted) = (format!(":{}/", server.port()), format!(":{}/", counter.address().port()));
    let url = SecretString::from(server.database().replace(&direct, &counted));
    let key = AuditKey::parse(&SecretString::from("0f".repeat(32))).unwrap();
    let settings = StoreSettings::postgres(PostgresSettings::new(url, key));
    let store = Store::open(settings, Arc::new(SystemClock)).unwrap();
    let gatekeeper =
        stored_gatekeeper(&store, GateSettings::default(), Confirmer::Client, Arc::new(SystemClock));
    let values = Arc::new(json!({"id": 7}).as_object().unwrap().clone());
    let origin = CallOrigin::new(SessionId::new("sess_a"), Caller::named("ann"), Scopes::unrestricted());
    let read = entry("certified", Category::Read, DangerLevel::Safe);
    let delete = entry("certified", Category::Delete, DangerLevel::Destructive);
    let mut sent = Vec::new();
    for entry in [&delete, &read, &delete] {
        let before = counter.sent();
        for _ in 0..20 {
            let request = GateRequest::new(entry, Arc::clone(&values), &origin);
            let judged = gatekeeper.admit(request, ConfirmationInput::none()).await;
            assert_eq!(judged.is_ok(), entry.operation.category == Category::Read);
        }
        store.settle(std::time::Duration::from_secs(5)).await;
        sent.push(counter.sent() - before);
    }
    assert!(sent[0] > 0 && sent[2] > 0, "each token is a row: {sent:?}");
    assert_eq!(sent[1], 0, "{sent:?}");
}

//! PostgreSQL alone: a server that crashes, one that stops answering, TLS, and addresses that are refused.

use crate::support::{call, count_events, issue, postgres_settings, redeem_request, refusal, settle};
use aqueduct_operations::clock::{Clock, SystemClock};
use aqueduct_store::audit::AuditFilter;
use aqueduct_store::confirmations::{Redemption, StoredTokenRefusal};
use aqueduct_store::{Outage, PostgresSettings, Store, StoreError, StoreSettings};
use aqueduct_testkit::clock::TestClock;
use aqueduct_testkit::postgres::{Postgres, shared};
use aqueduct_testkit::silent_proxy::SilentProxy;
use secrecy::SecretString;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn open(settings: PostgresSettings) -> Store {
    Store::open(StoreSettings::postgres(settings), Arc::new(SystemClock)).unwrap()
}

#[tokio::test]
async fn a_crash_loses_nothing() {
    let server = Postgres::start();
    let url = server.database();
    let store = open(postgres_settings(&url));
    let token = issue(&store, "s1", vec![call("a")]).await;
    assert_eq!(refusal(&store, &token, "s1", call("a")).await, None);
    server.crash();
    let since = Instant::now();
    let lost = store.redeem_token(redeem_request(&token, "s1", call("a"))).await.unwrap_err();
    assert!(matches!(lost, StoreError::Unavailable { reason: Outage::Unreachable, .. }), "{lost:?}");
    assert!(since.elapsed() < Duration::from_secs(8));
    server.restart();
    let again = refusal(&store, &token, "s1", call("a")).await;
    assert!(matches!(again, Some(StoredTokenRefusal::AlreadyUsed { .. })));
    assert!(store.verify_audit().await.unwrap().is_whole());
}

/// The server is crashed while two instances redeem: nothing is accepted twice, and what was accepted stays used.
#[tokio::test]
async fn crashes_at_any_moment() {
    let server = Postgres::start();
    let url = server.database();
    let stores = [open(postgres_settings(&url)), open(postgres_settings(&url))];
    let mut tokens = Vec::new();
    for index in 0..60 {
        tokens.push(issue(&stores[0], &format!("s{index}"), vec![call("a")]).await);
    }
    let tokens = Arc::new(tokens);
    let workers: Vec<_> = stores
        .iter()
        .cloned()
        .map(|store| {
            let tokens = Arc::clone(&tokens);
            tokio::spawn(async move {
                let mut accepted = Vec::new();
                for (index, token) in tokens.iter().enumerate() {
                    let request = redeem_request(token, &format!("s{index}"), call("a"));
                    match store.redeem_token(request).await {
                        Ok(Redemption::Redeemed(started)) => {
                            accepted.push(index);
                            started.finish("success", None);
                        }
                        Ok(_) => {}
                        Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
                    }
                }
                accepted
            })
        })
        .collect();
    let server = tokio::task::spawn_blocking(move || {
        for _ in 0..3 {
            server.crash();
            server.restart();
        }
        server
    });
    let mut times: BTreeMap<usize, usize> = BTreeMap::new();
    for worker in workers {
        for index in worker.await.unwrap() {
            *times.entry(index).or_default() += 1;
        }
    }
    let _server = server.await.unwrap();
    assert!(times.values().all(|count| *count == 1), "{times:?}");
    for index in times.keys() {
        let session = format!("s{index}");
        let again = refusal(&stores[0], &tokens[*index], &session, call("a")).await;
        assert!(matches!(again, Some(StoredTokenRefusal::AlreadyUsed { .. })), "{index}: {again:?}");
    }
    assert!(stores[1].verify_audit().await.unwrap().is_whole());
}

#[tokio::test]
async fn a_connection_that_stops_answering() {
    let proxy = SilentProxy::start(shared().port()).await;
    let url = shared().database().replace(&shared().port().to_string(), &proxy.port().to_string());
    let store = open(PostgresSettings { timeout: Duration::from_millis(500), ..postgres_settings(&url) });
    let token = issue(&store, "s1", vec![call("a")]).await;
    proxy.silence();
    // From here on not a byte comes through.
    tokio::time::sleep(Duration::from_millis(200)).await;
    for _ in 0..2 {
        let since = Instant::now();
        let lost = store.redeem_token(redeem_request(&token, "s1", call("a"))).await.unwrap_err();
        assert!(matches!(lost, StoreError::Unavailable { .. }), "{lost:?}");
        assert!(since.elapsed() < Duration::from_secs(5), "{:?}", since.elapsed());
    }
    proxy.carry();
    let since = Instant::now();
    while store.ping().await.is_err() {
        assert!(since.elapsed() < Duration::from_secs(20));
    }
    assert_eq!(refusal(&store, &token, "s1", call("a")).await, None);
}

/// The connection goes silent after every answer of a redemption in turn, the one to its commit included: what no one was told of did not
/// run, a token whose use was not acknowledged works once or never again, and the audit has it.
#[tokio::test]
async fn silent_at_any_moment() {
    let proxy = SilentProxy::start(shared().port()).await;
    let url = shared().database().replace(&shared().port().to_string(), &proxy.port().to_string());
    let store = open(PostgresSettings { timeout: Duration::from_millis(300), ..postgres_settings(&url) });
    let (mut unharmed, mut used_up, mut answers) = (0, 0, 0);
    loop {
        let session = format!("s{answers}");
        let token = issue(&store, &session, vec![call("a")]).await;
        proxy.silence_after(answers);
        let redeemed = store.redeem_token(redeem_request(&token, &session, call("a"))).await;
        proxy.carry();
        let since = Instant::now();
        while store.ping().await.is_err() {
            assert!(since.elapsed() < Duration::from_secs(20), "after {answers} answers");
        }
        match redeemed {
            Ok(Redemption::Redeemed(started)) => {
                started.finish("success", None);
                break;
            }
            Ok(other) => panic!("after {answers} answers: {other:?}"),
            Err(lost) => assert!(matches!(lost, StoreError::Unavailable { .. }), "{lost:?}"),
        }
        match refusal(&store, &token, &session, call("a")).await {
            None => unharmed += 1,
            Some(StoredTokenRefusal::AlreadyUsed { .. }) => used_up += 1,
            Some(other) => panic!("after {answers} answers: {other:?}"),
        }
        let again = refusal(&store, &token, &session, call("a")).await;
        assert!(
            matches!(again, Some(StoredTokenRefusal::AlreadyUsed { .. })),
            "after {answers} answers: {again:?}"
        );
        answers += 1;
        assert!(answers < 100, "it never gets through");
    }
    assert!(unharmed > 0 && used_up > 0, "{unharmed} moments before the commit, {used_up} after it");
    settle(&store).await;
    let validated = count_events(&store, "TOKEN_VALIDATED").await;
    assert_eq!(validated, unharmed + used_up + 1, "each was used once");
    assert!(store.verify_audit().await.unwrap().is_whole());
}

/// Machines whose clocks are wrong: only the time of the database counts.
#[tokio::test]
async fn the_time_of_the_database() {
    let url = shared().database();
    let at = |clock: TestClock| {
        Store::open(StoreSettings::postgres(postgres_settings(&url)), Arc::new(clock)).unwrap()
    };
    let (early, late) = (TestClock::default(), TestClock::default());
    late.advance(Duration::from_secs(40 * 365 * 86_400));
    let (early, late) = (at(early), at(late));
    let token = issue(&late, "s1", vec![call("a")]).await;
    assert_eq!(refusal(&early, &token, "s1", call("a")).await, None);
    let token = issue(&early, "s1", vec![call("a")]).await;
    assert_eq!(refusal(&late, &token, "s1", call("a")).await, None);
    let lines = late.audit_lines(AuditFilter::default(), 10).await.unwrap();
    let now = SystemClock.now();
    for line in &lines {
        assert!(now.duration_since(line.moment()).as_secs().abs() < 600, "{line:?}");
    }
    assert_eq!(lines.len(), 6);
}

#[tokio::test]
async fn nobody_listens() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("postgres://aqueduct:hunter2@127.0.0.1:{port}/none");
    let settings = postgres_settings(&url);
    assert!(!format!("{settings:?}").contains("hunter2"));
    let lost = open(settings).ping().await.unwrap_err();
    assert!(matches!(lost, StoreError::Unavailable { reason: Outage::Unreachable, .. }), "{lost:?}");
    assert!(!format!("{lost:?}").contains("hunter2"));
    assert_eq!(lost.to_string(), "the store cannot be reached");
}

#[test]
fn addresses_that_are_refused() {
    let refused = |url: &str| {
        let settings = StoreSettings::postgres(postgres_settings(url));
        Store::open(settings, Arc::new(SystemClock)).unwrap_err().to_string()
    };
    let plain = refused("postgres://aqueduct:hunter2@db.example.com/x?sslmode=disable");
    assert!(plain.contains("TLS off"), "{plain}");
    let odd = refused("postgres://aqueduct:hunter2@db.example.com/x?no_such_key=1");
    assert!(odd.contains("address") && !odd.contains("hunter2"), "{odd}");
}

#[tokio::test]
async fn tls_with_a_certificate_that_is_checked() {
    let names = vec!["127.0.0.1".to_owned()];
    let made = rcgen::generate_simple_self_signed(names.clone()).unwrap();
    let other = rcgen::generate_simple_self_signed(names).unwrap();
    let (certificate, key) = (made.cert.pem(), made.signing_key.serialize_pem());
    let files = [("server.crt", certificate.as_str()), ("server.key", key.as_str())];
    let server = Postgres::start_with("ssl = on", &files);
    let url = format!("{}?sslmode=require", server.database());
    let with = |pem: String| PostgresSettings {
        root_certificates: Some(pem.into_bytes()),
        ..postgres_settings(&url)
    };
    let store = open(with(certificate));
    store.ping().await.unwrap();
    let token: SecretString = issue(&store, "s1", vec![call("a")]).await;
    assert_eq!(refusal(&store, &token, "s1", call("a")).await, None);
    let refused = open(with(other.cert.pem())).ping().await.unwrap_err();
    assert!(matches!(refused, StoreError::Unavailable { .. }), "{refused:?}");
}

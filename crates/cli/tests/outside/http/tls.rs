//! The listener with a certificate: who connects, and files that cannot be used.

use super::server::HttpServer;
use crate::outside::harness::{DEADLINE, Place, TOKEN, shop};
use rcgen::{CertificateParams, KeyPair};
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

const CONFIG: &str = "[http]\ntls_cert = \"tls/server.crt\"\ntls_key = \"tls/server.key\"\n";

/// A place with this configuration and a certificate that ends in that year.
fn place(year: i32) -> (Place, String) {
    let place = Place::new();
    let (certificate, key) = pair(year);
    place.write("aqueduct.toml", CONFIG);
    place.write("tls/server.crt", &certificate);
    place.write("tls/server.key", key);
    (place, certificate)
}

/// A certificate that ends in that year, and its key.
fn pair(year: i32) -> (String, String) {
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    params.not_after = rcgen::date_time_ymd(year, 1, 1);
    (params.self_signed(&key).unwrap().pem(), key.serialize_pem())
}

/// Whether a new connection that knows this certificate alone gets through.
async fn is_known_by(server: &HttpServer, certificate: &str) -> bool {
    let root = reqwest::Certificate::from_pem(certificate.as_bytes()).unwrap();
    let client = reqwest::Client::builder().no_proxy().tls_certs_only([root]);
    let client = client.resolve("localhost", server.address).build().unwrap();
    client.get(format!("https://localhost:{}/healthz", server.address.port())).send().await.is_ok()
}

#[tokio::test]
async fn served_with_a_certificate() {
    let (place, certificate) = place(4000);
    let shop = shop();
    let server = HttpServer::start(place, &[&shop], &[("SHOP_TOKEN", TOKEN)]).await;
    rustls::crypto::ring::default_provider().install_default().ok();
    let root = reqwest::Certificate::from_pem(certificate.as_bytes()).unwrap();
    let client = reqwest::Client::builder().no_proxy().tls_certs_only([root]);
    let client = client.resolve("localhost", server.address).build().unwrap();
    let client_info = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client_info});
    let message = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
    let posted = client
        .post(format!("https://localhost:{}/mcp", server.address.port()))
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .body(message.to_string());
    let answer = posted.send().await.unwrap();
    assert_eq!(answer.status(), 200);
    assert!(answer.text().await.unwrap().contains("2025-11-25"));
    let mut plain = server.connect().await;
    plain.write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    let mut said = Vec::new();
    // The server does not read it all, so the system may say that it was cut off.
    timeout(DEADLINE, plain.read_to_end(&mut said)).await.expect("it is closed").ok();
    assert!(!said.starts_with(b"HTTP"), "{said:?}");
}

/// New files hold for new connections without a restart, and one that is open goes on; a pair that cannot be used replaces none.
#[tokio::test]
async fn renewed_in_place() {
    let (place, before) = place(4000);
    let (shop, folder) = (shop(), place.path());
    let mut server = HttpServer::start(place, &[&shop], &[("SHOP_TOKEN", TOKEN)]).await;
    rustls::crypto::ring::default_provider().install_default().ok();
    let root = reqwest::Certificate::from_pem(before.as_bytes()).unwrap();
    let open = reqwest::Client::builder().no_proxy().tls_certs_only([root]).pool_max_idle_per_host(1);
    let open = open.resolve("localhost", server.address).build().unwrap();
    let health = format!("https://localhost:{}/healthz", server.address.port());
    // The whole answer is read, so that the connection is kept.
    open.get(&health).send().await.unwrap().bytes().await.unwrap();
    let (after, key) = pair(4001);
    std::fs::write(folder.join("tls/server.crt"), &after).unwrap();
    let told = server.next_error().await;
    assert!(told.contains("does not belong to the certificate"), "{told}");
    assert!(
        is_known_by(&server, &before).await && !is_known_by(&server, &after).await,
        "half a pair is none"
    );
    std::fs::write(folder.join("tls/server.key"), key).unwrap();
    let start = Instant::now();
    while !is_known_by(&server, &after).await {
        assert!(start.elapsed() < DEADLINE, "the new certificate is not taken");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(!is_known_by(&server, &before).await);
    assert_eq!(open.get(&health).send().await.unwrap().status(), 200, "on the connection of before");
}

#[tokio::test]
async fn files_that_cannot_be_used() {
    let shop = shop();
    let arguments = ["serve", "--http", "127.0.0.1:0", &shop];
    let (place, certificate) = place(4000);
    place.write("tls/server.key", KeyPair::generate().unwrap().serialize_pem());
    let ran = place.run(&arguments, &[], "").await;
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.stderr.contains("does not belong to the certificate"), "{ran:?}");
    place.write("tls/server.key", certificate);
    let ran = place.run(&arguments, &[], "").await;
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.stderr.contains("holds no private key"), "{ran:?}");
    std::fs::remove_file(place.path().join("tls/server.key")).unwrap();
    let ran = place.run(&arguments, &[], "").await;
    assert_eq!(ran.code, 4, "{ran:?}");
    assert!(ran.stderr.contains("server.key does not exist"), "{ran:?}");
    assert!(!ran.stderr.contains("listening"), "{ran:?}");
}

#[tokio::test]
async fn the_doctor_looks_at_the_certificate() {
    let shop = shop();
    for (year, state, says) in [
        (4000, "ok", "the certificate in tls/server.crt is good until 4000-01-01"),
        (2020, "fix", "the certificate in tls/server.crt expired on 2020-01-01"),
    ] {
        let (place, _) = place(year);
        let found = place.run(&["doctor", &shop, "--format", "json"], &[], "").await.json();
        let findings = found["findings"].as_array().unwrap();
        let finding =
            findings.iter().find(|each| each["about"] == "http").unwrap_or_else(|| panic!("{found}"));
        assert_eq!((&finding["state"], &finding["message"]), (&json!(state), &json!(says)));
    }
}

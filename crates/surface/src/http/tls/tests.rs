//! Tests of `tls`: a listener with certificates that are made here, and a client that knows one of them.

use super::{RepeatedProblem, TlsError, TlsFiles};
use crate::http::{HttpSettings, serve};
use crate::metrics::Metrics;
use crate::test_dispatcher::TestDispatcher;
use aqueduct_testkit::log;
use rcgen::CertifiedKey;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

type Made = CertifiedKey<rcgen::KeyPair>;

fn made() -> Made {
    rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap()
}

fn files_in(folder: &Path) -> TlsFiles {
    TlsFiles { certificate: folder.join("server.crt"), key: folder.join("server.key") }
}

fn write(files: &TlsFiles, certificate: &str, key: &str) {
    std::fs::write(&files.certificate, certificate).unwrap();
    std::fs::write(&files.key, key).unwrap();
}

fn put(files: &TlsFiles, made: &Made) {
    write(files, &made.cert.pem(), &made.signing_key.serialize_pem());
}

#[test]
fn files_that_are_no_pair() {
    let folder = TempDir::new().unwrap();
    let files = files_in(folder.path());
    let (one, other) = (made(), made());
    assert!(matches!(files.check(), Err(TlsError::Unreadable(_))));
    let (certificate, key) = (one.cert.pem(), one.signing_key.serialize_pem());
    write(&files, &key, &key);
    assert!(matches!(files.check(), Err(TlsError::NoCertificate(_))));
    write(&files, &certificate, &certificate);
    assert!(matches!(files.check(), Err(TlsError::NoKey(_))));
    write(&files, &certificate, &other.signing_key.serialize_pem());
    assert!(matches!(files.check(), Err(TlsError::Mismatch(_))));
    let broken = certificate.replacen("MII", "AAA", 1);
    write(&files, &broken, &key);
    assert!(matches!(files.check(), Err(TlsError::Unusable { .. })), "{:?}", files.check());
    write(&files, &certificate, &key);
    assert!(files.check().unwrap().is_some(), "it says when it ends");
}

#[test]
fn a_problem_is_told_once_and_not_at_first_sight() {
    let mut problem = RepeatedProblem::default();
    let told: Vec<bool> =
        ["a", "b", "b", "b", "a"].map(|text| problem.is_to_be_logged(text.to_owned())).into();
    assert_eq!(told, [false, false, true, false, false]);
}

struct Listening {
    address: SocketAddr,
    metrics: Arc<Metrics>,
    stop: CancellationToken,
    serving: AbortOnDropHandle<()>,
}

async fn listening(files: &TlsFiles) -> Listening {
    let desk = TestDispatcher::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let metrics = Arc::new(Metrics::default());
    let settings = HttpSettings { tls: Some(files.clone()), ..HttpSettings::default() };
    let stop = CancellationToken::new();
    let (counted, stopped) = (Arc::clone(&metrics), stop.clone());
    let serving = tokio::spawn(async move {
        serve(&desk.dispatcher, &counted, listener, settings, stopped).await.unwrap();
    });
    Listening { address, metrics, stop, serving: AbortOnDropHandle::new(serving) }
}

impl Listening {
    /// A client that knows this certificate and keeps its connections.
    fn client(&self, made: &Made) -> reqwest::Client {
        aqueduct_egress::tls::ready();
        let root = reqwest::Certificate::from_pem(made.cert.pem().as_bytes()).unwrap();
        let client = reqwest::Client::builder().no_proxy().tls_certs_only([root]);
        client.resolve("localhost", self.address).build().unwrap()
    }

    async fn ask(&self, client: &reqwest::Client) -> Result<String, reqwest::Error> {
        let url = format!("https://localhost:{}/healthz", self.address.port());
        client.get(url).send().await?.text().await
    }
}

/// Waits until this holds.
async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    for _ in 0..200 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it never was so: {what}");
}

#[tokio::test]
async fn replaced_in_place() {
    let folder = TempDir::new().unwrap();
    let files = files_in(folder.path());
    let (first, second) = (made(), made());
    put(&files, &first);
    let server = listening(&files).await;
    let before = server.client(&first);
    assert_eq!(server.ask(&before).await.unwrap(), "ok\n");
    assert!(server.ask(&server.client(&second)).await.is_err(), "another certificate is not ours");
    put(&files, &second);
    eventually("new connections have the new one", async || {
        server.ask(&server.client(&second)).await.is_ok()
    })
    .await;
    assert_eq!(server.ask(&before).await.unwrap(), "ok\n", "its connection is still there");
    assert!(server.ask(&server.client(&first)).await.is_err(), "the old one is gone");
    server.stop.cancel();
    server.serving.await.unwrap();
}

#[tokio::test]
async fn a_bad_pair_leaves_the_one_before() {
    let folder = TempDir::new().unwrap();
    let files = files_in(folder.path());
    let first = made();
    put(&files, &first);
    log::keep();
    let server = listening(&files).await;
    assert_eq!(server.ask(&server.client(&first)).await.unwrap(), "ok\n");
    std::fs::write(&files.key, made().signing_key.serialize_pem()).unwrap();
    eventually("it is told", async || log::text().contains("does not belong to the certificate")).await;
    assert_eq!(server.ask(&server.client(&first)).await.unwrap(), "ok\n");
    std::fs::remove_file(&files.key).unwrap();
    eventually("it is told", async || log::text().contains("does not exist")).await;
    assert_eq!(server.ask(&server.client(&first)).await.unwrap(), "ok\n");
}

#[tokio::test]
async fn who_speaks_no_tls_is_sent_away() {
    let folder = TempDir::new().unwrap();
    let files = files_in(folder.path());
    put(&files, &made());
    let server = listening(&files).await;
    let mut plain = TcpStream::connect(server.address).await.unwrap();
    plain.write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    let mut answer = Vec::new();
    // The connection may be reset, as not everything that was sent has been read.
    plain.read_to_end(&mut answer).await.ok();
    assert!(!answer.starts_with(b"HTTP"), "{answer:?}");
    let refused = "aqueduct_http_refused_total{reason=\"tls\"} 1";
    eventually("it is counted", async || server.metrics.text().contains(refused)).await;
}

//! Faults of HTTP/2 and of TLS: streams that are reset, connections that are told to go, certificates that no one vouches for.

use super::{PATIENT, Seen, Served, get, served};
use bytes::Bytes;
use h2::Reason;
use h2::server::{SendResponse, handshake};
use http::Response;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use std::sync::{Arc, Mutex};
use tempfile::NamedTempFile;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// The paths that were asked for.
type Paths = Arc<Mutex<Vec<String>>>;

/// What the API does with a request.
#[derive(Debug, Clone, Copy)]
enum Act {
    Respond,
    /// Resets the stream instead of answering.
    Reset(Reason),
    /// Resets it in the middle of the body.
    ResetInBody(Reason),
    /// Ends the connection, with or without a word.
    GoAway,
    Drop,
    /// Answers with headers and then says nothing more.
    Stall,
}

/// What the caller sees before the head of an answer has come, and in its body.
const FAILED: Seen = ("TRANSPORT_NETWORK_ERROR", "the connection failed");
/// An end of the connection itself: failed or reset, as the kernel has it, which depends on what was still to be read.
const ENDED: Seen = ("TRANSPORT_NETWORK_ERROR", "the connection ");
const CLOSED: Seen = ("TRANSPORT_NETWORK_ERROR", "closed before the answer was complete");

/// An API over HTTP/2 with TLS, and the certificate to trust it by.
struct Http2Api {
    base_url: String,
    certificate: NamedTempFile,
    requests: Paths,
}

impl Http2Api {
    /// Does one thing with every request whose path says so: the acts by their number.
    async fn start(acts: Vec<Act>) -> Http2Api {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(["localhost".to_owned(), "127.0.0.1".to_owned()]).unwrap();
        let certificate = NamedTempFile::new().unwrap();
        std::fs::write(certificate.path(), cert.pem()).unwrap();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key)
            .unwrap();
        config.alpn_protocols = vec![b"h2".to_vec()];
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("https://localhost:{}", listener.local_addr().unwrap().port());
        let requests = Paths::default();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let counted = requests.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(acceptor.clone(), stream, acts.clone(), counted.clone()));
            }
        });
        Http2Api { base_url, certificate, requests }
    }

    fn certificate(&self) -> &str {
        self.certificate.path().to_str().unwrap()
    }
}

/// One connection. A client that goes away ends it.
async fn serve(acceptor: TlsAcceptor, stream: TcpStream, acts: Vec<Act>, requests: Paths) -> Option<()> {
    let stream = acceptor.accept(stream).await.ok()?;
    let mut connection = handshake(stream).await.ok()?;
    while let Some(Ok((request, respond))) = connection.accept().await {
        requests.lock().unwrap().push(request.uri().path().to_owned());
        let number = request.uri().path().strip_prefix("/things/")?.parse::<usize>().ok();
        match number.map_or(Act::Respond, |number| acts[number]) {
            Act::GoAway => connection.abrupt_shutdown(Reason::ENHANCE_YOUR_CALM),
            Act::Drop => return None,
            act => {
                tokio::spawn(answer(act, respond));
            }
        }
    }
    Some(())
}

async fn answer(act: Act, mut respond: SendResponse<Bytes>) -> Option<()> {
    if let Act::Reset(reason) = act {
        respond.send_reset(reason);
        return None;
    }
    let head = Response::builder().header("content-type", "application/json").body(()).ok()?;
    let mut body = respond.send_response(head, false).ok()?;
    match act {
        Act::ResetInBody(reason) => {
            body.send_data(Bytes::from_static(b"{\"id\": "), false).ok()?;
            tokio::task::yield_now().await;
            body.send_reset(reason);
        }
        Act::Stall => std::future::pending().await,
        _ => body.send_data(Bytes::from_static(b"{\"id\": \"whole\"}"), true).ok()?,
    }
    Some(())
}

/// Streams that are reset and connections that end give one error each; calls before and after are not harmed, and what
/// may have been carried out is not sent again.
#[tokio::test]
async fn faults_of_http2() {
    let faults = [
        ("reset at once", Act::Reset(Reason::INTERNAL_ERROR), FAILED),
        ("refused", Act::Reset(Reason::REFUSED_STREAM), FAILED),
        ("cancelled", Act::Reset(Reason::CANCEL), FAILED),
        ("told to use HTTP/1.1", Act::Reset(Reason::HTTP_1_1_REQUIRED), FAILED),
        ("reset in the body", Act::ResetInBody(Reason::INTERNAL_ERROR), CLOSED),
        (
            "closed without an error in the body",
            Act::ResetInBody(Reason::NO_ERROR),
            ("SERIALIZATION_PARSE_ERROR", "not valid JSON"),
        ),
        ("told to go away", Act::GoAway, ENDED),
        ("dropped", Act::Drop, ENDED),
        ("silent after the headers", Act::Stall, ("TRANSPORT_TIMEOUT", "timed out after 1500ms")),
    ];
    let api = Http2Api::start(faults.iter().map(|(_, act, _)| *act).collect()).await;
    let mut served = Served::start(&api.base_url, &[("SSL_CERT_FILE", api.certificate())]).await;
    for (number, (name, _, seen)) in faults.iter().enumerate() {
        served.meet(number, name, *seen).await;
    }
    assert!(served.wrong.is_empty(), "{}", served.wrong.join("\n"));
    let seen = api.requests.lock().unwrap();
    let faulty = seen.iter().filter(|path| !path.contains("good")).count();
    // A stream that was refused was not carried out, and may be sent again.
    assert!((faults.len()..=faults.len() + 2).contains(&faulty), "{seen:?}");
}

/// A certificate that no one vouches for is an error that says so, and nothing is sent.
#[tokio::test]
async fn a_certificate_that_nobody_vouches_for() {
    let api = Http2Api::start(Vec::new()).await;
    let mut server = served(&api.base_url, PATIENT, &[]).await;
    let told = get(&mut server, "good").await;
    assert_eq!(told["error"]["code"], "TRANSPORT_TLS_ERROR", "{told}");
    assert!(told["error"]["message"].as_str().unwrap().contains("the certificate is not trusted"), "{told}");
    assert_eq!(api.requests.lock().unwrap().len(), 0);
}

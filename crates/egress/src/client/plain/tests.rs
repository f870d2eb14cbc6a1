//! Connections are kept and used again, replaced when they were closed meanwhile, and closed when a body is left unread.

use super::PlainClient;
use crate::client::SendError;
use crate::resolver::{GuardedResolver, SystemLookup};
use aqueduct_operations::address::AddressScope;
use futures::future::join_all;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

const OK: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/// A server that answers every request with the same bytes.
struct FixedServer {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    requests: mpsc::UnboundedReceiver<String>,
    /// A word for every connection that its client has closed.
    closed: mpsc::UnboundedReceiver<()>,
}

/// When the server closes a connection.
#[derive(Clone, Copy, PartialEq)]
enum Closes {
    Never,
    AfterOne,
}

impl FixedServer {
    async fn start(answer: Vec<u8>, closes: Closes) -> FixedServer {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (connections, (asked, requests), (over, closed)) =
            (Arc::new(AtomicUsize::new(0)), mpsc::unbounded_channel(), mpsc::unbounded_channel());
        let (count, answer) = (Arc::clone(&connections), Arc::new(answer));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                let (answer, asked, over) = (Arc::clone(&answer), asked.clone(), over.clone());
                tokio::spawn(async move {
                    serve(stream, &answer, closes, &asked).await;
                    over.send(()).ok();
                });
            }
        });
        FixedServer { address, connections, requests, closed }
    }

    fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    fn request(&self, method: reqwest::Method) -> reqwest::Request {
        let url = format!("http://{}/things/1?q=a%20b", self.address);
        reqwest::Request::new(method, url.parse().unwrap())
    }
}

async fn serve(mut stream: TcpStream, answer: &[u8], closes: Closes, asked: &mpsc::UnboundedSender<String>) {
    let mut seen = Vec::new();
    loop {
        while !seen.ends_with(b"\r\n\r\n") {
            if stream.read_buf(&mut seen).await.unwrap_or(0) == 0 {
                return;
            }
        }
        asked.send(String::from_utf8(std::mem::take(&mut seen)).unwrap()).ok();
        if stream.write_all(answer).await.is_err() || closes == Closes::AfterOne {
            return;
        }
    }
}

fn client() -> PlainClient {
    PlainClient::new(GuardedResolver { lookup: Arc::new(SystemLookup), scope: AddressScope::Own })
}

async fn body(client: &PlainClient, request: reqwest::Request) -> Result<Vec<u8>, SendError> {
    let mut response = client.execute(request).await?;
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.unwrap() {
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn get() -> reqwest::Method {
    reqwest::Method::GET
}

#[tokio::test]
async fn one_connection_serves_one_request_after_another() {
    let (mut server, client) = (FixedServer::start(OK.to_vec(), Closes::Never).await, client());
    for _ in 0..300 {
        assert_eq!(body(&client, server.request(get())).await.unwrap(), b"ok");
    }
    assert_eq!(server.connections(), 1);
    let request = server.requests.recv().await.unwrap();
    assert!(request.starts_with("GET /things/1?q=a%20b HTTP/1.1\r\n"), "{request}");
    assert!(request.contains(&format!("host: {}\r\n", server.address)), "{request}");
    assert!(request.contains("accept: */*\r\n"), "{request}");
}

/// All of them in one task, whose share of a turn they use up many times over.
#[tokio::test]
async fn many_requests_at_once_have_a_connection_each_and_come_to_their_ends() {
    let (server, client) = (FixedServer::start(OK.to_vec(), Closes::Never).await, client());
    for _ in 0..5 {
        let all = (0..100).map(|_| body(&client, server.request(get())));
        for answer in join_all(all).await {
            assert_eq!(answer.unwrap(), b"ok");
        }
    }
    // So many are kept, and the others are opened anew.
    assert!((100..=100 + 4 * 68).contains(&server.connections()), "{}", server.connections());
}

/// A request that may change something goes out once, though the connection that was kept is gone.
#[tokio::test]
async fn a_connection_that_was_closed_meanwhile_is_replaced() {
    let (mut server, client) = (FixedServer::start(OK.to_vec(), Closes::AfterOne).await, client());
    for count in 1..=20 {
        assert_eq!(body(&client, server.request(reqwest::Method::POST)).await.unwrap(), b"ok");
        assert_eq!(server.connections(), count);
        // The end has reached this side before the next request.
        server.closed.recv().await.unwrap();
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    for _ in 0..20 {
        server.requests.recv().await.unwrap();
    }
    assert!(server.requests.try_recv().is_err());
}

#[tokio::test]
async fn a_body_that_is_not_read_to_its_end_closes_its_connection() {
    let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\nbegun".to_vec();
    let (mut server, client) = (FixedServer::start(answer, Closes::Never).await, client());
    let mut response = client.execute(server.request(get())).await.unwrap();
    assert_eq!(response.content_length(), Some(100_000));
    assert_eq!(response.chunk().await.unwrap().unwrap(), "begun");
    drop(response);
    server.closed.recv().await.unwrap();
}

#[tokio::test]
async fn pieces_and_headers_after_the_body_are_read() {
    let answer =
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n3\r\n and\r\n0\r\nx: y\r\n\r\n";
    let broken = FixedServer::start(answer.to_vec(), Closes::Never).await;
    let mut response = client().execute(broken.request(get())).await.unwrap();
    assert_eq!(response.chunk().await.unwrap().unwrap(), "ok");
    // The second piece is longer than it says.
    assert!(loop {
        match response.chunk().await {
            Ok(Some(_)) => {}
            Ok(None) => break false,
            Err(_) => break true,
        }
    });
    let answer =
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n4\r\n and\r\n0\r\nx: y\r\n\r\n";
    let (server, client) = (FixedServer::start(answer.to_vec(), Closes::Never).await, client());
    for _ in 0..3 {
        assert_eq!(body(&client, server.request(get())).await.unwrap(), b"ok and");
    }
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn responses_without_a_body_free_their_connection_at_once() {
    let answer = b"HTTP/1.1 204 No Content\r\n\r\n".to_vec();
    let (server, client) = (FixedServer::start(answer, Closes::Never).await, client());
    for _ in 0..3 {
        assert_eq!(client.execute(server.request(get())).await.unwrap().status(), 204);
    }
    assert_eq!(server.connections(), 1);
}

#[cfg(feature = "compression")]
#[tokio::test]
async fn what_is_compressed_is_decompressed_and_what_is_not_says_so() {
    // "ok" by gzip.
    let compressed = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\xcf\x06\x00G\xdd\xdcy\x02\x00\x00\x00";
    let head =
        format!("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: {}\r\n\r\n", compressed.len());
    let answer = [head.as_bytes(), compressed].concat();
    let (mut server, kept) = (FixedServer::start(answer, Closes::Never).await, client());
    for _ in 0..3 {
        assert_eq!(body(&kept, server.request(get())).await.unwrap(), b"ok");
    }
    assert_eq!(server.connections(), 1);
    assert!(server.requests.recv().await.unwrap().contains("accept-encoding: zstd,gzip,deflate,br\r\n"));
    let broken =
        FixedServer::start(head.into_bytes().into_iter().chain([b'x'; 22]).collect(), Closes::Never).await;
    let mut response = client().execute(broken.request(get())).await.unwrap();
    assert!(response.chunk().await.is_err());
}

#[tokio::test(start_paused = true)]
async fn what_no_one_asks_for_in_a_while_is_closed() {
    let (mut server, client) = (FixedServer::start(OK.to_vec(), Closes::Never).await, client());
    assert_eq!(body(&client, server.request(get())).await.unwrap(), b"ok");
    server.closed.recv().await.unwrap();
    assert_eq!(body(&client, server.request(get())).await.unwrap(), b"ok");
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn who_does_not_listen_is_said_to_refuse() {
    let server = FixedServer::start(Vec::new(), Closes::Never).await;
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let request = FixedServer { address: free, ..server }.request(get());
    assert!(client().execute(request).await.unwrap_err().is_connect());
}

/// What a task has not read to its end goes with the runtime, and no one waits for anyone.
#[test]
fn a_runtime_that_ends_takes_its_connections_along() {
    let client = client();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let server = FixedServer::start(b"HTTP/1.1 204 No Content\r\n\r\n".to_vec(), Closes::Never).await;
        let response = client.execute(server.request(get())).await.unwrap();
        tokio::spawn(async move {
            std::future::pending::<()>().await;
            drop(response);
        });
        tokio::task::yield_now().await;
    });
    drop(runtime);
}

#[tokio::test]
async fn nothing_goes_out_in_plain_text_for_another_scheme() {
    for url in ["wss://127.0.0.1/", "ftp://127.0.0.1/", "https://127.0.0.1/"] {
        let request = reqwest::Request::new(get(), url.parse().unwrap());
        assert!(matches!(client().execute(request).await, Err(SendError::Scheme)), "{url}");
    }
}

/// A server that says no before it has read a large upload, or that closes after its response, leaves no connection behind.
#[tokio::test]
async fn a_connection_that_cannot_be_used_again_is_not_kept() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let connections = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&connections);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let number = count.fetch_add(1, Ordering::SeqCst);
            tokio::spawn(async move {
                let mut seen = [0; 1024];
                let read = stream.read(&mut seen).await.unwrap();
                assert!(read > 0);
                let close = if number == 1 { "connection: close\r\n" } else { "" };
                let answer = format!("HTTP/1.1 413 Too Large\r\n{close}content-length: 2\r\n\r\nno");
                stream.write_all(answer.as_bytes()).await.unwrap();
                std::future::pending::<()>().await;
            });
        }
    });
    let client = client();
    for count in 1..=4 {
        let mut request =
            reqwest::Request::new(reqwest::Method::POST, format!("http://{address}/").parse().unwrap());
        *request.body_mut() = Some(vec![b'x'; if count == 2 { 10 } else { 16 * 1024 * 1024 }].into());
        assert_eq!(body(&client, request).await.unwrap(), b"no");
        assert_eq!(connections.load(Ordering::SeqCst), count);
    }
}

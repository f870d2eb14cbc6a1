//! Faults of HTTP/1.1: of the connection, of the frame, of the encoding, of the content, and redirects.

use super::{Fault, PATIENT, Seen, bomb, fault, get, meet, served, whole, wire};
use aqueduct_testkit::api::{Answer, FakeApi};
use std::time::Duration;

const GOOD: &[u8] = br#"{"id": "whole"}"#;

/// What the caller sees of most of them.
const CLOSED: Seen = ("TRANSPORT_NETWORK_ERROR", "closed before the answer was complete");
const NOT_HTTP: Seen = ("TRANSPORT_NETWORK_ERROR", "the answer is not valid HTTP");
const TIMED_OUT: Seen = ("TRANSPORT_TIMEOUT", "timed out after 1500ms");
const TOO_LARGE: Seen = ("VALIDATION_PAYLOAD_TOO_LARGE", "response_size limit of 10485760");
const NOT_JSON: Seen = ("SERIALIZATION_PARSE_ERROR", "not valid JSON");
const BROKEN_ENCODING: Seen = ("SERIALIZATION_PARSE_ERROR", "compression or character encoding is broken");

fn length(body: &[u8]) -> String {
    format!("Content-Length: {}\r\n", body.len())
}

/// The connection is refused, closed, silent, slow.
fn of_the_connection() -> Vec<Fault> {
    let half = &wire(&length(GOOD), GOOD)[..20];
    let continues = "HTTP/1.1 100 Continue\r\n\r\n".repeat(1_000);
    vec![
        fault("closes without an answer", Answer::drop_connection(), CLOSED),
        fault("is silent", Answer::hang(), TIMED_OUT),
        fault("is silent in the status line", Answer::stall_after(half), TIMED_OUT),
        fault("is silent after the headers", Answer::stall_after(wire(&length(GOOD), b"")), TIMED_OUT),
        fault("is silent in the body", Answer::stall_after(wire(&length(GOOD), &GOOD[..5])), TIMED_OUT),
        fault(
            "is silent in a chunk",
            Answer::stall_after(wire("Transfer-Encoding: chunked\r\n", b"f\r\n{\"id\"")),
            TIMED_OUT,
        ),
        fault("trickles", Answer::trickle(wire(&length(GOOD), GOOD), Duration::from_millis(100)), TIMED_OUT),
        fault("closes in the headers", Answer::raw(half), CLOSED),
        fault("is no HTTP server", Answer::raw("SSH-2.0-OpenSSH_9.2\r\n"), NOT_HTTP),
        fault("speaks HTTP/0.9", Answer::raw("{\"id\": \"whole\"}"), NOT_HTTP),
        fault("says nothing but a line end", Answer::raw("\r\n\r\n"), CLOSED),
        fault(
            "switches protocols",
            Answer::raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
            ("INTERNAL_ERROR", "HTTP 101"),
        ),
        // Byte by byte: a build without optimisation takes seconds to read what comes as fast as it can.
        fault("goes on and on", Answer::trickle(continues, Duration::from_millis(10)), TIMED_OUT),
    ]
}

/// Lengths that lie, chunks that are none, headers without end.
fn of_the_frame() -> Vec<Fault> {
    let chunked = "Transfer-Encoding: chunked\r\n";
    let many: String = (0..20_000).map(|number| format!("X-Header-{number}: value\r\n")).collect();
    let long = format!("X-Long: {}\r\n", "x".repeat(2_000_000));
    vec![
        fault("promises more", Answer::raw(wire("Content-Length: 100\r\n", GOOD)), CLOSED),
        fault("promises less", Answer::raw(wire("Content-Length: 5\r\n", GOOD)), NOT_JSON),
        fault(
            "has two lengths",
            Answer::raw(wire("Content-Length: 15\r\nContent-Length: 5\r\n", GOOD)),
            NOT_HTTP,
        ),
        fault("has a length below nothing", Answer::raw(wire("Content-Length: -1\r\n", GOOD)), NOT_HTTP),
        fault("has a length in words", Answer::raw(wire("Content-Length: fifteen\r\n", GOOD)), NOT_HTTP),
        fault(
            "has a length beyond all numbers",
            Answer::raw(wire("Content-Length: 99999999999999999999\r\n", GOOD)),
            NOT_HTTP,
        ),
        fault("promises a terabyte", Answer::raw(wire("Content-Length: 1099511627776\r\n", GOOD)), TOO_LARGE),
        fault("has chunks of no size", Answer::raw(wire(chunked, b"xyz\r\n{}\r\n0\r\n\r\n")), CLOSED),
        fault(
            "has chunks without an end",
            Answer::raw(wire(chunked, b"f\r\n{\"id\": \"whole\"}\r\n")),
            CLOSED,
        ),
        fault(
            "has a chunk beyond all numbers",
            Answer::raw(wire(chunked, b"fffffffffffffffff\r\n{}\r\n")),
            CLOSED,
        ),
        fault(
            "has chunks that are cut short",
            Answer::raw(wire(chunked, b"f\r\n{\"id\"\r\n0\r\n\r\n")),
            CLOSED,
        ),
        fault("has a header without a colon", Answer::raw(wire("what is this\r\n", GOOD)), NOT_HTTP),
        fault("has a header with a NUL", Answer::raw(wire("X-Nul: a\0b\r\n", GOOD)), NOT_HTTP),
        fault("has a very long header", Answer::raw(wire(&long, GOOD)), NOT_HTTP),
        fault("has very many headers", Answer::raw(wire(&many, GOOD)), NOT_HTTP),
        fault(
            "has headers without end",
            Answer::flood("HTTP/1.1 200 OK\r\n", "X-More: of the same\r\n"),
            NOT_HTTP,
        ),
        fault("has no status", Answer::raw("HTTP/1.1 abc OK\r\n\r\n"), NOT_HTTP),
        fault(
            "has a status that does not exist",
            Answer::raw("HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n"),
            ("INTERNAL_ERROR", "HTTP 999"),
        ),
        fault("floods", Answer::flood(wire("", b"{\"id\": \""), vec![b'0'; 65_536]), TOO_LARGE),
        fault(
            "floods in chunks",
            Answer::flood(
                wire(chunked, b"8\r\n{\"id\": \"\r\n"),
                format!("10000\r\n{}\r\n", "0".repeat(65_536)),
            ),
            TOO_LARGE,
        ),
    ]
}

/// Bodies that cannot be unpacked, or should not be.
fn of_the_encoding() -> Vec<Fault> {
    let packed = |encoding: &str, body: &[u8]| {
        Answer::raw(wire(&format!("Content-Encoding: {encoding}\r\n{}", length(body)), body))
    };
    vec![
        fault("is no gzip", packed("gzip", GOOD), BROKEN_ENCODING),
        fault("is half a gzip", packed("gzip", &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xab]), BROKEN_ENCODING),
        fault("is no brotli", packed("br", GOOD), BROKEN_ENCODING),
        fault("is no zstd", packed("zstd", GOOD), BROKEN_ENCODING),
        fault("is a gzip bomb", bomb("bomb.gz", "gzip"), TOO_LARGE),
        fault("is a deflate bomb", bomb("bomb.zz", "deflate"), TOO_LARGE),
        fault("is a brotli bomb", bomb("bomb.br", "br"), TOO_LARGE),
        fault("is a zstd bomb", bomb("bomb.zst", "zstd"), TOO_LARGE),
        fault("is packed in an unknown way", packed("snappy", b"\xff\x06\0\0sNaPpY"), BROKEN_ENCODING),
        fault("is packed twice", packed("gzip, gzip", b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xab"), BROKEN_ENCODING),
    ]
}

/// Bodies that are not what they say.
fn of_the_content() -> Vec<Fault> {
    let typed = |kind: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n{}\r\n", length(body));
        Answer::raw([head.as_bytes(), body].concat())
    };
    let json = "application/json";
    vec![
        fault(
            "is a web page",
            typed("text/html", b"<html><body>Sign in</body></html>"),
            ("SERIALIZATION_PARSE_ERROR", "HTML instead of JSON"),
        ),
        fault("is half of JSON", typed(json, b"{\"id\": "), NOT_JSON),
        fault("is JSON and more", typed(json, b"{\"id\": 1} trailing"), NOT_JSON),
        fault("has NULs", typed(json, b"{\"id\": 1}\0\0\0"), NOT_JSON),
        fault("is nested without end", typed(json, "[".repeat(200_000).as_bytes()), NOT_JSON),
        fault("is no UTF-8", typed(json, b"{\"id\": \"\xff\xfe\"}"), BROKEN_ENCODING),
        fault("lies about its charset", typed("application/json; charset=utf-16", GOOD), BROKEN_ENCODING),
        fault("has half a surrogate", typed(json, br#"{"id": "\ud800"}"#), NOT_JSON),
        fault(
            "is not what was asked for",
            typed("image/png", b"\x89PNG\r\n\x1a\n"),
            ("SERIALIZATION_PARSE_ERROR", "Unexpected content type 'image/png'"),
        ),
    ]
}

/// Redirects that lead nowhere, in circles, or where no one may go.
fn redirects() -> Vec<Fault> {
    vec![
        fault(
            "redirects to itself",
            Answer::redirect(302, "/things/0"),
            ("PERMISSION_DENIED", "redirected the call too often or to nowhere"),
        ),
        fault("redirects nowhere", Answer::empty(302), ("INTERNAL_ERROR", "HTTP 302")),
        fault(
            "redirects to a file",
            Answer::redirect(302, "file:///etc/passwd"),
            ("PERMISSION_DENIED", "unencrypted or unknown place"),
        ),
        fault(
            "redirects to the metadata of a cloud",
            Answer::redirect(302, "http://169.254.169.254/latest/"),
            ("PERMISSION_DENIED", "cloud metadata address"),
        ),
        fault(
            "redirects to another machine",
            Answer::redirect(307, "http://10.0.0.1/"),
            ("PERMISSION_DENIED", "private address"),
        ),
        fault(
            "redirects to nonsense",
            Answer::redirect(302, "http://[::1"),
            ("PERMISSION_DENIED", "too often or to nowhere"),
        ),
        fault(
            "redirects to a script",
            Answer::redirect(302, "javascript:alert(1)"),
            ("PERMISSION_DENIED", "unencrypted or unknown place"),
        ),
    ]
}

macro_rules! faults {
    ($($test:ident: $table:ident;)*) => {$(
        #[tokio::test]
        async fn $test() {
            let wrong = meet($table()).await;
            assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        }
    )*};
}

faults! {
    faults_of_the_connection: of_the_connection;
    faults_of_the_frame: of_the_frame;
    faults_of_the_encoding: of_the_encoding;
    faults_of_the_content: of_the_content;
    faults_of_redirects: redirects;
}

/// No one listens.
#[tokio::test]
async fn a_refused_connection() {
    let api = FakeApi::always(whole()).await;
    let address = api.base_url();
    drop(api);
    let mut server = served(&address, PATIENT, &[]).await;
    let told = get(&mut server, "1").await;
    assert_eq!(told["error"]["code"], "TRANSPORT_CONNECTION_REFUSED", "{told}");
}

/// An answer that breaks off is never taken for a whole one, wherever it breaks off, and the error is always the same.
#[tokio::test]
async fn an_answer_that_breaks_off_at_every_byte() {
    for framed in [
        wire(&length(GOOD), GOOD),
        wire("Transfer-Encoding: chunked\r\n", b"f\r\n{\"id\": \"whole\"}\r\n0\r\n\r\n"),
    ] {
        let bytes = framed.clone();
        let api = FakeApi::start(move |request| {
            let cut = request.path().rsplit('/').next().and_then(|cut| cut.parse().ok()).unwrap_or(0);
            Answer::raw(&bytes[..cut])
        })
        .await;
        let mut server = served(&api.base_url(), PATIENT, &[]).await;
        for cut in 0..=framed.len() {
            let told = get(&mut server, &cut.to_string()).await;
            let place = format!("cut after {cut} of {}: {told}", framed.len());
            if cut == framed.len() {
                assert_eq!(told["data"]["id"], "whole", "{place}");
                continue;
            }
            let (code, words) = CLOSED;
            assert_eq!((&told["success"], &told["error"]["code"]), (&false.into(), &code.into()), "{place}");
            assert!(told["error"]["message"].as_str().unwrap().contains(words), "{place}");
        }
    }
}

/// What stands behind an answer belongs to no one: the next call does not read it.
#[tokio::test]
async fn bytes_behind_an_answer_are_nobodys() {
    let body = br#"{"id": "first"}"#;
    let smuggled = wire(&length(b"{\"id\": \"smuggled\"}"), b"{\"id\": \"smuggled\"}");
    let both = [wire(&length(body), body), smuggled].concat();
    let api = FakeApi::start(move |request| match request.index {
        0 => Answer::stall_after(both.clone()),
        _ => whole(),
    })
    .await;
    let mut server = served(&api.base_url(), PATIENT, &[]).await;
    assert_eq!(get(&mut server, "1").await["data"]["id"], "first");
    assert_eq!(get(&mut server, "2").await["data"]["id"], "whole");
}

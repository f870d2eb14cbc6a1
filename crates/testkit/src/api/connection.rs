//! One connection of the fake API: reads requests, records them, writes answers, and notices when the client hangs up.
//!
//! Knows just enough of HTTP/1.1 for that: lengths, chunks and one request after the other.

use super::answer::{Act, on_the_wire};
use super::record::{Recorded, Records};
use super::{Answer, Handler};
use std::io;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

/// What the first message of a TLS handshake begins with.
const TLS_RECORD: u8 = 0x16;

/// What becomes of a connection after an answer.
enum After {
    NextRequest,
    ClientLeft,
    ServerLeft,
}

pub(super) async fn serve(stream: TcpStream, records: Records, handler: Handler) {
    // A client that goes away in the middle is what some tests are about: an error means that it has left.
    let end = converse(stream, &records, &handler).await.unwrap_or(After::ClientLeft);
    if matches!(end, After::ClientLeft) {
        records.closed();
    }
}

/// Answers requests until one side ends it.
async fn converse(stream: TcpStream, records: &Records, handler: &Handler) -> io::Result<After> {
    stream.set_nodelay(true)?;
    let (read, mut write) = stream.into_split();
    let mut read = BufReader::new(read);
    while let Some(request) = read_request(&mut read).await? {
        let request = records.keep(request);
        let after = respond(handler(&request), &mut read, &mut write).await?;
        if !matches!(after, After::NextRequest) {
            return Ok(after);
        }
    }
    Ok(After::ClientLeft)
}

async fn respond(
    answer: Answer,
    read: &mut BufReader<OwnedReadHalf>,
    write: &mut OwnedWriteHalf,
) -> io::Result<After> {
    if !answer.delay.is_zero() {
        tokio::select! {
            () = tokio::time::sleep(answer.delay) => {}
            () = hung_up(read) => return Ok(After::ClientLeft),
        }
    }
    if let Some(gate) = &answer.gate {
        tokio::select! {
            () = gate.opened() => {}
            () = hung_up(read) => return Ok(After::ClientLeft),
        }
    }
    match answer.act {
        Act::Respond { status, headers, body } => {
            write.write_all(&on_the_wire(status, &headers, &body)).await?;
            Ok(After::NextRequest)
        }
        Act::Raw(bytes) => {
            write.write_all(&bytes).await?;
            write.shutdown().await?;
            // Closing at once could reset the connection before the client has read everything.
            hung_up(read).await;
            Ok(After::ServerLeft)
        }
        Act::Stall(bytes) => {
            write.write_all(&bytes).await?;
            hung_up(read).await;
            Ok(After::ClientLeft)
        }
        Act::Flood { head, piece } => {
            write.write_all(&head).await?;
            // Ends with an error, once the client has closed its side.
            loop {
                write.write_all(&piece).await?;
            }
        }
        Act::Trickle { bytes, pause } => {
            for byte in bytes {
                write.write_all(&[byte]).await?;
                tokio::time::sleep(pause).await;
            }
            Ok(After::ServerLeft)
        }
        Act::Drop => {
            write.shutdown().await?;
            Ok(After::ServerLeft)
        }
    }
}

/// Waits until the client closes its side.
async fn hung_up(read: &mut BufReader<OwnedReadHalf>) {
    let mut buffer = [0; 1024];
    while matches!(read.read(&mut buffer).await, Ok(count) if count > 0) {}
}

/// Reads one request; none when the client closed the connection instead.
async fn read_request(read: &mut BufReader<OwnedReadHalf>) -> io::Result<Option<Recorded>> {
    let begun = read.fill_buf().await?;
    if begun.first() == Some(&TLS_RECORD) {
        // Somebody who means TLS sends no line, and waits.
        let sent = begun.len();
        read.consume(sent);
        return Ok(Some(Recorded::default()));
    }
    let Some(first) = read_line(read).await? else { return Ok(None) };
    let mut words = first.splitn(3, ' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut request = Recorded {
        index: 0,
        at: None,
        method: method.to_owned(),
        target: target.to_owned(),
        headers: Vec::new(),
        body: Vec::new(),
    };
    while let Some(line) = read_line(read).await? {
        match line.split_once(':') {
            Some((name, value)) => request.headers.push((name.to_owned(), value.trim().to_owned())),
            None => break,
        }
    }
    let is_chunked = request.header("transfer-encoding").is_some_and(|value| value.contains("chunked"));
    if is_chunked {
        request.body = read_chunks(read).await?;
    } else if let Some(length) = request.header("content-length").and_then(|text| text.parse().ok()) {
        request.body = vec![0; length];
        read.read_exact(&mut request.body).await?;
    }
    Ok(Some(request))
}

async fn read_chunks(read: &mut BufReader<OwnedReadHalf>) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line = read_line(read).await?.unwrap_or_default();
        let size = usize::from_str_radix(line.trim(), 16).map_err(io::Error::other)?;
        let mut chunk = vec![0; size];
        read.read_exact(&mut chunk).await?;
        body.extend_from_slice(&chunk);
        read_line(read).await?;
        if size == 0 {
            return Ok(body);
        }
    }
}

async fn read_line(read: &mut BufReader<OwnedReadHalf>) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    if read.read_until(b'\n', &mut line).await? == 0 {
        return Ok(None);
    }
    Ok(Some(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned()))
}

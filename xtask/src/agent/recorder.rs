//! An API on loopback that answers everything with an empty object and keeps what it was asked.
//!
//! Runs on threads of its own, one for each connection, and ends with the process.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};

use anyhow::{Context, Result};

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}";

/// A request as it came.
#[derive(Debug)]
pub struct Sent {
    pub method: String,
    /// The path and the query.
    pub target: String,
    pub is_form: bool,
    pub body: String,
}

/// The running API.
pub struct Recorder {
    address: SocketAddr,
    sent: Receiver<Sent>,
}

impl Recorder {
    /// Starts it on a free port.
    pub fn start() -> Result<Recorder> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let (sender, sent) = channel();
        std::thread::Builder::new()
            .name("recorder".to_owned())
            .spawn(move || {
                for stream in listener.incoming().flatten() {
                    let sender = sender.clone();
                    // A connection that breaks is the caller's to notice.
                    std::thread::spawn(move || drop(serve(stream, &sender)));
                }
            })
            .context("no thread for the recorder")?;
        Ok(Recorder { address, sent })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The requests since this was last asked.
    pub fn taken(&self) -> Vec<Sent> {
        self.sent.try_iter().collect()
    }
}

fn serve(stream: TcpStream, sender: &Sender<Sent>) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let mut words = line.split_whitespace().map(str::to_owned);
        let (method, target) = words.next().zip(words.next()).context("no request line")?;
        let (mut length, mut is_form) = (0, false);
        loop {
            let mut header = String::new();
            reader.read_line(&mut header)?;
            let Some((name, value)) = header.split_once(':') else { break };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.trim().parse()?,
                "content-type" => is_form = value.contains("x-www-form-urlencoded"),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        // Kept before it is answered, so that a reader of the answer finds the request.
        sender.send(Sent { method, target, is_form, body: String::from_utf8_lossy(&body).into_owned() })?;
        reader.get_mut().write_all(ANSWER)?;
    }
}

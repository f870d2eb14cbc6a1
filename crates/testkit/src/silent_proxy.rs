//! A way to a server that can stop carrying anything, without closing a connection: what a broken network looks like from inside.
//!
//! A port in; another port that leads to it out. It ends with the test.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

const LOOK: Duration = Duration::from_millis(5);

/// The way.
#[derive(Debug)]
pub struct SilentProxy {
    port: u16,
    traffic: Arc<Traffic>,
}

/// What is carried.
#[derive(Debug)]
struct Traffic {
    is_silent: AtomicBool,
    /// Answers that still come through, in all connections together.
    answers_left: AtomicUsize,
}

impl Traffic {
    fn is_silent(&self) -> bool {
        self.is_silent.load(Ordering::SeqCst)
    }

    /// Counts an answer; false when it is one too many, and from then on nothing comes through.
    fn takes_answer(&self) -> bool {
        let count = |left: usize| if left == usize::MAX { Some(left) } else { left.checked_sub(1) };
        let is_taken = self.answers_left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, count).is_ok();
        self.is_silent.fetch_or(!is_taken, Ordering::SeqCst);
        is_taken
    }
}

impl SilentProxy {
    /// A way to this port of the machine.
    ///
    /// # Panics
    /// When no port is free.
    pub async fn start(to: u16) -> SilentProxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let traffic = Arc::new(Traffic {
            is_silent: AtomicBool::new(false),
            answers_left: AtomicUsize::new(usize::MAX),
        });
        let told = Arc::clone(&traffic);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                tokio::spawn(carry(near, to, Arc::clone(&told)));
            }
        });
        SilentProxy { port, traffic }
    }

    /// Where it begins.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Swallows everything from now on.
    pub fn silence(&self) {
        self.traffic.is_silent.store(true, Ordering::SeqCst);
    }

    /// Lets so many answers of the server through, and swallows everything from the next one on: the server has got the request to it.
    pub fn silence_after(&self, answers: usize) {
        self.traffic.answers_left.store(answers, Ordering::SeqCst);
    }

    /// Carries new connections again; those that were silent are closed.
    pub fn carry(&self) {
        self.traffic.answers_left.store(usize::MAX, Ordering::SeqCst);
        self.traffic.is_silent.store(false, Ordering::SeqCst);
    }
}

async fn carry(near: TcpStream, to: u16, traffic: Arc<Traffic>) {
    let until = |wanted: bool| {
        let traffic = Arc::clone(&traffic);
        async move {
            while traffic.is_silent() != wanted {
                tokio::time::sleep(LOOK).await;
            }
        }
    };
    if traffic.is_silent() {
        return until(false).await;
    }
    let Ok(far) = TcpStream::connect(("127.0.0.1", to)).await else { return };
    let ((mut from_near, to_near), (from_far, mut to_far)) = (near.into_split(), far.into_split());
    tokio::select! {
        _ = copy(&mut from_near, &mut to_far) => {}
        () = answer(from_far, to_near, &traffic) => {}
        () = until(true) => until(false).await,
    }
}

/// Carries answers, as long as they are let through.
async fn answer(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, traffic: &Traffic) {
    let mut part = vec![0; 65_536];
    while let Ok(size @ 1..) = from.read(&mut part).await {
        if !traffic.takes_answer() {
            return std::future::pending().await;
        }
        if to.write_all(&part[..size]).await.is_err() {
            return;
        }
    }
}

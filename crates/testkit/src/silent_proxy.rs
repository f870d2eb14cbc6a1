//! A way to a server that can stop carrying anything, without closing a connection: what a broken network looks like from inside.
//!
//! A port in; another port that leads to it out. It ends with the test.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::io::copy;
use tokio::net::{TcpListener, TcpStream};

const LOOK: Duration = Duration::from_millis(5);

/// The way.
#[derive(Debug)]
pub struct SilentProxy {
    port: u16,
    is_silent: Arc<AtomicBool>,
}

impl SilentProxy {
    /// A way to this port of the machine.
    ///
    /// # Panics
    /// When no port is free.
    pub async fn start(to: u16) -> SilentProxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let is_silent = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&is_silent);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                tokio::spawn(carry(near, to, Arc::clone(&told)));
            }
        });
        SilentProxy { port, is_silent }
    }

    /// Where it begins.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Swallows everything from now on.
    pub fn silence(&self) {
        self.is_silent.store(true, Ordering::Relaxed);
    }

    /// Carries new connections again; those that were silent are closed.
    pub fn carry(&self) {
        self.is_silent.store(false, Ordering::Relaxed);
    }
}

async fn carry(near: TcpStream, to: u16, is_silent: Arc<AtomicBool>) {
    let until = |wanted: bool| {
        let is_silent = Arc::clone(&is_silent);
        async move {
            while is_silent.load(Ordering::Relaxed) != wanted {
                tokio::time::sleep(LOOK).await;
            }
        }
    };
    if is_silent.load(Ordering::Relaxed) {
        return until(false).await;
    }
    let Ok(far) = TcpStream::connect(("127.0.0.1", to)).await else { return };
    let ((mut from_near, mut to_near), (mut from_far, mut to_far)) = (near.into_split(), far.into_split());
    tokio::select! {
        _ = copy(&mut from_near, &mut to_far) => {}
        _ = copy(&mut from_far, &mut to_near) => {}
        () = until(true) => until(false).await,
    }
}

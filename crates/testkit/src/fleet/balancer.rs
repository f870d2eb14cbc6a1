//! A small balancer on loopback: every connection goes to the next instance that accepts it. It looks at nothing that is sent.
//!
//! Addresses in; one address out, and how much was sent through it. With one instance behind it, it counts what goes to that one.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

/// A running balancer.
#[derive(Debug)]
pub struct Balancer {
    address: SocketAddr,
    shared: Arc<Shared>,
    server: JoinHandle<()>,
}

#[derive(Debug)]
struct Shared {
    instances: Mutex<Vec<SocketAddr>>,
    next: AtomicUsize,
    sent: AtomicU64,
}

impl Balancer {
    /// Starts it on a free port, in front of these.
    ///
    /// # Panics
    /// When no port can be had.
    pub async fn start(instances: Vec<SocketAddr>) -> Balancer {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port on 127.0.0.1");
        let address = listener.local_addr().expect("an address");
        let shared =
            Shared { instances: Mutex::new(instances), next: AtomicUsize::new(0), sent: AtomicU64::new(0) };
        let shared = Arc::new(shared);
        let server = tokio::spawn(serve(listener, Arc::clone(&shared)));
        Balancer { address, shared, server }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Puts another instance in the place of one.
    pub fn replace(&self, number: usize, instance: SocketAddr) {
        let mut instances = self.shared.instances.lock().unwrap_or_else(PoisonError::into_inner);
        instances[number] = instance;
    }

    /// How many bytes were sent to the instances.
    pub fn sent(&self) -> u64 {
        self.shared.sent.load(Ordering::SeqCst)
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    while let Ok((client, _)) = listener.accept().await {
        let shared = Arc::clone(&shared);
        connections.spawn(async move {
            if let Some(instance) = shared.connect().await {
                // Whoever is at the other end notices that it broke.
                drop(forward(client, instance, &shared.sent).await);
            }
        });
        while connections.try_join_next().is_some() {}
    }
}

impl Shared {
    async fn connect(&self) -> Option<TcpStream> {
        let instances = self.instances.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let first = self.next.fetch_add(1, Ordering::Relaxed);
        for step in 0..instances.len() {
            if let Ok(stream) = TcpStream::connect(instances[(first + step) % instances.len()]).await {
                return Some(stream);
            }
        }
        None
    }
}

async fn forward(client: TcpStream, instance: TcpStream, sent: &AtomicU64) -> std::io::Result<()> {
    client.set_nodelay(true)?;
    instance.set_nodelay(true)?;
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_instance, mut to_instance) = instance.into_split();
    let there = async {
        let mut buffer = vec![0; 8192];
        loop {
            let read = from_client.read(&mut buffer).await?;
            if read == 0 {
                return to_instance.shutdown().await;
            }
            sent.fetch_add(read as u64, Ordering::SeqCst);
            to_instance.write_all(&buffer[..read]).await?;
        }
    };
    let back = async {
        tokio::io::copy(&mut from_instance, &mut to_client).await?;
        to_client.shutdown().await
    };
    tokio::try_join!(there, back).map(|_| ())
}

//! A small balancer on loopback: every connection goes to the next instance that accepts it, and one with the identifier of a
//! session to the instance that made it. Nothing else of what is sent is looked at.
//!
//! Addresses in; one address out, and how much was sent through it. With one instance behind it, it counts what goes to that one.
//! The connector speaks first, and has one request for each connection.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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
    /// Which instance has made a session.
    sessions: Mutex<HashMap<String, SocketAddr>>,
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
        let shared = Shared {
            instances: Mutex::new(instances),
            sessions: Mutex::default(),
            next: AtomicUsize::new(0),
            sent: AtomicU64::new(0),
        };
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
        // Anyone who is at the other end notices that it broke.
        connections.spawn(async move { drop(shared.forward(client).await) });
        while connections.try_join_next().is_some() {}
    }
}

impl Shared {
    async fn connect(&self, session: Option<String>) -> Option<(TcpStream, SocketAddr)> {
        let instances = self.instances.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let made_by = session.and_then(|id| self.sessions().get(&id).copied());
        let first = self.next.fetch_add(1, Ordering::Relaxed);
        let in_turn = (0..instances.len()).map(|step| instances[(first + step) % instances.len()]);
        for instance in made_by.into_iter().chain(in_turn) {
            if let Ok(stream) = TcpStream::connect(instance).await {
                return Some((stream, instance));
            }
        }
        None
    }

    async fn forward(&self, client: TcpStream) -> std::io::Result<()> {
        client.set_nodelay(true)?;
        let (mut from_client, mut to_client) = client.into_split();
        let mut buffer = vec![0; 8192];
        let mut read = from_client.read(&mut buffer).await?;
        let Some((stream, instance)) = self.connect(session_in(&buffer[..read])).await else { return Ok(()) };
        stream.set_nodelay(true)?;
        let (mut from_instance, mut to_instance) = stream.into_split();
        let there = async {
            while read > 0 {
                self.sent.fetch_add(read as u64, Ordering::SeqCst);
                to_instance.write_all(&buffer[..read]).await?;
                read = from_client.read(&mut buffer).await?;
            }
            to_instance.shutdown().await
        };
        let back = async {
            let mut head = vec![0; 8192];
            let read = from_instance.read(&mut head).await?;
            if let Some(session) = session_in(&head[..read]) {
                self.sessions().insert(session, instance);
            }
            to_client.write_all(&head[..read]).await?;
            tokio::io::copy(&mut from_instance, &mut to_client).await?;
            to_client.shutdown().await
        };
        tokio::try_join!(there, back).map(|_| ())
    }

    fn sessions(&self) -> MutexGuard<'_, HashMap<String, SocketAddr>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The identifier of a session in the head of a message.
fn session_in(part: &[u8]) -> Option<String> {
    header(&String::from_utf8_lossy(part), SESSION)
}

/// The header that has the identifier of a session.
pub(super) const SESSION: &str = "mcp-session-id";

/// The value of a header of a message.
pub(super) fn header(message: &str, name: &str) -> Option<String> {
    let head = message.lines().take_while(|line| !line.is_empty());
    let mut fields = head.filter_map(|line| line.split_once(':'));
    let field = fields.find(|(key, _)| key.eq_ignore_ascii_case(name));
    field.map(|(_, value)| value.trim().to_owned())
}

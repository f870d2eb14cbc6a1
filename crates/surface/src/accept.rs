//! Taking connections of a listener, as many at a time as there is room for.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// After a failure to accept, as when there are no more file descriptors.
const PAUSE: Duration = Duration::from_millis(50);

/// A connection, with the room that it takes.
pub(crate) type Accepted = (TcpStream, SocketAddr, OwnedSemaphorePermit);

/// The next connection, once there is room for it. Failures are reported, and tried again.
pub(crate) async fn accept(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
    report: fn(&io::Error),
) -> Accepted {
    loop {
        match try_accept(listener, room).await {
            Ok(accepted) => return accepted,
            Err(error) => report(&error),
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn try_accept(listener: &TcpListener, room: &Arc<Semaphore>) -> io::Result<Accepted> {
    let permit = Arc::clone(room).acquire_owned().await.map_err(io::Error::other)?;
    let (stream, peer) = listener.accept().await?;
    Ok((stream, peer, permit))
}

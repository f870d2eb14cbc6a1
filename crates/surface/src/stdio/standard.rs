//! The process's standard input and output as byte streams.
//!
//! A pipe or a socket, which is what clients give, is read and written by the runtime itself: the helper threads that
//! files and terminals need would cost every call several changes of threads.

use std::pin::Pin;
use tokio::io::{AsyncRead, AsyncWrite};

/// Standard input and output, ready for a runtime.
pub struct StdioStreams {
    /// Where requests come from.
    pub input: Box<dyn AsyncRead + Send + Unpin>,
    /// Where answers go.
    pub output: Box<dyn AsyncWrite + Send + Unpin>,
    /// Ends when no one can read what is written any more; where that cannot be told it never does.
    pub client_disconnected: ClientDisconnected,
    /// Puts the streams back as they were when it is dropped.
    pub saved: Option<SavedFlags>,
}

/// The end of the reader of the output.
pub type ClientDisconnected = Pin<Box<dyn Future<Output = ()> + Send>>;

pub use platform::{SavedFlags, streams};

#[cfg(unix)]
mod platform {
    use super::{ClientDisconnected, StdioStreams};
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    use std::fs::File;
    use std::io;
    use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
    use std::os::unix::fs::FileTypeExt;
    use std::os::unix::net::UnixStream as Socket;
    use tokio::io::Interest;
    use tokio::net::UnixStream;
    use tokio::net::unix::pipe;

    /// The modes that streams had: others may go on with the same stream after us.
    pub struct SavedFlags(Vec<(OwnedFd, OFlags)>);

    impl Drop for SavedFlags {
        fn drop(&mut self) {
            for (stream, flags) in &self.0 {
                if let Err(error) = fcntl_setfl(stream, *flags) {
                    tracing::debug!(target: "aqueduct::stdio", %error, "a stream stays as it was used here");
                }
            }
        }
    }

    /// Standard input and output, to be read and written by the runtime that this is called in.
    pub fn streams() -> io::Result<StdioStreams> {
        let (stdin, stdout) = (io::stdin(), io::stdout());
        let (stdin, stdout) = (stdin.as_fd(), stdout.as_fd());
        let saved = Some(SavedFlags(vec![saved_flags(stdin)?, saved_flags(stdout)?]));
        Ok(StdioStreams {
            input: match StreamKind::of(stdin)? {
                StreamKind::Pipe => Box::new(pipe::Receiver::from_owned_fd(stdin.try_clone_to_owned()?)?),
                StreamKind::Socket => Box::new(socket(stdin)?),
                StreamKind::Other => Box::new(tokio::io::stdin()),
            },
            output: match StreamKind::of(stdout)? {
                StreamKind::Pipe => {
                    make_room(stdout);
                    Box::new(pipe::Sender::from_owned_fd(stdout.try_clone_to_owned()?)?)
                }
                StreamKind::Socket => Box::new(socket(stdout)?),
                StreamKind::Other => Box::new(tokio::io::stdout()),
            },
            client_disconnected: client_disconnected(stdout)?,
            saved,
        })
    }

    /// Lets a large response be written at once, where the client would have to read the first part of it before that.
    #[cfg(target_os = "linux")]
    fn make_room(pipe: BorrowedFd<'_>) {
        const ROOM: usize = 1024 * 1024;
        if let Err(error) = rustix::pipe::fcntl_setpipe_size(pipe, ROOM) {
            tracing::debug!(target: "aqueduct::stdio", %error, "the pipe to the client stays as large as it is");
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn make_room(_pipe: BorrowedFd<'_>) {}

    fn client_disconnected(stdout: BorrowedFd<'_>) -> io::Result<ClientDisconnected> {
        Ok(match StreamKind::of(stdout)? {
            StreamKind::Pipe => {
                let pipe = pipe::Sender::from_owned_fd(stdout.try_clone_to_owned()?)?;
                Box::pin(async move {
                    // A pipe without a reader is in error, before anything is written.
                    if !pipe.ready(Interest::ERROR).await.is_ok_and(|ready| ready.is_error()) {
                        std::future::pending::<()>().await;
                    }
                })
            }
            StreamKind::Socket => {
                let socket = socket(stdout)?;
                Box::pin(async move {
                    let is_gone = match socket.ready(Interest::READABLE).await {
                        // Who only says no more may still listen.
                        Ok(ready) if ready.is_read_closed() => {
                            let both = socket.ready(Interest::READABLE | Interest::WRITABLE).await;
                            both.is_ok_and(|ready| ready.is_write_closed())
                        }
                        Ok(_) | Err(_) => false,
                    };
                    if !is_gone {
                        std::future::pending::<()>().await;
                    }
                })
            }
            StreamKind::Other => Box::pin(std::future::pending()),
        })
    }

    fn saved_flags(stream: BorrowedFd<'_>) -> io::Result<(OwnedFd, OFlags)> {
        Ok((stream.try_clone_to_owned()?, fcntl_getfl(stream)?))
    }

    fn socket(stream: BorrowedFd<'_>) -> io::Result<UnixStream> {
        let socket = Socket::from(stream.try_clone_to_owned()?);
        socket.set_nonblocking(true)?;
        UnixStream::from_std(socket)
    }

    enum StreamKind {
        Pipe,
        Socket,
        Other,
    }

    impl StreamKind {
        fn of(stream: BorrowedFd<'_>) -> io::Result<StreamKind> {
            let kind = File::from(stream.try_clone_to_owned()?).metadata()?.file_type();
            Ok(match kind {
                _ if kind.is_fifo() => StreamKind::Pipe,
                _ if kind.is_socket() => StreamKind::Socket,
                _ => StreamKind::Other,
            })
        }
    }
}

#[cfg(not(unix))]
mod platform {
    use super::StdioStreams;
    use std::io;

    /// Nothing is changed here.
    pub struct SavedFlags;

    pub fn streams() -> io::Result<StdioStreams> {
        let (input, output) = (Box::new(tokio::io::stdin()), Box::new(tokio::io::stdout()));
        let client_disconnected = Box::pin(std::future::pending());
        Ok(StdioStreams { input, output, client_disconnected, saved: Some(SavedFlags) })
    }
}

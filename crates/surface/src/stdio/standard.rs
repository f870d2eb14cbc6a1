//! The process's standard input and output as byte streams.
//!
//! A pipe or a socket, which is what clients give, is read and written by the runtime itself: the helper threads that
//! files and terminals need would cost every call several changes of threads.

use std::io;
use tokio::io::{AsyncRead, AsyncWrite};

/// Standard input and output, ready for a runtime.
pub struct Standard {
    /// Where requests come from.
    pub input: Box<dyn AsyncRead + Send + Unpin>,
    /// Where answers go.
    pub output: Box<dyn AsyncWrite + Send + Unpin>,
    /// Puts the streams back as they were when it is dropped.
    pub before: Before,
}

/// Standard input and output, to be read and written by the runtime that this is called in.
pub fn streams() -> io::Result<Standard> {
    platform::streams()
}

pub use platform::Before;

#[cfg(unix)]
mod platform {
    use super::Standard;
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    use std::fs::File;
    use std::io;
    use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
    use std::os::unix::fs::FileTypeExt;
    use std::os::unix::net::UnixStream as Socket;
    use tokio::net::UnixStream;
    use tokio::net::unix::pipe;

    /// The modes that streams had: others may go on with the same stream after us.
    pub struct Before(Vec<(OwnedFd, OFlags)>);

    impl Drop for Before {
        fn drop(&mut self) {
            for (stream, flags) in &self.0 {
                if let Err(error) = fcntl_setfl(stream, *flags) {
                    tracing::debug!(target: "aqueduct::stdio", %error, "a stream stays as it was used here");
                }
            }
        }
    }

    pub fn streams() -> io::Result<Standard> {
        let (stdin, stdout) = (io::stdin(), io::stdout());
        let (stdin, stdout) = (stdin.as_fd(), stdout.as_fd());
        let before = Before(vec![before(stdin)?, before(stdout)?]);
        Ok(Standard {
            input: match Kind::of(stdin)? {
                Kind::Pipe => Box::new(pipe::Receiver::from_owned_fd(stdin.try_clone_to_owned()?)?),
                Kind::Socket => Box::new(socket(stdin)?),
                Kind::Other => Box::new(tokio::io::stdin()),
            },
            output: match Kind::of(stdout)? {
                Kind::Pipe => Box::new(pipe::Sender::from_owned_fd(stdout.try_clone_to_owned()?)?),
                Kind::Socket => Box::new(socket(stdout)?),
                Kind::Other => Box::new(tokio::io::stdout()),
            },
            before,
        })
    }

    fn before(stream: BorrowedFd<'_>) -> io::Result<(OwnedFd, OFlags)> {
        Ok((stream.try_clone_to_owned()?, fcntl_getfl(stream)?))
    }

    fn socket(stream: BorrowedFd<'_>) -> io::Result<UnixStream> {
        let socket = Socket::from(stream.try_clone_to_owned()?);
        socket.set_nonblocking(true)?;
        UnixStream::from_std(socket)
    }

    enum Kind {
        Pipe,
        Socket,
        Other,
    }

    impl Kind {
        fn of(stream: BorrowedFd<'_>) -> io::Result<Kind> {
            let kind = File::from(stream.try_clone_to_owned()?).metadata()?.file_type();
            Ok(match kind {
                _ if kind.is_fifo() => Kind::Pipe,
                _ if kind.is_socket() => Kind::Socket,
                _ => Kind::Other,
            })
        }
    }
}

#[cfg(not(unix))]
mod platform {
    use super::Standard;
    use std::io;

    /// Nothing is changed here.
    pub struct Before;

    pub fn streams() -> io::Result<Standard> {
        let (input, output) = (Box::new(tokio::io::stdin()), Box::new(tokio::io::stdout()));
        Ok(Standard { input, output, before: Before })
    }
}

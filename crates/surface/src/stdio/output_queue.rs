//! Lines on their way to the client.
//!
//! Lines in, from many tasks; one task writes them, those that wait together in one go. Who reads requests can wait here until
//! the client has read enough of its responses.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::Notify;
use tokio::sync::mpsc::{self, Permit};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Bytes of responses that may wait for the client to read others. Beyond that it is not read either.
pub(super) const MOST_UNSENT: usize = 32 * 1024 * 1024;

/// Responses waiting to be written before senders wait too.
pub(super) const QUEUE: usize = 64;

/// Bytes after which waiting answers are written in a go of their own.
const BATCH: usize = 64 * 1024;

/// A message as a line.
pub(super) fn line_of(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.push(b'\n');
    bytes
}

/// Writes lines until there are no more, those that wait together in one go.
async fn write_all<W: AsyncWrite + Unpin>(
    mut queue: mpsc::Receiver<Vec<u8>>,
    mut output: W,
    gone: CancellationToken,
) {
    while let Some(mut lines) = queue.recv().await {
        // Calls that are done by now are written together, and the client is woken once.
        tokio::task::yield_now().await;
        while lines.len() < BATCH
            && let Ok(line) = queue.try_recv()
        {
            lines.extend_from_slice(&line);
        }
        let written = match output.write_all(&lines).await {
            Ok(()) => output.flush().await,
            Err(error) => Err(error),
        };
        if let Err(error) = written {
            tracing::debug!(target: "aqueduct::stdio", %error, "the client no longer reads");
            gone.cancel();
            return;
        }
    }
}

/// Where lines wait to be written.
#[derive(Debug, Clone)]
pub(super) struct OutputQueue {
    lines: mpsc::Sender<Vec<u8>>,
    pub(super) unsent: Arc<UnsentLines>,
}

impl OutputQueue {
    /// A queue, and the task that writes it, which ends when the queue does. `gone` is cancelled when nothing can be written.
    pub(super) fn to(
        output: impl AsyncWrite + Send + Unpin + 'static,
        gone: CancellationToken,
    ) -> (OutputQueue, JoinHandle<()>) {
        let (lines, queue) = mpsc::channel(QUEUE);
        let writer = tokio::spawn(write_all(queue, output, gone));
        (OutputQueue { lines, unsent: Arc::default() }, writer)
    }

    /// A place for a line, where one is free.
    pub(super) fn free_place(&self) -> Option<Permit<'_, Vec<u8>>> {
        self.lines.try_reserve().ok()
    }

    /// A place for a line of so many bytes, once there is one. None when nothing can be written any more.
    pub(super) async fn place(&self, bytes: usize) -> Option<Permit<'_, Vec<u8>>> {
        let counted = self.unsent.count(bytes);
        let place = self.lines.reserve().await.ok();
        drop(counted);
        place
    }

    /// False when nothing can be written any more.
    pub(super) async fn send(&self, line: Vec<u8>) -> bool {
        let counted = self.unsent.count(line.len());
        let sent = self.lines.send(line).await.is_ok();
        drop(counted);
        sent
    }
}

/// Bytes that wait for a place in the queue, which a client that does not read its responses leaves full, or for the rest of their
/// batch.
#[derive(Debug, Default)]
pub(super) struct UnsentLines {
    pub(super) bytes: AtomicUsize,
    fewer: Notify,
}

/// Bytes of one line, counted until it is dropped.
struct CountedBytes<'a>(&'a UnsentLines, usize);

impl UnsentLines {
    fn count(&self, bytes: usize) -> CountedBytes<'_> {
        self.add(bytes);
        CountedBytes(self, bytes)
    }

    /// So many bytes more wait.
    pub(super) fn add(&self, bytes: usize) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// So many bytes wait no more.
    pub(super) fn take_off(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        self.fewer.notify_waiters();
    }

    /// Waits while more than `MOST_UNSENT` wait.
    pub(super) async fn wait_until_few(&self) {
        loop {
            let fewer = self.fewer.notified();
            if self.bytes.load(Ordering::Relaxed) <= MOST_UNSENT {
                return;
            }
            fewer.await;
        }
    }
}

impl Drop for CountedBytes<'_> {
    fn drop(&mut self) {
        self.0.take_off(self.1);
    }
}

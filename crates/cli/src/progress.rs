//! Progress of work that takes longer than a second, on the terminal of the person who waits for it.
//!
//! The name of a phase and how much of it is done in; one line on stderr out, redrawn in place and cleared at the end.
//! Where stderr is no terminal nothing is drawn, so that logs and pipes hold no such lines.

use crate::report;
use std::io::IsTerminal;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Work that is over before is not worth a line.
const FIRST: Duration = Duration::from_secs(1);
/// A line is drawn at most this often.
const NEXT: Duration = Duration::from_millis(100);

/// A line of progress, from its making until it is dropped.
#[derive(Debug)]
pub struct ProgressLine {
    state: Arc<ProgressState>,
    drawing: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct ProgressState {
    now: Mutex<Now>,
    over: Condvar,
}

/// How far the work is.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Now {
    phase: String,
    done: usize,
    total: usize,
    is_over: bool,
}

impl ProgressLine {
    /// Shows the progress of work that begins with this phase.
    pub fn new(phase: &str) -> ProgressLine {
        ProgressLine::drawn_by(phase, std::io::stderr().is_terminal().then_some(report::redraw))
    }

    fn drawn_by(phase: &str, draw: Option<impl FnMut(&str) + Send + 'static>) -> ProgressLine {
        let state = Arc::new(ProgressState::default());
        state.lock().phase = report::terminal_safe(phase);
        let drawing = draw.and_then(|draw| {
            let state = Arc::clone(&state);
            // Without the thread there is no line, and the work goes on.
            std::thread::Builder::new().name("progress".to_owned()).spawn(move || state.draw(draw)).ok()
        });
        ProgressLine { state, drawing }
    }

    /// Says what is being done, and how much of it is done; with a total of 0 no one knows.
    pub fn set(&self, phase: &str, done: usize, total: usize) {
        let mut now = self.state.lock();
        if now.phase != phase {
            now.phase = report::terminal_safe(phase);
        }
        (now.done, now.total) = (done, total);
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.state.lock().is_over = true;
        self.state.over.notify_all();
        if let Some(drawing) = self.drawing.take()
            && drawing.join().is_err()
        {
            tracing::trace!(target: "aqueduct::load", "progress could not be drawn");
        }
    }
}

impl ProgressState {
    fn lock(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Draws until the work is over, then clears what was drawn.
    fn draw(&self, mut draw: impl FnMut(&str)) {
        let (mut drawn, mut wait) = (String::new(), FIRST);
        loop {
            let waited = self.over.wait_timeout_while(self.lock(), wait, |now| !now.is_over);
            let now = waited.unwrap_or_else(PoisonError::into_inner).0.clone();
            if now.is_over {
                break;
            }
            let line = now.line();
            if line != drawn {
                draw(&line);
                drawn = line;
            }
            wait = NEXT;
        }
        if !drawn.is_empty() {
            draw("");
        }
    }
}

impl Now {
    fn line(&self) -> String {
        match self.total {
            0 => format!("{} …", self.phase),
            total => format!("{} {} of {total}", self.phase, self.done.min(total)),
        }
    }
}

#[cfg(test)]
mod tests;

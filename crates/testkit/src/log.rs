//! For tests: what is logged on the test's own thread.
//!
//! One subscriber serves all tests of the process, because the interest in a log line is cached for the whole process:
//! with a subscriber a test, those of two tests would now and then switch off each other's lines.

use std::cell::RefCell;
use std::io;
use std::sync::Once;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::FmtSpan;

thread_local! {
    static LINES: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
}

/// Makes every line count, from the first call of the first test on.
pub fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::TRACE)
            .with_span_events(FmtSpan::FULL)
            .with_ansi(false)
            .with_writer(ThisThread)
            .finish();
        let installed = tracing::subscriber::set_global_default(subscriber);
        assert!(installed.is_ok(), "another subscriber is there already");
    });
}

/// Keeps what is logged on this thread from now on.
pub fn keep() {
    install();
    LINES.set(Some(Vec::new()));
}

/// What has been kept.
pub fn text() -> String {
    String::from_utf8_lossy(&LINES.with_borrow(Clone::clone).unwrap_or_default()).into_owned()
}

struct ThisThread;

impl io::Write for ThisThread {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LINES.with_borrow_mut(|lines| lines.as_mut().map(|lines| lines.extend_from_slice(bytes)));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for ThisThread {
    type Writer = ThisThread;

    fn make_writer(&'a self) -> ThisThread {
        ThisThread
    }
}

//! Tests of `progress`.

use super::{Now, ProgressLine};
use std::sync::mpsc;

#[test]
fn lines() {
    let now = |done, total| Now { phase: "writing".to_owned(), done, total, is_over: false };
    assert_eq!(now(0, 0).line(), "writing …");
    assert_eq!(now(3, 10).line(), "writing 3 of 10");
    assert_eq!(now(11, 10).line(), "writing 10 of 10");
}

/// A long work gets a line, which is gone at the end.
#[test]
fn a_line_comes_and_goes() {
    let (sender, drawn) = mpsc::channel();
    let progress = ProgressLine::drawn_by(
        "reading",
        Some(move |line: &str| sender.send(line.to_owned()).unwrap_or_default()),
    );
    progress.set("writing", 1, 2);
    assert_eq!(drawn.recv().unwrap(), "writing 1 of 2");
    progress.set("comparing\u{1b}[2J", 2, 2);
    assert_eq!(drawn.recv().unwrap(), "comparing [2J 2 of 2");
    drop(progress);
    assert_eq!(drawn.recv().unwrap(), "", "cleared");
    assert!(drawn.recv().is_err());
}

/// A short work is over without a line.
#[test]
fn short_works_draw_nothing() {
    let (sender, drawn) = mpsc::channel();
    drop(ProgressLine::drawn_by(
        "reading",
        Some(move |line: &str| sender.send(line.to_owned()).unwrap_or_default()),
    ));
    assert!(drawn.recv().is_err());
}

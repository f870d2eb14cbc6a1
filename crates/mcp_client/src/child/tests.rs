//! Tests of `child`.

use super::{LONGEST_LINE, LONGEST_READ, log_stderr};
use aqueduct_egress::redact::Redactor;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

async fn logged(said: &str) -> VecDeque<String> {
    let mut redactor = Redactor::default();
    redactor.add_secret("s3cret-value");
    let lines = Arc::new(Mutex::new(VecDeque::new()));
    log_stderr("server".to_owned(), said.as_bytes(), Arc::new(redactor), Arc::clone(&lines)).await;
    let lines = lines.lock().unwrap();
    lines.clone()
}

/// Wherever a secret stands in a line, no part of it is logged, and of a long line its beginning is.
#[tokio::test]
async fn no_part_of_a_secret() {
    for before in [0, LONGEST_LINE - 13, LONGEST_LINE - 6, LONGEST_LINE, LONGEST_READ - 6, LONGEST_READ] {
        let lines = logged(&format!("{}s3cret-value and more\nlast", "x".repeat(before))).await;
        assert_eq!(lines.len(), 2, "{before}");
        assert!(
            !lines.iter().any(|line| line.contains("s3") || line.contains("value")),
            "{before}: {lines:?}"
        );
        assert!(lines[0].len() <= LONGEST_LINE && lines[1] == "last", "{before}: {lines:?}");
    }
    assert_eq!(logged("\n \nübrig").await, ["übrig"]);
}

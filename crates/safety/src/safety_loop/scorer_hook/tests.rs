//! A scorer that fails counts as the worst.

use super::{ScorerHook, parse};
use std::time::Duration;

fn hook(script: &str) -> ScorerHook {
    ScorerHook::new(&["sh".to_owned(), "-c".to_owned(), script.to_owned()]).unwrap()
}

/// C8.7.2-19: another scorer decides, and whatever goes wrong with it counts as 100.
#[tokio::test]
async fn scores_and_failures() {
    assert_eq!(hook("cat >/dev/null; echo 42").score("bot", "do it").await.score, 42);
    let said =
        hook(r#"grep -q "do it" && echo '{"score": 12.1, "factors": ["fine"]}'"#).score("bot", "do it").await;
    assert_eq!((said.score, said.factors), (13, vec!["fine".to_owned()]));
    for script in ["exit 1", "echo nonsense", "echo 3; exit 2", "true"] {
        assert_eq!(hook(script).score("bot", "do it").await.score, 100, "{script}");
    }
    let slow = hook("sleep 30").with_patience(Duration::from_millis(50));
    assert_eq!(slow.score("bot", "do it").await.score, 100);
    let absent = ScorerHook::new(&["/nowhere/scorer".to_owned()]).unwrap();
    assert_eq!(absent.score("bot", "do it").await.score, 100);
}

/// What a command has started ends with it, when it takes too long or says too much.
#[cfg(target_os = "linux")]
#[expect(
    clippy::disallowed_methods,
    reason = "a test looks at processes, and at what its command has written"
)]
#[tokio::test]
async fn nothing_is_left_running() {
    let directory = tempfile::tempdir().unwrap();
    for (number, end) in ["wait", "exec yes 0"].into_iter().enumerate() {
        let file = directory.path().join(number.to_string());
        let script = format!("sleep 300 & echo $! > {}; {end}", file.display());
        let slow = hook(&script).with_patience(Duration::from_secs(2));
        assert_eq!(slow.score("bot", "do it").await.score, 100);
        let started: u32 = std::fs::read_to_string(file).unwrap().trim().parse().unwrap();
        let is_running = || {
            let state = std::fs::read_to_string(format!("/proc/{started}/stat")).unwrap_or_default();
            state.contains("(sleep)") && !state.contains(") Z")
        };
        for _ in 0..200 {
            if !is_running() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert!(!is_running(), "{end}");
    }
}

#[test]
fn numbers() {
    let score = |text: &str| parse(text).map(|risk| risk.score);
    assert_eq!(
        (score("-5"), score("400"), score("30.01"), score("null")),
        (Some(0), Some(100), Some(31), None)
    );
}

//! A notification on the desktop: what waits in, the words of the command that shows it out.
//!
//! It has names and counts alone, never a value of a call. Nothing in it is taken for an option, for markup or for a script.

use aqueduct_operations::failure::wording::shortened;
use aqueduct_operations::rate_limits::metering::PausedQuota;
use aqueduct_operations::rate_limits::status::CounterStatus;
use aqueduct_operations::sanitize::seen;
use aqueduct_safety::hooks::{WaitingAgent, WaitingCalls};

/// Characters that are shown.
const LONGEST: usize = 200;

const TITLE: &str = "Aqueduct: a call waits for you";
const AGENT_TITLE: &str = "Aqueduct: an agent waits for you";
const QUOTA_TITLE: &str = "Aqueduct: a quota is paused";

/// The script takes its text as an argument, so that nothing in the text is script.
const SCRIPT: &str =
    "on run words\ndisplay notification (item 2 of words) with title (item 1 of words)\nend run";

/// The command of this system, for calls.
pub fn words(what: &WaitingCalls) -> Vec<String> {
    notification(TITLE, &text(what))
}

/// The same for an agent.
pub fn words_of_agent(what: &WaitingAgent) -> Vec<String> {
    let text = format!("{} ({}), for {}", what.agent, what.state.replace('_', " "), what.caller);
    notification(AGENT_TITLE, &plain(&text))
}

/// The same for a quota.
pub fn words_of_quota(what: &PausedQuota) -> Vec<String> {
    let number = CounterStatus::number;
    let (current, pause) = (number(what.current), number(what.pause));
    let text = format!("{} of {}: {current} used, paused from {pause}", what.metric, what.source);
    notification(QUOTA_TITLE, &plain(&text))
}

fn notification(title: &str, text: &str) -> Vec<String> {
    if cfg!(target_os = "macos") {
        ["osascript", "-e", SCRIPT, title, text].map(str::to_owned).into()
    } else {
        ["notify-send", "--app-name=aqueduct", "--", title, &escaped(text)].map(str::to_owned).into()
    }
}

fn text(what: &WaitingCalls) -> String {
    let first = what.calls.first();
    let name = |key: &str| first.and_then(|call| call[key].as_str()).unwrap_or_default();
    let more = match what.calls.len() {
        0 | 1 => String::new(),
        count => format!(" and {} more", count - 1),
    };
    let text = format!(
        "{} of {}{more} ({}), for {}",
        name("operation"),
        name("source"),
        what.danger.name(),
        what.caller
    );
    plain(&text)
}

fn plain(text: &str) -> String {
    shortened(&text.chars().map(seen).collect::<String>(), LONGEST)
}

/// As text where markup is read.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

//! A notification on the desktop: what waits in, the words of the command that shows it out.
//!
//! It has names and counts alone, never a value of a call. Nothing in it is taken for an option, for markup or for a script.

use aqueduct_operations::failure::wording::shortened;
use aqueduct_operations::sanitize::seen;
use aqueduct_safety::hooks::WaitingCalls;

/// Characters that are shown.
const LONGEST: usize = 200;

const TITLE: &str = "Aqueduct: a call waits for you";

/// The script takes its text as an argument, so that nothing in the text is script.
const SCRIPT: &str =
    "on run words\ndisplay notification (item 2 of words) with title (item 1 of words)\nend run";

/// The command of this system.
pub fn words(what: &WaitingCalls) -> Vec<String> {
    if cfg!(target_os = "macos") {
        ["osascript", "-e", SCRIPT, TITLE].map(str::to_owned).into_iter().chain([text(what)]).collect()
    } else {
        ["notify-send", "--app-name=aqueduct", "--", TITLE]
            .map(str::to_owned)
            .into_iter()
            .chain([escaped(&text(what))])
            .collect()
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
    shortened(&text.chars().map(seen).collect::<String>(), LONGEST)
}

/// As text where markup is read.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

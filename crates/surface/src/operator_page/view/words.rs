//! Texts, times and values as people read them.
//!
//! Texts of others in; the same without anything unseen out. A long value is shown in part, and opens to the whole of it, or to as much
//! as a page can hold, which it says.

use super::super::session::SignedIn;
use aqueduct_operations::clock::iso8601;
use aqueduct_operations::failure::wording::abridged;
use aqueduct_operations::sanitize::escaped;
use aqueduct_operations::size::grouped;
use jiff::Timestamp;
use maud::{Markup, html};

/// Characters of a value that are shown at once.
const AT_ONCE: usize = 240;
/// Characters of a value that are shown at all, where no one decides on it.
const AT_MOST: usize = 50_000;
/// Characters of a value that somebody has to read who decides on it. With more of them nothing can be approved on the page.
pub const MOST_TO_READ: usize = 500_000;

/// A text of others, in one line and without disguises.
pub fn shown(text: &str) -> String {
    escaped(text)
}

/// A text of several lines of ours, each without disguises.
fn shown_lines(text: &str) -> String {
    text.lines().map(escaped).collect::<Vec<_>>().join("\n")
}

/// A value, in a box of its own when it is long. Its lines are ours: those of others are escaped in JSON, or by `shown`.
pub fn value(text: &str) -> Markup {
    value_up_to(text, AT_MOST)
}

/// The same for somebody who decides on it.
pub fn value_to_decide(text: &str) -> Markup {
    value_up_to(text, MOST_TO_READ)
}

fn value_up_to(text: &str, most: usize) -> Markup {
    let whole = text.chars().count();
    let text = shown_lines(&abridged(text, most));
    let length = text.chars().count();
    if length <= AT_ONCE && !text.contains('\n') {
        return html! { code { (text) } };
    }
    if length <= AT_ONCE * 4 {
        return html! { pre tabindex="0" { code { (text) } } };
    }
    let begin: String = text.chars().take(AT_ONCE).map(|c| if c == '\n' { ' ' } else { c }).collect();
    html! {
        details {
            summary {
                code { (begin) "…" } " "
                span class="soft" {
                    @if whole > most { (most) " of " (whole) " characters" } @else { "all " (whole) " characters" }
                }
            }
            pre tabindex="0" { code { (text) } }
        }
    }
}

/// A moment, which the script shows in the reader's own time.
pub fn moment(moment: Timestamp) -> Markup {
    let text = moment.strftime("%Y-%m-%d %H:%M:%S UTC").to_string();
    html! { time class="moment" datetime=(iso8601(moment)) { (text) } }
}

/// How much time is left, which the script counts down.
pub fn left(until: Timestamp, now: Timestamp) -> Markup {
    html! { time class="left" datetime=(iso8601(until)) data-until=(until.as_millisecond()) { (left_text(until, now)) } }
}

/// `58 min left`.
pub fn left_text(until: Timestamp, now: Timestamp) -> String {
    match until.duration_since(now).as_secs() {
        seconds if seconds <= 0 => "time is over".to_owned(),
        seconds if seconds < 120 => format!("{seconds} s left"),
        seconds => format!("{} min left", seconds / 60),
    }
}

/// A hidden field of a form.
#[derive(Clone, Copy)]
pub struct HiddenField<'v> {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: &'v str,
}

/// The hidden fields of a form: the token of the session, and what the form is about.
pub fn hidden(who: &SignedIn, fields: &[HiddenField<'_>]) -> Markup {
    html! {
        input type="hidden" name="token" value=(who.form_token);
        @for field in fields { input type="hidden" name=(field.name) value=(shown(field.value)); }
    }
}

/// `12,345` or `0.25`: whole where it is.
pub fn amount(amount: f64) -> String {
    if amount.fract() == 0.0 && (0.0..9e15).contains(&amount) {
        return grouped(amount as u64);
    }
    let digits = format!("{amount:.4}");
    digits.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// `1 call`, `5 calls`.
pub fn counted(count: u64, thing: &str) -> String {
    let number = grouped(count);
    if count == 1 { format!("{number} {thing}") } else { format!("{number} {thing}s") }
}

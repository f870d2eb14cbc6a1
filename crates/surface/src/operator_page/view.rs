//! The HTML of the page. Data of the backend in; escaped markup out.
//!
//! Everything is written with `maud`, which escapes what it is given; texts of others pass `words::shown` first, which writes out
//! what would turn the direction of reading or stand there unseen.

mod agents;
mod approval;
mod audit;
mod chart;
mod executions;
mod history;
mod layout;
mod limits;
mod overview;
mod revealed;
mod sign_in;
mod words;

pub use agents::agents;
pub use approval::{can_be_read, cards, names, state_name, too_long};
pub use audit::audit;
pub use executions::{executions, outcome_text};
pub use history::history;
pub use layout::{Frame, frame};
pub use overview::overview;
pub use revealed::revealed;
pub use sign_in::{SignInNotice, sign_in};

use super::live::PageSnapshot;
use super::session::SignedIn;
use maud::{Markup, html};

/// The first page: what waits, and how things are.
pub fn now(who: &SignedIn, shown: &PageSnapshot) -> Markup {
    html! {
        div class="columns" {
            div class="column" {
                section id="waiting" aria-labelledby="waiting-title" {
                    div class="section-head" {
                        h2 id="waiting-title" tabindex="-1" { "Waiting" }
                        span id="waiting-count" class="count" { (shown.waiting.len()) }
                    }
                    div id="cards" { (cards(who, &shown.waiting)) }
                }
                div id="agents" { (agents(who, &shown.agents)) }
                div id="executions" { (executions(who, &shown.executions)) }
            }
            div id="overview" { (overview(who, shown)) }
        }
    }
}

/// Said while the store is lost.
pub fn unavailable() -> Markup {
    html! {
        section class="panel" {
            h2 { "The store cannot be reached" }
            p { "Nothing can be shown or answered until it is back. Calls that need a yes are refused meanwhile, and everything else goes on." }
            p { a href="" { "Try again" } }
        }
    }
}

/// Said where only the notice counts.
pub fn nothing() -> Markup {
    html! { section class="panel" { p { "Go back to what needs an answer with “Now”." } } }
}

//! A code or a token for the operator's eyes, on a page of its own that is kept nowhere.
//!
//! What was revealed in; a page out. Loading it again asks for another one.

use super::super::backend::RevealedSecret;
use super::super::session::SignedIn;
use super::words::{left, shown, value};
use aqueduct_operations::clock::{Clock, SystemClock};
use maud::{Markup, html};
use secrecy::ExposeSecret;

/// The page.
pub fn revealed(who: &SignedIn, revealed: &RevealedSecret) -> Markup {
    let what = if revealed.challenge.is_some() { "Code" } else { "Token" };
    html! {
        section class="panel revealed" aria-labelledby="revealed-title" {
            h2 id="revealed-title" { (what) " for " (shown(&revealed.agent)) }
            p class="secret" { code id="secret" { (revealed.secret.expose_secret()) } }
            p { "It works once. " (left(revealed.expires_at, SystemClock.now())) }
            dl class="facts" {
                @if let Some(challenge) = &revealed.challenge {
                    div { dt class="soft" { "challenge" } dd { (value(&shown(challenge))) } }
                }
                @if let Some((hint, reason)) = &revealed.stopped {
                    div { dt class="soft" { "was about to" } dd { (value(&shown(hint))) } }
                    div { dt class="soft" { "stopped" } dd { "because " (shown(reason)) } }
                }
            }
            p class="soft" { "Give it to the person who lets the agent go on, by a way that the agent does not read. It is shown once; asking again makes another one." }
            p { a href=(who.base_path()) { "Back to what waits" } }
        }
    }
}

//! The page that asks for the passphrase.
//!
//! Why somebody is there, and what went wrong, in; a whole document out. It says nothing of what is behind it.

use super::super::backend::SignInRefusal;
use super::layout::{head, mark};
use super::words::left_text;
use aqueduct_operations::clock::{Clock, SystemClock};
use maud::{DOCTYPE, Markup, html};

/// How somebody came to the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInNotice {
    /// By its address: the script goes on to the desk, if this browser has one open.
    Anew,
    /// Because no one is signed in: the script forgets the desk of before.
    SignedOut,
}

/// The page.
pub fn sign_in(arrival: SignInNotice, refusal: Option<SignInRefusal>) -> Markup {
    let arrival = match arrival {
        SignInNotice::Anew => "anew",
        SignInNotice::SignedOut => "signed-out",
    };
    html! {
        (DOCTYPE)
        html lang="en" {
            (head("Sign in"))
            body class="door" data-arrival=(arrival) {
                main {
                    h1 { (mark()) "Aqueduct operator" }
                    @if let Some(refusal) = refusal {
                        p class="notice bad" role="alert" id="refusal" { (sentence(refusal)) }
                    }
                    form method="post" action="/sign-in" {
                        label for="passphrase" { "Passphrase" }
                        @if refusal.is_some() {
                            input id="passphrase" name="passphrase" type="password" autocomplete="current-password" required autofocus aria-describedby="refusal";
                        } @else {
                            input id="passphrase" name="passphrase" type="password" autocomplete="current-password" required autofocus;
                        }
                        button class="yes" { "Sign in" }
                    }
                }
            }
        }
    }
}

fn sentence(refusal: SignInRefusal) -> Markup {
    match refusal {
        SignInRefusal::Wrong => html! { "That is not it. After a few wrong ones, everybody has to wait." },
        SignInRefusal::NotSet => {
            html! { "None is set yet. Run " code { "aqueduct operator init" } " on this machine, then load this page again." }
        }
        SignInRefusal::Limited { until } => {
            html! { "Too many wrong ones were given. Try again later: " (left_text(until, SystemClock.now())) "." }
        }
        SignInRefusal::Unavailable => {
            html! { "The store cannot be reached, so nobody can sign in now. Try again." }
        }
    }
}

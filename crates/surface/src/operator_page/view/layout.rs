//! The frame around every page of who has signed in: where one is, the way to the other pages, and out.
//!
//! A title and content in; a whole document out. It works without the script; with it, it keeps itself up to date.

use super::super::assets;
use super::super::session::SignedIn;
use super::words::shown;
use maud::{DOCTYPE, Markup, html};

/// The frame of a page.
pub struct Frame<'a> {
    /// Who looks at it.
    pub who: &'a SignedIn,
    /// Which of the pages it is.
    pub title: &'static str,
    /// What is said once.
    pub notice: Option<String>,
}

/// The pages, and where each is below the desk.
const PAGES: [(&str, &str); 3] = [("Now", ""), ("History", "history"), ("Audit", "audit")];

/// A page with its frame.
pub fn frame(frame: &Frame<'_>, content: &Markup) -> Markup {
    let base = frame.who.base_path();
    html! {
        (DOCTYPE)
        html lang="en" {
            (head(frame.title))
            body data-desk=(base) {
                a class="skip" href="#main" { "To the content" }
                header class="top" {
                    div class="top-in" {
                        p class="brand" { (mark()) "Aqueduct" }
                        nav aria-label="Pages" {
                            @for (name, place) in PAGES {
                                @if name == frame.title {
                                    a href=(format!("{base}{place}")) aria-current="page" { (name) }
                                } @else {
                                    a href=(format!("{base}{place}")) { (name) }
                                }
                            }
                        }
                        p id="live" class="live" data-state="off" { span class="dot" {} span id="live-text" { "Not live" } }
                        form method="post" action=(format!("{base}sign-out")) {
                            input type="hidden" name="token" value=(frame.who.form_token);
                            button class="quiet" { "Sign out" }
                        }
                    }
                }
                main id="main" tabindex="-1" {
                    h1 class="unseen" { "Operator: " (frame.title) }
                    @if let Some(notice) = &frame.notice {
                        p class="notice" role="status" tabindex="-1" autofocus { (shown(notice)) }
                    }
                    noscript { p class="soft" { "Without JavaScript this page does not update by itself: load it again to see what is new." } }
                    (content)
                }
                p id="said" class="unseen" role="status" aria-live="polite" {}
            }
        }
    }
}

/// The head of every document.
pub fn head(title: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            meta name="robots" content="noindex";
            title { (title) " · Aqueduct operator" }
            link rel="icon" href=(assets::ICON) type="image/svg+xml";
            link rel="stylesheet" href=(assets::STYLE);
            script src=(assets::SCRIPT) defer {}
        }
    }
}

/// Two arches, with water above.
pub fn mark() -> Markup {
    html! {
        svg class="mark" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true" focusable="false" {
            path class="water" d="M2 7h28v4H2z" {}
            path class="arches" d="M2 12h28v15h-4v-6a4 4 0 0 0-8 0v6h-4v-6a4 4 0 0 0-8 0v6H2z" {}
        }
    }
}

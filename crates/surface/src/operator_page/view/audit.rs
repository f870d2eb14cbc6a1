//! The audit: a search, and the lines that answer to it, newest first.
//!
//! A query and its lines in; a page out, with the way to older lines. What was typed comes back escaped.

use super::super::backend::{AuditQuery, AuditView};
use super::super::session::SignedIn;
use super::words::{moment, shown};
use maud::{Markup, html};

/// The page.
pub fn audit(who: &SignedIn, query: &AuditQuery, lines: &[AuditView]) -> Markup {
    let action = format!("{}audit", who.base_path());
    let is_full = u32::try_from(lines.len()).is_ok_and(|count| count >= query.most);
    html! {
        section aria-labelledby="audit-title" {
            div class="section-head" { h2 id="audit-title" { "Audit" } }
            form class="search" role="search" method="get" action=(action) {
                label for="search" { "Find" }
                input id="search" name="search" type="search" maxlength="200" value=(query.text.as_deref().unwrap_or_default());
                button { "Search" }
            }
            @if lines.is_empty() { p class="empty panel" { "No line has that." } }
            @else { ol class="lines panel" { @for each in lines { (line(each)) } } }
            @if let Some(last) = lines.last().filter(|_| is_full) {
                p { a href=(older(&action, query, last.number)) { "Older lines" } }
            }
            p class="soft" { "Whether nobody has changed a line, " code { "aqueduct operator audit --verify" } " tells." }
        }
    }
}

fn line(line: &AuditView) -> Markup {
    let class = match line.outcome.as_str() {
        "success" | "approved" => "badge good",
        "failure" | "denied" | "lost" => "badge bad",
        _ => "badge",
    };
    html! {
        li {
            span class="when" { span class="number" { (line.number) } " " (moment(line.at)) }
            span class="what" { b { (shown(&line.event)) } " " span class=(class) { (shown(&line.outcome)) } }
            dl class="inline" {
                @for (name, fact) in &line.facts { div { dt { (name) } dd { (shown(&short(name, fact))) } } }
            }
        }
    }
}

/// Of a digest the begin is enough to tell two calls apart.
fn short(name: &str, fact: &str) -> String {
    const ENOUGH: usize = 12;
    if name == "parameters" { fact.chars().take(ENOUGH).collect() } else { fact.to_owned() }
}

fn older(action: &str, query: &AuditQuery, before: i64) -> String {
    let mut pairs = form_urlencoded::Serializer::new(String::new());
    if let Some(text) = &query.text {
        pairs.append_pair("search", text);
    }
    format!("{action}?{}", pairs.append_pair("before", &before.to_string()).finish())
}

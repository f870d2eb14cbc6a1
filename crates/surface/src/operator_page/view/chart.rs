//! Small charts of calls and errors by minute, as SVG.
//!
//! Counts by minute in; sixty bars out, the errors of each in another colour at its foot. What they show is said in words too.

use super::super::instance_report::MinuteCount;
use super::words::counted;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// Minutes that are shown.
pub const MINUTES: i64 = 60;
/// What a minute is wide, with its gap.
const STEP: i64 = 4;

/// Calls and errors of the last hour.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Hour {
    by_minute: BTreeMap<i64, (u64, u64)>,
    now: i64,
}

impl Hour {
    /// The hour that ends with this minute, of counts from anywhere.
    pub fn until<'a>(now: i64, counts: impl Iterator<Item = &'a MinuteCount>) -> Hour {
        let mut by_minute: BTreeMap<i64, (u64, u64)> = BTreeMap::new();
        for count in counts.filter(|count| count.minute > now - MINUTES && count.minute <= now) {
            let (calls, errors) = by_minute.entry(count.minute).or_default();
            *calls = calls.saturating_add(count.calls);
            *errors = errors.saturating_add(count.errors);
        }
        Hour { by_minute, now }
    }

    /// All calls.
    pub fn calls(&self) -> u64 {
        self.by_minute.values().map(|(calls, _)| calls).sum()
    }

    /// Those that failed.
    pub fn errors(&self) -> u64 {
        self.by_minute.values().map(|(_, errors)| errors).sum()
    }

    fn most(&self) -> u64 {
        self.by_minute.values().map(|(calls, _)| *calls).max().unwrap_or(0)
    }

    /// What the chart shows, in words.
    pub fn words(&self) -> String {
        let (calls, errors) = (counted(self.calls(), "call"), counted(self.errors(), "error"));
        format!("{calls} in the last hour, {errors}; most in a minute: {}", self.most())
    }

    /// The chart, so many units high.
    pub fn chart(&self, height: u64) -> Markup {
        let most = self.most().max(1);
        // What is there is seen, however little it is.
        let scaled = |count: u64| if count == 0 { 0 } else { (count.saturating_mul(height) / most).max(2) };
        let bars = self.by_minute.iter().map(|(minute, (calls, errors))| {
            let x = (minute - (self.now - MINUTES + 1)) * STEP;
            (x, scaled(*calls).min(height), scaled(*errors).min(height))
        });
        html! {
            svg class="chart" viewBox=(format!("0 0 {} {}", MINUTES * STEP, height + 1)) preserveAspectRatio="none" role="img" aria-label=(self.words()) {
                @for (x, calls, errors) in bars {
                    rect class="calls" x=(x) y=(height - calls) width=(STEP - 1) height=(calls) {}
                    @if errors > 0 { rect class="errors" x=(x) y=(height - errors) width=(STEP - 1) height=(errors) {} }
                }
                rect class="floor" x="0" y=(height) width=(MINUTES * STEP) height="1" {}
            }
        }
    }
}

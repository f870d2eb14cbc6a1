//! What a process has: memory, open files, threads, at many moments of a run.
//!
//! The number of a process in; figures out, and what has grown between the first calls and the last. Medians of several samples,
//! so that one that was taken while many calls were under way says little.

use crate::bench::session::resident_megabytes;
use anyhow::{Context, Result};
use std::fmt;

/// The share of the calls after which figures count as those of a server that is warm, and up to which; and from where on they are
/// those of the end.
const EARLY: std::ops::Range<u64> = 10..20;
const LATE: std::ops::RangeInclusive<u64> = 90..=100;

/// Growth that is none: pages that the allocator keeps, and connections that are being opened. A kept kilobyte a call would be
/// hundreds of megabytes.
const MOST_SHARE: f64 = 0.10;
const MOST_MEGABYTES: f64 = 6.0;
const MOST_FILES: usize = 8;
const MOST_THREADS: usize = 2;

/// What a process has at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    /// Resident memory.
    pub megabytes: f64,
    /// Open files, sockets among them.
    pub files: usize,
    /// Threads.
    pub threads: usize,
}

impl Figures {
    /// Those of a process, now.
    pub fn of(process: u32) -> Result<Figures> {
        let count = |what: &str| {
            let folder = format!("/proc/{process}/{what}");
            std::fs::read_dir(&folder).map(Iterator::count).with_context(|| folder.clone())
        };
        Ok(Figures { megabytes: resident_megabytes(process)?, files: count("fd")?, threads: count("task")? })
    }

    /// What is more than before, in words.
    pub fn growth_since(&self, before: &Figures) -> Vec<String> {
        let mut grown = Vec::new();
        if self.megabytes > before.megabytes * (1.0 + MOST_SHARE) + MOST_MEGABYTES {
            grown.push(format!("memory grew from {:.1} to {:.1} MB", before.megabytes, self.megabytes));
        }
        if self.files > before.files + MOST_FILES {
            grown.push(format!("open files grew from {} to {}", before.files, self.files));
        }
        if self.threads > before.threads + MOST_THREADS {
            grown.push(format!("threads grew from {} to {}", before.threads, self.threads));
        }
        grown
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} MB, {} open files, {} threads", self.megabytes, self.files, self.threads)
    }
}

/// The figures of a run.
#[derive(Debug, Default)]
pub struct Samples {
    early: Vec<Figures>,
    late: Vec<Figures>,
}

impl Samples {
    /// Takes figures at a percentage of the calls.
    pub fn add(&mut self, percent: u64, figures: Figures) {
        if EARLY.contains(&percent) {
            self.early.push(figures);
        } else if LATE.contains(&percent) {
            self.late.push(figures);
        }
    }

    /// Early and late, if there are some of both.
    pub fn compared(&self) -> Option<(Figures, Figures)> {
        Some((median(&self.early)?, median(&self.late)?))
    }
}

/// The median of each figure.
fn median(samples: &[Figures]) -> Option<Figures> {
    let mut megabytes: Vec<f64> = samples.iter().map(|each| each.megabytes).collect();
    megabytes.sort_by(f64::total_cmp);
    let of = |figure: fn(&Figures) -> usize| {
        let mut all: Vec<usize> = samples.iter().map(figure).collect();
        all.sort_unstable();
        all.get(all.len() / 2).copied()
    };
    Some(Figures {
        megabytes: *megabytes.get(megabytes.len() / 2)?,
        files: of(|each| each.files)?,
        threads: of(|each| each.threads)?,
    })
}

#[cfg(test)]
mod tests;

//! What was found, counted.

use aqueduct_search::MatchConfidence;
use std::time::Duration;

/// The kinds of requests, in the order of the tables.
const KINDS: [&str; 8] =
    ["plain", "synonym", "indirect", "verbose", "terse", "typo", "multilingual", "negated"];

/// The result of one request: at which place the first right operation stands, from 0.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    pub rank: Option<usize>,
    /// The same for plain BM25.
    pub plain_rank: Option<usize>,
    pub time: Duration,
    /// How sure the answer said it was.
    pub confidence: MatchConfidence,
    /// Tokens of the request and of the answer, where they were counted.
    pub tokens: Option<u64>,
}

/// Results with their kinds.
#[derive(Debug, Default)]
pub struct Tally {
    found: Vec<(String, Found)>,
}

impl Tally {
    pub fn add(&mut self, kind: &str, found: Found) {
        self.found.push((kind.to_owned(), found));
    }

    pub fn add_all(&mut self, other: &Tally) {
        self.found.extend(other.found.iter().cloned());
    }

    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The places of the first right operations.
    pub fn ranks(&self) -> Vec<Option<usize>> {
        self.found.iter().map(|(_, found)| found.rank).collect()
    }

    /// The head of `line`.
    pub fn head() -> &'static str {
        "    n  Hit@1    R@5   R@10    MRR  p50 µs  p99 µs  tokens p50  p95 | BM25: Hit@1    R@5   R@10    MRR"
    }

    /// All results in one line.
    pub fn line(&self) -> String {
        line(&self.found.iter().map(|(_, found)| *found).collect::<Vec<_>>())
    }

    /// A line for all results and for each kind.
    pub fn table(&self) -> String {
        let mut lines = vec![format!("{:<13}{}", "", Tally::head()), format!("{:<13}{}", "all", self.line())];
        for kind in KINDS {
            let found: Vec<Found> =
                self.found.iter().filter(|(known, _)| known == kind).map(|(_, found)| *found).collect();
            if !found.is_empty() {
                lines.push(format!("{kind:<13}{}", line(&found)));
            }
        }
        lines.push(self.confidences());
        lines.join("\n")
    }

    /// How often what an answer says of itself is true: a clear one is right, a weak one is not.
    fn confidences(&self) -> String {
        let share = |confidence: MatchConfidence| {
            let of_kind: Vec<&Found> = self
                .found
                .iter()
                .map(|(_, found)| found)
                .filter(|found| found.confidence == confidence)
                .collect();
            let right = of_kind.iter().filter(|found| found.rank == Some(0)).count();
            format!("{right} of {}", of_kind.len())
        };
        let [clear, several, weak] =
            [MatchConfidence::Clear, MatchConfidence::Several, MatchConfidence::Weak].map(share);
        format!("right at the first place: {clear} clear answers, {several} with several, {weak} weak ones")
    }
}

fn line(found: &[Found]) -> String {
    let ours: Vec<Option<usize>> = found.iter().map(|found| found.rank).collect();
    let plain: Vec<Option<usize>> = found.iter().map(|found| found.plain_rank).collect();
    let mut times: Vec<u128> = found.iter().map(|found| found.time.as_micros()).collect();
    times.sort_unstable();
    let mut tokens: Vec<u64> = found.iter().filter_map(|found| found.tokens).collect();
    tokens.sort_unstable();
    format!(
        "{:>5}  {}  {:>6}  {:>6}      {:>6} {:>4} |       {}",
        found.len(),
        figures(&ours),
        percentile(&times, 50),
        percentile(&times, 99),
        percentile(&tokens, 50),
        percentile(&tokens, 95),
        figures(&plain)
    )
}

/// The value that so many of 100 do not exceed; a dash where there are none.
fn percentile<T: ToString>(sorted: &[T], part: usize) -> String {
    sorted.get(sorted.len() * part / 100).map_or_else(|| "-".to_owned(), T::to_string)
}

/// Hit@1, Recall@5, Recall@10 and the mean of the reciprocal ranks.
pub fn figures(ranks: &[Option<usize>]) -> String {
    let count = ranks.len().max(1) as f64;
    let within =
        |most: usize| ranks.iter().filter(|rank| rank.is_some_and(|rank| rank < most)).count() as f64 / count;
    let reciprocal = ranks.iter().flatten().map(|rank| 1.0 / (*rank as f64 + 1.0)).sum::<f64>() / count;
    format!("{:.3}  {:.3}  {:.3}  {reciprocal:.3}", within(1), within(5), within(10))
}

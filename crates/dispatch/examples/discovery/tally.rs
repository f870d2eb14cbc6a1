//! What was found, counted.

use std::time::Duration;

/// The kinds of requests, in the order of the tables.
const KINDS: [&str; 8] =
    ["plain", "synonym", "indirect", "verbose", "terse", "typo", "multilingual", "negated"];

/// Kinds with fewer requests are too few to compare.
const COMPARED: usize = 10;

/// At which place the first right operation stands, from 0.
pub type Rank = Option<usize>;

/// The result of one request.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// By the ranking alone.
    pub ranked: Rank,
    pub bm25: Rank,
    /// Where it was asked.
    pub minilm: Option<Rank>,
    /// Of the ranking alone.
    pub time: Duration,
    /// What the ranking says of itself.
    pub confidence: &'static str,
    /// Where a server was asked.
    pub served: Option<Served>,
}

/// What a server answered.
#[derive(Debug, Clone, Default)]
pub struct Served {
    pub rank: Rank,
    /// Whether the answer that one gets without asking for more has a right operation.
    pub is_shown: bool,
    pub confidence: String,
    /// Tokens of the request and of the answer.
    pub tokens: u64,
    /// From the request to the answer.
    pub micros: u64,
}

impl Found {
    /// As a caller sees it, else by the ranking alone.
    fn rank(&self) -> Rank {
        self.served.as_ref().map_or(self.ranked, |served| served.rank)
    }

    fn confidence(&self) -> &str {
        self.served.as_ref().map_or(self.confidence, |served| &served.confidence)
    }
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
    pub fn ranks(&self) -> Vec<Rank> {
        self.found.iter().map(|(_, found)| found.rank()).collect()
    }

    /// The head of `line`.
    pub fn head() -> &'static str {
        "    n  Hit@1   R@5  R@10   MRR | alone: Hit@1   R@5 | BM25: Hit@1   R@5  R@10   MRR | MiniLM: Hit@1   R@5  R@10   MRR \
         | tokens p50  p95 | µs p50    p99 | answer µs p50    p99"
    }

    /// All results in one line.
    pub fn line(&self) -> String {
        line(&self.found.iter().map(|(_, found)| found).collect::<Vec<_>>())
    }

    /// A line for all results and for each kind, and what the answers said of themselves.
    pub fn table(&self) -> String {
        let mut lines = vec![format!("{:<13}{}", "", Tally::head()), format!("{:<13}{}", "all", self.line())];
        for (kind, found) in self.kinds() {
            lines.push(format!("{kind:<13}{}", line(&found)));
        }
        lines.push(self.confidences());
        lines.join("\n")
    }

    /// Kinds of enough requests for which we do not find more than plain BM25 or MiniLM, first and among the first five: true
    /// with those for which the other one finds more. Where both find all, no one can find more.
    pub fn unbeaten_kinds(&self) -> Vec<(String, bool)> {
        let mut unbeaten = Vec::new();
        for (kind, found) in self.kinds().filter(|(_, found)| found.len() >= COMPARED) {
            let ours: Vec<Rank> = found.iter().map(|found| found.rank()).collect();
            let bm25: Vec<Rank> = found.iter().map(|found| found.bm25).collect();
            let minilm: Vec<Rank> = found.iter().filter_map(|found| found.minilm).collect();
            for (name, theirs) in [("BM25", bm25), ("MiniLM", minilm)] {
                if theirs.len() != ours.len() {
                    continue;
                }
                for (figure, most) in [("Hit@1", 1), ("Recall@5", 5)] {
                    let (own, other) = (within(&ours, most), within(&theirs, most));
                    if own <= other && own < 1.0 {
                        let text = format!("{kind}, {figure}: {own:.3}, {name} {other:.3}");
                        unbeaten.push((text, own < other));
                    }
                }
            }
        }
        unbeaten
    }

    fn kinds(&self) -> impl Iterator<Item = (&'static str, Vec<&Found>)> {
        let of_kind = |kind: &'static str| {
            let found: Vec<&Found> =
                self.found.iter().filter(|(known, _)| known == kind).map(|(_, found)| found).collect();
            (kind, found)
        };
        KINDS.into_iter().map(of_kind).filter(|(_, found)| !found.is_empty())
    }

    /// How often what an answer says of itself is true: a clear one is right, a weak one is not. And how often the answer has a
    /// right operation at all.
    fn confidences(&self) -> String {
        let share = |confidence: &str| {
            let such = self.found.iter().filter(|(_, found)| found.confidence() == confidence);
            let ranks: Vec<Rank> = such.map(|(_, found)| found.rank()).collect();
            format!("{} of {}", ranks.iter().filter(|rank| **rank == Some(0)).count(), ranks.len())
        };
        let served: Vec<&Served> = self.found.iter().filter_map(|(_, found)| found.served.as_ref()).collect();
        let shown = served.iter().filter(|served| served.is_shown).count();
        let in_answers = match served.len() {
            0 => String::new(),
            answers => format!("; a right one is in {shown} of {answers} answers"),
        };
        format!(
            "right at the first place: {} clear answers, {} with several, {} weak ones{in_answers}",
            share("clear"),
            share("several"),
            share("weak"),
        )
    }
}

fn line(found: &[&Found]) -> String {
    let ranks = |rank: fn(&Found) -> Rank| found.iter().map(|found| rank(found)).collect::<Vec<Rank>>();
    let alone = ranks(|found| found.ranked);
    let minilm: Vec<Rank> = found.iter().filter_map(|found| found.minilm).collect();
    let minilm = if minilm.is_empty() { "    -     -     -     -".to_owned() } else { figures(&minilm) };
    let sorted = |value: fn(&Served) -> u64| {
        let mut values: Vec<u64> =
            found.iter().filter_map(|found| found.served.as_ref()).map(value).collect();
        values.sort_unstable();
        values
    };
    let (tokens, micros) = (sorted(|served| served.tokens), sorted(|served| served.micros));
    let mut times: Vec<u128> = found.iter().map(|found| found.time.as_micros()).collect();
    times.sort_unstable();
    format!(
        "{:>5}  {} |        {:.3} {:.3} |       {} |         {} |       {:>4} {:>4} | {:>6} {:>6} |        {:>6} {:>6}",
        found.len(),
        figures(&ranks(Found::rank)),
        within(&alone, 1),
        within(&alone, 5),
        figures(&ranks(|found| found.bm25)),
        minilm,
        percentile(&tokens, 50),
        percentile(&tokens, 95),
        percentile(&times, 50),
        percentile(&times, 99),
        percentile(&micros, 50),
        percentile(&micros, 99),
    )
}

/// The value that so many of 100 do not exceed; a dash where there are none.
fn percentile<T: ToString>(sorted: &[T], part: usize) -> String {
    sorted.get(sorted.len() * part / 100).map_or_else(|| "-".to_owned(), T::to_string)
}

/// How many of these are among the first so many.
fn within(ranks: &[Rank], most: usize) -> f64 {
    let count = ranks.len().max(1) as f64;
    ranks.iter().filter(|rank| rank.is_some_and(|rank| rank < most)).count() as f64 / count
}

/// Hit@1, Recall@5, Recall@10 and the mean of the reciprocal ranks.
pub fn figures(ranks: &[Rank]) -> String {
    let count = ranks.len().max(1) as f64;
    let reciprocal: f64 = ranks.iter().flatten().map(|rank| 1.0 / (*rank as f64 + 1.0)).sum();
    let mean = reciprocal / count;
    format!("{:.3} {:.3} {:.3} {mean:.3}", within(ranks, 1), within(ranks, 5), within(ranks, 10))
}

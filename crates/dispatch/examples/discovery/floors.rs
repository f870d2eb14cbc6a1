//! What the figures are held against: floors and bounds, on the wrong side of which the program fails, and targets, which are
//! only printed.

/// Hit@1 and Recall@5.
#[derive(Debug, Clone, Copy)]
pub struct Shares(pub f64, pub f64);

/// What one group of requests is held against.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    group: &'static str,
    /// What the prototype reached with the same data, on requests that it was not tuned to.
    floor: Shares,
    target: Shares,
}

/// GitHub's 150 and Stripe's 80 requests of the prototype (.533 / .760 and .588 / .750) as one figure.
pub const GITHUB_AND_STRIPE: Bounds =
    Bounds { group: "GitHub and Stripe", floor: Shares(0.552, 0.757), target: Shares(0.60, 0.82) };
pub const OTHERS: Bounds = Bounds { group: "others", floor: Shares(0.52, 0.68), target: Shares(0.58, 0.78) };
pub const METATOOL: Bounds =
    Bounds { group: "MetaTool", floor: Shares(0.455, 0.697), target: Shares(0.50, 0.75) };

impl Bounds {
    /// Prints what was found beside the bounds; true when no floor was missed.
    pub fn hold(&self, found: Shares) -> bool {
        let (Shares(hit, recall), floor, target) = (found, self.floor, self.target);
        let is_over = |bound: Shares| hit >= bound.0 && recall >= bound.1;
        let verdict = match (is_over(floor), is_over(target)) {
            (false, _) => "BELOW THE FLOOR",
            (true, false) => "target missed",
            (true, true) => "target met",
        };
        println!(
            "{:<20} {hit:.3} / {recall:.3}, floor {:.3} / {:.3}, target {:.2} / {:.2}: {verdict}",
            self.group, floor.0, floor.1, target.0, target.1
        );
        is_over(floor)
    }
}

/// What 5,000 operations may cost: milliseconds of 99 of 100 searches and of building the index, megabytes of memory.
pub const SEARCH: Most = Most { what: "a search, 99 of 100", most: 1.0, unit: "ms" };
pub const BUILDING: Most = Most { what: "building the index", most: 300.0, unit: "ms" };
pub const MEMORY: Most = Most { what: "memory", most: 15.0, unit: "MB" };

/// What a figure must stay below.
#[derive(Debug, Clone, Copy)]
pub struct Most {
    what: &'static str,
    most: f64,
    unit: &'static str,
}

impl Most {
    /// Prints what was found beside the bound; true when it is below.
    pub fn hold(&self, found: f64) -> bool {
        let Most { what, most, unit } = self;
        let is_met = found < *most;
        let verdict = if is_met { "met" } else { "MISSED" };
        println!("{what:<20} {found:.3} {unit}, bound {most} {unit}: {verdict}");
        is_met
    }
}

/// Of these ranks, how many are the first and how many are among the first five.
pub fn shares(ranks: &[Option<usize>]) -> Shares {
    let count = ranks.len().max(1) as f64;
    let within = |most: usize| ranks.iter().flatten().filter(|rank| **rank < most).count() as f64 / count;
    Shares(within(1), within(5))
}

//! Tests of `figures`.

use super::{Figures, Samples};

const BEFORE: Figures = Figures { megabytes: 40.0, files: 20, threads: 5 };

#[test]
fn growth_is_seen() {
    assert!(BEFORE.growth_since(&BEFORE).is_empty());
    assert!(Figures { megabytes: 49.9, files: 28, threads: 7 }.growth_since(&BEFORE).is_empty());
    for grown in [
        Figures { megabytes: 50.1, ..BEFORE },
        Figures { files: 29, ..BEFORE },
        Figures { threads: 8, ..BEFORE },
    ] {
        assert_eq!(grown.growth_since(&BEFORE).len(), 1, "{grown}");
    }
}

#[test]
fn the_first_calls_do_not_count() {
    let mut samples = Samples::default();
    samples.add(5, Figures { megabytes: 1.0, ..BEFORE });
    for percent in [10, 12, 19] {
        samples.add(percent, Figures { megabytes: percent as f64, ..BEFORE });
    }
    assert!(samples.compared().is_none());
    samples.add(50, Figures { megabytes: 900.0, ..BEFORE });
    samples.add(100, Figures { megabytes: 99.0, ..BEFORE });
    let (early, late) = samples.compared().unwrap();
    assert_eq!((early.megabytes, late.megabytes), (12.0, 99.0));
}

#[test]
fn this_process_has_figures() {
    let own = Figures::of(std::process::id()).unwrap();
    assert!(own.megabytes > 1.0 && own.files >= 3 && own.threads >= 1, "{own}");
}

//! Moments and choices that differ from round to round, and are the same in every run.
//!
//! A bound in, a number below it out (xorshift; nothing depends on how good it is).

use std::time::Duration;

#[derive(Debug)]
pub struct Dice(u64);

impl Dice {
    pub fn new() -> Dice {
        Dice(0x9e37_79b9_7f4a_7c15)
    }

    /// A number below this one.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound.max(1)
    }

    /// A time shorter than this one.
    pub fn moment(&mut self, longest: Duration) -> Duration {
        Duration::from_micros(self.below(u64::try_from(longest.as_micros()).unwrap_or(u64::MAX)))
    }
}

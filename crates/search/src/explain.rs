//! What a score is made of, by name, for people who ask why.

use crate::score::Parts;

impl Parts {
    /// Every part with its name, in the order in which they are usually large.
    pub fn named(&self) -> [(&'static str, f32); 7] {
        [
            ("words", self.words),
            ("name", self.name),
            ("path", self.head),
            ("verb", self.class),
            ("meaning", self.meaning),
            ("depth", self.depth),
            ("deprecated", self.deprecated),
        ]
    }
}

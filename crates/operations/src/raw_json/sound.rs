//! Walks JSON text without keeping anything, and refuses what other readers choke on: nesting over 127 levels, lone
//! surrogates, numbers out of range. JSON text in, nothing or the parser's error out.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// A value that was looked at and forgotten.
pub(super) struct Sound;

impl<'de> Deserialize<'de> for Sound {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Sound, D::Error> {
        deserializer.deserialize_any(Look)
    }
}

struct Look;

impl<'de> Visitor<'de> for Look {
    type Value = Sound;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Sound, E> {
        Ok(Sound)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Sound, E> {
        Ok(Sound)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Sound, E> {
        Ok(Sound)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Sound, E> {
        Ok(Sound)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Sound, E> {
        Ok(Sound)
    }

    fn visit_unit<E: Error>(self) -> Result<Sound, E> {
        Ok(Sound)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Sound, A::Error> {
        while items.next_element::<Sound>()?.is_some() {}
        Ok(Sound)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Sound, A::Error> {
        while entries.next_entry::<Sound, Sound>()?.is_some() {}
        Ok(Sound)
    }
}

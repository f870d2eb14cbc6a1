//! What is wrong with a text that is no good JSON, in the words of the parser. The text in, its error out.
//!
//! The parser refuses just what `valid` refuses, which a property test holds, and takes twice as long to read it.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Reads a text as the parser does: its error, if it has one.
pub(super) fn read(text: &str) -> serde_json::Result<()> {
    serde_json::from_str::<ReadJson>(text).map(drop)
}

/// A value that was looked at and forgotten.
struct ReadJson;

impl<'de> Deserialize<'de> for ReadJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ReadJson, D::Error> {
        deserializer.deserialize_any(ReadJsonVisitor)
    }
}

struct ReadJsonVisitor;

impl<'de> Visitor<'de> for ReadJsonVisitor {
    type Value = ReadJson;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<ReadJson, E> {
        Ok(ReadJson)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<ReadJson, E> {
        Ok(ReadJson)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<ReadJson, E> {
        Ok(ReadJson)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<ReadJson, E> {
        Ok(ReadJson)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<ReadJson, E> {
        Ok(ReadJson)
    }

    fn visit_unit<E: Error>(self) -> Result<ReadJson, E> {
        Ok(ReadJson)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<ReadJson, A::Error> {
        while items.next_element::<ReadJson>()?.is_some() {}
        Ok(ReadJson)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<ReadJson, A::Error> {
        while entries.next_entry::<ReadJson, ReadJson>()?.is_some() {}
        Ok(ReadJson)
    }
}

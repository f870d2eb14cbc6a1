//! YAML text to JSON text, written as it is read: no tree is built.
//!
//! Keys become text whatever they look like (`200:`), their order stays; values are what YAML 1.2 says (`on`, `yes` and
//! dates are text). Duplicate keys, deep nesting and alias bombs are refused with their line.

use super::error::OpenError;
use super::valid::MAX_DEPTH;
use aqueduct_documents::yaml::{YamlKey, YamlLimits, options};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_saphyr::options::Options;
use std::fmt::{self, Write};

/// Enough for the deepest document that is read, whatever the stack of the caller.
const STACK: usize = 16 * 1024 * 1024;

/// The JSON text of one YAML document.
pub(super) fn to_json(text: &str) -> Result<String, OpenError> {
    let failed =
        || OpenError::Unreadable { reason: "the document could not be converted from YAML".to_owned() };
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name("yaml".to_owned()).stack_size(STACK);
        let thread = builder.spawn_scoped(scope, || converted(text)).map_err(|_| failed())?;
        thread.join().map_err(|_| failed())?
    })
}

fn converted(text: &str) -> Result<String, OpenError> {
    let mut out = String::with_capacity(text.len() + text.len() / 2);
    let most = text.len().saturating_mul(8).max(16 * 1024 * 1024);
    serde_saphyr::with_deserializer_from_str_with_options(text, document_options(), |deserializer| {
        YamlToJson { out: &mut out, most }.deserialize(deserializer)
    })
    .map_err(|error| problem(&error))?;
    Ok(out)
}

fn document_options() -> Options {
    let mut options = options(&YamlLimits {
        depth: MAX_DEPTH,
        nodes: 50_000_000,
        events: 100_000_000,
        replayed_events: 200_000,
        replay_depth: 64,
    });
    options.ignore_binary_tag_for_string = true;
    if let Some(budget) = &mut options.budget {
        budget.max_total_scalar_bytes = 512 * 1024 * 1024;
        budget.max_merge_keys = 200_000;
        budget.enforce_alias_anchor_ratio = false;
    }
    options
}

fn problem(error: &serde_saphyr::Error) -> OpenError {
    let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX).max(1);
    let (line, column) =
        error.location().map_or((1, 1), |place| (narrow(place.line()), narrow(place.column())));
    let words = error.without_snippet().to_string();
    let words = words.lines().next().unwrap_or_default();
    let reason = words.split(" at line ").next().unwrap_or_default().to_owned();
    OpenError::Syntax { format: "YAML", line, column, reason }
}

/// Writes the value that is read to the end of the text.
struct YamlToJson<'o> {
    out: &'o mut String,
    most: usize,
}

impl YamlToJson<'_> {
    fn put<E: Error>(self, piece: impl fmt::Display) -> Result<(), E> {
        write!(self.out, "{piece}").map_err(E::custom)
    }

    fn check<E: Error>(&self) -> Result<(), E> {
        if self.out.len() > self.most {
            return Err(E::custom("the document grows beyond all bounds when its aliases are replaced"));
        }
        Ok(())
    }
}

fn put_text(out: &mut String, text: &str) {
    out.push_str(&serde_json::Value::from(text).to_string());
}

impl<'de> DeserializeSeed<'de> for YamlToJson<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for YamlToJson<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.put("null")
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.put("null")
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<(), E> {
        self.put(flag)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        self.put(number)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        self.put(number)
    }

    fn visit_i128<E: Error>(self, number: i128) -> Result<(), E> {
        self.put(number)
    }

    fn visit_u128<E: Error>(self, number: u128) -> Result<(), E> {
        self.put(number)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        self.put(serde_json::Value::from(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        put_text(self.out, text);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        self.out.push('[');
        let before = self.out.len();
        loop {
            let mark = self.out.len();
            if mark > before {
                self.out.push(',');
            }
            if list.next_element_seed(YamlToJson { out: self.out, most: self.most })?.is_none() {
                self.out.truncate(mark);
                break;
            }
            self.check()?;
        }
        self.out.push(']');
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.out.push('{');
        let before = self.out.len();
        while let Some(key) = map.next_key::<YamlKey>()? {
            if self.out.len() > before {
                self.out.push(',');
            }
            put_text(self.out, &key.0);
            self.out.push(':');
            map.next_value_seed(YamlToJson { out: self.out, most: self.most })?;
            self.check()?;
        }
        self.out.push('}');
        Ok(())
    }
}

//! JSON text that is known to be valid and compact, so that it can be spliced into a response without building a tree.
//!
//! Text in; the same JSON without white space between its tokens out. It is never printed, only measured.

mod numbers;
mod refused;
mod valid;

use crate::compact_json::compact;
use std::fmt;
use std::sync::Arc;

/// Valid, compact JSON text. A response may be large, so its text is shared and never copied.
#[derive(Clone, PartialEq, Eq)]
pub struct RawJson(Arc<String>);

impl RawJson {
    /// Checks the text and drops the white space between its tokens.
    pub fn parse(text: &str) -> Result<RawJson, serde_json::Error> {
        let has_space = match valid::walk(text) {
            Some(valid) => valid.has_space,
            None => {
                refused::read(text)?;
                true
            }
        };
        Ok(RawJson(Arc::new(if has_space { compact(text) } else { text.to_owned() })))
    }

    /// The same for JSON with numbers beyond what machines hold: these become texts, and their count is given.
    pub fn parse_any_number(text: &str) -> Result<(RawJson, usize), serde_json::Error> {
        let error = match RawJson::parse(text) {
            Ok(parsed) => return Ok((parsed, 0)),
            Err(error) => error,
        };
        match numbers::quoted(text) {
            (_, 0) => Err(error),
            (quoted, count) => RawJson::parse(&quoted).map(|parsed| (parsed, count)),
        }
    }

    /// The object or list that a text is; none when it is something else, for a lone number may just be a word.
    pub fn structure_in(text: &str) -> Option<RawJson> {
        RawJson::parse(text).ok().filter(|json| json.as_str().starts_with(['{', '[']))
    }

    /// The JSON text of a value.
    pub fn of(value: &serde_json::Value) -> RawJson {
        RawJson(Arc::new(value.to_string()))
    }

    /// A piece of JSON text that was put together from pieces of valid compact JSON, such as a list of items.
    pub fn spliced(text: String) -> RawJson {
        RawJson(Arc::new(text))
    }

    /// An object with these members, spliced together as text.
    pub fn object(members: &[(&str, &RawJson)]) -> RawJson {
        let mut text = String::from("{");
        for (index, (key, value)) in members.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            text.push_str(&serde_json::Value::from(*key).to_string());
            text.push(':');
            text.push_str(value.as_str());
        }
        text.push('}');
        RawJson(Arc::new(text))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

// The text may be a response with personal data in it: only its size is printed.
impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RawJson({} bytes)", self.0.len())
    }
}

#[cfg(test)]
mod tests;

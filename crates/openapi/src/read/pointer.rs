//! JSON pointers: their tokens, and the way down a text token by token without parsing what is passed over.
//!
//! A text with its outline and tokens in, the piece of the text they lead to out. What the outline has indexed is
//! found at once; a way that ends early says how far it went.

use super::outline::{JsonOutline, OutlineKey, Span};
use percent_encoding::percent_decode_str;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// The tokens of a pointer such as `/paths/~1users/get`, unescaped. As URI fragments they may hold percent-escapes.
pub(super) fn tokens(pointer: &str) -> Vec<String> {
    let unescape = |token: &str| {
        let decoded = percent_decode_str(token).decode_utf8_lossy();
        // Few names have one, and each replacement copies.
        if decoded.contains('~') {
            decoded.replace("~1", "/").replace("~0", "~")
        } else {
            decoded.into_owned()
        }
    };
    pointer.split('/').skip(1).map(unescape).collect()
}

/// The part of a text that the tokens lead to, and how many tokens were used up: fewer when the way ends early.
pub(super) fn descend(text: &str, outline: &JsonOutline, tokens: &[String]) -> (Span, usize) {
    let (mut span, mut used) = indexed(outline, tokens).unwrap_or((outline.whole, 0));
    while let Some(token) = tokens.get(used) {
        let Some(next) = member(text, span, token) else { break };
        span = next;
        used += 1;
    }
    (span, used)
}

fn indexed(outline: &JsonOutline, tokens: &[String]) -> Option<(Span, usize)> {
    match tokens {
        [components, kind, name, ..] if components == "components" => {
            Some((outline.section(&format!("components/{kind}"))?.get(name)?, 3))
        }
        [section, name, ..] if outline.section(section).is_some() => {
            Some((outline.section(section)?.get(name)?, 2))
        }
        [member, ..] => Some((outline.members.get(member)?, 1)),
        [] => None,
    }
}

/// The member of an object, or the element of a list, that a token names.
pub(super) fn member(text: &str, span: Span, token: &str) -> Option<Span> {
    let mut deserializer = serde_json::Deserializer::from_str(span.of(text));
    let found = FindPointer { token }.deserialize(&mut deserializer).ok()??;
    Some(Span::within(text, found.get()))
}

struct FindPointer<'p> {
    token: &'p str,
}

impl<'de> DeserializeSeed<'de> for FindPointer<'_> {
    type Value = Option<&'de RawValue>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for FindPointer<'_> {
    type Value = Option<&'de RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or a list")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = None;
        while let Some(key) = map.next_key::<OutlineKey<'de>>()? {
            if key.0 == self.token {
                found = Some(map.next_value()?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let wanted = self.token.parse::<usize>().ok();
        let mut found = None;
        let mut index = 0;
        while let Some(element) = list.next_element::<&RawValue>()? {
            if wanted == Some(index) {
                found = Some(element);
            }
            index += 1;
        }
        Ok(found)
    }
}

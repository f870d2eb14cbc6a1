//! Where the parts of a JSON text stand: one pass over it, nothing parsed but names.
//!
//! Valid JSON text in; the byte ranges of its members, and of the entries of the sections that OpenAPI refers into, out.

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

/// The sections whose entries are indexed, besides each one below `components`.
const SECTIONS: [&str; 8] = [
    "paths",
    "webhooks",
    "x-webhooks",
    "definitions",
    "parameters",
    "responses",
    "securityDefinitions",
    "$defs",
];

/// A piece of a text, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Span {
    pub(super) fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or("null")
    }

    /// Where a slice of the text stands in it.
    pub(super) fn within(text: &str, slice: &str) -> Span {
        let start = slice.as_ptr() as usize - text.as_ptr() as usize;
        // Documents are capped far below 4 GiB.
        Span { start: start as u32, end: (start + slice.len()) as u32 }
    }
}

/// Named entries in the order of the document.
#[derive(Debug, Default)]
pub(super) struct OutlineSection {
    entries: Vec<(Box<str>, Span)>,
    by_name: HashMap<Box<str>, u32>,
}

impl OutlineSection {
    /// False when the name was there already: the last one counts.
    fn insert(&mut self, name: &str, span: Span) -> bool {
        if let Some(known) = self.by_name.get(name) {
            self.entries[*known as usize].1 = span;
            return false;
        }
        self.by_name.insert(name.into(), self.entries.len() as u32);
        self.entries.push((name.into(), span));
        true
    }

    pub(super) fn get(&self, name: &str) -> Option<Span> {
        self.by_name.get(name).map(|index| self.entries[*index as usize].1)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, Span)> {
        self.entries.iter().map(|(name, span)| (&**name, *span))
    }
}

/// The index of one text.
#[derive(Debug)]
pub(super) struct JsonOutline {
    /// All of it.
    pub(super) whole: Span,
    /// What it is when it is no object.
    pub(super) not_an_object: Option<&'static str>,
    /// The members that are no section.
    pub(super) members: OutlineSection,
    /// `paths`, `components/schemas` and the like.
    pub(super) sections: HashMap<String, OutlineSection>,
    /// Sections that are no objects, and what they are.
    pub(super) odd: Vec<(String, &'static str)>,
    /// Keys given twice, as far as the index goes.
    pub(super) repeated: Vec<String>,
}

impl JsonOutline {
    pub(super) fn of(text: &str) -> Result<JsonOutline, serde_json::Error> {
        let mut outline = JsonOutline {
            whole: Span::within(text, text),
            not_an_object: None,
            members: OutlineSection::default(),
            sections: HashMap::new(),
            odd: Vec::new(),
            repeated: Vec::new(),
        };
        let mut deserializer = serde_json::Deserializer::from_str(text);
        outline.not_an_object =
            MemberReader { text, each: EachMember::Root(&mut outline) }.deserialize(&mut deserializer)?;
        deserializer.end()?;
        Ok(outline)
    }

    pub(super) fn section(&self, name: &str) -> Option<&OutlineSection> {
        self.sections.get(name)
    }

    fn read_section<'de, A: MapAccess<'de>>(
        &mut self,
        text: &'de str,
        name: &str,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let mut section = OutlineSection::default();
        let each = EachMember::Entry { section: &mut section, repeated: &mut self.repeated, name };
        match map.next_value_seed(MemberReader { text, each })? {
            None => {
                if self.sections.insert(name.to_owned(), section).is_some() {
                    self.repeated.push(format!("'{name}'"));
                }
            }
            Some(found) => self.odd.push((name.to_owned(), found)),
        }
        Ok(())
    }
}

/// Reads the members of an object, or says what it is instead.
struct MemberReader<'t, 'o> {
    text: &'t str,
    each: EachMember<'o>,
}

enum EachMember<'o> {
    Root(&'o mut JsonOutline),
    Components(&'o mut JsonOutline),
    Entry { section: &'o mut OutlineSection, repeated: &'o mut Vec<String>, name: &'o str },
}

impl<'de> DeserializeSeed<'de> for MemberReader<'de, '_> {
    type Value = Option<&'static str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for MemberReader<'de, '_> {
    type Value = Option<&'static str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Some("null"))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Some("a boolean"))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Some("a number"))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Some("a number"))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Some("a number"))
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Self::Value, E> {
        Ok(Some("a string"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Some("a list"))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let MemberReader { text, mut each } = self;
        while let Some(key) = map.next_key::<OutlineKey<'de>>()? {
            let key = key.0;
            match &mut each {
                EachMember::Root(outline) if key == "components" => {
                    let found =
                        map.next_value_seed(MemberReader { text, each: EachMember::Components(outline) })?;
                    outline.odd.extend(found.map(|found| ("components".to_owned(), found)));
                }
                EachMember::Root(outline) if SECTIONS.contains(&&*key) => {
                    outline.read_section(text, &key, &mut map)?
                }
                EachMember::Components(outline) => {
                    outline.read_section(text, &format!("components/{key}"), &mut map)?;
                }
                EachMember::Root(outline) => {
                    let span = Span::within(text, map.next_value::<&RawValue>()?.get());
                    if !outline.members.insert(&key, span) {
                        outline.repeated.push(format!("'{key}'"));
                    }
                }
                EachMember::Entry { section, repeated, name } => {
                    let span = Span::within(text, map.next_value::<&RawValue>()?.get());
                    if !section.insert(&key, span) {
                        repeated.push(format!("'{key}' in '{name}'"));
                    }
                }
            }
        }
        Ok(None)
    }
}

/// A key, borrowed from the text where it has no escapes.
#[derive(serde::Deserialize)]
pub(super) struct OutlineKey<'t>(#[serde(borrow)] pub(super) Cow<'t, str>);

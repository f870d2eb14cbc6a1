//! Places inside a value, as people write them: `labels[2].name`.
//!
//! Steps in, text out. A name with signs that would make the text ambiguous is quoted in brackets.

/// A place, as the steps that lead to it. The text is made when it is needed.
pub(crate) struct ValuePath<'a> {
    step: Option<(&'a ValuePath<'a>, ValuePathStep<'a>)>,
    depth: usize,
}

#[derive(Clone, Copy)]
enum ValuePathStep<'a> {
    Property(&'a str),
    Item(usize),
}

impl<'a> ValuePath<'a> {
    /// The whole value.
    pub(crate) fn root() -> ValuePath<'static> {
        ValuePath { step: None, depth: 0 }
    }

    /// A property of what is here.
    pub(crate) fn property<'b>(&'b self, name: &'b str) -> ValuePath<'b>
    where
        'a: 'b,
    {
        ValuePath { step: Some((self, ValuePathStep::Property(name))), depth: self.depth + 1 }
    }

    /// An item of what is here.
    pub(crate) fn item<'b>(&'b self, index: usize) -> ValuePath<'b>
    where
        'a: 'b,
    {
        ValuePath { step: Some((self, ValuePathStep::Item(index))), depth: self.depth + 1 }
    }

    /// Steps from the whole value.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// As people write it.
    pub(crate) fn text(&self) -> String {
        match &self.step {
            None => String::new(),
            Some((parent, ValuePathStep::Property(name))) => property(&parent.text(), name),
            Some((parent, ValuePathStep::Item(index))) => item(&parent.text(), *index),
        }
    }
}

/// Characters of a name that are shown.
const SHOWN: usize = 100;

/// The place of a property.
pub(crate) fn property(parent: &str, name: &str) -> String {
    let name = name.char_indices().nth(SHOWN).map_or(name, |(end, _)| &name[..end]);
    let plain =
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '@'));
    match (plain, parent.is_empty()) {
        (true, true) => name.to_owned(),
        (true, false) => format!("{parent}.{name}"),
        (false, _) => format!("{parent}[{name:?}]"),
    }
}

/// The place of an item.
pub(crate) fn item(parent: &str, index: usize) -> String {
    format!("{parent}[{index}]")
}

#[cfg(test)]
mod tests;

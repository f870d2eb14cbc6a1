//! Walks over JSON text from token to token, without a tree.
//!
//! Valid compact JSON in, slices of it out. A walk over text that is something else ends early with `None`: it never
//! panics, and only what was requested is looked into. Nothing here recurses, so depth costs no stack.

use aqueduct_operations::json_text::{end_of_nested, string_end};
use std::borrow::Cow;

/// A place in JSON text.
#[derive(Debug, Clone)]
pub(crate) struct JsonScanner<'a> {
    text: &'a str,
    at: usize,
}

/// The name of a member, as it is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MemberName<'a> {
    /// With its quotes.
    pub(crate) quoted: &'a str,
    escaped: bool,
}

impl<'a> JsonScanner<'a> {
    pub(crate) fn new(text: &'a str) -> JsonScanner<'a> {
        JsonScanner { text, at: 0 }
    }

    /// The byte that comes next.
    pub(crate) fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Steps over this byte if it comes next.
    fn eat(&mut self, byte: u8) -> bool {
        let is_next = self.next() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Steps over this byte, which must come next.
    fn expect(&mut self, byte: u8) -> Option<()> {
        self.eat(byte).then_some(())
    }

    /// Steps into an object or array. Says whether there is anything in it.
    pub(crate) fn enter(&mut self, open: u8, close: u8) -> Option<bool> {
        self.expect(open)?;
        Some(!self.eat(close))
    }

    /// Steps behind the comma, or out of the object or array. Says whether more comes.
    pub(crate) fn go_on(&mut self, close: u8) -> Option<bool> {
        if self.eat(b',') { Some(true) } else { self.expect(close).map(|()| false) }
    }

    /// Steps over the name of a member and its colon.
    pub(crate) fn key(&mut self) -> Option<MemberName<'a>> {
        let start = self.at;
        let escaped = self.skip_string()?;
        let quoted = self.text.get(start..self.at)?;
        self.expect(b':')?;
        Some(MemberName { quoted, escaped })
    }

    /// Steps over one value of any kind and gives its text.
    pub(crate) fn value(&mut self) -> Option<&'a str> {
        let start = self.at;
        match self.next()? {
            b'"' => self.skip_string().map(drop)?,
            b'{' | b'[' => self.skip_nested()?,
            _ => self.skip_scalar()?,
        }
        self.text.get(start..self.at)
    }

    /// Says whether there was a backslash in it.
    fn skip_string(&mut self) -> Option<bool> {
        if self.next() != Some(b'"') {
            return None;
        }
        let string = string_end(self.text.as_bytes(), self.at)?;
        self.at = string.end;
        Some(string.has_escapes)
    }

    fn skip_nested(&mut self) -> Option<()> {
        self.at = end_of_nested(self.text.as_bytes(), self.at)?;
        Some(())
    }

    fn skip_scalar(&mut self) -> Option<()> {
        let rest = &self.text.as_bytes()[self.at..];
        let length = rest.iter().position(|byte| matches!(byte, b',' | b'}' | b']')).unwrap_or(rest.len());
        self.at += length;
        (length > 0).then_some(())
    }
}

impl<'a> MemberName<'a> {
    /// What the name means, whichever way it is written.
    pub(crate) fn name(&self) -> Cow<'a, str> {
        let written = &self.quoted[1..self.quoted.len() - 1];
        if !self.escaped {
            return Cow::Borrowed(written);
        }
        decoded(self.quoted).map_or(Cow::Borrowed(written), Cow::Owned)
    }
}

/// The members of an object, in order. Nothing for what is no object.
#[derive(Debug, Clone)]
pub(crate) struct ObjectMembers<'a> {
    cursor: JsonScanner<'a>,
    more: bool,
}

impl<'a> ObjectMembers<'a> {
    pub(crate) fn of(object: &'a str) -> ObjectMembers<'a> {
        let mut cursor = JsonScanner::new(object);
        let more = cursor.enter(b'{', b'}') == Some(true);
        ObjectMembers { cursor, more }
    }

    fn read(&mut self) -> Option<(MemberName<'a>, &'a str)> {
        Some((self.cursor.key()?, self.cursor.value()?))
    }
}

impl<'a> Iterator for ObjectMembers<'a> {
    type Item = (MemberName<'a>, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        if !self.more {
            return None;
        }
        let member = self.read();
        self.more = member.is_some() && self.cursor.go_on(b'}') == Some(true);
        member
    }
}

/// The elements of an array, in order, each as its text. Nothing for what is no array.
#[derive(Debug, Clone)]
pub struct ArrayElements<'a> {
    cursor: JsonScanner<'a>,
    more: bool,
}

impl<'a> ArrayElements<'a> {
    pub(crate) fn of(array: &'a str) -> ArrayElements<'a> {
        let mut cursor = JsonScanner::new(array);
        let more = cursor.enter(b'[', b']') == Some(true);
        ArrayElements { cursor, more }
    }
}

impl<'a> Iterator for ArrayElements<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if !self.more {
            return None;
        }
        let element = self.cursor.value();
        self.more = element.is_some() && self.cursor.go_on(b']') == Some(true);
        element
    }
}

/// What a quoted string means.
pub(crate) fn decoded(quoted: &str) -> Option<String> {
    serde_json::from_str(quoted).ok()
}

#[cfg(test)]
mod tests;

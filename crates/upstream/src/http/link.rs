//! Reads `LinkValue` headers (RFC 8288, section 3): the values come in, where `rel="next"` leads goes out.
//!
//! Servers write them carelessly, so whatever is no link is skipped; no text makes it fail.

/// The target of the first link to a next page. A link about another resource (`anchor`) is none of ours.
pub fn next<'a>(values: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    values.into_iter().find_map(|value| {
        let mut rest = HeaderRest(value);
        while let Some(link) = rest.link() {
            if link.leads_to_next && !link.target.is_empty() {
                return Some(link.target);
            }
        }
        None
    })
}

struct LinkValue<'a> {
    target: &'a str,
    leads_to_next: bool,
}

/// What is left of a header's value.
struct HeaderRest<'a>(&'a str);

impl<'a> HeaderRest<'a> {
    /// Takes one link with its parameters.
    fn link(&mut self) -> Option<LinkValue<'a>> {
        let (_, inside) = self.0.split_once('<')?;
        let (target, rest) = inside.split_once('>')?;
        self.0 = rest;
        let (mut rel, mut has_anchor) = (None, false);
        while let Some((name, value)) = self.param() {
            if name.eq_ignore_ascii_case("rel") {
                // The first one counts.
                rel.get_or_insert(value);
            }
            has_anchor |= name.eq_ignore_ascii_case("anchor");
        }
        let names_next =
            |rel: &str| rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("next"));
        Some(LinkValue {
            target: target.trim(),
            leads_to_next: !has_anchor && rel.is_some_and(|rel| names_next(&rel)),
        })
    }

    /// Takes one parameter of the link; none when the link is over.
    fn param(&mut self) -> Option<(&'a str, String)> {
        self.0 = self.0.trim_start().strip_prefix(';')?.trim_start();
        let name = self.until(['=', ';', ',']).trim_end();
        let Some(rest) = self.0.strip_prefix('=') else { return Some((name, String::new())) };
        self.0 = rest.trim_start();
        let value = match self.0.strip_prefix('"') {
            Some(inside) => self.quoted(inside),
            None => self.until([';', ',']).trim_end().to_owned(),
        };
        Some((name, value))
    }

    fn until<const N: usize>(&mut self, ends: [char; N]) -> &'a str {
        let (taken, rest) = self.0.split_at(self.0.find(ends).unwrap_or(self.0.len()));
        self.0 = rest;
        taken
    }

    /// Takes the inside of a quoted string, and whatever stands between it and the next separator.
    fn quoted(&mut self, inside: &'a str) -> String {
        let mut text = String::new();
        let mut characters = inside.chars();
        while let Some(character) = characters.next() {
            match character {
                '"' => break,
                '\\' => text.extend(characters.next()),
                other => text.push(other),
            }
        }
        self.0 = characters.as_str();
        self.until([';', ',']);
        text
    }
}

#[cfg(test)]
mod tests;

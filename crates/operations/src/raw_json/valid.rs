//! Walks JSON text once, without keeping anything: is it valid, and is there white space between its tokens?
//!
//! Text in; what is known of it out, or nothing when it is no JSON or what other readers choke on: nesting over 127 levels, lone
//! surrogates, numbers out of range. Every response of every API goes through here, so the inside of strings is looked at eight
//! bytes at a time.

/// Most levels of nesting.
const MOST_LEVELS: usize = 127;

/// Numbers of fewer characters and without an exponent are in range.
const SURELY_IN_RANGE: usize = 300;

/// What is known of a valid text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ValidJson {
    /// There is white space outside of its strings.
    pub(super) has_space: bool,
}

/// Walks the text; nothing when it is refused.
pub(super) fn walk(text: &str) -> Option<ValidJson> {
    let mut walk = JsonWalk {
        bytes: text.as_bytes(),
        at: 0,
        levels: 0,
        objects: [0; MOST_LEVELS.div_ceil(64)],
        has_space: false,
    };
    walk.whole()?;
    Some(ValidJson { has_space: walk.has_space })
}

struct JsonWalk<'a> {
    bytes: &'a [u8],
    at: usize,
    /// How many objects and lists are open.
    levels: usize,
    /// A bit for each level that is an object.
    objects: [u64; MOST_LEVELS.div_ceil(64)],
    has_space: bool,
}

impl JsonWalk<'_> {
    /// One value, and nothing after it.
    fn whole(&mut self) -> Option<()> {
        loop {
            let is_complete = self.value()?;
            if is_complete && self.after_value()? {
                return Some(());
            }
        }
    }

    /// A value, or the beginning of one that has others in it: then false.
    #[inline(always)]
    fn value(&mut self) -> Option<bool> {
        match self.token()? {
            b'"' => self.string()?,
            b'{' => {
                self.open(true)?;
                if self.token()? != b'}' {
                    self.key()?;
                    return Some(false);
                }
                self.close();
            }
            b'[' => {
                self.open(false)?;
                if self.token()? != b']' {
                    return Some(false);
                }
                self.close();
            }
            b'-' | b'0'..=b'9' => self.number()?,
            b't' => self.word(b"true")?,
            b'f' => self.word(b"false")?,
            b'n' => self.word(b"null")?,
            _ => return None,
        }
        Some(true)
    }

    /// What follows a value, up to the next one; true at the end of the text.
    #[inline(always)]
    fn after_value(&mut self) -> Option<bool> {
        loop {
            if self.levels == 0 {
                return self.token().is_none().then_some(true);
            }
            let (next, in_object) = (self.token()?, self.in_object());
            match next {
                b',' => {
                    self.at += 1;
                    if in_object {
                        self.token()?;
                        self.key()?;
                    }
                    return Some(false);
                }
                b'}' if in_object => self.close(),
                b']' if !in_object => self.close(),
                _ => return None,
            }
        }
    }

    /// The first byte of the next token; nothing at the end.
    #[inline(always)]
    fn token(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        if byte > b' ' { Some(byte) } else { self.token_after_space() }
    }

    #[inline(never)]
    fn token_after_space(&mut self) -> Option<u8> {
        self.has_space = true;
        let rest = &self.bytes[self.at..];
        self.at +=
            rest.iter().position(|byte| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t')).unwrap_or(rest.len());
        self.bytes.get(self.at).copied()
    }

    #[inline(always)]
    fn open(&mut self, is_object: bool) -> Option<()> {
        if self.levels == MOST_LEVELS {
            return None;
        }
        let (word, bit) = (self.levels / 64, self.levels % 64);
        self.objects[word] = self.objects[word] & !(1 << bit) | u64::from(is_object) << bit;
        self.levels += 1;
        self.at += 1;
        Some(())
    }

    #[inline(always)]
    fn close(&mut self) {
        self.levels -= 1;
        self.at += 1;
    }

    #[inline(always)]
    fn in_object(&self) -> bool {
        let level = self.levels - 1;
        self.objects[level / 64] >> (level % 64) & 1 == 1
    }

    /// A key with its colon.
    #[inline(always)]
    fn key(&mut self) -> Option<()> {
        if self.bytes.get(self.at) != Some(&b'"') {
            return None;
        }
        self.string()?;
        if self.token()? != b':' {
            return None;
        }
        self.at += 1;
        Some(())
    }

    #[inline(always)]
    fn word(&mut self, word: &[u8]) -> Option<()> {
        self.bytes[self.at..].starts_with(word).then(|| self.at += word.len())
    }

    #[inline(always)]
    fn string(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            while let Some((eight, _)) = self.bytes[self.at..].split_first_chunk::<8>() {
                let marks = special_bytes(u64::from_le_bytes(*eight));
                if marks != 0 {
                    self.at += marks.trailing_zeros() as usize / 8;
                    break;
                }
                self.at += 8;
            }
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            match byte {
                b'"' => return Some(()),
                b'\\' => self.escape()?,
                0..=0x1f => return None,
                _ => {}
            }
        }
    }

    /// What stands behind a backslash.
    fn escape(&mut self) -> Option<()> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        match byte {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(()),
            b'u' => match self.code_unit()? {
                0xd800..=0xdbff => {
                    self.word(b"\\u")?;
                    matches!(self.code_unit()?, 0xdc00..=0xdfff).then_some(())
                }
                0xdc00..=0xdfff => None,
                _ => Some(()),
            },
            _ => None,
        }
    }

    /// Four hexadecimal digits.
    fn code_unit(&mut self) -> Option<u32> {
        let digits = self.bytes.get(self.at..self.at + 4)?;
        self.at += 4;
        digits.iter().try_fold(0, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)?))
    }

    #[inline(always)]
    fn number(&mut self) -> Option<()> {
        let start = self.at;
        if self.bytes[self.at] == b'-' {
            self.at += 1;
        }
        match self.bytes.get(self.at)? {
            b'0' => self.at += 1,
            _ => self.digits()?,
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        let has_exponent = matches!(self.bytes.get(self.at), Some(b'e' | b'E'));
        if has_exponent {
            self.at += 1;
            if matches!(self.bytes.get(self.at), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        if has_exponent || self.at - start > SURELY_IN_RANGE { self.in_range(start) } else { Some(()) }
    }

    /// One digit or more.
    #[inline(always)]
    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    #[inline(never)]
    fn in_range(&self, start: usize) -> Option<()> {
        let number: f64 = std::str::from_utf8(&self.bytes[start..self.at]).ok()?.parse().ok()?;
        number.is_finite().then_some(())
    }
}

/// The highest bit of every byte that is a quote, a backslash or a control character; the lowest of these bits is right, those
/// above it may be set for others too.
#[inline(always)]
fn special_bytes(eight: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHEST: u64 = ONES << 7;
    let below = |bytes: u64, bound: u64| bytes.wrapping_sub(ONES * bound) & !bytes;
    let is = |byte: u8| below(eight ^ (ONES * u64::from(byte)), 1);
    (is(b'"') | is(b'\\') | below(eight, 0x20)) & HIGHEST
}

#[cfg(test)]
mod tests;

//! Text inside a JSON string: quotes and backslashes behind a backslash, control characters as escapes.
//!
//! Text in; what stands between the quotes of a JSON string out. A response is JSON text in such a string, in which every seventh
//! byte or so is a quote. So the places of all marks of a block are found at once, without a branch, and what stands between two of
//! them, which is short, is copied in a piece of fixed length; what of it is too much is overwritten by what comes next.

/// Bytes whose marks are found together, one bit for each.
const BLOCK: usize = 64;

/// What stands between two marks is mostly no longer than this.
const PIECE: usize = 16;

/// Bytes that are written before they are appended; beyond them there is room for what comes between two looks at the length.
const FULL: usize = 1024;
const ROOM: usize = FULL + 2 * PIECE;

const WORD: usize = 8;
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHEST: u64 = ONES << 7;

/// Appends the text as it stands in a JSON string.
pub fn push_escaped(text: &str, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    let mut escaping = Escaping { bytes, out, room: [0; ROOM], length: 0, next: 0 };
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let mut last = [b' '; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    for (number, block) in blocks.iter().chain([&last]).enumerate() {
        let mut marks = marks(block);
        while marks != 0 {
            escaping.mark(number * BLOCK + marks.trailing_zeros() as usize);
            marks &= marks - 1;
        }
    }
    escaping.flush();
    let Escaping { out, next, .. } = escaping;
    out.extend_from_slice(&bytes[next..]);
}

struct Escaping<'a> {
    bytes: &'a [u8],
    out: &'a mut Vec<u8>,
    /// What is not appended yet, and how long it is.
    room: [u8; ROOM],
    length: usize,
    /// The first byte that is not written yet.
    next: usize,
}

impl Escaping<'_> {
    /// Writes everything up to a mark, and the mark.
    #[inline(always)]
    fn mark(&mut self, at: usize) {
        let (piece, length) = (self.bytes[self.next..].first_chunk::<PIECE>(), at - self.next);
        match (piece, self.room[self.length..].first_chunk_mut::<PIECE>()) {
            (Some(piece), Some(room)) if length <= PIECE => {
                *room = *piece;
                self.length += length;
            }
            _ => {
                self.flush();
                self.out.extend_from_slice(&self.bytes[self.next..at]);
            }
        }
        self.next = at + 1;
        let byte = self.bytes[at];
        if byte < 0x20 {
            self.flush();
            push_control(byte, self.out);
            return;
        }
        self.room[self.length] = b'\\';
        self.room[self.length + 1] = byte;
        self.length += 2;
        if self.length > FULL {
            self.flush();
        }
    }

    fn flush(&mut self) {
        self.out.extend_from_slice(&self.room[..self.length]);
        self.length = 0;
    }
}

/// A bit for each byte that does not stand in a string as it is, the first byte's lowest.
#[inline(always)]
fn marks(block: &[u8; BLOCK]) -> u64 {
    /// Multiplied with it, the lowest bits of eight bytes come together in the highest byte.
    const TOGETHER: u64 = 0x0102_0408_1020_4080;
    let (words, _) = block.as_chunks::<WORD>();
    let bits = words.iter().map(|word| (marked(u64::from_le_bytes(*word)) >> 7).wrapping_mul(TOGETHER) >> 56);
    bits.enumerate().fold(0, |all, (place, bits)| all | bits << (WORD * place))
}

/// The highest bit of every byte that is a quote, a backslash or a control character.
#[inline(always)]
fn marked(word: u64) -> u64 {
    let is_other = |byte: u8| {
        let difference = word ^ (ONES * u64::from(byte));
        ((difference & !HIGHEST) + !HIGHEST) | difference
    };
    let is_printed = ((word & !HIGHEST) + ONES * 0x60) | word;
    !(is_other(b'"') & is_other(b'\\') & is_printed) & HIGHEST
}

fn push_control(byte: u8, out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let short = match byte {
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x08 => b'b',
        0x0c => b'f',
        _ => {
            let (high, low) = (DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 0xf)]);
            return out.extend_from_slice(&[b'\\', b'u', b'0', b'0', high, low]);
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

#[cfg(test)]
mod tests;

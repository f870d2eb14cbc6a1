//! The table of word vectors.
//!
//! A word in, its direction in 96 dimensions out, where words of like meaning lie close; and whether a word is common
//! English, so that it is no typing error. `data/README.md` says where the table comes from and how it is laid out.

use std::sync::LazyLock;

/// The table as it is shipped.
pub const FILE: &[u8] = include_bytes!("../data/table.bin");

/// The weight 1 as the file has it.
const WEIGHT_ONE: f32 = 100.0;

/// How many numbers a vector has.
pub const DIMENSIONS: usize = 96;

/// How many bytes a row has, which holds two numbers in each, and the number 0 as it has it.
const ROW: usize = DIMENSIONS / 2;
const ZERO: f32 = 8.0;

/// A word, or a sum of words; 0 everywhere where nothing is known.
pub type Vector = [f32; DIMENSIONS];

/// The direction of a word in a quarter of a vector's memory: its numbers as the table has them, and what makes their length 1.
#[derive(Debug, Clone, Copy)]
pub struct Direction {
    numbers: [i8; DIMENSIONS],
    scale: f32,
}

impl Direction {
    /// How far two directions agree, up to 1. No sum is larger than 16 bits hold, because no number is larger than 8.
    pub fn likeness(&self, other: &Direction) -> f32 {
        let products = self.numbers.iter().zip(&other.numbers);
        let sum: i16 = products.map(|(one, other)| i16::from(*one) * i16::from(*other)).sum();
        f32::from(sum) * self.scale * other.scale
    }
}

static TABLE: LazyLock<VectorTable> = LazyLock::new(|| VectorTable::read(FILE).unwrap_or_default());

/// Words in order, their rows, and which of them are common.
#[derive(Debug, Default)]
pub struct VectorTable {
    /// Where each word begins, and where the last one ends.
    starts: Vec<u32>,
    words: &'static [u8],
    rows: &'static [u8],
    common: &'static [u8],
    /// How much each word says by itself: little for words of every sentence.
    weights: &'static [u8],
}

impl VectorTable {
    /// The table, read when it is first asked for.
    pub fn get() -> &'static VectorTable {
        &TABLE
    }

    /// Finds the parts of the file: the number of words, the dimensions, the length of the words; the words, one a line;
    /// the rows; a bit for each common word; a weight for each word. A test holds the file to its checksum.
    fn read(file: &'static [u8]) -> Option<VectorTable> {
        let number = |at: usize| Some(u32::from_le_bytes(file.get(at..at + 4)?.try_into().ok()?) as usize);
        let (count, dimensions, length) = (number(0)?, number(4)?, number(8)?);
        let (words, rest) = file.get(12..)?.split_at_checked(length)?;
        let (rows, rest) = rest.split_at_checked(count * dimensions / 2)?;
        let (common, weights) = rest.split_at_checked(count.div_ceil(8))?;
        let ends = words.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at as u32 + 1);
        let starts: Vec<u32> = [0].into_iter().chain(ends).chain([length as u32 + 1]).collect();
        let is_whole = dimensions == DIMENSIONS && starts.len() == count + 1 && weights.len() == count;
        is_whole.then_some(VectorTable { starts, words, rows, common, weights })
    }

    /// The row of a word, or of its base.
    pub fn row(&self, word: &str) -> Option<u32> {
        self.exact(word).or_else(|| {
            let bases = ["s", "es", "ing", "ed", "d"].iter().filter_map(|ending| word.strip_suffix(ending));
            bases.filter_map(|base| self.exact(base)).next()
        })
    }

    /// Whether a word is common English.
    pub fn is_common(&self, word: &str) -> bool {
        self.exact(word).is_some_and(|row| self.common[row as usize / 8] >> (row % 8) & 1 == 1)
    }

    /// The vector of a row, as long as its word weighs.
    pub fn vector(&self, row: u32) -> Vector {
        let start = row as usize * ROW;
        let mut vector = [0.0; DIMENSIONS];
        for (to, from) in vector.chunks_exact_mut(2).zip(&self.rows[start..start + ROW]) {
            to[0] = f32::from(from & 0xf) - ZERO;
            to[1] = f32::from(from >> 4) - ZERO;
        }
        unit(&mut vector);
        let weight = f32::from(self.weights[row as usize]) / WEIGHT_ONE;
        vector.iter_mut().for_each(|number| *number *= weight);
        vector
    }

    /// The direction of a row.
    pub fn direction(&self, row: u32) -> Direction {
        let start = row as usize * ROW;
        let mut numbers = [0; DIMENSIONS];
        for (to, from) in numbers.chunks_exact_mut(2).zip(&self.rows[start..start + ROW]) {
            to[0] = (from & 0xf) as i8 - ZERO as i8;
            to[1] = (from >> 4) as i8 - ZERO as i8;
        }
        let length = numbers.iter().map(|number| f32::from(*number).powi(2)).sum::<f32>().sqrt();
        Direction { numbers, scale: if length > 0.0 { 1.0 / length } else { 0.0 } }
    }

    /// The word of a row.
    pub fn word(&self, row: u32) -> &'static str {
        std::str::from_utf8(self.bytes(row as usize)).unwrap_or_default()
    }

    fn bytes(&self, row: usize) -> &'static [u8] {
        &self.words[self.starts[row] as usize..self.starts[row + 1] as usize - 1]
    }

    fn exact(&self, word: &str) -> Option<u32> {
        let count = self.starts.len().saturating_sub(1);
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = (low + high) / 2;
            match self.bytes(middle).cmp(word.as_bytes()) {
                std::cmp::Ordering::Equal => return Some(middle as u32),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}

/// Makes the length 1, unless it is 0.
pub fn unit(vector: &mut Vector) {
    let length = dot(vector, vector).sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|number| *number /= length);
    }
}

/// Adds a multiple of a vector.
pub fn add(sum: &mut Vector, vector: &Vector, weight: f32) {
    for (to, from) in sum.iter_mut().zip(vector) {
        *to += weight * from;
    }
}

/// How far two directions agree. The order of the sum is fixed, and such that a processor can do eight at a time.
pub fn dot(one: &Vector, other: &Vector) -> f32 {
    let mut lanes = [0.0_f32; 8];
    for (one, other) in one.chunks_exact(8).zip(other.chunks_exact(8)) {
        for lane in 0..8 {
            lanes[lane] += one[lane] * other[lane];
        }
    }
    lanes.iter().sum()
}

//! The table of word vectors.
//!
//! A word in, its direction in 256 dimensions out, where words of like meaning lie close; and whether a word is common
//! English, so that it is no typing error. `data/README.md` says where the table comes from and how it is laid out.

use std::sync::LazyLock;

/// The table as it is shipped.
pub const FILE: &[u8] = include_bytes!("../data/table.bin");

/// The weight 1 as the file has it.
const WEIGHT_ONE: f32 = 100.0;

/// How many numbers a vector has.
pub const DIMENSIONS: usize = 256;

/// How many bytes a row has, which holds two numbers in each, and the number 0 as it has it.
const ROW: usize = DIMENSIONS / 2;
const ZERO: f32 = 8.0;

/// A word, or a sum of words; 0 everywhere where nothing is known.
pub type Vector = [f32; DIMENSIONS];

/// The most that a number of a direction is: so small that sums of products fit into 16 bits, lane by lane.
const LARGEST: f32 = 31.0;

/// How many sums run beside each other: as many as a processor does at once.
const LANES: usize = 8;

/// How many bits the signs of a direction have in each part.
const SIGN_BITS: usize = 64;

/// Which numbers of a direction are less than 0.
pub type Signs = [u64; DIMENSIONS / SIGN_BITS];

/// A direction in a quarter of a vector's memory: whole numbers, and what makes their length 1.
#[derive(Debug, Clone, Copy)]
pub struct Direction {
    numbers: [i8; DIMENSIONS],
    scale: f32,
}

impl Direction {
    /// The direction of a vector.
    pub fn of(vector: &Vector) -> Direction {
        let most = vector.iter().fold(0.0_f32, |most, number| most.max(number.abs()));
        let factor = if most > 0.0 { LARGEST / most } else { 0.0 };
        Direction::from_numbers(std::array::from_fn(|at| (vector[at] * factor).round() as i8))
    }

    fn from_numbers(numbers: [i8; DIMENSIONS]) -> Direction {
        let length: i32 = numbers.iter().map(|number| i32::from(*number) * i32::from(*number)).sum();
        Direction { numbers, scale: if length > 0 { 1.0 / (length as f32).sqrt() } else { 0.0 } }
    }

    /// The same as a vector of length 1.
    pub fn vector(&self) -> Vector {
        self.numbers.map(|number| f32::from(number) * self.scale)
    }

    /// The same, to be compared with many.
    pub fn widened(&self) -> WideDirection {
        WideDirection { numbers: self.numbers.map(i16::from), scale: self.scale }
    }

    /// The signs of its numbers: directions that agree differ in few of them.
    pub fn signs(&self) -> Signs {
        let mut signs = Signs::default();
        for (at, number) in self.numbers.iter().enumerate() {
            signs[at / SIGN_BITS] |= u64::from(*number < 0) << (at % SIGN_BITS);
        }
        signs
    }
}

/// A direction that many are compared with.
#[derive(Debug, Clone, Copy)]
pub struct WideDirection {
    numbers: [i16; DIMENSIONS],
    scale: f32,
}

impl WideDirection {
    /// How far two directions agree, up to 1.
    pub fn likeness(&self, other: &Direction) -> f32 {
        let mut lanes = [0_i16; LANES];
        for (one, other) in self.numbers.chunks_exact(LANES).zip(other.numbers.chunks_exact(LANES)) {
            for lane in 0..LANES {
                lanes[lane] += one[lane] * i16::from(other[lane]);
            }
        }
        let sum: i32 = lanes.iter().map(|lane| i32::from(*lane)).sum();
        sum as f32 * self.scale * other.scale
    }
}

/// The direction of a row, to be compared with those of other rows. Its numbers lie in an order of their own: those of the lower halves
/// of the row's bytes before those of the upper ones.
#[derive(Debug, Clone, Copy)]
pub struct RowDirection {
    numbers: [i16; DIMENSIONS],
    scale: f32,
}

impl RowDirection {
    fn of(bytes: &[u8; ROW]) -> RowDirection {
        let mut numbers = [0; DIMENSIONS];
        for (at, byte) in bytes.iter().enumerate() {
            numbers[at] = i16::from(byte & 0xf) - ZERO as i16;
            numbers[ROW + at] = i16::from(byte >> 4) - ZERO as i16;
        }
        let length = product(&numbers, &numbers);
        RowDirection { numbers, scale: if length > 0 { 1.0 / f32::from(length).sqrt() } else { 0.0 } }
    }

    /// How far two rows agree, up to 1.
    pub fn likeness(&self, other: &RowDirection) -> f32 {
        f32::from(product(&self.numbers, &other.numbers)) * self.scale * other.scale
    }
}

/// The sum of the products of two rows' numbers, which is at most 256 times 64 and so fits into 16 bits. Written as a sum of all: a
/// compiler makes more of it than of lanes.
fn product(one: &[i16; DIMENSIONS], other: &[i16; DIMENSIONS]) -> i16 {
    one.iter().zip(other).fold(0, |sum: i16, (one, other)| sum.wrapping_add(one.wrapping_mul(*other)))
}

/// In how many signs two directions differ.
pub fn different_signs(one: &Signs, other: &Signs) -> u32 {
    one.iter().zip(other).map(|(one, other)| (one ^ other).count_ones()).sum()
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

    /// How many words there are.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.weights.len()
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
        Direction::from_numbers(numbers)
    }

    /// The direction of a row, to be compared with other rows.
    pub fn row_direction(&self, row: u32) -> RowDirection {
        let (rows, _) = self.rows.as_chunks::<ROW>();
        RowDirection::of(&rows[row as usize])
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

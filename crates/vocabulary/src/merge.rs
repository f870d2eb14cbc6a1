//! Byte-pair encoding of one piece: neighbours are joined, those with the lowest rank first, until no two make a token.
//!
//! Bytes in, the number of tokens out, in a time that grows little faster than the piece, however long that is.

use crate::table::TokenTable;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// No part here: beyond the end, or joined to the one before it.
const NONE: usize = usize::MAX;

/// A part of the piece, from its index in the list of parts to `end`.
#[derive(Debug, Clone, Copy)]
struct MergePart {
    end: usize,
    before: usize,
    next: usize,
}

/// How many tokens a piece has.
pub fn count(piece: &[u8], table: &TokenTable) -> usize {
    if piece.len() < 2 || table.rank(piece).is_some() {
        return piece.len().min(1);
    }
    let last = piece.len() - 1;
    // At first each byte is a part. A part stays where its first byte is.
    let mut parts: Vec<MergePart> = (0..=last)
        .map(|at| MergePart {
            end: at + 1,
            before: at.checked_sub(1).unwrap_or(NONE),
            next: if at == last { NONE } else { at + 1 },
        })
        .collect();
    let mut pairs = BinaryHeap::new();
    // A pair is told by its place and both ends, so that one whose parts have changed since is passed over.
    let offer = |pairs: &mut BinaryHeap<_>, parts: &[MergePart], left: usize| {
        let right = parts[left].next;
        if right != NONE
            && let Some(rank) = table.rank(&piece[left..parts[right].end])
        {
            pairs.push(Reverse((rank, left, parts[left].end, parts[right].end)));
        }
    };
    (0..last).for_each(|left| offer(&mut pairs, &parts, left));
    let mut tokens = piece.len();
    while let Some(Reverse((_, left, middle, end))) = pairs.pop() {
        let right = parts[left].next;
        if parts[left].end != middle || right == NONE || parts[right].end != end {
            continue;
        }
        let next = parts[right].next;
        parts[left].end = end;
        parts[left].next = next;
        // Whatever is still offered for the part that is gone no longer fits.
        parts[right].end = NONE;
        if next != NONE {
            parts[next].before = left;
        }
        tokens -= 1;
        offer(&mut pairs, &parts, left);
        let before = parts[left].before;
        if before != NONE {
            offer(&mut pairs, &parts, before);
        }
    }
    tokens
}

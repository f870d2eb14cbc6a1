//! The units of one limit or quota that this process has in hand: reserved, and not spent yet.
//!
//! Blocks of units in, spent one by one or by the amount that a response had. What was spent beyond them is owed, and paid with the
//! next reservation. How much is asked for grows while it is spent, and shrinks when it is not.

use aqueduct_operations::rate_limits::Unit;
use aqueduct_operations::rate_limits::ledger::{
    CountSpan, CountWindow, CounterAbout, CounterKind, EndedUnits, RequestEnd, Reserved, ReturnedUnits,
    UnitRequest,
};
use jiff::Timestamp;
use std::collections::VecDeque;

/// The most requests that are reserved ahead of need.
const MOST_AHEAD: u64 = 256;

/// A counter of this process.
#[derive(Debug)]
pub(crate) struct Counter {
    /// Its name in the ledger.
    pub key: String,
    pub about: CounterAbout,
    pub unit: Unit,
    /// Where it ends: a limit, or the pause of a quota.
    pub ceiling: Option<u64>,
    /// Where it ends once it was let go on.
    pub ceiling_continued: Option<u64>,
    blocks: VecDeque<Block>,
    /// Spent on requests that have ended since the ledger was last told: how many, by slice and end.
    ended: Vec<(i64, RequestEnd, u64)>,
    owed: u64,
    /// All that counted when the ledger was last asked.
    used: u64,
    /// The operator has let it go on.
    pub continued: bool,
    pub next_free: Option<Timestamp>,
    /// When the API counts anew, where it has said so.
    pub resets_at: Option<Timestamp>,
    /// The window of a quota.
    pub window: Option<CountWindow>,
    /// The end of the window whose pause was told of.
    pub told_of_pause: Option<Timestamp>,
    ask: u64,
}

#[derive(Debug)]
struct Block {
    slice: i64,
    left: u64,
    usable_until: Timestamp,
}

/// A unit of a counter of requests that a request has taken: of which slice, and until when it can be spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TakenUnit {
    slice: i64,
    pub usable_until: Timestamp,
}

impl Counter {
    pub fn new(key: String, about: CounterAbout, unit: Unit) -> Counter {
        Counter {
            key,
            about,
            unit,
            ceiling: None,
            ceiling_continued: None,
            blocks: VecDeque::new(),
            ended: Vec::new(),
            owed: 0,
            used: 0,
            continued: false,
            next_free: None,
            resets_at: None,
            window: None,
            told_of_pause: None,
            ask: 1,
        }
    }

    /// Units that can be spent.
    pub fn in_hand(&self) -> u64 {
        self.blocks.iter().map(|block| block.left).sum()
    }

    /// True when a request may go out: there is a unit for it, or for the first of what it will have been.
    pub fn has_some(&self) -> bool {
        self.has(1)
    }

    /// True when nothing is owed and so many units are in hand.
    pub fn has(&self, units: u64) -> bool {
        self.owed == 0 && self.in_hand() >= units
    }

    /// What counts now, as far as this process knows.
    pub fn current(&self) -> u64 {
        (self.used + self.owed).saturating_sub(self.in_hand())
    }

    /// Units that no one has reserved, as far as this process knows.
    pub fn unreserved(&self) -> Option<u64> {
        self.ceiling.map(|ceiling| ceiling.saturating_sub(self.used))
    }

    /// Spends so many units; what is not in hand is owed.
    pub fn spend(&mut self, mut units: u64) {
        if self.unit != Unit::Requests {
            self.ask = self.ask.max(units.saturating_mul(8)).min(1 << 40);
        }
        while units > 0 {
            let Some(block) = self.blocks.front_mut() else {
                self.owed += units;
                return;
            };
            let (slice, taken) = (block.slice, block.left.min(units));
            block.left -= taken;
            units -= taken;
            let is_empty = block.left == 0;
            // Tokens and money are known when they have come, and so spent when their request has ended.
            if self.unit != Unit::Requests && self.about.kind == CounterKind::ApiLimit {
                self.note_ended(slice, RequestEnd::Answered, taken);
            }
            if is_empty {
                self.blocks.pop_front();
                if self.blocks.is_empty() && self.unit == Unit::Requests {
                    self.ask = (self.ask * 2).min(MOST_AHEAD);
                }
            }
        }
    }

    /// Takes a unit for a request, where there is one.
    pub fn take(&mut self) -> Option<TakenUnit> {
        let block = self.blocks.iter().find(|block| block.left > 0)?;
        let taken = TakenUnit { slice: block.slice, usable_until: block.usable_until };
        self.spend(1);
        Some(taken)
    }

    /// The request has ended that a unit was taken for.
    pub fn end(&mut self, unit: TakenUnit, end: RequestEnd) {
        self.note_ended(unit.slice, end, 1);
    }

    fn note_ended(&mut self, slice: i64, end: RequestEnd, units: u64) {
        match self.ended.iter_mut().find(|each| (each.0, each.1) == (slice, end)) {
            Some(noted) => noted.2 += units,
            None => self.ended.push((slice, end, units)),
        }
    }

    /// True when the ledger has to be told of requests that have ended.
    pub fn has_ended(&self) -> bool {
        !self.ended.is_empty()
    }

    /// What the ledger has to be told of requests that have ended. Where it is never told, they count for longer.
    pub fn take_ended(&mut self, span: CountSpan) -> Vec<EndedUnits> {
        let ended = std::mem::take(&mut self.ended).into_iter();
        ended
            .map(|(slice, end, units)| EndedUnits { counter: self.key.clone(), span, slice, units, end })
            .collect()
    }

    /// Puts a unit back that was taken and not spent. It stays what it was: in another slice it would count for too short a time.
    pub fn put_back(&mut self, TakenUnit { slice, usable_until }: TakenUnit) {
        let place = self.blocks.partition_point(|block| block.slice < slice);
        match self.blocks.get_mut(place).filter(|block| block.slice == slice) {
            Some(block) => block.left += 1,
            None => self.blocks.insert(place, Block { slice, left: 1, usable_until }),
        }
    }

    /// Keeps no more units in hand than these; the others count as spent.
    pub fn keep(&mut self, most: u64) {
        let mut surplus = self.in_hand().saturating_sub(most);
        while let Some(block) = self.blocks.back_mut().filter(|_| surplus > 0) {
            let dropped = block.left.min(surplus);
            block.left -= dropped;
            surplus -= dropped;
            if block.left == 0 {
                self.blocks.pop_back();
            }
        }
    }

    /// Takes out the units that can no longer be spent.
    pub fn expire(&mut self, now: Timestamp) -> Vec<ReturnedUnits> {
        let mut returned = Vec::new();
        while let Some(block) = self.blocks.pop_front_if(|block| block.usable_until <= now) {
            if block.left > 0 {
                self.used = self.used.saturating_sub(block.left);
                self.ask = (self.ask / 2).max(1);
                returned.push(self.returned(block));
            }
        }
        returned
    }

    /// Takes out all units: the process ends.
    pub fn drain(&mut self) -> Vec<ReturnedUnits> {
        let blocks: Vec<Block> = self.blocks.drain(..).filter(|block| block.left > 0).collect();
        blocks.into_iter().map(|block| self.returned(block)).collect()
    }

    fn returned(&self, block: Block) -> ReturnedUnits {
        ReturnedUnits { counter: self.key.clone(), slice: block.slice, units: block.left }
    }

    /// Begins a window: nothing counts yet that is known.
    pub fn begin_window(&mut self, window: CountWindow) {
        self.blocks.clear();
        (self.used, self.owed, self.continued) = (0, 0, false);
        self.window = Some(window);
    }

    /// What to reserve for so many requests that wait.
    pub fn want(&self, span: CountSpan, needed: u64) -> UnitRequest {
        UnitRequest {
            counter: self.key.clone(),
            about: self.about.clone(),
            span,
            ceiling: self.ceiling,
            ceiling_continued: self.ceiling_continued,
            owed: self.owed,
            needed,
            ask: self.ask.max(needed),
        }
    }

    /// What was spent beyond what was reserved, for the ledger to count; nothing when all of it was reserved.
    pub fn take_owed(&mut self, span: CountSpan) -> Option<UnitRequest> {
        let owed = std::mem::take(&mut self.owed);
        self.used += owed;
        (owed > 0).then(|| UnitRequest { owed, ask: 0, ..self.want(span, 0) })
    }

    /// What was reserved for this want.
    pub fn receive(&mut self, want: &UnitRequest, reserved: &Reserved) {
        self.owed = self.owed.saturating_sub(want.owed);
        self.used = reserved.used;
        self.continued = reserved.continued;
        self.next_free = reserved.next_free;
        if reserved.granted > 0 {
            self.blocks.push_back(Block {
                slice: reserved.life.slice,
                left: reserved.granted,
                usable_until: reserved.life.usable_until,
            });
        }
    }

    /// The API counts otherwise: so many are unreserved now.
    pub fn correct(&mut self, unreserved: u64, resets_at: Timestamp) {
        let ceiling = self.ceiling.unwrap_or(u64::MAX);
        self.used = ceiling.saturating_sub(unreserved);
        self.resets_at = Some(resets_at);
        self.next_free = (unreserved == 0).then_some(resets_at);
    }
}

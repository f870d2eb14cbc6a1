//! A number of places that calls take and give back, callers in turn and the calls of one caller in order of arrival.
//!
//! Callers that want places in; places out, given back when dropped. Somebody who wants many is not overtaken by those who want few, so
//! that a writer among readers gets its turn. No lock is held while anyone waits.

use crate::fair_queue::FairQueue;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// The places.
#[derive(Debug)]
pub struct FairLock(Mutex<LockState>);

#[derive(Debug)]
struct LockState {
    free: u32,
    turns: FairQueue<Waiter>,
}

#[derive(Debug)]
struct Waiter {
    wanted: u32,
    sender: oneshot::Sender<FairPlace>,
}

/// Places that somebody has.
#[derive(Debug)]
pub struct FairPlace {
    lock: Arc<FairLock>,
    places: u32,
}

impl FairLock {
    /// A lock with so many places.
    pub fn new(places: u32) -> FairLock {
        FairLock(Mutex::new(LockState { free: places, turns: FairQueue::default() }))
    }

    /// Waits for places, in the line of this caller. No one may want more than there are.
    pub async fn acquire(self: &Arc<Self>, caller: &str, wanted: u32) -> Option<FairPlace> {
        let notified = {
            let mut state = self.state();
            if state.turns.waiting() == 0 && state.free >= wanted {
                state.free -= wanted;
                return Some(FairPlace { lock: Arc::clone(self), places: wanted });
            }
            // Those who went away are forgotten now and then, however long no one is served.
            if state.turns.waiting() >= 64 && state.turns.waiting().is_power_of_two() {
                state.turns.take_if(|waiter| waiter.sender.is_closed());
            }
            let (sender, notified) = oneshot::channel();
            state.turns.push(caller, Waiter { wanted, sender });
            notified
        };
        // The lock lives as long as somebody waits, and tells everybody.
        notified.await.ok()
    }

    /// How many wait for places.
    pub fn waiting(&self) -> usize {
        self.state().turns.waiting()
    }

    /// Takes places back, and gives them to those whose turn it is.
    fn give_back(self: &Arc<Self>, places: u32) {
        let mut back = places;
        while back > 0 {
            let served = {
                let mut state = self.state();
                state.free += std::mem::take(&mut back);
                let LockState { free, turns } = &mut *state;
                let mut is_next_too_large = false;
                turns.serve(|waiter| {
                    is_next_too_large = is_next_too_large || *free < waiter.wanted;
                    if !is_next_too_large {
                        *free -= waiter.wanted;
                    }
                    !is_next_too_large
                })
            };
            for Waiter { wanted, sender } in served {
                let place = FairPlace { lock: Arc::clone(self), places: wanted };
                if let Err(mut unused) = sender.send(place) {
                    back += std::mem::take(&mut unused.places);
                }
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, LockState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for FairPlace {
    fn drop(&mut self) {
        self.lock.give_back(self.places);
    }
}

#[cfg(test)]
mod tests;

//! Executions in memory, for a program without a store. They end with the process.
//!
//! Changes in; executions out, by the same conditions as in a store. There is one instance, so leases are never lost.

use aqueduct_operations::execution::ledger::{Created, LedgerAnswer};
use aqueduct_operations::execution::{
    Execution, ExecutionLedger, ExecutionOwner, ExecutionSettings, SavedExecution,
};
use std::collections::HashMap;
use std::future::ready;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Keeps executions in memory.
#[derive(Debug)]
pub struct MemoryExecutions {
    settings: ExecutionSettings,
    kept: Mutex<HashMap<String, SavedExecution>>,
}

impl MemoryExecutions {
    /// Nothing is kept yet.
    pub fn new(settings: ExecutionSettings) -> MemoryExecutions {
        MemoryExecutions { settings, kept: Mutex::default() }
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<String, SavedExecution>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets ended ones of an owner that are too old or too many, and counts those that go on.
    fn tidy(&self, newest: &Execution) -> u64 {
        let (mut kept, key) = (self.kept(), newest.owner_key());
        let keep = i64::try_from(self.settings.keep.as_secs()).unwrap_or(i64::MAX);
        let oldest = newest.created_at().as_second().saturating_sub(keep);
        kept.retain(|_, saved| saved.execution.finished_at().is_none_or(|at| at.as_second() >= oldest));
        let own = |saved: &&SavedExecution| saved.execution.owner_key() == key;
        let mut ended: Vec<(_, String)> = kept
            .values()
            .filter(own)
            .filter_map(|saved| Some((saved.execution.finished_at()?, saved.execution.spec.id.clone())))
            .collect();
        ended.sort();
        let most = usize::try_from(self.settings.kept_per_caller).unwrap_or(usize::MAX);
        let surplus = ended.len().saturating_sub(most);
        for (_, id) in ended.drain(..surplus) {
            kept.remove(&id);
        }
        kept.values().filter(own).filter(|saved| !saved.execution.state().is_terminal()).count() as u64
    }
}

impl ExecutionLedger for MemoryExecutions {
    fn create<'a>(&'a self, execution: Execution, instance: &'a str) -> LedgerAnswer<'a, Created> {
        let most = self.settings.active_per_caller;
        if self.tidy(&execution) >= most {
            return Box::pin(ready(Ok(Created::TooMany { most })));
        }
        let saved =
            SavedExecution { execution: execution.clone(), version: 1, holder: Some(instance.to_owned()) };
        self.kept().insert(execution.spec.id, saved);
        Box::pin(ready(Ok(Created::Done)))
    }

    fn get<'a>(&'a self, id: &'a str) -> LedgerAnswer<'a, Option<SavedExecution>> {
        Box::pin(ready(Ok(self.kept().get(id).cloned())))
    }

    fn of_owner<'a>(&'a self, owner: &'a ExecutionOwner) -> LedgerAnswer<'a, Vec<Execution>> {
        let keys = owner.keys();
        let kept = self.kept();
        let own = kept.values().map(|saved| &saved.execution).filter(|each| keys.contains(&each.owner_key()));
        let mut own: Vec<Execution> = own.map(Execution::without_result).collect();
        own.sort_by(|one, other| (other.created_at(), &other.spec.id).cmp(&(one.created_at(), &one.spec.id)));
        Box::pin(ready(Ok(own)))
    }

    fn of_session<'a>(&'a self, session: &'a str) -> LedgerAnswer<'a, Vec<SavedExecution>> {
        let is_meant = |saved: &&SavedExecution| {
            let execution = &saved.execution;
            execution.spec.owner.session == session
                && !execution.spec.carries_on
                && !execution.state().is_terminal()
        };
        Box::pin(ready(Ok(self.kept().values().filter(is_meant).cloned().collect())))
    }

    fn save<'a>(&'a self, changed: SavedExecution, instance: &'a str) -> LedgerAnswer<'a, bool> {
        let mut kept = self.kept();
        let Some(known) = kept.get_mut(&changed.execution.spec.id) else { return Box::pin(ready(Ok(false))) };
        if known.version != changed.version {
            return Box::pin(ready(Ok(false)));
        }
        let is_again = known.execution.state().is_terminal() && !changed.execution.state().is_terminal();
        let holder = if is_again { Some(instance.to_owned()) } else { known.holder.clone() };
        *known = SavedExecution { version: changed.version + 1, holder, execution: changed.execution };
        Box::pin(ready(Ok(true)))
    }

    fn claim<'a>(&'a self, _: &'a str, _: &'a [String]) -> LedgerAnswer<'a, Vec<SavedExecution>> {
        Box::pin(ready(Ok(Vec::new())))
    }

    fn unreported<'a>(&'a self, _: &'a str, _: &'a [String]) -> LedgerAnswer<'a, Vec<SavedExecution>> {
        Box::pin(ready(Ok(Vec::new())))
    }

    fn renew<'a>(&'a self, id: &'a str, instance: &'a str) -> LedgerAnswer<'a, bool> {
        let kept = self.kept();
        let is_held = kept.get(id).is_some_and(|saved| {
            saved.holder.as_deref() == Some(instance) && !saved.execution.state().is_terminal()
        });
        Box::pin(ready(Ok(is_held)))
    }

    fn keep<'a>(&'a self, _: &'a str) -> LedgerAnswer<'a, ()> {
        Box::pin(ready(Ok(())))
    }

    fn release<'a>(&'a self, _: &'a str) -> LedgerAnswer<'a, ()> {
        Box::pin(ready(Ok(())))
    }
}

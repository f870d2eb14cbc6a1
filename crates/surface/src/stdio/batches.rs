//! Batches of JSON-RPC that wait for their responses: these go out together, in one line.
//!
//! Ids of requests in while a batch is read, and responses as they come; out, the line of a batch when nothing is missing in it.
//! Responses that wait here count among those that wait to be sent.

use super::output_queue::UnsentLines;
use crate::mcp::batch;
use rmcp::model::RequestId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The batches that are not complete.
#[derive(Debug)]
pub(super) struct OpenBatches {
    tables: Mutex<Tables>,
    unsent: Arc<UnsentLines>,
}

#[derive(Debug, Default)]
struct Tables {
    by_request: HashMap<RequestId, u64>,
    open: HashMap<u64, OpenBatch>,
    last: u64,
}

#[derive(Debug)]
struct OpenBatch {
    missing: usize,
    responses: Vec<Vec<u8>>,
}

impl OpenBatches {
    /// None yet; what waits in them is counted here.
    pub fn counted_in(unsent: Arc<UnsentLines>) -> OpenBatches {
        OpenBatches { tables: Mutex::default(), unsent }
    }

    /// Begins a batch, which is not complete before its end.
    pub fn begin(&self) -> u64 {
        let mut tables = self.tables();
        tables.last += 1;
        let number = tables.last;
        tables.open.insert(number, OpenBatch { missing: 1, responses: Vec::new() });
        number
    }

    /// The response to this request belongs to the batch.
    pub fn expect(&self, number: u64, id: RequestId) {
        let mut tables = self.tables();
        if let Some(batch) = tables.open.get_mut(&number) {
            batch.missing += 1;
            tables.by_request.insert(id, number);
        }
    }

    /// This response does, and is there already.
    pub fn keep(&self, number: u64, response: Vec<u8>) {
        self.push(&mut self.tables(), number, response);
    }

    /// All messages of the batch were read. Gives its responses where none is missing.
    pub fn end(&self, number: u64) -> Option<Vec<u8>> {
        self.count_down(&mut self.tables(), number)
    }

    /// A request has its response. Gives what goes out: the response of one that is of no batch, all of a batch where it was the
    /// last one, and nothing while others are waited for.
    pub fn answer(&self, id: &RequestId, response: Vec<u8>) -> Option<Vec<u8>> {
        let mut tables = self.tables();
        let Some(number) = tables.by_request.remove(id) else { return Some(response) };
        self.push(&mut tables, number, response);
        self.count_down(&mut tables, number)
    }

    /// A request was cancelled, and gets no response. Gives those of its batch where it was the last one.
    pub fn give_up(&self, id: &RequestId) -> Option<Vec<u8>> {
        let mut tables = self.tables();
        let number = tables.by_request.remove(id)?;
        self.count_down(&mut tables, number)
    }

    fn push(&self, tables: &mut Tables, number: u64, response: Vec<u8>) {
        if let Some(batch) = tables.open.get_mut(&number) {
            self.unsent.add(response.len());
            batch.responses.push(response);
        }
    }

    fn count_down(&self, tables: &mut Tables, number: u64) -> Option<Vec<u8>> {
        let batch = tables.open.get_mut(&number)?;
        batch.missing -= 1;
        if batch.missing > 0 {
            return None;
        }
        let responses = tables.open.remove(&number)?.responses;
        self.unsent.take_off(responses.iter().map(Vec::len).sum());
        joined(&responses)
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Of a batch without responses there is nothing to say.
fn joined(responses: &[Vec<u8>]) -> Option<Vec<u8>> {
    (!responses.is_empty()).then(|| batch::joined(responses.iter().map(Vec::as_slice)))
}

#[cfg(test)]
mod tests;

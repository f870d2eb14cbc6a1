//! The response to a batch: one result for each operation that ran, and what became of the others (operations document,
//! section 7).
//!
//! Results in, the wire shape out. Answers of items are spliced in as text.

use super::warning::push_warnings;
use super::{Reply, Warning};
use serde_json::{Value, json};

/// What became of a batch.
#[derive(Debug, Clone)]
pub struct BatchReply {
    /// One for each operation that ran, in the order of the request.
    pub results: Vec<ItemResult>,
    /// Where it stopped to have something confirmed.
    pub halted: Option<BatchHalt>,
    /// Those that the budget had no room for, and which are as if they had not run.
    pub pending: Vec<PendingOperation>,
    /// Warnings that several items share.
    pub warnings: Vec<Warning>,
}

/// The result of one operation.
#[derive(Debug, Clone)]
pub struct ItemResult {
    /// Its place in the request, from 0.
    pub index: usize,
    /// Its name as it was sent.
    pub operation: String,
    /// Its response.
    pub reply: Reply,
}

/// Where a batch stopped.
#[derive(Debug, Clone)]
pub struct BatchHalt {
    /// The operation that needs a person's yes.
    pub at: ItemResult,
    /// Those behind it, which did not run.
    pub pending: Vec<PendingOperation>,
}

/// An operation that did not run, as it is to be sent again.
#[derive(Debug, Clone)]
pub struct PendingOperation {
    /// Its place in the request, from 0.
    pub index: usize,
    /// Its name as it was sent.
    pub operation: String,
    /// Its parameters, with what they refer to filled in.
    pub params: Value,
}

impl ItemResult {
    fn is_pending_confirmation(&self) -> bool {
        matches!(&self.reply, Reply::Failure(failure) if failure.code == crate::failure::Code::ConfirmationRequired)
    }

    fn push_json(&self, out: &mut String) {
        let name = Value::from(self.operation.as_str());
        out.push_str(&format!(r#"{{"index":{},"operation":{name},"#, self.index));
        if self.is_pending_confirmation() {
            out.push_str(r#""status":"pending_confirmation","#);
        }
        out.push_str(r#""result":"#);
        out.push_str(&self.reply.to_json());
        out.push('}');
    }
}

impl BatchReply {
    /// The whole response as compact JSON text.
    pub fn to_json(&self) -> String {
        let mut out = String::from(r#"{"success":true,"data":null,"results":["#);
        for (index, result) in self.results.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            result.push_json(&mut out);
        }
        out.push(']');
        if let Some(halt) = &self.halted {
            let BatchHalt { at, pending } = halt;
            let result = Reply::to_json(&at.reply);
            let name = Value::from(at.operation.as_str());
            out.push_str(&format!(
                r#","halted_at":{{"index":{},"operation":{name},"result":{result}}}"#,
                at.index
            ));
            let pending = pending.iter().map(|PendingOperation { index, operation, params }| {
                json!({"index": index, "operation": operation, "params": params})
            });
            out.push_str(&format!(r#","pending_operations":{}"#, Value::from_iter(pending)));
        }
        if !self.pending.is_empty() {
            let named =
                self.pending.iter().map(|each| json!({"index": each.index, "operation": each.operation}));
            out.push_str(&format!(r#","pending_operations":{}"#, Value::from_iter(named)));
            let again =
                self.pending.iter().map(|each| json!({"operation": each.operation, "params": each.params}));
            let again = json!({"operation": "batch", "params": {"operations": Value::from_iter(again)}});
            out.push_str(&format!(r#","next_request":{again}"#));
        }
        out.push_str(&format!(r#","summary":{}"#, self.summary()));
        push_warnings(&self.warnings, &mut out);
        out.push('}');
        out
    }

    fn summary(&self) -> Value {
        let waiting = self.results.iter().filter(|result| result.is_pending_confirmation()).count();
        let succeeded =
            self.results.iter().filter(|result| matches!(result.reply, Reply::Success(_))).count();
        let failed = self.results.len() - succeeded - waiting;
        let mut summary = json!({"total": self.results.len(), "succeeded": succeeded, "failed": failed});
        if let Some(halt) = &self.halted {
            summary["total"] = (self.results.len() + 1 + halt.pending.len()).into();
            summary["halted"] = 1.into();
            summary["pending"] = halt.pending.len().into();
        } else if waiting > 0 {
            summary["pending_confirmation"] = waiting.into();
        }
        if !self.pending.is_empty() {
            summary["total"] = (self.results.len() + self.pending.len()).into();
            summary["pending"] = self.pending.len().into();
        }
        summary
    }
}

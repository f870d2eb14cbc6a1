//! What the gatekeeper decides without a confirmation, as lines of the store's audit (ruling S12).
//!
//! Refusals are noted without waiting. A call of which a rule lifts the confirmation has its line before it runs, and its end one
//! more.

use crate::stored_confirmations::TrackedInStore;
use aqueduct_operations::gatekeeper::{
    AuditLog, ConfirmedCall, GateOutcome, GateRecord, NotWritten, PERSON, Purpose,
};
use aqueduct_operations::handler::Boxed;
use aqueduct_store::audit::AuditEntry;
use aqueduct_store::audit::entry::event;
use aqueduct_store::{CallKey, Requester, Store};

/// The audit of a store.
#[derive(Debug)]
pub struct StoredAudit(pub Store);

impl AuditLog for StoredAudit {
    fn write<'a>(&'a self, record: &'a GateRecord<'_>) -> Boxed<'a, Result<ConfirmedCall, NotWritten>> {
        if record.purpose() != Purpose::Call {
            // What a call needs on its way ends with the call.
            let line = line(record);
            return Box::pin(async move {
                let written = self.0.append_audit(vec![line]).await;
                written.map_err(|error| NotWritten(error.to_string()))?;
                Ok(ConfirmedCall::untracked())
            });
        }
        let asker = Requester {
            session: record.session().as_str().to_owned(),
            caller: record.caller().name().to_owned(),
        };
        let entry = record.entry();
        let call = CallKey {
            source: entry.source.name.clone(),
            operation: entry.operation.name.clone(),
            params: record.params_digest().hex(),
            resolved: record.digest().hex(),
        };
        let line = line(record);
        Box::pin(async move {
            let begun = self.0.begin_allowed_call(asker, call, line).await;
            let begun = begun.map_err(|error| NotWritten(error.to_string()))?;
            Ok(ConfirmedCall::tracked(TrackedInStore(begun)))
        })
    }

    fn note(&self, record: &GateRecord<'_>) {
        self.0.note_audit(line(record));
    }
}

fn line(record: &GateRecord<'_>) -> AuditEntry {
    let event = match record.outcome() {
        GateOutcome::Allowed | GateOutcome::Confirmed => event::OPERATION_ALLOWED,
        _ => event::OPERATION_DENIED,
    };
    let entry = record.entry();
    AuditEntry {
        session: Some(record.session().as_str().to_owned()),
        caller: Some(record.caller().name().to_owned()),
        source: Some(entry.source.name.clone()),
        operation: Some(entry.operation.name.clone()),
        params: Some(record.params_digest().hex()),
        rule: Some(record.rule().to_string()),
        approver: (record.outcome() == GateOutcome::Declined).then(|| PERSON.to_owned()),
        detail: Some(detail(record)),
        ..AuditEntry::new(event, record.outcome().name())
    }
}

/// What the request was for, and what the adapter wants to be kept of it.
fn detail(record: &GateRecord<'_>) -> String {
    let purpose = record.purpose().name();
    record.audit_context().map_or_else(|| purpose.to_owned(), |context| format!("{purpose}; {context}"))
}

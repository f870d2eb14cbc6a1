//! What is moved: the tables, and their columns with what is in them.
//!
//! Counters of rates stay behind, which are about one minute, and so do instances, which say anew that they run.

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnKind {
    Number,
    Text,
}

/// A table.
#[derive(Debug)]
pub(super) struct ExportTable {
    pub name: &'static str,
    /// What a row is found by; rows go out in this order.
    pub key: &'static [&'static str],
    pub columns: &'static [(&'static str, ColumnKind)],
}

use ColumnKind::{Number, Text};

/// The tables, in the order in which they are written.
pub(super) const TABLES: &[ExportTable] = &[
    ExportTable {
        name: "confirmations",
        key: &["token", "source", "operation", "params", "resolved"],
        columns: &[
            ("token", Text),
            ("session", Text),
            ("caller", Text),
            ("source", Text),
            ("operation", Text),
            ("params", Text),
            ("resolved", Text),
            ("allowed", Number),
            ("used", Number),
            ("issued_at", Number),
            ("usable_at", Number),
            ("expires_at", Number),
            ("used_at", Number),
            ("revoked_at", Number),
        ],
    },
    ExportTable {
        name: "approvals",
        key: &["id"],
        columns: &[
            ("id", Text),
            ("fingerprint", Text),
            ("session", Text),
            ("caller", Text),
            ("danger", Number),
            ("rule", Text),
            ("shown", Text),
            ("state", Text),
            ("requested_at", Number),
            ("expires_at", Number),
            ("decided_at", Number),
            ("approver", Text),
            ("reason", Text),
            ("used_at", Number),
        ],
    },
    ExportTable {
        name: "approval_calls",
        key: &["approval", "source", "operation", "params", "resolved"],
        columns: &[
            ("approval", Text),
            ("session", Text),
            ("source", Text),
            ("operation", Text),
            ("params", Text),
            ("resolved", Text),
            ("state", Text),
            ("expires_at", Number),
            ("allowed", Number),
            ("used", Number),
        ],
    },
    ExportTable {
        name: "started_calls",
        key: &["id"],
        columns: &[
            ("id", Text),
            ("session", Text),
            ("caller", Text),
            ("source", Text),
            ("operation", Text),
            ("params", Text),
            ("started_at", Number),
            ("lease_until", Number),
        ],
    },
    ExportTable {
        name: "callers",
        key: &["id"],
        columns: &[
            ("id", Text),
            ("name", Text),
            ("token", Text),
            ("scopes", Text),
            ("added_at", Number),
            ("expires_at", Number),
            ("revoked_at", Number),
        ],
    },
    ExportTable {
        name: "limit_counters",
        key: &["counter"],
        columns: &[
            ("counter", Text),
            ("source", Text),
            ("about", Text),
            ("resets_at", Number),
            ("continued_until", Number),
            ("touched_at", Number),
        ],
    },
    ExportTable {
        name: "limit_slices",
        key: &["counter", "slice"],
        columns: &[("counter", Text), ("slice", Number), ("units", Number), ("counts_until", Number)],
    },
    ExportTable { name: "limit_holds", key: &["source"], columns: &[("source", Text), ("until", Number)] },
    ExportTable {
        name: "operator",
        key: &["id"],
        columns: &[("id", Number), ("passphrase", Text), ("set_at", Number)],
    },
    ExportTable {
        name: "agent_blocks",
        key: &["agent"],
        columns: &[
            ("agent", Text),
            ("name", Text),
            ("challenge", Text),
            ("hint", Text),
            ("reason", Text),
            ("blocked_at", Number),
        ],
    },
    ExportTable {
        name: "agent_runs",
        key: &["id"],
        columns: &[
            ("id", Text),
            ("agent", Text),
            ("name", Text),
            ("session", Text),
            ("caller", Text),
            ("state", Text),
            ("started_at", Number),
            ("ended_at", Number),
            ("reported", Number),
            ("steps", Number),
            ("risk", Number),
            ("hint", Text),
            ("covers", Number),
            ("pause", Text),
            ("pause_reason", Text),
            ("pause_hint", Text),
            ("pause_token", Text),
            ("pause_token_expires", Number),
            ("instance", Text),
        ],
    },
    ExportTable {
        name: "agent_releases",
        key: &["id"],
        columns: &[
            ("id", Text),
            ("agent", Text),
            ("run", Text),
            ("hint", Text),
            ("release", Text),
            ("made_at", Number),
        ],
    },
    ExportTable {
        name: "agent_steps",
        key: &["run", "number"],
        columns: &[
            ("run", Text),
            ("number", Number),
            ("at", Number),
            ("hint", Text),
            ("hint_key", Text),
            ("outcome", Text),
            ("effect", Text),
            ("stage", Text),
            ("score", Number),
        ],
    },
    ExportTable {
        name: "agent_challenges",
        key: &["id"],
        columns: &[
            ("id", Text),
            ("agent", Text),
            ("run", Text),
            ("kind", Text),
            ("hint", Text),
            ("reason", Text),
            ("instance", Text),
            ("state", Text),
            ("salt", Text),
            ("code", Text),
            ("made_at", Number),
            ("expires_at", Number),
        ],
    },
    ExportTable {
        name: "agent_notices",
        key: &["id"],
        columns: &[
            ("id", Text),
            ("agent", Text),
            ("about", Text),
            ("kind", Text),
            ("message", Text),
            ("operation", Text),
            ("reason", Text),
            ("level", Text),
            ("challenge", Text),
            ("made_at", Number),
        ],
    },
    ExportTable {
        name: "agent_attempts",
        key: &["subject"],
        columns: &[
            ("subject", Text),
            ("failures", Number),
            ("opened_at", Number),
            ("lockouts", Number),
            ("locked_until", Number),
        ],
    },
    ExportTable {
        name: "executions",
        key: &["id"],
        columns: &[
            ("id", Text),
            ("owner", Text),
            ("session", Text),
            ("source", Text),
            ("carries_on", Number),
            ("state", Text),
            ("version", Number),
            ("body", Text),
            ("result", Text),
            ("created_at", Number),
            ("finished_at", Number),
            ("gives_up_at", Number),
            ("holder", Text),
            ("lease_until", Number),
        ],
    },
    ExportTable {
        name: "audit",
        key: &["seq"],
        columns: &[
            ("seq", Number),
            ("at", Number),
            ("event", Text),
            ("outcome", Text),
            ("session", Text),
            ("caller", Text),
            ("source", Text),
            ("operation", Text),
            ("params", Text),
            ("rule", Text),
            ("approver", Text),
            ("token", Text),
            ("detail", Text),
            ("mac", Text),
        ],
    },
    ExportTable {
        name: "audit_seals",
        key: &["number"],
        columns: &[("number", Number), ("through", Number), ("at", Number), ("mac", Text)],
    },
    ExportTable {
        name: "audit_head",
        key: &["id"],
        columns: &[
            ("id", Number),
            ("seq", Number),
            ("mac", Text),
            ("seals", Number),
            ("sealed_seq", Number),
            ("seal_mac", Text),
        ],
    },
];

impl ExportTable {
    /// `a, b, c`
    pub(super) fn column_list(&self) -> String {
        self.columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }

    /// The places of the key among the columns.
    pub(super) fn key_places(&self) -> impl Iterator<Item = usize> {
        self.key.iter().filter_map(|key| self.columns.iter().position(|(name, _)| name == key))
    }
}

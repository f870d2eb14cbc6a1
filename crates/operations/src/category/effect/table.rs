//! The words themselves: what each does, how bad that is, and whether it is a thing as well.
//!
//! To add a word, add it to its line; the tests of `effect` hold names of real documents against the whole.

use crate::category::Category;
use crate::danger::DangerLevel;

/// How a word is used in names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordUse {
    /// Only as a verb.
    Verb,
    /// As a thing too: a run, a transfer.
    Either,
    /// As a thing too, and as a verb behind what it acts on: `factory_reset`, `funds_transfer`.
    Behind,
    /// As a thing mostly, and as a verb before what it acts on: a post, an archive.
    Thing,
}

/// One word.
#[derive(Debug)]
pub(super) struct EffectWord {
    pub word: &'static str,
    pub category: Category,
    pub level: DangerLevel,
    pub usage: WordUse,
}

const fn removes(word: &'static str, usage: WordUse) -> EffectWord {
    EffectWord { word, category: Category::Delete, level: DangerLevel::Destructive, usage }
}

/// Moves money, cannot be taken back, or overwrites.
const fn ends(word: &'static str, usage: WordUse) -> EffectWord {
    EffectWord { word, category: Category::Execute, level: DangerLevel::Destructive, usage }
}

const fn acts(word: &'static str, usage: WordUse) -> EffectWord {
    EffectWord { word, category: Category::Execute, level: DangerLevel::Reversible, usage }
}

use WordUse::{Behind, Either, Thing, Verb};

/// The table.
#[rustfmt::skip]
pub(super) const ACTING: &[EffectWord] = &[
    removes("delete", Verb), removes("remove", Verb), removes("destroy", Verb), removes("erase", Verb),
    removes("purge", Verb), removes("wipe", Verb), removes("truncate", Verb), removes("uninstall", Verb),
    removes("unregister", Verb), removes("deregister", Verb), removes("expunge", Verb), removes("discard", Verb),
    removes("unlink", Verb), removes("shred", Verb), removes("nuke", Verb), removes("obliterate", Verb),
    removes("evict", Verb), removes("rm", Verb), removes("del", Verb), removes("unset", Verb),
    removes("forget", Verb), removes("deprovision", Verb), removes("decommission", Verb),
    removes("clear", Either), removes("drop", Either), removes("prune", Either), removes("flush", Either),
    ends("revoke", Verb), ends("overwrite", Verb), ends("terminate", Verb), ends("kill", Verb),
    ends("reset", Behind), ends("transfer", Behind), ends("pay", Either), ends("payout", Behind),
    ends("refund", Behind), ends("charge", Either), ends("capture", Either), ends("void", Either),
    ends("remit", Verb), ends("reinitialize", Verb), ends("reformat", Verb), ends("deposit", Thing), ends("wire", Thing),
    ends("force", Either), ends("withdraw", Verb), ends("purchase", Thing), ends("buy", Thing),
    acts("send", Verb), acts("resend", Verb), acts("execute", Verb), acts("exec", Verb), acts("invoke", Verb),
    acts("eval", Verb), acts("spawn", Verb), acts("sudo", Verb), acts("shell", Either), acts("bash", Either),
    acts("powershell", Either), acts("notify", Verb), acts("broadcast", Thing), acts("enqueue", Verb),
    acts("reply", Thing), acts("email", Thing), acts("invite", Thing), acts("grant", Thing), acts("toggle", Verb),
    acts("apply", Verb), acts("put", Verb), acts("persist", Verb), acts("install", Verb), acts("provision", Verb),
    acts("increment", Verb), acts("decrement", Verb), acts("expire", Verb), acts("impersonate", Verb),
    acts("make", Thing), acts("cleanup", Either),
    acts("run", Behind), acts("rerun", Verb), acts("trigger", Either), acts("start", Either),
    acts("stop", Either), acts("restart", Verb), acts("reboot", Verb), acts("shutdown", Verb),
    acts("launch", Either), acts("deploy", Verb), acts("redeploy", Verb), acts("dispatch", Either),
    acts("publish", Verb), acts("unpublish", Verb), acts("submit", Verb), acts("cancel", Verb),
    acts("abort", Verb), acts("suspend", Verb), acts("resume", Either), acts("pause", Either),
    acts("enable", Verb), acts("disable", Verb), acts("activate", Verb), acts("deactivate", Verb),
    acts("approve", Verb), acts("reject", Verb), acts("archive", Thing), acts("unarchive", Verb),
    acts("restore", Either), acts("revert", Verb), acts("rollback", Either), acts("rotate", Verb),
    acts("renew", Verb), acts("retry", Either), acts("redeliver", Verb), acts("reprocess", Verb),
    acts("rebuild", Verb), acts("reindex", Verb), acts("logout", Either), acts("subscribe", Verb),
    acts("unsubscribe", Verb), acts("merge", Either), acts("lock", Thing), acts("unlock", Verb),
    acts("block", Thing), acts("unblock", Verb), acts("ban", Either), acts("kick", Verb), acts("mute", Verb),
    acts("unmute", Verb), acts("decline", Verb), acts("assign", Verb), acts("unassign", Verb),
    acts("attach", Verb), acts("detach", Verb), acts("promote", Verb), acts("demote", Verb),
    acts("migrate", Verb), acts("rename", Verb), acts("replace", Verb), acts("insert", Verb),
    acts("create", Verb), acts("add", Verb), acts("update", Either), acts("edit", Thing),
    acts("modify", Verb), acts("upsert", Verb), acts("write", Verb), acts("append", Verb),
    acts("upload", Thing), acts("import", Thing), acts("register", Thing), acts("post", Thing),
    acts("save", Verb), acts("set", Thing), acts("move", Thing), acts("patch", Thing),
];

/// Things that also show that a word removes.
pub(super) const REMOVALS: &[&str] =
    &["deletes", "deleting", "deletion", "deletions", "removes", "removing", "removal", "removals"];

/// Words of money and of no return (ruling S2).
pub(crate) const FINAL: &[&str] = &[
    "pay", "payout", "refund", "transfer", "charge", "capture", "void", "revoke", "purge", "wipe", "reset",
    "force",
];

/// Verbs that look.
#[rustfmt::skip]
pub(super) const LOOKING: &[&str] = &[
    "get", "gets", "list", "lists", "check", "checks", "show", "shows", "read", "reads", "download", "search", "find", "view",
    "describe", "fetch", "retrieve", "query", "count", "lookup", "browse", "is", "has", "can", "exists",
    "export", "preview", "head", "select", "index", "load", "peek", "inspect", "see",
];

/// Those that are no things themselves: `run_get` looks, `run_query` runs one.
pub(super) const ONLY_LOOKING: &[&str] = &[
    "get", "list", "show", "find", "describe", "fetch", "retrieve", "lookup", "browse", "is", "has", "can",
    "exists",
];

/// What a record of an action is called: a `delete_log` is no deletion.
#[rustfmt::skip]
pub(super) const RECORDS: &[&str] = &[
    "log", "status", "history", "state", "request", "policy", "rule", "token", "report", "job", "task", "event", "marker", "info",
    "information", "list", "count", "queue", "result", "preview", "reason", "option", "setting", "config",
    "configuration", "flag", "protection", "permission", "schedule", "time", "date", "operation", "detail",
    "statistic", "stat", "metric", "summary", "type", "record", "url", "link", "page", "form",
    "template", "example", "key", "limit", "fee", "rate", "quote", "estimate",
    "model", "meta", "metadata", "schema", "progress", "checklist", "collection", "item", "order", "point",
    "community", "version", "receipt", "profile",
];

/// The row of a word in its plain form.
pub(super) fn row(word: &str) -> Option<&'static EffectWord> {
    ACTING.iter().find(|row| row.word == word)
}

//! Which of the five categories an operation of a document belongs to, why, and how sure that is (ruling N3).
//!
//! What the document says by an extension key comes first; then the method decides, corrected by the last part of the path and
//! by the verb of the name. Over both stands the floor of all sources: a GET or a claimed READ that removes or acts by its name
//! or path is no READ, and a person should look at it.

use aqueduct_operations::category::Category;
use aqueduct_operations::category::effect::bare_path;
use aqueduct_operations::category::floor::{CategoryFloor, floor, is_to_item};
use aqueduct_operations::category::verbs::category_of;
use aqueduct_operations::naming::words;
use aqueduct_operations::origin::{CategoryDecision, Confidence};
use aqueduct_operations::target::Method;
use aqueduct_source_kind::category_names::CategoryNames;

/// Keys by which a document names the category itself.
pub(super) const EXTENSIONS: [&str; 2] = ["x-aqueduct-category", "x-mcp-aql-category"];

/// What is known of an operation.
pub(super) struct CategoryFacts<'a> {
    pub method: Method,
    pub path: &'a str,
    /// Its name here, snake_case.
    pub name: &'a str,
    /// Its name in the document.
    pub operation_id: Option<&'a str>,
    /// What an extension key says.
    pub declared: Option<Category>,
    /// Its answer is a stream of events.
    pub is_stream: bool,
}

impl CategoryFacts<'_> {
    /// What the operation is at least, when that is worse than this.
    fn floor(&self, given: Category) -> Option<CategoryFloor> {
        let names = CategoryNames::of_request(self.name, self.operation_id, self.method, self.path);
        floor(given, &names.floor_input(Some(self.method), self.path))
    }
}

/// Last parts of paths that ask for something.
#[rustfmt::skip]
const ASKING: &[&str] = &[
    "search", "query", "find", "lookup", "filter", "count", "autocomplete", "suggest", "list", "get",
    "fetch",
];
/// Last parts of paths that note what a person has seen: `mark-as-read`.
const SEEN: &[&str] = &["read", "unread", "seen"];
/// Words that say that a request changes something after all.
const CHANGING: &[&str] = &[
    "create", "update", "delete", "remove", "upsert", "add", "set", "save", "replace", "insert", "or", "and",
    "import",
];
/// Last parts of paths that act.
#[rustfmt::skip]
const ACTING: &[&str] = &[
    "abort", "accept", "activate", "acknowledge", "apply", "approve", "archive", "assign", "attach",
    "authorize", "begin", "block", "build", "cancel", "capture", "claim", "close", "commit", "complete",
    "confirm", "convert", "deactivate", "decline", "deny", "deploy", "detach", "disable", "dispatch",
    "dispatches", "dispute", "enable", "evaluate", "execute", "expire", "finalize", "finish", "fork",
    "forks", "generate", "invoke", "kick", "launch", "lock", "login", "logout", "merge", "merges",
    "migrate", "mute", "open", "pause", "pay", "ping", "pings", "poll", "process", "promote", "publish",
    "purge", "reboot", "rebuild", "redeliver", "redeploy", "refresh", "refund", "reject", "release",
    "reload", "renew", "reopen", "reprocess", "rerun", "resend", "reset", "restart", "restore", "resume",
    "retry", "revert", "revoke", "rollback", "rotate", "run", "schedule", "send", "sign", "start", "stop",
    "submit", "subscribe", "suspend", "sync", "terminate", "test", "tests", "transfer", "translate",
    "trigger", "unarchive", "unassign", "unblock", "unlock", "unmute", "unpublish", "unsubscribe",
    "validate", "verify", "void",
];
/// Actions that are things as well.
const NOUNS: &[&str] =
    &["fork", "test", "open", "release", "build", "run", "schedule", "sign", "block", "process"];
/// The reason of a POST that neither its path nor its name says anything of.
const PLAIN_POST: &str = "method POST";

/// Puts an operation into a category.
pub(super) fn categorise(facts: &CategoryFacts<'_>) -> CategoryDecision {
    match facts.declared {
        Some(category) => declared(category, facts),
        None => {
            let found = undeclared(facts);
            // Who looks and acts at once is for a person to look at; who only removes, removes.
            match facts.floor(found.category) {
                Some(floor) => {
                    CategoryDecision::from_floor(floor, &found.reason, found.category == Category::Read)
                }
                None => found,
            }
        }
    }
}

/// By method, path and name.
fn undeclared(facts: &CategoryFacts<'_>) -> CategoryDecision {
    use Confidence::{High, Medium};
    let say = CategoryDecision::new;
    let method = facts.method;
    if facts.is_stream {
        let category = if method == Method::Get { Category::Read } else { Category::Execute };
        return say(category, High, false, format!("{method} with a stream of events"));
    }
    let tail = PathTail::of(facts.path);
    let plainly = |category| say(category, High, false, format!("method {method}"));
    match method {
        Method::Get | Method::Head | Method::Options | Method::Trace | Method::Query => {
            plainly(Category::Read)
        }
        Method::Delete => plainly(Category::Delete),
        Method::Put | Method::Patch => match tail.action() {
            Some(word) => say(Category::Execute, Medium, false, format!("{method} to the action '{word}'")),
            None => plainly(Category::Update),
        },
        Method::Post => post(facts, &tail),
    }
}

/// The document's own word. It counts, but its author does not decide what runs here without a question.
fn declared(category: Category, facts: &CategoryFacts<'_>) -> CategoryDecision {
    const DECLARED_REASON: &str = "the document says so";
    let inferred = categorise(&CategoryFacts { declared: None, ..*facts });
    // A POST that nothing else is known of may well only ask.
    let is_open = facts.method == Method::Post && inferred.reason == PLAIN_POST;
    let plays_down = match category {
        Category::Read => inferred.category != Category::Read && !is_open,
        Category::Create => inferred.category == Category::Update && is_to_item(facts.path),
        _ => false,
    };
    if plays_down {
        let (said, found) = (category.upper(), &inferred.reason);
        return CategoryDecision {
            reason: format!("the document says {said}, but: {found}"),
            confidence: Confidence::Low,
            needs_review: true,
            ..inferred
        };
    }
    if let Some(floor) = facts.floor(category) {
        return CategoryDecision::from_floor(floor, DECLARED_REASON, true);
    }
    // A POST that reads by its name and by the document's word is in no doubt any more.
    let is_doubtful = inferred.needs_review && inferred.category == category && category != Category::Read;
    let confidence = if is_doubtful { Confidence::Low } else { Confidence::High };
    CategoryDecision::new(category, confidence, is_doubtful, DECLARED_REASON.to_owned())
}

/// A POST may be anything: the path says more than the name, the name more than the method.
fn post(facts: &CategoryFacts<'_>, tail: &PathTail) -> CategoryDecision {
    use Confidence::{High, Low, Medium};
    let say = CategoryDecision::new;
    if tail.last_is("graphql") {
        return say(
            Category::Execute,
            Low,
            true,
            "POST to a query language that can also change things".to_owned(),
        );
    }
    if let Some(word) = tail.asks() {
        return say(Category::Read, Medium, false, format!("POST to '{word}'"));
    }
    if let Some(word) = SEEN.iter().find(|word| tail.last_is(word)) {
        return say(Category::Execute, Medium, false, format!("POST to '{word}', which marks something so"));
    }
    if let Some(word) = tail.action() {
        return say(Category::Execute, Medium, false, format!("POST to the action '{word}'"));
    }
    let verb = facts.name.split('_').next().unwrap_or_default();
    let says_change = facts.name.split('_').skip(1).any(|word| CHANGING.contains(&word));
    match category_of(facts.name) {
        Some(Category::Read) if !says_change => {
            say(Category::Read, Low, true, format!("POST whose name begins with '{verb}'"))
        }
        Some(category @ (Category::Update | Category::Delete | Category::Execute)) => {
            say(category, Medium, false, format!("POST whose name begins with '{verb}'"))
        }
        _ if tail.is_item => {
            say(Category::Update, Medium, false, "POST to one item, which overwrites it".to_owned())
        }
        Some(Category::Create) => {
            say(Category::Create, High, false, format!("POST whose name begins with '{verb}'"))
        }
        _ => say(Category::Create, High, false, PLAIN_POST.to_owned()),
    }
}

/// The last part of a path.
struct PathTail {
    words: Vec<String>,
    is_item: bool,
    is_custom_method: bool,
}

impl PathTail {
    fn of(path: &str) -> PathTail {
        let path = bare_path(path);
        let last = path.rsplit('/').next().unwrap_or_default();
        // `/users:batchGet` and `/users/{id}:disable` name a method of their own.
        let custom =
            last.rsplit_once(':').map(|(_, method)| method).filter(|method| !method.contains(['{', '}']));
        let is_item = custom.is_none() && last.ends_with('}');
        let text = if is_item { "" } else { custom.unwrap_or(last) };
        let text = text.strip_suffix(".json").or_else(|| text.strip_suffix(".xml")).unwrap_or(text);
        // `chat.delete` and `graph.send` have a namespace in front.
        let text = text.rsplit('.').next().unwrap_or(text);
        PathTail { words: words(text), is_item, is_custom_method: custom.is_some() }
    }

    fn last_is(&self, word: &str) -> bool {
        self.words.last().is_some_and(|last| last == word)
    }

    fn word_in(&self, list: &[&str]) -> Option<String> {
        // One word, or a verb in front: `run`, `force-cancel`, `rerun-failed-jobs`; `lock-files` are things.
        let first = self.words.first().filter(|word| list.contains(&word.as_str()));
        let last = self.words.last().filter(|word| list.contains(&word.as_str()));
        let is_short = self.words.len() <= 2 || self.is_custom_method;
        first.or(last.filter(|_| is_short)).cloned()
    }

    fn asks(&self) -> Option<String> {
        let changes = self.words.iter().any(|word| CHANGING.contains(&word.as_str()));
        self.word_in(ASKING).filter(|_| !changes)
    }

    fn action(&self) -> Option<String> {
        let (first, last) = (self.words.first()?, self.words.last()?);
        let is_action = |word: &String| ACTING.contains(&word.as_str());
        // `rerun-failed-jobs` acts; `run-records` and `fork-approval-rules` are things.
        let is_thing = match self.words.len() {
            1 => false,
            2 => last.ends_with('s') && !is_action(last),
            _ => NOUNS.contains(&first.as_str()) || !is_action(first),
        };
        let repeats = first.starts_with("re") && is_action(first);
        self.word_in(ACTING).filter(|_| !is_thing || repeats || self.is_custom_method)
    }
}

#[cfg(test)]
mod tests;

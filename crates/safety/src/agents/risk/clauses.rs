//! A hint in clauses, each with its words: what is commanded, what is only spoken of, what is denied.
//!
//! Folded text in; the clauses out, in order. A word is commanded where a verb stands: in front, or after a word such as "to",
//! "and" or "will".

/// One clause.
#[derive(Debug)]
pub(super) struct Clause<'t> {
    pub words: Vec<&'t str>,
    /// Its words with a space around each.
    pub text: String,
}

/// Words that may stand before the first verb.
#[rustfmt::skip]
const FILLERS: &[&str] = &[
    "please", "now", "i", "we", "will", "am", "are", "is", "going", "about", "to", "just", "next", "first", "second", "finally", "need",
    "want", "should", "must", "can", "let", "us", "me", "lets", "then", "step", "action", "go", "ahead", "quickly", "silently", "quietly",
    "automatically", "permanently", "immediately", "try", "start", "begin", "proceed", "tool", "calling", "call", "running", "run",
    "execute", "executing", "using", "use", "invoke", "invoking", "shell", "command", "sql", "mcp", "operation", "kindly", "the", "a",
    "my", "plan", "intend", "ll", "m", "and", "also", "so", "ok", "okay", "sure", "bash", "sh", "terminal", "sudo", "script", "task", "todo",
    "by", "via", "with", "api", "endpoint", "request", "function", "do", "it", "not", "only", "but", "instead", "once", "done", "after",
    "that", "this", "as", "requested", "would", "like", "secretly", "carefully", "safely", "simply", "never", "dont", "t", "don", "here",
    "user", "asked", "admin", "said", "says", "told", "time", "ready", "recursively", "forcefully", "forcibly", "fully", "completely",
];

/// A verb after one of these acts.
#[rustfmt::skip]
const LEADING: &[&str] = &[
    "to", "and", "then", "will", "by", "must", "should", "can", "please", "or", "also", "now", "ll", "lets", "calling", "running",
    "executing", "execute", "run", "call", "sudo", "via", "using", "it", "that", "which", "permanently", "silently", "quietly", "just",
    "immediately", "fully", "completely", "automatically", "start", "begin", "invoke", "invoking", "recursively", "would", "secretly",
];

/// "how to delete" is spoken of.
const SPEAKING: &[&str] = &[
    "how", "failed", "failing", "unable", "refused", "way", "ways", "ability", "when", "whether", "why",
    "attempt",
];

/// Words that take back what follows them.
const NEGATING: &[&str] = &[
    "not", "never", "without", "dont", "don", "avoid", "avoiding", "no", "cannot", "doesnt", "wont", "nor",
    "instead",
];

/// Words between two clauses.
const BETWEEN: &[&str] = &[
    "then",
    "and",
    "afterwards",
    "after",
    "before",
    "plus",
    "but",
    "while",
    "und",
    "et",
    "y",
    "e",
    "и",
    "dann",
    "luego",
    "puis",
];

/// What an order is about begins with one of these: "the", "all".
#[rustfmt::skip]
const DETERMINING: &[&str] = &[
    "the", "all", "every", "each", "any", "both", "our", "my", "your", "his", "her", "their", "its", "this", "that", "these", "those", "everything", "everyone",
    "everybody", "whole", "entire",
];

/// Small words that belong to the verb before them: "fire off".
const PARTICLES: &[&str] = &["off", "out", "down", "up", "over", "away", "back", "through", "in"];

/// The clauses of a text.
pub(super) fn of(folded: &str) -> Vec<Clause<'_>> {
    let mut clauses = Vec::new();
    let sentences = folded.split([';', '\n', '|', '&', '!', '?', '(', ')']);
    let sentences = sentences.flat_map(|part| part.split(". ")).flat_map(|part| part.split(": "));
    for sentence in sentences.flat_map(|part| part.split(", ")) {
        let words: Vec<&str> =
            sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        for words in words.split(|word| BETWEEN.contains(word)) {
            if !words.is_empty() {
                let text = format!(" {} ", words.join(" "));
                clauses.push(Clause { words: words.to_vec(), text });
            }
        }
    }
    clauses
}

impl<'t> Clause<'t> {
    /// The word in front of what an order is about, whatever it means: "retire" of "please retire all of them".
    pub(super) fn order(&self) -> Option<&'t str> {
        let at = self.words.iter().position(|word| !FILLERS.contains(word))?;
        let mut after = self.words[at + 1..].iter().skip_while(|word| PARTICLES.contains(word));
        let is_thing =
            |word: &&str| DETERMINING.contains(word) || *word == "dev" || word.parse::<f64>().is_ok();
        after.next().is_some_and(is_thing).then(|| self.words[at])
    }

    /// The word of this place is where a verb stands.
    pub(super) fn is_commanded(&self, index: usize) -> bool {
        let before = &self.words[..index];
        if before.iter().all(|word| FILLERS.contains(word)) {
            return true;
        }
        let Some(last) = before.last() else { return true };
        LEADING.contains(last) && !self.is_mentioned_only(index)
    }

    /// It says what something else does: "the code that removes".
    pub(super) fn is_of_another(&self, index: usize) -> bool {
        index.checked_sub(1).is_some_and(|before| matches!(self.words[before], "that" | "which" | "it"))
    }

    /// It is a thing that one may do, not one that is done.
    pub(super) fn is_mentioned_only(&self, index: usize) -> bool {
        self.words[..index].iter().rev().take(3).any(|word| SPEAKING.contains(word))
    }

    /// It is said that it does not happen.
    pub(super) fn is_negated(&self, index: usize) -> bool {
        self.words[..index].iter().rev().take(3).any(|word| NEGATING.contains(word))
    }
}

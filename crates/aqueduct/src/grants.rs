//! What the operator has allowed to files that somebody else wrote (ruling S7): which variable goes to which origin, which
//! program is started.
//!
//! `book` is the list, kept in the state directory. Here is the rule: what a source asks for, as it was loaded, in; what of
//! it waits for the operator out.

mod book;

pub(crate) use book::{Book, BookError, Entry};

use aqueduct_operations::consent::{Ask, Consent};
use aqueduct_operations::diagnostic::{Diagnostic, Severity};
use aqueduct_operations::registry::Loaded;
use aqueduct_operations::target::{Site, Target};
use aqueduct_operations::trust::TrustLevel;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The code of the remark on a file that waits for the operator.
pub(crate) const NOT_GRANTED: &str = "NOT_GRANTED";

/// How a file came to be served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coming {
    /// The operator named it, at the start.
    Named,
    /// It was in a directory that the operator named, at the start.
    Found,
    /// It appeared, or was changed, while it was served.
    Later,
}

/// What is known of a file when it is loaded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Standing<'a> {
    /// The file, links followed.
    pub file: &'a str,
    /// How it came.
    pub coming: Coming,
    /// It was named itself, not found in a directory.
    pub is_named: bool,
    /// What it asked for at the start, and was the operator's to ask.
    pub vouched: &'a BTreeSet<Ask>,
    /// The name that it had at the start.
    pub first_name: Option<&'a str>,
}

impl Standing<'_> {
    /// True when what the operator set for this name was set for this source: it had the name when the operator gave it. What
    /// comes to a directory later, or takes another name, was not meant.
    pub fn was_meant_by(&self, name: &str) -> bool {
        match self.first_name {
            Some(first) => first == name,
            None => self.coming != Coming::Later || self.is_named,
        }
    }
}

/// What of the asks of a source waits for the operator, or did.
pub(crate) fn waiting(
    asks: &[Ask],
    (source, trust, is_set): (&str, TrustLevel, bool),
    standing: Standing<'_>,
    book: &Book,
) -> Vec<Ask> {
    let is_low = !trust.is_of_the_operator();
    if !is_low && is_set {
        // The operator vouches for the source by its name.
        return Vec::new();
    }
    let waits = |ask: &Ask| match standing.coming {
        _ if is_low => true,
        Coming::Named => false,
        // What waited before waits on: a restart is nobody's yes.
        Coming::Found => book.is_known(source, standing.file, ask),
        Coming::Later => !standing.vouched.contains(ask),
    };
    asks.iter().filter(|ask| waits(ask)).cloned().collect()
}

/// What the operations of a source ask for over HTTP, each once.
pub(crate) fn asks_of(loaded: &Loaded) -> BTreeSet<Ask> {
    let targets = loaded.operations.iter().filter_map(|operation| match &operation.target {
        Target::Http(target) => Some(target),
        _ => None,
    });
    targets.flat_map(|target| target.auth_in_force().asks(&target.site.base_url)).collect()
}

/// Makes every request of the source ask first.
pub(crate) fn guard_requests(loaded: &mut Loaded, consent: &Arc<dyn Consent>) {
    let mut guarded: HashMap<*const Site, Arc<Site>> = HashMap::new();
    for operation in &mut loaded.operations {
        let Target::Http(target) = &mut operation.target else { continue };
        let site = guarded.entry(Arc::as_ptr(&target.site)).or_insert_with(|| {
            Arc::new(Site { consent: Some(Arc::clone(consent)), ..Site::clone(&target.site) })
        });
        target.site = Arc::clone(site);
    }
}

/// What the operator is told of each thing that waits.
pub(crate) fn remark(file: &str, source: &str, ask: &Ask) -> Diagnostic {
    let message = match ask {
        Ask::Credential { variable, origin } => {
            format!("The variable {variable} is not sent to {origin} until you allow it")
        }
        Ask::Program { line, .. } => format!("The program is not started until you allow it: {line}"),
    };
    let mut remark = Diagnostic::about(file, Severity::Warning, NOT_GRANTED, message);
    remark.hint = Some(format!("aqueduct grants {source} --allow"));
    remark
}

/// The operator's word on one file: what does not wait is free, the rest is as the book says now.
#[derive(Debug)]
pub(crate) struct FileConsent {
    /// The source.
    pub source: String,
    /// The file.
    pub file: String,
    /// What waits.
    pub waiting: Vec<Ask>,
    /// Where answers are.
    pub book: Arc<Book>,
}

impl Consent for FileConsent {
    fn source(&self) -> &str {
        &self.source
    }

    fn allows(&self, ask: &Ask) -> bool {
        !self.waiting.contains(ask) || self.book.is_allowed(&self.source, &self.file, ask)
    }
}

#[cfg(test)]
mod tests {
    use super::{Book, Coming, Standing, waiting};
    use aqueduct_operations::consent::Ask;
    use aqueduct_operations::trust::TrustLevel;
    use std::collections::BTreeSet;

    /// Who is asked for: everybody below `validated`, and whoever comes or changes later without a word of the operator.
    #[test]
    fn who_waits() {
        use TrustLevel::{Certified, Community, Generated, Validated};
        let folder = tempfile::tempdir().unwrap();
        let book = Book::new(Some(folder.path().join("grants.json")));
        let ask = Ask::Credential { variable: "T".into(), origin: "https://a.example".into() };
        let (known, unknown) = (BTreeSet::from([ask.clone()]), BTreeSet::new());
        let waits = |trust, is_set, coming, vouched: &BTreeSet<Ask>| {
            let standing = Standing { file: "f", coming, is_named: true, vouched, first_name: None };
            !waiting(std::slice::from_ref(&ask), ("s", trust, is_set), standing, &book).is_empty()
        };
        for coming in [Coming::Named, Coming::Found, Coming::Later] {
            for low in [Generated, Community, TrustLevel::Untested] {
                assert!(waits(low, false, coming, &known) && waits(low, true, coming, &known), "{coming:?}");
            }
            assert!(!waits(Validated, true, coming, &unknown), "the operator's word: {coming:?}");
        }
        assert!(!waits(Validated, false, Coming::Named, &unknown));
        assert!(!waits(Certified, false, Coming::Found, &unknown));
        assert!(waits(Certified, false, Coming::Later, &unknown), "what it claims itself counts for nothing");
        assert!(!waits(Validated, false, Coming::Later, &known));
        book.record("s", "f", std::slice::from_ref(&ask));
        assert!(waits(Certified, false, Coming::Found, &unknown), "a restart is nobody's yes");
        assert!(!waits(Certified, false, Coming::Named, &unknown));
    }
}

//! What the operator has allowed to files that somebody else wrote (ruling S7): which variable goes to which origin, which
//! program is started.
//!
//! `book` is the list, kept in the state directory. Here is the rule: what a source asks for, as it was loaded, in; what of
//! it waits for the operator out.

mod grant_list;

pub use grant_list::{GrantEntry, GrantList, GrantListError};

use aqueduct_operations::consent::{Consent, ConsentRequest};
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::target::{Site, Target};
use aqueduct_operations::trust::TrustLevel;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The code of the remark on a file that waits for the operator.
pub(crate) const NOT_GRANTED: &str = "NOT_GRANTED";

/// How a file came to be served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileOrigin {
    /// The operator named it, at the start.
    Named,
    /// It was in a directory that the operator named, at the start.
    Found,
    /// It appeared, or was changed, while it was served.
    Later,
}

/// What is known of a file when it is loaded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FileTrust<'a> {
    /// The file, links followed.
    pub file: &'a str,
    /// How it came.
    pub coming: FileOrigin,
    /// It was named itself, not found in a directory.
    pub is_named: bool,
    /// What it asked for at the start, and was the operator's to ask.
    pub vouched: &'a BTreeSet<ConsentRequest>,
    /// The name that it had at the start.
    pub first_name: Option<&'a str>,
}

impl FileTrust<'_> {
    /// True when what the operator set for this name was set for this source: it had the name when the operator gave it. What
    /// comes to a directory later, or takes another name, was not meant.
    pub fn was_meant_by(&self, name: &str) -> bool {
        match self.first_name {
            Some(first) => first == name,
            None => self.coming != FileOrigin::Later || self.is_named,
        }
    }
}

/// What of the asks of a source waits for the operator, or did.
pub(crate) fn waiting(
    asks: &[ConsentRequest],
    (source, trust, is_set): (&str, TrustLevel, bool),
    standing: FileTrust<'_>,
    book: &GrantList,
) -> Vec<ConsentRequest> {
    let is_low = !trust.is_of_the_operator();
    if !is_low && is_set {
        // The operator vouches for the source by its name.
        return Vec::new();
    }
    let waits = |ask: &ConsentRequest| match standing.coming {
        _ if is_low => true,
        FileOrigin::Named => false,
        // What waited before waits on: a restart is nobody's yes.
        FileOrigin::Found => book.is_known(source, standing.file, ask),
        FileOrigin::Later => !standing.vouched.contains(ask),
    };
    asks.iter().filter(|ask| waits(ask)).cloned().collect()
}

/// What the operations of a source ask for over HTTP, each once.
pub(crate) fn asks_of(loaded: &LoadedSource) -> BTreeSet<ConsentRequest> {
    let targets = loaded.operations.iter().filter_map(|operation| match &operation.target {
        Target::Http(target) => Some(target),
        _ => None,
    });
    targets.flat_map(|target| target.auth_in_force().asks(&target.site.base_url)).collect()
}

/// Makes every request of the source ask first.
pub(crate) fn guard_requests(loaded: &mut LoadedSource, consent: &Arc<dyn Consent>) {
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
pub(crate) fn remark(file: &str, source: &str, ask: &ConsentRequest) -> Diagnostic {
    let message = match ask {
        ConsentRequest::Credential { variable, origin } => {
            format!("The variable {variable} is not sent to {origin} until you allow it")
        }
        ConsentRequest::Program { line, .. } => {
            format!("The program is not started until you allow it: {line}")
        }
    };
    let mut remark = Diagnostic::about(file, DiagnosticSeverity::Warning, NOT_GRANTED, message);
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
    pub waiting: Vec<ConsentRequest>,
    /// Where answers are.
    pub book: Arc<GrantList>,
}

impl Consent for FileConsent {
    fn source(&self) -> &str {
        &self.source
    }

    fn allows(&self, ask: &ConsentRequest) -> bool {
        !self.waiting.contains(ask) || self.book.is_allowed(&self.source, &self.file, ask)
    }
}

#[cfg(test)]
mod tests;

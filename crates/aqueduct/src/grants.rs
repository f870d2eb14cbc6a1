//! What the operator has allowed to files that somebody else wrote (ruling S7): which variable goes to which origin, which
//! program is started.
//!
//! `grant_list` is the list, kept in the state directory. Here is the rule: what a source asks for, as it was loaded, in; what of
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

/// The code for a file that waits for the operator.
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
    pub file_origin: FileOrigin,
    /// It was named itself, not found in a directory.
    pub is_named: bool,
    /// What it asked for at the start, and was the operator's to ask.
    pub granted_at_start: &'a BTreeSet<ConsentRequest>,
    /// The name that it had at the start.
    pub first_name: Option<&'a str>,
}

impl FileTrust<'_> {
    /// True when what the operator set for this name was set for this source: it had the name when the operator gave it. What
    /// comes to a directory later, or takes another name, was not meant.
    pub fn was_named_by(&self, name: &str) -> bool {
        match self.first_name {
            Some(first) => first == name,
            None => self.file_origin != FileOrigin::Later || self.is_named,
        }
    }
}

/// How far a source is trusted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SourceTrust<'a> {
    /// Its name.
    pub name: &'a str,
    /// The level in force.
    pub level: TrustLevel,
    /// The operator set the level.
    pub is_set: bool,
}

/// Which requests of a source wait for the operator, or did.
pub(crate) fn waiting(
    requests: &[ConsentRequest],
    source: SourceTrust<'_>,
    file: FileTrust<'_>,
    grants: &GrantList,
) -> Vec<ConsentRequest> {
    let is_low = !source.level.is_of_the_operator();
    if !is_low && source.is_set {
        // The operator trusts the source by its name.
        return Vec::new();
    }
    let waits = |request: &ConsentRequest| match file.file_origin {
        _ if is_low => true,
        FileOrigin::Named => false,
        // What waited before waits on: a restart is no one's yes.
        FileOrigin::Found => grants.is_known(source.name, file.file, request),
        FileOrigin::Later => !file.granted_at_start.contains(request),
    };
    requests.iter().filter(|request| waits(request)).cloned().collect()
}

/// What the operations of a source ask for over HTTP, each once.
pub(crate) fn requests_of(loaded: &LoadedSource) -> BTreeSet<ConsentRequest> {
    let targets = loaded.operations.iter().filter_map(|operation| match &operation.target {
        Target::Http(target) => Some(target),
        _ => None,
    });
    targets.flat_map(|target| target.auth_in_force().consent_requests(&target.site.base_url)).collect()
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

/// The warning about a request that waits.
pub(crate) fn not_granted(file: &str, source: &str, request: &ConsentRequest) -> Diagnostic {
    let message = match request {
        ConsentRequest::Credential { variable, origin } => {
            format!("The variable {variable} is not sent to {origin} until you allow it")
        }
        ConsentRequest::Program { line, .. } => {
            format!("The program is not started until you allow it: {line}")
        }
    };
    let mut warning = Diagnostic::about(file, DiagnosticSeverity::Warning, NOT_GRANTED, message);
    warning.hint = Some(format!("aqueduct grants {source} --allow"));
    warning
}

/// The operator's word on one file: what does not wait is free, the rest is as the list says now.
#[derive(Debug)]
pub(crate) struct FileConsent {
    /// The source.
    pub source: String,
    /// The file.
    pub file: String,
    /// What waits.
    pub waiting: Vec<ConsentRequest>,
    /// Where answers are.
    pub grants: Arc<GrantList>,
}

impl Consent for FileConsent {
    fn source(&self) -> &str {
        &self.source
    }

    fn allows(&self, request: &ConsentRequest) -> bool {
        !self.waiting.contains(request) || self.grants.is_allowed(&self.source, &self.file, request)
    }
}

#[cfg(test)]
mod tests;

//! The operations of a file as other parts of it refer to them: by name, and by path.
//!
//! A name in; the operation out, or a finding. An operation that is written but could not be understood has been reported,
//! so nothing is said about what refers to it.

use super::operation::DraftOperation;
use super::params::FileBudget;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, shortened};
use aqueduct_operations::category::Category;
use aqueduct_operations::target::{BodyFormat, Method, Segment};
use std::collections::{BTreeSet, HashMap};

pub(super) struct SiblingOperations<'s, 'a> {
    by_name: HashMap<&'s str, &'s DraftOperation<'a>>,
    by_path: HashMap<String, Vec<&'s DraftOperation<'a>>>,
    written: BTreeSet<&'a str>,
    pub budget: &'s FileBudget,
    /// How bodies are written where an operation does not say it.
    pub usual_body: BodyFormat,
}

impl<'s, 'a> SiblingOperations<'s, 'a> {
    /// All operations of the file: those that were understood, and the names of the others.
    pub(super) fn of(
        root: &NodeCursor<'a>,
        drafts: &'s [DraftOperation<'a>],
        budget: &'s FileBudget,
    ) -> SiblingOperations<'s, 'a> {
        let lists = root.get("operations").into_iter().flat_map(|block| block.entries());
        let written = lists.flat_map(|(_, list)| list.elements()).filter_map(|each| each.text("name"));
        let mut by_path: HashMap<String, Vec<&DraftOperation<'a>>> = HashMap::new();
        for draft in drafts.iter().filter(|draft| is_reader(draft)) {
            by_path.entry(path_form(&draft.operation.target.mapping.path)).or_default().push(draft);
        }
        let by_name = drafts.iter().map(|draft| (draft.operation.name.as_str(), draft)).collect();
        let is_form = root.get("target").and_then(|target| target.text("serialization")) == Some("form");
        let usual_body = if is_form { BodyFormat::Form } else { BodyFormat::Json };
        SiblingOperations { by_name, by_path, written: written.collect(), budget, usual_body }
    }

    /// True when the file has an operation of this name, understood or not.
    pub(super) fn is_written(&self, name: &str) -> bool {
        self.written.contains(name)
    }

    /// The names of all operations.
    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.written.iter().copied()
    }

    /// `did you mean 'x'?`
    pub(super) fn nearest(&self, name: &str, found: &Findings<'_>) -> Option<String> {
        found.nearest(name, self.written.iter().copied())
    }

    /// The READ operation that a text names.
    pub(super) fn reader(
        &self,
        at: &NodeCursor<'_>,
        found: &mut Findings<'_>,
    ) -> Option<&'s DraftOperation<'a>> {
        let draft = self.any(at, found)?;
        if draft.operation.category != Category::Read {
            let (name, list) = (&draft.operation.name, draft.operation.category.lower());
            let message = format!("'{name}' is in {list}, so it may change something");
            at.error("BAD_REFERENCE", message).expected("a READ operation").add_to(found);
            return None;
        }
        Some(draft)
    }

    /// The operation that a text names.
    pub(super) fn any(
        &self,
        at: &NodeCursor<'_>,
        found: &mut Findings<'_>,
    ) -> Option<&'s DraftOperation<'a>> {
        let name = at.node.filled_text()?;
        if !self.is_written(name) {
            let hint = self.nearest(name, found);
            let message = format!("There is no operation '{}'", shortened(name, 80));
            at.error("UNKNOWN_REFERENCE", message).maybe_hint(hint).add_to(found);
            return None;
        }
        let draft = *self.by_name.get(name)?;
        self.budget.affords(draft.operation.params.len(), at, found).then_some(draft)
    }

    /// The GETs on a path, whatever its placeholders are called.
    pub(super) fn on_path(&self, path: &[Segment]) -> &[&'s DraftOperation<'a>] {
        self.by_path.get(&path_form(path)).map_or(&[], Vec::as_slice)
    }
}

/// True for a READ by GET.
pub(super) fn is_reader(draft: &DraftOperation<'_>) -> bool {
    draft.operation.category == Category::Read && draft.operation.target.mapping.method == Method::Get
}

/// A path without the names of its placeholders.
pub(crate) fn path_form(path: &[Segment]) -> String {
    let pieces = path.iter().map(|segment| match segment {
        Segment::Literal(text) => text.as_str(),
        Segment::Placeholder(_) => "{}",
    });
    pieces.collect()
}

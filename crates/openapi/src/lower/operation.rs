//! One operation of a document: its parameters, body and answer put together.
//!
//! A method of a path item in, an `Operation` out under the name it would have alone, with everything that was lost. The
//! final names are given when all operations are known.

use super::category::{self, CategoryFacts};
use super::context::LoweringContext;
use super::document_view::{flag, text};
use super::summary::brief;
use super::{agreement, body, params, publish, responses};
use crate::read::{PartLocation, strings};
use aqueduct_operations::auth::Auth;
use aqueduct_operations::category::Category;
use aqueduct_operations::danger::{DangerLevel, undeclared};
use aqueduct_operations::operation::{Declaration, DocumentText, Grouping, Operation};
use aqueduct_operations::params::Param;
use aqueduct_operations::response::{Deprecation, OmittedFields};
use aqueduct_operations::target::{AnswerKind, BodyFormat, HttpTarget, Method, Site, Target};
use aqueduct_source_kind::operation_names::{self, UnnamedOperation};
use aqueduct_source_kind::operator_rules;
use serde_json::Value;
use std::collections::HashSet;
use std::sync::Arc;

/// Characters of an operation's description.
const DESCRIPTION: usize = 300;

/// Characters of each of its texts that are searched.
const SEARCHED: usize = 2_000;

/// An operation as it stands in the document.
pub(super) struct DocumentOperation<'w> {
    pub path: &'w str,
    pub method: Method,
    pub item: &'w Value,
    pub operation: &'w Value,
    pub node: &'w PartLocation,
}

/// What operations of a document share.
pub(super) struct LoweringShared<'s> {
    pub site: Arc<Site>,
    /// How it authenticates, when not as its site does.
    pub auth: Option<Arc<Auth>>,
    /// Parameters that only carry credentials.
    pub credentials: &'s HashSet<(String, String)>,
}

/// An operation whose request is still being read.
pub(super) type OperationDraft = Operation<HttpTarget>;

/// An operation and what is to be reported about it.
pub(super) struct LoweredOperation {
    /// Its id in the document; its name is made of it, or else of method and path.
    pub operation_id: Option<String>,
    pub method: Method,
    pub path: String,
    /// Large: apart, so that the list of them grows without copying it.
    pub operation: Box<Operation>,
    pub warnings: Vec<String>,
    pub own_headers: usize,
    /// The danger that method, name and path give it at least.
    pub at_least: DangerLevel,
}

/// The harm an operation can do: by its category, but not less than by its method, its names and its path.
pub(super) fn settle_danger(operation: &mut Operation, at_least: DangerLevel) {
    let (level, origin) = undeclared(&operation.name, operation.category);
    let word = operation.final_word();
    (operation.danger.level, operation.danger.origin) = (level, origin);
    operation.danger.raise_to_word(word);
    operation.danger.raise_to_floor(at_least);
}

impl DocumentOperation<'_> {
    pub(super) fn operation_id(&self) -> Option<&str> {
        text(self.operation, "operationId")
    }

    /// `GET /users/{id}`.
    pub(super) fn place(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// The operation.
    pub(super) fn lower(
        &self,
        context: &mut LoweringContext<'_>,
        shared: LoweringShared<'_>,
    ) -> LoweredOperation {
        let (written, node, method) = (self.operation, self.node, self.method);
        let operation_id = self.operation_id().filter(|id| !id.trim().is_empty());
        let name = operation_names::alone(&UnnamedOperation { operation_id, method, path: self.path });
        let mut draft = self.draft(name, shared.site, shared.auth);
        let mut warnings = Vec::new();
        let own_headers = params::read(context, &mut draft, self, shared.credentials, &mut warnings);
        responses::read(context, &mut draft, written.get("responses"), node, &mut warnings);
        let found = category::categorise(&CategoryFacts {
            method,
            path: self.path,
            name: &draft.name,
            operation_id,
            declared: self.declared_category(&mut warnings),
            is_stream: draft.target.answer == AnswerKind::Events,
        });
        draft.category = found.category;
        // Whatever the method promises, running something again runs it again.
        draft.non_idempotent = found.category == Category::Execute;
        let mut body = body::read(context, &mut draft, written.get("requestBody"), node, &mut warnings);
        draft.grouping = match (found.category, body.params.is_empty(), body.is_whole) {
            (Category::Update, false, true) => Grouping::WholeInput,
            (Category::Update, false, false) => Grouping::Input,
            _ => Grouping::Flat,
        };
        if draft.grouping == Grouping::Flat {
            body.fill_in();
        }
        publish::settle(self.path, &mut draft.params, &mut warnings);
        let first_of_body = draft.params.len();
        draft.params.append(&mut body.params);
        let is_input = draft.grouping == Grouping::WholeInput;
        if is_input {
            draft.params[first_of_body].name = "input".to_owned();
        }
        let fixed = is_input.then_some(first_of_body);
        let grouping = draft.grouping;
        publish::names(&mut draft.params, fixed, grouping, &mut warnings);
        publish::path(self.path, &mut draft, &mut warnings);
        // They are kept for as long as the source is served.
        draft.params.shrink_to_fit();
        let needs = |param: &&Param| param.is_body() && body.needs.contains(&param.upstream_name);
        draft.target.body_needs = draft.params.iter().filter(needs).map(|param| param.name.clone()).collect();
        draft.target.whole_body = body.is_whole.then(|| draft.params[first_of_body].name.clone());
        let replaces = found.category == Category::Update && method == Method::Put;
        draft.update.merge = !replaces;
        if !replaces {
            draft.update.leaves_out = OmittedFields::Nothing;
        }
        let is_json_put =
            replaces && draft.target.body == BodyFormat::Json && draft.grouping != Grouping::Flat;
        let at_least = found.at_least;
        draft.origin = Some(found.origin(operation_id, &draft.name, self.place()));
        let mut operation = Operation { declaration: draft.declaration, target: Target::Http(draft.target) };
        if let Some(get) = self.item.get("get").filter(|get| is_json_put && get.is_object())
            && let Some(only_shown) = agreement::only_shown(&context.resolver, get, written, node, self.path)
        {
            operator_rules::set_merge(&mut operation, true);
            leave_out(only_shown, &mut operation.update.leaves_out);
        }
        LoweredOperation {
            operation_id: self.operation_id().map(str::to_owned),
            method: self.method,
            path: self.path.to_owned(),
            operation: Box::new(operation),
            warnings,
            own_headers,
            at_least,
        }
    }

    /// What is known before its parts are read.
    fn draft(&self, name: String, site: Arc<Site>, auth: Option<Arc<Auth>>) -> OperationDraft {
        let description = self.description();
        Operation {
            declaration: Declaration {
                tags: strings(self.operation.get("tags")).map(str::to_owned).collect(),
                deprecated: flag(self.operation, "deprecated").then(Deprecation::default),
                document_text: Some(self.document_text()),
                ..Declaration::new(name, description, Category::Read, Vec::new())
            },
            target: HttpTarget {
                answer: AnswerKind::Any,
                auth,
                ..HttpTarget::new(site, self.method, Vec::new())
            },
        }
    }

    fn declared_category(&self, warnings: &mut Vec<String>) -> Option<Category> {
        let written = category::EXTENSIONS.iter().find_map(|key| self.operation.get(*key))?;
        let declared = written.as_str().and_then(Category::parse);
        if declared.is_none() {
            warnings.push("the category that the document gives is none of the five".to_owned());
        }
        declared
    }

    /// What is searched: the beginning of what the document says.
    fn document_text(&self) -> DocumentText {
        let beginning =
            |key: &str| text(self.operation, key).unwrap_or_default().chars().take(SEARCHED).collect();
        DocumentText { summary: beginning("summary"), description: beginning("description") }
    }

    /// The summary, and the beginning of the description where it says more.
    fn description(&self) -> String {
        let line = |key: &str| brief(text(self.operation, key).unwrap_or_default(), DESCRIPTION);
        let (summary, description) = (line("summary"), line("description"));
        let bare = summary.trim_end_matches('.');
        if summary.is_empty() || description.starts_with(bare) {
            let words = if description.is_empty() { summary } else { description };
            return if words.is_empty() { self.place() } else { words };
        }
        let room = DESCRIPTION.saturating_sub(summary.chars().count() + 2);
        if description.is_empty() || room < 40 {
            return summary;
        }
        format!("{bare}. {}", brief(&description, room))
    }
}

/// Adds fields that are not written back.
fn leave_out(only_shown: Vec<String>, leaves_out: &mut OmittedFields) {
    match leaves_out {
        OmittedFields::Undeclared => {}
        OmittedFields::These(names) => names.extend(only_shown),
        OmittedFields::Nothing if only_shown.is_empty() => {}
        OmittedFields::Nothing => *leaves_out = OmittedFields::These(only_shown),
    }
}

//! One operation of a document: its parameters, body and answer put together.
//!
//! A method of a path item in, an `Operation` out under the name it would have alone, with everything that was lost. The
//! final names are given when all operations are known.

use super::agreement;
use super::body;
use super::category::{self, CategoryFacts};
use super::context::LoweringContext;
use super::document_view::{flag, text};
use super::summary::brief;
use super::{params, publish, responses};
use crate::read::PartLocation;
use aqueduct_operations::auth::Auth;
use aqueduct_operations::category::Category;
use aqueduct_operations::danger::{DangerLevel, undeclared};
use aqueduct_operations::operation::{Grouping, Operation, OperationParts};
use aqueduct_operations::origin::ImportOrigin;
use aqueduct_operations::params::Param;
use aqueduct_operations::response::{Deprecation, LeavesOut, UpdateRule};
use aqueduct_operations::target::{AnswerKind, BodyFormat, DotSegments, HttpTarget, Method, Site, Target};
use aqueduct_source_kind::operation_names::{self, UnnamedOperation};
use aqueduct_source_kind::operator_rules;
use serde_json::Value;
use std::collections::HashSet;
use std::sync::Arc;

/// Characters of an operation's description.
const DESCRIPTION: usize = 300;

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

/// An operation and what is to be told about it.
pub(super) struct LoweredOperation {
    pub operation: Operation,
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
    operation.danger.hold_word(word);
    operation.danger.hold_floor(at_least);
}

impl DocumentOperation<'_> {
    pub(super) fn operation_id(&self) -> Option<&str> {
        text(self.operation, "operationId")
    }

    /// `GET /users/{id}`.
    pub(super) fn place(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    pub(super) fn lower(
        &self,
        context: &mut LoweringContext<'_>,
        shared: LoweringShared<'_>,
    ) -> LoweredOperation {
        let (operation, node, method) = (self.operation, self.node, self.method);
        let name = operation_names::alone(&UnnamedOperation {
            operation_id: self.operation_id(),
            method,
            path: self.path,
        });
        let lowered = params::params(
            context,
            &name,
            self.item.get("parameters"),
            operation.get("parameters"),
            node,
            shared.credentials,
        );
        let (mut params, mut warnings, own_headers) = (lowered.params, lowered.warnings, lowered.own_headers);
        let is_get = method == Method::Get;
        let answer = responses::answer(context, &name, operation.get("responses"), node, &params, is_get);
        warnings.extend(answer.warnings);
        let judged = category::judge(&CategoryFacts {
            method,
            path: self.path,
            name: &name,
            operation_id: self.operation_id().filter(|id| !id.trim().is_empty()),
            declared: self.declared_category(&mut warnings),
            is_stream: answer.kind == AnswerKind::Events,
        });
        let (body, more) = body::body(context, &name, operation.get("requestBody"), node);
        warnings.extend(more);
        let mut body = body.unwrap_or_default();
        warnings.append(&mut body.warnings);
        let grouping = match (judged.category, body.params.is_empty(), body.is_whole) {
            (Category::Update, false, true) => Grouping::WholeInput,
            (Category::Update, false, false) => Grouping::Input,
            _ => Grouping::Flat,
        };
        let is_update = judged.category == Category::Update;
        if grouping == Grouping::Flat {
            body.fill_in();
        }
        publish::settle(self.path, &mut params, &mut warnings);
        let first_of_body = params.len();
        params.append(&mut body.params);
        let mut fixed = None;
        if grouping == Grouping::WholeInput {
            params[first_of_body].name = "input".to_owned();
            fixed = Some(first_of_body);
        }
        publish::names(&mut params, fixed, grouping, &mut warnings);
        let path = publish::path(self.path, &params, &mut warnings);
        let needs = |param: &&Param| param.is_body() && body.needs.contains(&param.upstream_name);
        let body_needs = params.iter().filter(needs).map(|param| param.name.clone()).collect();
        let replaces = is_update && method == Method::Put;
        let leaves_out = if replaces { body.leaves_out } else { LeavesOut::Nothing };
        let is_json_put = replaces && body.format == BodyFormat::Json && grouping != Grouping::Flat;
        let whole_body = body.is_whole.then(|| params[first_of_body].name.clone());
        let target = Target::Http(HttpTarget {
            site: shared.site,
            method,
            path: path.segments,
            static_query: path.static_query,
            body: body.format,
            content_type: body.content_type,
            whole_body,
            needs_body: body.is_required,
            dot_segments: DotSegments::Encode,
            body_needs,
            parts: body.parts,
            answer: answer.kind,
            auth: shared.auth,
        });
        let mut made = Operation {
            grouping,
            // Whatever the method promises, running something again runs it again.
            non_idempotent: judged.category == Category::Execute,
            returns: answer.returns,
            tags: texts(operation.get("tags")),
            answers: answer.answers,
            update: UpdateRule { leaves_out, merge: !replaces, ..UpdateRule::default() },
            deprecated: flag(operation, "deprecated").then(Deprecation::default),
            output: answer.output,
            origin: Some(ImportOrigin {
                is_unnamed: self.operation_id().is_none_or(|id| id.trim().is_empty()),
                name: self
                    .operation_id()
                    .filter(|id| !id.trim().is_empty())
                    .map_or_else(|| name.clone(), str::to_owned),
                place: self.place(),
                reason: judged.reason,
                confidence: judged.confidence,
                needs_review: judged.needs_review,
            }),
            ..Operation::new(OperationParts {
                name,
                description: self.description(),
                category: judged.category,
                params,
                target,
            })
        };
        let read = self.item.get("get").filter(|get| is_json_put && get.is_object());
        if let Some(get) = read
            && let Some(only_shown) =
                agreement::only_shown(&context.resolver, (get, self.operation), node, self.path)
        {
            operator_rules::set_merge(&mut made, true);
            leave_out(only_shown, &mut made.update.leaves_out);
        }
        LoweredOperation { operation: made, warnings, own_headers, at_least: judged.at_least }
    }

    fn declared_category(&self, warnings: &mut Vec<String>) -> Option<Category> {
        let written = category::EXTENSIONS.iter().find_map(|key| self.operation.get(*key))?;
        let declared = written.as_str().and_then(Category::parse);
        if declared.is_none() {
            warnings.push("the category that the document gives is none of the five".to_owned());
        }
        declared
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
fn leave_out(only_shown: Vec<String>, leaves_out: &mut LeavesOut) {
    match leaves_out {
        LeavesOut::Undeclared => {}
        LeavesOut::These(names) => names.extend(only_shown),
        LeavesOut::Nothing if only_shown.is_empty() => {}
        LeavesOut::Nothing => *leaves_out = LeavesOut::These(only_shown),
    }
}

fn texts(list: Option<&Value>) -> Vec<String> {
    list.and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

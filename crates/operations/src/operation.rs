//! One operation: its name, parameters, category and target, as everything else reads it.
//!
//! Sources make it, the registry gives it its public name; it does not change after that.

use crate::category::Category;
use crate::danger::{Danger, final_word};
use crate::lifecycle::Lifecycle;
use crate::named_enum::named_enum;
use crate::origin::ImportOrigin;
use crate::params::Param;
use crate::response::{CacheRule, Deprecation, MergeRule, ResponseRules, UpdateRule};
use crate::source::Source;
use crate::target::{AnswerKind, BodyFormat, BuiltIn, Method, Target};
use crate::trust::{OperationTrust, TrustLevel};
use aqueduct_schema::LazySchema;
use serde_json::{Map, Value};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A callable operation of one source. It reads as its declaration: `operation.name`. While a source is read, its target
/// may be a draft.
#[derive(Debug, Clone)]
pub struct Operation<T = Target> {
    /// What is known of it, whatever it calls.
    pub declaration: Declaration,
    /// What a call of it does.
    pub target: T,
}

/// All that an operation is besides what it calls.
#[derive(Debug, Clone)]
pub struct Declaration {
    /// The name within its source.
    pub name: String,
    /// What it does.
    pub description: String,
    /// Its one semantic category.
    pub category: Category,
    /// Its parameters, in the order of the file.
    pub params: Vec<Param>,
    /// How its parameters are grouped in a request.
    pub grouping: Grouping,
    /// The harm it can do.
    pub danger: Danger,
    /// How far its author trusts it, where that is less than the rest; what lets through more counts for nothing.
    pub trust: Option<TrustLevel>,
    /// A repeat may act twice, whatever its method says.
    pub non_idempotent: bool,
    /// What it returns.
    pub returns: ReturnType,
    /// Requests that its author wrote down.
    pub examples: Vec<Example>,
    /// Words under which it is looked for.
    pub tags: Vec<String>,
    /// Words in a request that call for it.
    pub triggers: Vec<String>,
    /// When to use it, in words.
    pub when_to_use: Option<String>,
    /// What is declared about its responses.
    pub answers: ResponseRules,
    /// How it finds what is there before it writes.
    pub update: UpdateRule,
    /// Whether its responses are cached, when not as the source says.
    pub cache: Option<CacheRule>,
    /// The operations of its source whose cached responses are stale after it, when its author says which; else all of them.
    pub invalidates: Option<Vec<String>>,
    /// That it will go away.
    pub deprecated: Option<Deprecation>,
    /// Scopes that a caller needs, every one of them.
    pub required_scopes: Vec<String>,
    /// What happens to a request that its source would refuse.
    pub validation: ValidationMode,
    /// How work is followed that goes on after the call.
    pub lifecycle: Option<Arc<Lifecycle>>,
    /// What it gives, when that is declared.
    pub output: Option<Arc<LazySchema>>,
    /// Where it was imported from.
    pub origin: Option<ImportOrigin>,
    /// What its document says of it, where the description is only a part of that.
    pub document_text: Option<DocumentText>,
}

/// What a document says of an operation. It is searched, and never shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentText {
    /// In one line.
    pub summary: String,
    /// At length; may have markup.
    pub description: String,
}

named_enum! {
    /// What happens to values that are declared otherwise (`validate` of the operator).
    #[derive(Default)]
    pub enum ValidationMode {
        /// The request is refused.
        #[default]
        Strict = "strict",
        /// It goes through as it is, and the problems are warnings.
        Warn = "warn",
    }
}

named_enum! {
    /// Whether some parameters travel inside an `input` object (core specification, section 4.5).
    pub enum Grouping {
        /// Every parameter sits directly in `params`.
        Flat = "flat",
        /// Body parameters sit in `params.input`, the others beside it.
        Input = "input",
        /// The declared parameter `input` is the whole body.
        WholeInput = "whole_input",
    }
}

/// What an operation returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnType {
    /// A type's name.
    pub name: String,
    /// `object`, `enum`, `union` or `scalar`.
    pub kind: &'static str,
    /// In words.
    pub description: Option<String>,
}

/// An example request.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// What it shows.
    pub description: Option<String>,
    /// The `params` of the request.
    pub params: Map<String, Value>,
}

impl<T> Deref for Operation<T> {
    type Target = Declaration;

    fn deref(&self) -> &Declaration {
        &self.declaration
    }
}

impl<T> DerefMut for Operation<T> {
    fn deref_mut(&mut self) -> &mut Declaration {
        &mut self.declaration
    }
}

impl Declaration {
    /// One of which nothing else is declared: its parameters are flat, its danger follows from its name and its category, and
    /// it returns some object.
    pub fn new(name: String, description: String, category: Category, params: Vec<Param>) -> Declaration {
        Declaration {
            danger: Danger::undeclared(&name, category),
            name,
            description,
            category,
            params,
            grouping: Grouping::Flat,
            trust: None,
            non_idempotent: false,
            returns: ReturnType { name: "object".to_owned(), kind: "object", description: None },
            examples: Vec::new(),
            tags: Vec::new(),
            triggers: Vec::new(),
            when_to_use: None,
            answers: ResponseRules::default(),
            update: UpdateRule::default(),
            cache: None,
            invalidates: None,
            deprecated: None,
            required_scopes: Vec::new(),
            validation: ValidationMode::default(),
            lifecycle: None,
            output: None,
            origin: None,
            document_text: None,
        }
    }

    /// The parameter with this public name.
    pub fn param(&self, name: &str) -> Option<&Param> {
        self.params.iter().find(|p| p.name == name)
    }

    /// Parameters that sit directly in `params`.
    pub fn outer_params(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(|p| self.grouping != Grouping::Input || !p.is_body())
    }

    /// Parameters that sit in `params.input`.
    pub fn input_params(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(|p| self.grouping == Grouping::Input && p.is_body())
    }
}

impl Operation {
    /// Its path with placeholders and what is fixed of its query; empty when it is no request.
    pub fn path_text(&self) -> String {
        match &self.target {
            Target::Http(target) => target.path_text(),
            Target::Handler(_) | Target::BuiltIn(_) => String::new(),
        }
    }

    /// The word of money or of no return in its names or at the end of its path (ruling S2).
    pub fn final_word(&self) -> Option<&'static str> {
        let own = self.origin.as_ref().map_or(self.name.as_str(), |origin| origin.name.as_str());
        final_word(&[self.name.as_str(), own], &self.path_text(), self.category)
    }

    /// The fields of the body, by public name, that must be there as soon as it has any.
    pub fn body_needs(&self) -> &[String] {
        match &self.target {
            Target::Http(target) => &target.body_needs,
            Target::Handler(_) | Target::BuiltIn(_) => &[],
        }
    }

    /// True when its responses are lists, which take the list controls: pages, filters, order, counts.
    pub fn is_list(&self) -> bool {
        self.answers.collection
            && self.category == Category::Read
            && !matches!(self.target, Target::BuiltIn(BuiltIn::Introspect | BuiltIn::QueryRelationships))
    }

    /// True when a READ may answer with a text that is too long for one response, and is then given in parts; in JSON it may
    /// be the only field that is chosen.
    pub fn may_be_text(&self) -> bool {
        let can_be = match &self.target {
            Target::Http(target) => target.answer != AnswerKind::Events && !self.is_list(),
            Target::Handler(_) => true,
            Target::BuiltIn(_) => false,
        };
        can_be && self.category == Category::Read
    }

    /// How it would be merged into what is stored, if that can be read; nothing when it is sent as it is.
    pub fn merge(&self) -> Option<MergeRule> {
        let Target::Http(target) = &self.target else { return None };
        let is_mergeable = self.update.merge
            && self.category == Category::Update
            && self.grouping != Grouping::Flat
            && target.body == BodyFormat::Json
            && self.params.iter().any(Param::is_body);
        match target.method {
            Method::Put if is_mergeable => Some(MergeRule::Whole),
            Method::Patch | Method::Post if is_mergeable && self.update.read.is_some() => {
                Some(MergeRule::Given)
            }
            _ => None,
        }
    }
}

/// An operation as the registry serves it: with its public name and its source.
#[derive(Debug, Clone)]
pub struct RegistryEntry {
    /// The name on the wire: bare, or namespaced when there are several sources.
    pub public_name: String,
    /// The operation.
    pub operation: Arc<Operation>,
    /// The source that it belongs to.
    pub source: Arc<Source>,
}

impl RegistryEntry {
    /// True for introspection itself.
    pub fn is_introspect(&self) -> bool {
        matches!(self.operation.target, Target::BuiltIn(BuiltIn::Introspect))
    }

    /// How far it is trusted: as its source, or less where its author says so.
    pub fn trust(&self) -> OperationTrust {
        let (source, operation) = (self.source.trust, &*self.operation);
        let stricter = |own| source.stricter(own, operation.category, operation.danger.level);
        let level = operation.trust.map_or(source, stricter);
        OperationTrust { level, is_override: level != source }
    }

    /// Whether its responses are cached, and how long: as the operation says, or else its source.
    pub fn cache_rule(&self) -> CacheRule {
        self.operation.cache.unwrap_or(self.source.cache)
    }
}

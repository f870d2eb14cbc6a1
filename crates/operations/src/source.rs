//! A source: one API, as everything that its operations share besides their target.
//!
//! Made when a file is loaded and shared by its operations; the operator's settings are already in it.

use crate::autonomy::AutonomySettings;
use crate::concurrency::Concurrency;
use crate::rate_limits::RateLimits;
use crate::response::{CacheRule, ErrorRule, Relationship};
use crate::trust::TrustLevel;
use crate::types::TypeDef;
use serde_json::{Map, Value};
use std::sync::Arc;

/// One API.
#[derive(Debug, Clone)]
pub struct Source {
    /// The name that namespaces its operations.
    pub name: String,
    /// SemVer of the adapter.
    pub version: String,
    /// What the API is, in words.
    pub description: String,
    /// How far it is trusted.
    pub trust: TrustLevel,
    /// Which of its calls may overlap.
    pub concurrency: Concurrency,
    /// Accepts camelCase spellings of parameter names.
    pub camel_case_aliases: bool,
    /// Types it declares.
    pub types: Vec<TypeDef>,
    /// Author, dates, tags and the trust block as written, shown by `adapter_info`.
    pub info: Map<String, Value>,
    /// Words under which the source is looked for.
    pub tags: Vec<String>,
    /// The Markdown body of the adapter file.
    pub documentation: String,
    /// Whether its responses are cached.
    pub cache: CacheRule,
    /// What its HTTP statuses mean, where not the usual.
    pub error_rules: Vec<ErrorRule>,
    /// Its relationships.
    pub relationships: Vec<Relationship>,
    /// How far its author lets agents go that use it.
    pub autonomy: Option<AutonomySettings>,
    /// How far relationships are followed.
    pub max_relationship_depth: u64,
    /// The operator wants responses fitted to what their operations declare; else they pass on as they came (ruling W19).
    pub fits_answers: bool,
    /// Environment variables that are called after the source and that its calls may read (ruling S7): no other source may
    /// have the same.
    pub own_variables: Vec<String>,
    /// What it may be asked for in what time.
    pub rate_limits: Option<Arc<RateLimits>>,
}

impl Source {
    /// How far relationships are followed by default.
    pub const MAX_RELATIONSHIP_DEPTH: u64 = 5;

    /// A source of which nothing is known but its name and how far it is trusted.
    pub fn new(name: String, trust: TrustLevel) -> Source {
        Source {
            name,
            version: "0.0.0".to_owned(),
            description: String::new(),
            trust,
            concurrency: Concurrency::default(),
            camel_case_aliases: true,
            types: Vec::new(),
            info: Map::new(),
            tags: Vec::new(),
            documentation: String::new(),
            cache: CacheRule::default(),
            error_rules: Vec::new(),
            relationships: Vec::new(),
            autonomy: None,
            max_relationship_depth: Source::MAX_RELATIONSHIP_DEPTH,
            fits_answers: false,
            own_variables: Vec::new(),
            rate_limits: None,
        }
    }

    /// The source of the operations that this server answers itself.
    pub fn built_in() -> Source {
        Source {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            description: "Operations of the server itself".to_owned(),
            ..Source::new("aqueduct".to_owned(), TrustLevel::Official)
        }
    }
}

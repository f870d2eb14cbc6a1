//! An opened document to operations: every path and method becomes one, or is named as left out.
//!
//! The library and the operator's settings in; the loaded source and the report out. Schemas are only looked at as far as
//! introspection shows them; what checks values is put together when a call first needs it.

mod agreement;
mod body;
mod category;
mod context;
mod document_view;
mod finish;
mod header;
mod operation;
mod params;
mod path_items;
mod publish;
mod responses;
mod security;
mod servers;
mod source_name;
mod summary;

use super::read::{DocumentSet, PartLocation};
use aqueduct_operations::address::names_private_address;
use aqueduct_operations::auth::Auth;
use aqueduct_operations::credential_scope::{is_confidential, origin_text};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::source::Source;
use aqueduct_operations::target::{Method, Site, Target};
use aqueduct_source_kind::operator_rules;
use aqueduct_source_kind::report::ImportReport;
use aqueduct_source_kind::settings::{self, SiteCredentials, SourceSettings};
use context::{LoweringContext, lowering_context};
use operation::{DocumentOperation, LoweredOperation, LoweringShared};
pub(crate) use security::SharedVariable;
use security::{LoweredAuth, SecuritySchemes};
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use url::Url;

const RETRIES: u32 = 2;
/// The most operations of one document; the largest that is known has less than half of it.
const MOST_OPERATIONS: usize = 50_000;
/// The most parameters of one operation, and the most fields of a body that are parameters of their own.
const MOST_PARAMS: usize = 2_000;

/// Why nothing could be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NotLowered {
    /// Nothing says where the API is: what is wrong with each server of the document.
    NoServer(Vec<String>),
    /// Two ways to authenticate would read one variable.
    SharedVariable(SharedVariable),
}

/// What lowering gives.
pub(super) struct LoweredDocument {
    pub loaded: LoadedSource,
    pub report: ImportReport,
    /// Some calls go over plain http to another machine.
    pub is_plain_http: bool,
    /// Origins that calls go to without the operator's credentials.
    pub withheld: BTreeSet<String>,
}

/// What a document calls itself, by its title or else by its place.
pub(super) fn declared_name(members: &Map<String, Value>, place: &str) -> String {
    header::header(members, place).name
}

/// Lowers a document.
pub(super) fn lower(
    library: &Arc<DocumentSet>,
    place: &str,
    settings: &SourceSettings,
) -> Result<LoweredDocument, NotLowered> {
    let header = header::header(library.root(), place);
    let name = settings.source_name.clone().unwrap_or_else(|| header.name.clone());
    let mut report = ImportReport { source: name.clone(), ..ImportReport::default() };
    let base_url = match &settings.base_url {
        Some(url) => url.clone(),
        None => {
            let chosen =
                servers::choose(library.root().get("servers"), place).map_err(NotLowered::NoServer)?;
            chosen.warnings.into_iter().for_each(|warning| report.warn(warning));
            chosen.url
        }
    };
    let schemes = SecuritySchemes::new(
        &name,
        finish::schemes(library),
        Some(base_url.clone()),
        servers::vouches(place),
    );
    // An operator who sets the credentials for all of them reads none of these variables.
    if let Some(shared) = schemes.clash().filter(|_| settings.auth.is_none()) {
        return Err(NotLowered::SharedVariable(shared));
    }
    let site_auth = match (&settings.auth, library.root().get("security")) {
        (Some(auth), _) => auth.clone(),
        (None, Some(requirements)) => warned(schemes.lower(requirements), &mut report),
        (None, None) => Auth::None,
    };
    let mut lowering = Lowering {
        context: lowering_context(library),
        credentials: schemes.own_params(),
        library,
        place,
        settings,
        report,
        schemes,
        site_auth,
        base_url,
        sites: HashMap::new(),
        auths: HashMap::new(),
        made: Vec::new(),
        is_plain_http: false,
        asks_for_auth: false,
        own_headers: 0,
        withheld: BTreeSet::new(),
        with_links: 0,
    };
    lowering.all_paths();
    lowering.use_any_scheme();
    let Lowering { context, made, is_plain_http, own_headers, withheld, with_links, mut report, .. } =
        lowering;
    if let Some(words) = settings::withheld(&withheld) {
        report.warn(words);
    }
    if with_links > 0 {
        report.warn(format!("the links of {with_links} operations are left out: values from one answer are not put into the next call"));
    }
    if report.beyond > 0 {
        let what = format!("{} operations after the first {MOST_OPERATIONS}", report.beyond);
        report.leave_out(what, "more are not read of one document");
    }
    if own_headers > 0 {
        report.warn(format!("{own_headers} header parameters (Accept, Content-Type, Authorization) are left out: they are set by themselves"));
    }
    let operations = finish::finish(made, &mut report);
    finish::leave_out_webhooks(library, &mut report);
    let own_variables = if settings.auth.is_none() { finish::variables(&operations) } else { Vec::new() };
    let source = settings.applied_to(Source { name, types: context.finish(), own_variables, ..header });
    let mut loaded = LoadedSource { source, operations };
    operator_rules::apply(&mut loaded, settings);
    Ok(LoweredDocument { loaded, report, is_plain_http, withheld })
}

/// Operations on their way, and what they share.
struct Lowering<'a> {
    library: &'a Arc<DocumentSet>,
    place: &'a str,
    settings: &'a SourceSettings,
    report: ImportReport,
    context: LoweringContext<'a>,
    schemes: SecuritySchemes,
    credentials: HashSet<(String, String)>,
    site_auth: Auth,
    base_url: Url,
    sites: HashMap<String, Option<Arc<Site>>>,
    auths: HashMap<String, Option<Arc<Auth>>>,
    made: Vec<LoweredOperation>,
    is_plain_http: bool,
    asks_for_auth: bool,
    own_headers: usize,
    withheld: BTreeSet<String>,
    with_links: usize,
}

impl Lowering<'_> {
    fn all_paths(&mut self) {
        path_items::each(self.library, |path, found| match found {
            Ok(found) => self.path_item(path, &found.value, &found.location),
            Err(problem) => self.report.leave_out(format!("path {path}"), problem.to_string()),
        });
    }

    /// A document that defines ways to authenticate and asks for none of them anywhere has forgotten to.
    fn use_any_scheme(&mut self) {
        let is_asked_for = self.asks_for_auth || self.library.root().contains_key("security");
        if self.settings.auth.is_some() || self.schemes.is_empty() || is_asked_for {
            return;
        }
        self.site_auth = warned(self.schemes.any(), &mut self.report);
        let words = "no operation says how it authenticates: the first security scheme is used whose variables are set";
        self.report.warn(words);
        let mut sites: HashMap<String, Arc<Site>> = HashMap::new();
        for index in 0..self.made.len() {
            let Target::Http(target) = &self.made[index].operation.target else { continue };
            let url = target.site.base_url.clone();
            let site = match sites.get(url.as_str()) {
                Some(site) => Arc::clone(site),
                None => Arc::new(self.new_site(url.clone())),
            };
            sites.insert(url.into(), Arc::clone(&site));
            if let Target::Http(target) = &mut self.made[index].operation.target {
                target.site = site;
            }
        }
    }

    fn path_item(&mut self, path: &str, item: &Value, node: &PartLocation) {
        let Some(members) = item.as_object() else {
            if !item.is_null() {
                self.report.leave_out(format!("path {path}"), "it is no object");
            }
            return;
        };
        let extra = members.get("additionalOperations").and_then(Value::as_object).into_iter().flatten();
        for (key, operation) in members.iter().chain(extra) {
            let why = match Method::parse_any_case(key) {
                Some(_) if !operation.is_object() => "it is no object",
                None if looks_like_an_operation(key, operation) => "the method is not supported",
                Some(method) => {
                    self.operation(&DocumentOperation { path, method, item, operation, node });
                    continue;
                }
                None => continue,
            };
            self.report.found += 1;
            self.report.leave_out_operation(format!("{} {path}", key.to_uppercase()), why);
        }
    }

    fn operation(&mut self, written: &DocumentOperation<'_>) {
        self.report.found += 1;
        if self.made.len() >= MOST_OPERATIONS {
            self.report.beyond += 1;
            return;
        }
        let Some(site) = self.site(written) else {
            self.report.leave_out_operation(written.place(), "its own servers cannot be called");
            return;
        };
        for (name, _) in written.operation.get("callbacks").and_then(Value::as_object).into_iter().flatten() {
            let what = format!("callback {name} of {}", written.place());
            self.report.leave_out(what, "callbacks are calls that the API makes");
        }
        self.with_links += usize::from(has_links(written.operation));
        let mut warnings = Vec::new();
        let auth = self.auth(written.operation, &mut warnings);
        let shared = LoweringShared { site, auth, credentials: &self.credentials };
        let mut made = written.lower(&mut self.context, shared);
        made.warnings.extend(warnings);
        self.own_headers += made.own_headers;
        self.made.push(made);
    }

    /// The operation's own server, else the path's, else the document's. The operator's word wins over all of them.
    fn site(&mut self, written: &DocumentOperation<'_>) -> Option<Arc<Site>> {
        let own = [written.operation, written.item]
            .into_iter()
            .find_map(|level| level.get("servers"))
            .filter(|servers| {
                self.settings.base_url.is_none() && servers.as_array().is_some_and(|list| !list.is_empty())
            });
        let key = own.map(Value::to_string).unwrap_or_default();
        if let Some(known) = self.sites.get(&key) {
            return known.clone();
        }
        let url = match own {
            Some(servers) => servers::choose(Some(servers), self.place).ok().map(|chosen| chosen.url),
            None => Some(self.base_url.clone()),
        };
        let made = url.map(|url| Arc::new(self.new_site(url)));
        self.sites.insert(key, made.clone());
        made
    }

    fn new_site(&mut self, base_url: Url) -> Site {
        self.is_plain_http |= !is_confidential(&base_url);
        // What the operator gave is for the base URL, wherever the document sends calls.
        let SiteCredentials { operator_headers, auth } =
            self.settings.credentials_at(&base_url, &self.base_url, &self.site_auth);
        if !self.settings.may_go_to(&base_url, &self.base_url) && self.settings.has_credentials() {
            self.withheld.insert(origin_text(&base_url));
        }
        Site {
            // An operator who names an address wants it called, wherever it is. The document's own were judged before.
            names_private_address: self.settings.base_url.is_some() || names_private_address(&base_url),
            operator_headers,
            auth,
            timeout: self.settings.timeout.unwrap_or(Site::TIMEOUT),
            retries: RETRIES,
            ..Site::new(base_url)
        }
    }

    /// How the operation authenticates, when not as the others.
    fn auth(&mut self, operation: &Value, warnings: &mut Vec<String>) -> Option<Arc<Auth>> {
        self.asks_for_auth |= operation.get("security").is_some();
        let requirements = operation.get("security").filter(|_| self.settings.auth.is_none())?;
        let key = requirements.to_string();
        if let Some(known) = self.auths.get(&key) {
            return known.clone();
        }
        let lowered = self.schemes.lower(requirements);
        warnings.extend(lowered.warnings);
        let own = (lowered.auth != self.site_auth).then(|| Arc::new(lowered.auth));
        self.auths.insert(key, own.clone());
        own
    }
}

/// The `Auth`; what it does not say is in the report.
fn warned(lowered: LoweredAuth, report: &mut ImportReport) -> Auth {
    lowered.warnings.into_iter().for_each(|warning| report.warn(warning));
    lowered.auth
}

fn has_links(operation: &Value) -> bool {
    let mut responses = operation.get("responses").and_then(Value::as_object).into_iter().flatten();
    responses
        .any(|(_, each)| each.get("links").and_then(Value::as_object).is_some_and(|links| !links.is_empty()))
}

fn looks_like_an_operation(key: &str, value: &Value) -> bool {
    let is_word = key.bytes().all(|b| b.is_ascii_alphabetic());
    is_word && key != "parameters" && key != "servers" && value.get("responses").is_some()
}

#[cfg(test)]
mod tests;

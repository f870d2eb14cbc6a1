//! Puts a checked file together with the operator's settings: the source and its operations.
//!
//! Nothing can fail here any more: all that could has been found by `check`.

use super::check::{Address, CheckedFile, DraftTarget, TargetBlock};
use super::file_servers::FileServers;
use aqueduct_operations::address::names_private_address;
use aqueduct_operations::auth::Auth;
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::Param;
use aqueduct_operations::rate_limits::RateLimits;
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::response::CacheRule;
use aqueduct_operations::source::Source;
use aqueduct_operations::target::{BodyFormat, HandlerKind, HandlerTarget, HttpTarget, Site, Target};
use aqueduct_source_kind::credential_headers::credential_headers;
use aqueduct_source_kind::input_schema::{ArgumentWiring, wired};
use aqueduct_source_kind::kind::LoadedContent;
use aqueduct_source_kind::named_connection::NamedConnection;
use aqueduct_source_kind::operator_rules;
use aqueduct_source_kind::plain_text::unmark;
use aqueduct_source_kind::settings::{SiteCredentials, SourceSettings};
use std::collections::HashMap;
use std::sync::Arc;
use url::Url;

/// Makes the source. What the operator sets wins over what the file says.
pub(super) fn source(
    checked: CheckedFile<'_>,
    prose: &str,
    settings: &SourceSettings,
    servers: &Arc<dyn FileServers>,
) -> LoadedContent {
    let draft = checked.source;
    let cache =
        settings.cache.map_or(draft.cache, |set| CacheRule { ttl: set.ttl.or(draft.cache.ttl), ..set });
    let source = Source {
        name: settings.source_name.clone().unwrap_or_else(|| draft.name.clone()),
        trust: settings.trust.or(checked.trust).or(settings.default_trust).unwrap_or(draft.trust),
        documentation: prose.trim().to_owned(),
        cache,
        rate_limits: RateLimits::of(checked.rate_limits, settings.rate_limits.as_ref()).map(Arc::new),
        ..settings.applied_to(draft)
    };
    let mut target = LoweredTarget::of(checked.target, checked.auth, &source.name, settings, servers);
    let operations = checked
        .operations
        .into_iter()
        .filter_map(|draft| operation(draft.operation, &mut target, cache))
        .collect();
    let mut loaded = LoadedSource { source, operations };
    operator_rules::apply(&mut loaded, settings);
    unmark(&mut loaded);
    let connections = match target {
        LoweredTarget::Server(connection) => vec![connection],
        LoweredTarget::Api { .. } => Vec::new(),
    };
    LoadedContent { loaded: Some(loaded), connections, ..LoadedContent::default() }
}

/// What the operations of a file call.
enum LoweredTarget<'s> {
    /// An API, and the other addresses that single operations have.
    Api { site: Arc<Site>, others: HashMap<Url, Arc<Site>>, body: BodyFormat, settings: &'s SourceSettings },
    /// An MCP server.
    Server(Arc<dyn NamedConnection>),
}

impl<'s> LoweredTarget<'s> {
    fn of(
        target: TargetBlock,
        auth: Auth,
        name: &str,
        settings: &'s SourceSettings,
        servers: &Arc<dyn FileServers>,
    ) -> LoweredTarget<'s> {
        let auth = settings.auth.clone().unwrap_or(auth);
        let body = target.body;
        match target.address {
            Address::Api(ref url) => {
                let url = url.clone();
                let site = Arc::new(site(url, target, auth, settings));
                LoweredTarget::Api { site, others: HashMap::new(), body, settings }
            }
            Address::Server(reach) => {
                let config = ServerConfig {
                    name: name.to_owned(),
                    reach: reach_of(reach, &auth, settings),
                    timeout: target.timeout,
                };
                settings.base_url.iter().for_each(|url| servers.trust_origin_of(url));
                LoweredTarget::Server(Arc::clone(servers).named_by_file(config))
            }
        }
    }

    /// The target of one operation; nothing when it cannot be called, which has been reported then.
    fn target(&mut self, draft: DraftTarget, params: &[Param]) -> Option<Target> {
        match self {
            LoweredTarget::Server(connection) => {
                let handler = Arc::clone(connection).handler(draft.mapping.tool.as_deref()?);
                let handler = wired(handler, ArgumentWiring::of(params));
                Some(Target::Handler(HandlerTarget::new(HandlerKind::McpTool, handler)))
            }
            LoweredTarget::Api { site, others, body, settings } => {
                let DraftTarget { mapping, body: rule, answer, base_url, auth } = draft;
                // The operator's address and credentials are for every request of the source.
                let own_url = base_url.filter(|_| settings.base_url.is_none());
                let own_auth = auth.filter(|_| settings.auth.is_none());
                let site = match own_url {
                    None => Arc::clone(site),
                    Some(url) => {
                        Arc::clone(others.entry(url).or_insert_with_key(|url| elsewhere(site, url, settings)))
                    }
                };
                Some(Target::Http(HttpTarget {
                    static_query: mapping.static_query,
                    body: rule.format.unwrap_or(*body),
                    content_type: rule.content_type,
                    whole_body: rule.whole,
                    needs_body: rule.is_needed,
                    body_needs: rule.needs,
                    parts: rule.parts,
                    answer,
                    auth: own_auth.map(Arc::new),
                    ..HttpTarget::new(site, mapping.method, mapping.path)
                }))
            }
        }
    }
}

/// The way to an MCP server with the operator's settings and the credentials in it.
fn reach_of(reach: ServerTransport, auth: &Auth, settings: &SourceSettings) -> ServerTransport {
    match reach {
        ServerTransport::Http { url, headers } => {
            let credentials = credential_headers(auth).unwrap_or_default();
            let own = credentials.into_iter().chain(settings.headers.iter().cloned());
            ServerTransport::Http {
                url: settings.base_url.clone().unwrap_or(url),
                headers: headers.into_iter().chain(own).collect(),
            }
        }
        program => program,
    }
}

/// The same site in another place. What the operator gave goes along only where the operator says so.
fn elsewhere(site: &Site, url: &Url, settings: &SourceSettings) -> Arc<Site> {
    let SiteCredentials { operator_headers, auth } = settings.credentials_at(url, &site.base_url, &site.auth);
    Arc::new(Site {
        names_private_address: names_private_address(url),
        headers: site.headers.clone(),
        operator_headers,
        auth,
        timeout: site.timeout,
        retries: site.retries,
        ..Site::new(url.clone())
    })
}

fn site(base_url: Url, target: TargetBlock, auth: Auth, settings: &SourceSettings) -> Site {
    let base_url = settings.base_url.clone().unwrap_or(base_url);
    Site {
        // An operator who names an address wants it called, wherever it is.
        names_private_address: settings.base_url.is_some() || names_private_address(&base_url),
        headers: target.headers,
        operator_headers: settings.headers.clone(),
        auth,
        timeout: target.timeout,
        retries: target.retries,
        ..Site::new(base_url)
    }
}

fn operation(
    draft: Operation<DraftTarget>,
    target: &mut LoweredTarget<'_>,
    cache: CacheRule,
) -> Option<Operation> {
    let target = target.target(draft.target, &draft.declaration.params)?;
    let mut operation = Operation { declaration: draft.declaration, target };
    // An operation that says nothing of the time means the source's.
    // Where nothing is kept at all, no operation has an exception.
    let own = operation.cache.filter(|_| cache.enabled);
    operation.cache = own.map(|own| CacheRule { ttl: own.ttl.or(cache.ttl), ..own });
    Some(operation)
}

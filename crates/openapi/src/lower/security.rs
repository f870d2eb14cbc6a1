//! Security schemes and requirements: names of environment variables, and which of them a call needs.
//!
//! The document's schemes and a list of requirements in, an `Auth` out. Alternatives stay alternatives: which one is
//! used is decided by the variables that are set when a call is made. No secret is ever read from a document, and no
//! variable but those of this program is ever named by one.

use super::document_view::text;
use crate::read::strings;
use aqueduct_operations::address::names_private_address;
use aqueduct_operations::auth::{Auth, KeyPlace, OAuth2};
use aqueduct_operations::credential_scope::{has_user_info, is_same_origin};
use aqueduct_operations::naming::is_http_token;
use aqueduct_source_kind::operation_names::snake;
use aqueduct_source_kind::wire_names::key_place_problem;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use url::Url;

/// What every variable begins with: what other programs have set is theirs, whatever a document calls itself.
const PREFIX: &str = "AQUEDUCT";
/// The most alternatives of one list of requirements.
const MOST_ALTERNATIVES: usize = 64;
/// The most schemes that one alternative puts together.
const MOST_TOGETHER: usize = 16;
/// The longest word before a token.
const LONGEST_WORD: usize = 39;

/// The schemes of a document.
pub(super) struct SecuritySchemes {
    source: String,
    schemes: Map<String, Value>,
    base: Option<Url>,
    /// The document may name private addresses.
    vouches: bool,
}

/// A variable that two schemes of a document would read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SharedVariable {
    pub variable: String,
    pub schemes: [String; 2],
}

/// An `Auth`, and what it does not say.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LoweredAuth {
    pub auth: Auth,
    pub warnings: Vec<String>,
}

impl SecuritySchemes {
    /// The schemes, their references already followed. Relative token URLs are read from `base`.
    pub(super) fn new(
        source: &str,
        schemes: Map<String, Value>,
        base: Option<Url>,
        vouches: bool,
    ) -> SecuritySchemes {
        SecuritySchemes { source: snake(source), schemes, base, vouches }
    }

    /// The parameters that only carry credentials, as (place, lower-case name).
    pub(super) fn own_params(&self) -> HashSet<(String, String)> {
        let keys = self.schemes.values().filter(|scheme| text(scheme, "type") == Some("apiKey"));
        keys.filter_map(|key| Some((text(key, "in")?.to_owned(), text(key, "name")?.to_ascii_lowercase())))
            .collect()
    }

    /// True when the document has any.
    pub(super) fn is_empty(&self) -> bool {
        self.schemes.is_empty()
    }

    /// Each scheme as an alternative, and none at all: for documents that define schemes and require none.
    pub(super) fn any(&self) -> LoweredAuth {
        let mut list: Vec<Value> = self
            .schemes
            .keys()
            .map(|name| Value::Object(Map::from_iter([(name.clone(), Value::Array(Vec::new()))])))
            .collect();
        list.push(Value::Object(Map::new()));
        self.lower(&Value::Array(list))
    }

    /// What a list of requirements asks for.
    pub(super) fn lower(&self, requirements: &Value) -> LoweredAuth {
        let mut warnings = Vec::new();
        let mut alternatives: Vec<Auth> = Vec::new();
        let mut may_go_without = false;
        let mut left_out = 0;
        let list = requirements.as_array().map(Vec::as_slice).unwrap_or_default();
        for requirement in list {
            let Some(names) = requirement.as_object() else { continue };
            if names.is_empty() {
                may_go_without = true;
                continue;
            }
            if names.len() > MOST_TOGETHER || alternatives.len() >= MOST_ALTERNATIVES {
                left_out += 1;
                continue;
            }
            let ways = names.iter().map(|(name, scopes)| self.scheme(name, scopes, &mut warnings));
            // All are looked at for their warnings. A part that cannot be sent makes the rest useless.
            let together: Vec<Option<Vec<Auth>>> = ways.collect();
            if let Some(together) = together.into_iter().collect() {
                alternatives.extend(combined(together));
            }
        }
        alternatives.truncate(MOST_ALTERNATIVES);
        if left_out > 0 {
            warnings.push(format!(
                "{left_out} of the ways to authenticate are left out: there may be {MOST_ALTERNATIVES}, of at most \
                 {MOST_TOGETHER} schemes each"
            ));
        }
        if alternatives.is_empty() && !list.is_empty() && !may_go_without {
            warnings.push(
                "no credentials are sent, because none of the security schemes is supported".to_owned(),
            );
        }
        if may_go_without || alternatives.is_empty() {
            alternatives.push(Auth::None);
        }
        alternatives.dedup();
        let auth = match alternatives.len() {
            1 => alternatives.swap_remove(0),
            _ => Auth::AnyOf(alternatives),
        };
        LoweredAuth { auth, warnings }
    }

    /// The ways to satisfy one scheme; nothing when there is none.
    fn scheme(&self, name: &str, scopes: &Value, warnings: &mut Vec<String>) -> Option<Vec<Auth>> {
        let Some(scheme) = self.schemes.get(name) else {
            warnings.push(format!("the security scheme '{name}' is not defined"));
            return None;
        };
        let variable = self.variable(name);
        let with = |suffix: &str| format!("{variable}_{suffix}");
        let bearer = |token_env: String, prefix: &str| Auth::Bearer { token_env, prefix: prefix.to_owned() };
        let kind = text(scheme, "type").unwrap_or_default();
        let ways = match kind {
            "apiKey" => {
                let key = text(scheme, "name").unwrap_or_default().to_owned();
                let has_name = !key.is_empty();
                let place = match text(scheme, "in") {
                    Some("query") => KeyPlace::Query(key),
                    Some("cookie") => KeyPlace::Cookie(key),
                    _ => KeyPlace::Header(key),
                };
                if !has_name || key_place_problem(&place).is_some() {
                    warnings.push(format!(
                        "the security scheme '{name}' is not supported: nothing can be sent under its name"
                    ));
                    return None;
                }
                vec![Auth::ApiKey { key_env: variable, place }]
            }
            "http" => match text(scheme, "scheme").unwrap_or("bearer").to_ascii_lowercase().as_str() {
                "basic" => {
                    vec![Auth::Basic { username_env: with("USERNAME"), password_env: with("PASSWORD") }]
                }
                "bearer" => vec![bearer(variable, "Bearer ")],
                other @ ("digest" | "negotiate" | "scram-sha-1" | "scram-sha-256" | "mutual" | "hoba"
                | "vapid") => {
                    warnings.push(format!("the security scheme '{name}' ({other}) is not supported"));
                    return None;
                }
                other if !is_http_token(other) || other.len() > LONGEST_WORD => {
                    warnings
                        .push(format!("the security scheme '{name}' is not supported: it is no HTTP scheme"));
                    return None;
                }
                _ => vec![bearer(variable, &format!("{} ", text(scheme, "scheme").unwrap_or("Bearer")))],
            },
            "oauth2" => {
                let mut ways = vec![bearer(with("TOKEN"), "Bearer ")];
                ways.extend(self.grants(name, scheme, scopes, warnings));
                ways
            }
            "openIdConnect" => {
                warnings.push(format!("the security scheme '{name}' (OpenID Connect) takes a ready token"));
                vec![bearer(with("TOKEN"), "Bearer ")]
            }
            "mutualTLS" => {
                warnings.push(format!("the security scheme '{name}' (client certificates) is left out"));
                vec![Auth::None]
            }
            other => {
                warnings.push(format!("the security scheme '{name}' has the unknown type '{other}'"));
                return None;
            }
        };
        Some(ways)
    }

    /// How tokens can be fetched: with a refresh token first, then with the client's own credentials.
    fn grants(&self, name: &str, scheme: &Value, scopes: &Value, warnings: &mut Vec<String>) -> Vec<Auth> {
        let variable = self.variable(name);
        let flow = |key: &str| scheme.get("flows").and_then(|flows| flows.get(key));
        let scopes: Vec<String> = strings(Some(scopes)).map(str::to_owned).collect();
        let mut ways = Vec::new();
        let personal =
            flow("authorizationCode").or_else(|| flow("password")).or_else(|| flow("deviceAuthorization"));
        for (flow, refreshes) in [(personal, true), (flow("clientCredentials"), false)] {
            let Some(flow) = flow else { continue };
            let written = text(flow, "refreshUrl")
                .filter(|url| refreshes && !url.is_empty())
                .or(text(flow, "tokenUrl"));
            let usable = written.and_then(|url| self.token_url(url));
            if let Some(url) = usable.as_ref().filter(|url| !self.may_reach(url)) {
                warnings.push(format!(
                    "the token URL of the security scheme '{name}' is not used: {} is a private address, which only a \
                     document from a file or a private address may name",
                    url.host_str().unwrap_or_default()
                ));
                continue;
            }
            let Some(token_url) = usable else {
                warnings.push(format!("the token URL of the security scheme '{name}' cannot be used"));
                continue;
            };
            ways.push(Auth::OAuth2(OAuth2 {
                token_url,
                client_id_env: format!("{variable}_CLIENT_ID"),
                client_secret_env: format!("{variable}_CLIENT_SECRET"),
                refresh_token_env: refreshes.then(|| format!("{variable}_REFRESH_TOKEN")),
                // A refresh token has its scopes already.
                scopes: if refreshes { Vec::new() } else { scopes.clone() },
            }));
        }
        ways
    }

    fn token_url(&self, written: &str) -> Option<Url> {
        let url = match Url::parse(written) {
            Ok(url) => url,
            Err(_) => self.base.as_ref()?.join(written).ok()?,
        };
        let is_plain = !has_user_info(&url) && url.fragment().is_none();
        (matches!(url.scheme(), "http" | "https") && url.host().is_some() && is_plain).then_some(url)
    }

    /// Trust in the address of the API extends to tokens from there.
    fn may_reach(&self, url: &Url) -> bool {
        let is_same = || self.base.as_ref().is_some_and(|base| is_same_origin(base, url));
        self.vouches || !names_private_address(url) || is_same()
    }

    /// `AQUEDUCT_<SOURCE>__<SCHEME>` (ruling S7). Neither part ever holds two underscores in a row, so that no source can
    /// name itself and its schemes in a way that gives the variable of another.
    fn variable(&self, scheme: &str) -> String {
        let scheme = Some(snake(scheme)).filter(|scheme| !scheme.is_empty());
        let scheme = scheme.unwrap_or_else(|| "key".to_owned());
        format!("{PREFIX}_{}__{scheme}", self.source).to_ascii_uppercase()
    }

    /// Two schemes that would read one variable for different things, such as a basic `key` with its password and a bearer
    /// `key_password`.
    pub(super) fn clash(&self) -> Option<SharedVariable> {
        let mut known: BTreeMap<String, (&str, Vec<Auth>)> = BTreeMap::new();
        for name in self.schemes.keys() {
            let ways = self.scheme(name, &Value::Null, &mut Vec::new()).unwrap_or_default();
            for variable in ways.iter().flat_map(Auth::variables).collect::<BTreeSet<_>>() {
                match known.get(variable) {
                    Some((other, same)) if *other != name && *same != ways => {
                        return Some(SharedVariable {
                            variable: variable.to_owned(),
                            schemes: [(*other).to_owned(), name.clone()],
                        });
                    }
                    Some(_) => {}
                    None => drop(known.insert(variable.to_owned(), (name, ways.clone()))),
                }
            }
        }
        None
    }
}

/// Every way to satisfy all of the parts together.
fn combined(parts: Vec<Vec<Auth>>) -> Vec<Auth> {
    const MOST: usize = 12;
    let mut ways: Vec<Vec<Auth>> = vec![Vec::new()];
    for part in parts {
        ways = ways
            .iter()
            .flat_map(|way| {
                part.iter().map(|each| {
                    way.iter().chain([each]).filter(|auth| **auth != Auth::None).cloned().collect()
                })
            })
            .take(MOST)
            .collect();
    }
    ways.into_iter()
        .map(|mut way: Vec<Auth>| match way.len() {
            0 => Auth::None,
            1 => way.swap_remove(0),
            _ => Auth::All(way),
        })
        .collect()
}

#[cfg(test)]
mod tests;

//! Alternatives: a rule with `All` and `AnyOf` in it and an environment come in, the single credentials that a call uses
//! go out. The first alternative whose variables are all set wins; an empty variable is not set.
//!
//! Nothing that goes out is `All` or `AnyOf` any more.

use super::Environment;
use crate::error::CredentialError;
use aqueduct_operations::auth::{Auth, KeyPlace};
use aqueduct_operations::target::HttpTarget;
use secrecy::ExposeSecret;

/// The credentials that a call uses. Where there is no choice, variables may still be missing.
pub(super) fn chosen<'a>(
    auth: &'a Auth,
    environment: &dyn Environment,
) -> Result<Vec<&'a Auth>, CredentialError> {
    match auth {
        Auth::All(parts) => {
            let parts = parts.iter().map(|part| chosen(part, environment));
            Ok(parts.collect::<Result<Vec<_>, _>>()?.concat())
        }
        Auth::AnyOf(parts) if parts.is_empty() => Ok(Vec::new()),
        Auth::AnyOf(parts) => match parts.iter().find(|part| is_set(part, environment)) {
            Some(part) => chosen(part, environment),
            None => Err(CredentialError::NoAlternative { alternatives: parts.iter().map(names).collect() }),
        },
        single => Ok(vec![single]),
    }
}

/// The credentials that a call would use, once they are set: where nothing is, the first of alternatives.
pub(super) fn likely<'a>(auth: &'a Auth, environment: &dyn Environment) -> Vec<&'a Auth> {
    match auth {
        Auth::All(parts) => parts.iter().flat_map(|part| likely(part, environment)).collect(),
        Auth::AnyOf(parts) => {
            let part = parts.iter().find(|part| is_set(part, environment)).or(parts.first());
            part.map(|part| likely(part, environment)).unwrap_or_default()
        }
        single => vec![single],
    }
}

/// The variables that are not set although a call needs them: none while one of several alternatives is wholly set, else
/// those of all alternatives.
pub fn unset<'a>(auth: &'a Auth, environment: &dyn Environment) -> Vec<&'a str> {
    match auth {
        Auth::AnyOf(_) if is_set(auth, environment) => Vec::new(),
        Auth::All(parts) | Auth::AnyOf(parts) => {
            parts.iter().flat_map(|part| unset(part, environment)).collect()
        }
        single => {
            let variables = single.variables().into_iter();
            variables.filter(|variable| !has_value(variable, environment)).collect()
        }
    }
}

/// What keeps calls from going out: nothing when they can, else every way to let them, as the variables that it lacks.
pub fn lacking(auth: &Auth, environment: &dyn Environment) -> Vec<Vec<String>> {
    const MOST: usize = 12;
    if is_set(auth, environment) {
        return Vec::new();
    }
    match auth {
        Auth::AnyOf(parts) => parts.iter().flat_map(|part| lacking(part, environment)).collect(),
        Auth::All(parts) => {
            let mut ways: Vec<Vec<String>> = vec![Vec::new()];
            for part in parts.iter().map(|part| lacking(part, environment)).filter(|part| !part.is_empty()) {
                let joined = |way: &Vec<String>| {
                    let way = way.clone();
                    part.iter().map(move |more| [&way[..], &more[..]].concat()).collect::<Vec<_>>()
                };
                ways = ways.iter().flat_map(joined).take(MOST).collect();
            }
            ways
        }
        _ => vec![unset(auth, environment).into_iter().map(str::to_owned).collect()],
    }
}

/// `A, or B and C`.
pub fn ways_in_words(ways: &[Vec<String>]) -> String {
    ways.iter().map(|variables| variables.join(" and ")).collect::<Vec<_>>().join(", or ")
}

/// Every single credential, of all alternatives.
pub(super) fn all(auth: &Auth) -> Vec<&Auth> {
    match auth {
        Auth::All(parts) | Auth::AnyOf(parts) => parts.iter().flat_map(all).collect(),
        single => vec![single],
    }
}

/// The query parameters that hold a key, of all alternatives.
pub(crate) fn query_keys(target: &HttpTarget) -> Vec<&str> {
    let keys = all(target.auth_in_force()).into_iter().filter_map(|auth| match auth {
        Auth::ApiKey { place: KeyPlace::Query(name), .. } => Some(name.as_str()),
        _ => None,
    });
    keys.collect()
}

fn is_set(auth: &Auth, environment: &dyn Environment) -> bool {
    match auth {
        Auth::All(parts) => parts.iter().all(|part| is_set(part, environment)),
        Auth::AnyOf(parts) => parts.is_empty() || parts.iter().any(|part| is_set(part, environment)),
        single => single.variables().into_iter().all(|variable| has_value(variable, environment)),
    }
}

fn has_value(variable: &str, environment: &dyn Environment) -> bool {
    environment.get(variable).is_some_and(|value| !value.expose_secret().is_empty())
}

fn names(auth: &Auth) -> Vec<String> {
    auth.variables().into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::{lacking, unset, ways_in_words};
    use crate::error::{CredentialError, UpstreamError};
    use crate::test_support::{TestVariables, call, upstream};
    use crate::upstream::Upstream;
    use aqueduct_operations::auth::{Auth, KeyPlace};
    use aqueduct_operations::operation::Operation;
    use aqueduct_testkit::api::{Answer, FakeApi, Recorded};
    use aqueduct_testkit::operation::{get, http_target, with_site, with_target};
    use serde_json::{Map, json};
    use std::sync::Arc;

    fn bearer() -> Auth {
        Auth::Bearer { token_env: "TOKEN".into(), prefix: "Bearer ".into() }
    }

    fn basic() -> Auth {
        Auth::Basic { username_env: "USER".into(), password_env: "PASS".into() }
    }

    fn key(place: KeyPlace) -> Auth {
        Auth::ApiKey { key_env: "KEY".into(), place }
    }

    fn header_and_cookie() -> Auth {
        let header = key(KeyPlace::Header("X-Key".into()));
        let cookie = Auth::ApiKey { key_env: "COOKIE".into(), place: KeyPlace::Cookie("session".into()) };
        Auth::All(vec![header, cookie])
    }

    fn with_auth(base_url: &str, auth: Auth) -> Operation {
        with_site(get("g", base_url, "/x"), |site| site.auth = auth)
    }

    async fn sent(auth: Auth, variables: &[(&str, &str)]) -> Result<Recorded, UpstreamError> {
        let api = FakeApi::always(Answer::json(200, json!(1))).await;
        call(&with_auth(&api.base_url(), auth), variables, json!({})).await?;
        Ok(api.only_request())
    }

    /// S-openapi-16 S-openapi-28: the first alternative that is wholly set is used, and nothing of the others.
    #[tokio::test]
    async fn the_first_that_is_set() {
        let any = || Auth::AnyOf(vec![basic(), header_and_cookie(), bearer()]);
        let all = [("TOKEN", "t0ken-value"), ("KEY", "k3y-value"), ("COOKIE", "c00kie"), ("USER", "ann")];
        let request = sent(any(), &all[..1]).await.unwrap();
        assert_eq!(request.header("authorization"), Some("Bearer t0ken-value"));
        let request = sent(any(), &all).await.unwrap();
        assert_eq!(
            (request.header("x-key"), request.header("cookie")),
            (Some("k3y-value"), Some("session=c00kie"))
        );
        assert_eq!(request.header("authorization"), None);
        let with_password = [&all[..], &[("PASS", "opensesame")]].concat();
        let request = sent(any(), &with_password).await.unwrap();
        assert!(request.header("authorization").unwrap().starts_with("Basic "));
        assert_eq!(request.header("x-key"), None);
        // Empty is not set.
        let request =
            sent(any(), &[("KEY", "k3y-value"), ("COOKIE", ""), ("TOKEN", "t0ken-value")]).await.unwrap();
        assert_eq!(
            (request.header("x-key"), request.header("authorization")),
            (None, Some("Bearer t0ken-value"))
        );
    }

    /// S-openapi-16: without is an alternative too, in its turn; with none set, all of them are named and nothing is sent.
    #[tokio::test]
    async fn without_or_not_at_all() {
        let request = sent(Auth::AnyOf(vec![bearer(), Auth::None]), &[]).await.unwrap();
        assert_eq!(request.header("authorization"), None);
        let error = sent(Auth::AnyOf(vec![bearer(), basic()]), &[("USER", "ann")]).await.unwrap_err();
        assert_eq!(error.to_string(), "none of these is set: TOKEN; USER and PASS");
        let error = sent(Auth::All(vec![bearer(), basic()]), &[("TOKEN", "t0ken-value")]).await.unwrap_err();
        assert_eq!(error, CredentialError::Missing { variable: "USER".into() }.into());
        assert!(sent(Auth::AnyOf(Vec::new()), &[]).await.is_ok());
    }

    /// S-openapi-16: what an operation says of its credentials goes before what its site says.
    #[tokio::test]
    async fn the_operation_wins() {
        let api = FakeApi::always(Answer::json(200, json!(1))).await;
        let operation = with_auth(&api.base_url(), bearer());
        let own = |auth| with_target(operation.clone(), |target| target.auth = Some(Arc::new(auth)));
        let variables = [("TOKEN", "t0ken-value"), ("KEY", "k3y-value")];
        for operation in [own(key(KeyPlace::Header("X-Key".into()))), own(Auth::None), operation.clone()] {
            call(&operation, &variables, json!({})).await.unwrap();
        }
        let seen: Vec<_> = api
            .requests()
            .iter()
            .map(|request| (request.header("x-key").is_some(), request.header("authorization").is_some()))
            .collect();
        assert_eq!(seen, [(true, false), (false, false), (false, true)]);
    }

    /// R11.2-1: a preview marks what would be sent, also in alternatives, and shows no secret of any of them.
    #[test]
    fn previews() {
        let any = Auth::AnyOf(vec![bearer(), header_and_cookie(), key(KeyPlace::Query("key".into()))]);
        let operation = with_auth("https://api.example.com", any);
        let shown = |variables: &[(&str, &str)]| {
            let (target, values) = (http_target(&operation), Map::new());
            let prepared = Upstream::prepare(&operation, target, &values).unwrap();
            upstream(variables).preview(&operation, target, &values, &prepared)
        };
        assert_eq!(shown(&[])["headers"]["authorization"], "Bearer [REDACTED]");
        let set = shown(&[("KEY", "k3y-value"), ("COOKIE", "c00kie")]);
        assert_eq!(set["headers"]["x-key"], "[REDACTED]");
        assert_eq!(set["headers"]["cookie"], "session=[REDACTED]");
        assert!(set["headers"].get("authorization").is_none());
        assert_eq!(shown(&[("KEY", "k3y-value")])["url"], "https://api.example.com/x?key=[REDACTED]");
    }

    #[test]
    fn variables_that_are_missing() {
        let missing =
            |auth: &Auth, variables: &[(&str, &str)]| unset(auth, &TestVariables::of(variables)).join(" ");
        let any = Auth::AnyOf(vec![bearer(), basic()]);
        assert_eq!(missing(&any, &[]), "TOKEN USER PASS");
        assert_eq!(missing(&any, &[("TOKEN", ""), ("USER", "ann")]), "TOKEN PASS");
        assert_eq!(missing(&any, &[("TOKEN", "t0ken-value")]), "");
        assert_eq!(missing(&Auth::All(vec![any, header_and_cookie()]), &[("TOKEN", "t")]), "KEY COOKIE");
        assert_eq!(missing(&basic(), &[("PASS", "x")]), "USER");
        assert_eq!(missing(&Auth::None, &[]), "");
    }

    /// R10.4-2: a link loses the key of every alternative.
    #[test]
    fn keys_in_links() {
        let any = Auth::AnyOf(vec![bearer(), Auth::All(vec![key(KeyPlace::Query("key".into()))])]);
        let operation = with_auth("https://api.example.com", any);
        let target = http_target(&operation);
        let first = Upstream::prepare(&operation, target, &Map::new()).unwrap();
        let next = first.follow(target, "?key=other&page=2").unwrap();
        assert_eq!(next.0.url.query(), Some("page=2"));
    }

    /// With alternatives, one that is set is enough; else each is named with what it still lacks.
    #[test]
    fn what_is_lacking() {
        let any = Auth::AnyOf(vec![bearer(), basic(), header_and_cookie()]);
        let said = |auth: &Auth, set: &[(&str, &str)]| ways_in_words(&lacking(auth, &TestVariables::of(set)));
        assert_eq!(said(&any, &[]), "TOKEN, or USER and PASS, or KEY and COOKIE");
        assert_eq!(said(&any, &[("USER", "ann"), ("KEY", "")]), "TOKEN, or PASS, or KEY and COOKIE");
        assert_eq!(said(&any, &[("TOKEN", "t")]), "");
        let both = Auth::All(vec![bearer(), Auth::AnyOf(vec![basic(), key(KeyPlace::Query("k".into()))])]);
        assert_eq!(said(&both, &[]), "TOKEN and USER and PASS, or TOKEN and KEY");
        assert_eq!(said(&both, &[("TOKEN", "t")]), "USER and PASS, or KEY");
        assert_eq!(said(&Auth::None, &[]), "");
    }
}

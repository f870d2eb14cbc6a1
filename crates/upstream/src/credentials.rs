//! Credentials: read from the environment for one call, put on one request, cleared when the call is over.
//!
//! A site or a target and an environment come in, `Credentials` go out; of alternatives, the one that is set (`choice`).
//! What tokens are fetched with (`grant`) is kept apart, until `http/oauth` brings the token. Invariant: a value is only ever held in types that do not
//! print it and that clear their memory; errors name variables, never values (runtime specification, section 11.2).

mod choice;
mod grant;
mod item;
mod mask;

use crate::error::CredentialError;
use crate::http::header;
use crate::http::request::HttpRequest;
use crate::{address_guard, redact::Redactor};
use aqueduct_operations::auth::{Auth, KeyPlace};
use aqueduct_operations::target::{HttpTarget, Site};
use base64::Engine;
pub(crate) use choice::query_keys;
pub use choice::{lacking, unset, ways_in_words};
pub(crate) use grant::{FetchedToken, OAuthGrant};
use http::header::{ACCEPT, ACCEPT_LANGUAGE, AUTHORIZATION, CONTENT_TYPE, HeaderName, USER_AGENT};
use item::Credential;
pub(crate) use mask::{mask, mask_cookie, set};
use secrecy::{ExposeSecret, SecretString};
use std::fmt;
use std::sync::Arc;
use url::Url;
use zeroize::Zeroizing;

/// Where credentials are read: the process's variables, or a test's.
pub trait Environment: fmt::Debug + Send + Sync {
    /// The value of a variable, if it is set.
    fn get(&self, name: &str) -> Option<SecretString>;
}

/// The variables of this process.
#[derive(Debug, Clone, Copy, Default)]
pub struct ProcessEnvironment;

impl Environment for ProcessEnvironment {
    #[expect(clippy::disallowed_methods, reason = "this is the door by which the environment enters")]
    fn get(&self, name: &str) -> Option<SecretString> {
        std::env::var(name).ok().map(SecretString::from)
    }
}

/// Everything secret about one call.
#[derive(Debug, Default)]
pub(crate) struct Credentials {
    items: Vec<Credential>,
    /// What tokens are fetched with.
    pub(crate) grants: Vec<OAuthGrant>,
    /// The tokens, once they are there, in the order of the grants.
    tokens: Vec<(FetchedToken, Credential)>,
    pub(crate) redactor: Redactor,
}

impl Credentials {
    /// Reads what the site needs. A site that needs nothing gives empty credentials.
    #[cfg(test)]
    pub(crate) fn resolve(
        site: &Site,
        environment: &dyn Environment,
    ) -> Result<Credentials, CredentialError> {
        Credentials::read(site, &site.auth, environment)
    }

    /// Reads what the calls of an operation need.
    pub(crate) fn of_target(
        target: &HttpTarget,
        environment: &dyn Environment,
    ) -> Result<Credentials, CredentialError> {
        Credentials::read(&target.site, &target.auth_to_read(), environment)
    }

    /// Reads what calls to a site need that authenticate in this way.
    pub(crate) fn read(
        site: &Site,
        auth: &Auth,
        environment: &dyn Environment,
    ) -> Result<Credentials, CredentialError> {
        let mut found = Credentials::default();
        for (name, value) in &site.operator_headers {
            found.add_operator_header(name, value)?;
        }
        for chosen in choice::chosen(auth, environment)? {
            check_consent(site, chosen)?;
            found.add_auth(chosen, environment)?;
        }
        Ok(found)
    }

    /// Knows the secrets of a target that can be known, to take them out of a text; some may not be there.
    pub(crate) fn redactor_of(target: &HttpTarget, environment: &dyn Environment) -> Redactor {
        let mut found = Credentials::default();
        for (name, value) in &target.site.operator_headers {
            // What cannot be sent is no secret that could show.
            found.add_operator_header(name, value).unwrap_or_default();
        }
        for each in choice::all(target.auth_in_force()) {
            found.add_auth(each, environment).unwrap_or_default();
        }
        found.redactor
    }

    /// Adds what one credential needs; alternatives have been chosen from before.
    fn add_auth(&mut self, auth: &Auth, environment: &dyn Environment) -> Result<(), CredentialError> {
        match auth {
            Auth::None | Auth::All(_) | Auth::AnyOf(_) => {}
            Auth::OAuth2(rule) => {
                let grant = OAuthGrant::read(rule, environment)?;
                grant.each_secret(&mut |secret| self.redactor.add_secret(secret));
                self.grants.push(grant);
            }
            Auth::Bearer { token_env, prefix } => {
                let token = read(environment, token_env, is_header_text)?;
                self.redactor.add_secret(token.expose_secret());
                self.items.push(Credential::authorization(&[prefix, token.expose_secret()], token_env)?);
            }
            Auth::ApiKey { key_env, place } => {
                let key = match place {
                    KeyPlace::Header(_) => read(environment, key_env, is_header_text)?,
                    KeyPlace::Query(_) => read(environment, key_env, is_printable)?,
                    KeyPlace::Cookie(_) => read(environment, key_env, is_cookie_text)?,
                };
                self.redactor.add_secret(key.expose_secret());
                self.items.push(Credential::api_key(place, key, key_env)?);
            }
            Auth::Basic { username_env, password_env } => {
                let username =
                    read(environment, username_env, |text| is_printable(text) && !text.contains(':'))?;
                let password = read(environment, password_env, is_printable)?;
                let pair =
                    Zeroizing::new(format!("{}:{}", username.expose_secret(), password.expose_secret()));
                let encoded =
                    Zeroizing::new(base64::engine::general_purpose::STANDARD.encode(pair.as_bytes()));
                self.redactor.add_user_name(username.expose_secret());
                self.redactor.add_secret(password.expose_secret());
                self.redactor.add_secret(&encoded);
                self.items.push(Credential::authorization(&["Basic ", &encoded], password_env)?);
            }
        }
        Ok(())
    }

    fn add_operator_header(&mut self, name: &str, value: &SecretString) -> Result<(), CredentialError> {
        let refused = || CredentialError::OperatorHeader { header: name.to_owned() };
        let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| refused())?;
        let text = value.expose_secret();
        if header::is_framing(&header) || !is_header_text(text) {
            return Err(refused());
        }
        if may_be_secret(&header) {
            self.redactor.add_secret(text);
            // `Bearer x`, `a=x; b=y`: the parts that must not show by themselves.
            let parts = text.split("; ").filter_map(|part| part.rsplit([' ', '=']).next());
            parts.for_each(|part| self.redactor.add_secret(part));
        }
        self.items.push(Credential::header(header, text).ok_or_else(refused)?);
        Ok(())
    }

    /// Refuses a destination where the credentials could be overheard: plain http to another machine.
    pub(crate) fn check_destination(&self, url: &Url) -> Result<(), CredentialError> {
        if self.items.is_empty() && self.grants.is_empty() {
            return Ok(());
        }
        check_encrypted(url)
    }

    /// Puts tokens in the place of those from before, which stay secret.
    pub(crate) fn set_tokens(&mut self, tokens: &[FetchedToken]) -> Result<(), CredentialError> {
        self.tokens.clear();
        for token in tokens {
            self.redactor.add_secret(token.expose_secret());
            let text = Zeroizing::new(format!("Bearer {}", token.expose_secret()));
            let refused = || CredentialError::Place { name: AUTHORIZATION.to_string() };
            let header = Credential::header(AUTHORIZATION, &text).ok_or_else(refused)?;
            self.tokens.push((Arc::clone(token), header));
        }
        Ok(())
    }

    /// Tells, piece by piece, everything that makes these credentials different from others.
    pub(crate) fn each_part(&self, tell: &mut dyn FnMut(&[u8])) {
        self.all().for_each(|credential| credential.each_part(tell));
    }

    /// Puts the credentials on a request, replacing whatever stands in their places.
    pub(crate) fn attach(&self, request: &mut HttpRequest) -> Result<(), CredentialError> {
        self.all().try_for_each(|credential| credential.attach(request))
    }

    /// Each grant with the token that was fetched by it.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = (&OAuthGrant, &FetchedToken)> {
        self.grants.iter().zip(self.tokens.iter().map(|(token, _)| token))
    }

    fn all(&self) -> impl Iterator<Item = &Credential> {
        self.items.iter().chain(self.tokens.iter().map(|(_, credential)| credential))
    }
}

/// Refuses what only the operator can allow, as long as that has not been done (ruling S7).
fn check_consent(site: &Site, auth: &Auth) -> Result<(), CredentialError> {
    let Some(consent) = &site.consent else { return Ok(()) };
    match auth.asks(&site.base_url).into_iter().find(|ask| !consent.allows(ask)) {
        Some(ask) => Err(CredentialError::NotAllowed { ask, source_name: consent.source().to_owned() }),
        None => Ok(()),
    }
}

/// Refuses plain http to another machine.
fn check_encrypted(url: &Url) -> Result<(), CredentialError> {
    if url.scheme() == "https" || (url.scheme() == "http" && address_guard::is_loopback(url)) {
        return Ok(());
    }
    Err(CredentialError::Unencrypted { host: url.host_str().unwrap_or_default().to_owned() })
}

/// False for headers that hold no secret and whose values are common in data, such as dates of API versions.
fn may_be_secret(header: &HeaderName) -> bool {
    ![ACCEPT, ACCEPT_LANGUAGE, CONTENT_TYPE, USER_AGENT].contains(header)
        && !header.as_str().ends_with("version")
}

fn read(
    environment: &dyn Environment,
    variable: &str,
    is_allowed: impl Fn(&str) -> bool,
) -> Result<SecretString, CredentialError> {
    let value = environment.get(variable).filter(|value| !value.expose_secret().is_empty());
    let Some(value) = value else {
        return Err(CredentialError::Missing { variable: variable.to_owned() });
    };
    if !is_allowed(value.expose_secret()) {
        return Err(CredentialError::Malformed { variable: variable.to_owned() });
    }
    Ok(value)
}

fn is_printable(text: &str) -> bool {
    !text.chars().any(char::is_control)
}

fn is_header_text(text: &str) -> bool {
    text.bytes().all(|b| (b' '..=b'~').contains(&b)) && text.trim_matches(' ') == text
}

fn is_cookie_text(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_graphic() && !b"\",;\\".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::{Credential, Credentials, Environment, ProcessEnvironment};
    use crate::error::{CredentialError, RequestBuildError, UpstreamError};
    use crate::test_support::{TestVariables, call, site};
    use aqueduct_operations::auth::{Auth, KeyPlace};
    use aqueduct_operations::operation::Operation;
    use aqueduct_operations::params::{ParamLocation, ValueKind};
    use aqueduct_testkit::api::{Answer, FakeApi, Recorded};
    use aqueduct_testkit::operation::{get, param, with_param, with_site};
    use serde_json::json;
    use url::Url;

    fn bearer() -> Auth {
        Auth::Bearer { token_env: "TOKEN".into(), prefix: "Bearer ".into() }
    }

    fn key(place: KeyPlace) -> Auth {
        Auth::ApiKey { key_env: "KEY".into(), place }
    }

    async fn sent(auth: Auth, variables: &[(&str, &str)]) -> Recorded {
        let api = FakeApi::always(Answer::json(200, json!(1))).await;
        let operation = with_site(get("g", &api.base_url(), "/x?a=1"), |site| site.auth = auth);
        call(&operation, variables, json!({})).await.unwrap();
        api.only_request()
    }

    /// X-adapter-10 X-plugins-11 R2.2-4 S-openapi-16 S-openapi-28 S-openapi-29: bearer goes into the authorization header; without `auth` there is none.
    #[tokio::test]
    async fn bearer_header() {
        let request = sent(bearer(), &[("TOKEN", "t0ken-value")]).await;
        assert_eq!(request.header("authorization"), Some("Bearer t0ken-value"));
        let prefixed = Auth::Bearer { token_env: "TOKEN".into(), prefix: "token ".into() };
        let request = sent(prefixed, &[("TOKEN", "t0ken-value")]).await;
        assert_eq!(request.header("authorization"), Some("token t0ken-value"));
        let request = sent(Auth::None, &[("TOKEN", "t0ken-value")]).await;
        assert_eq!(request.header("authorization"), None);
    }

    /// X-adapter-11 S-openapi-30: a key goes where the adapter says.
    #[tokio::test]
    async fn api_key_places() {
        let variables = [("KEY", "k&y=1")];
        let header = sent(key(KeyPlace::Header("X-Api-Key".into())), &variables).await;
        assert_eq!(header.header("x-api-key"), Some("k&y=1"));
        let query = sent(key(KeyPlace::Query("api key".into())), &variables).await;
        assert_eq!(query.query(), Some("a=1&api%20key=k%26y%3D1"));
        let cookie = sent(key(KeyPlace::Cookie("session".into())), &[("KEY", "abc=1")]).await;
        assert_eq!(cookie.header("cookie"), Some("session=abc=1"));
    }

    #[tokio::test]
    async fn basic_header() {
        let auth = Auth::Basic { username_env: "USER".into(), password_env: "PASS".into() };
        let request = sent(auth, &[("USER", "aladdin"), ("PASS", "opensesame")]).await;
        assert_eq!(request.header("authorization"), Some("Basic YWxhZGRpbjpvcGVuc2VzYW1l"));
        let mut site = site("https://api.example.com");
        site.auth = Auth::Basic { username_env: "USER".into(), password_env: "PASS".into() };
        let error =
            Credentials::resolve(&site, &TestVariables::of(&[("USER", "a:b"), ("PASS", "pw")])).unwrap_err();
        assert_eq!(error, CredentialError::Malformed { variable: "USER".into() });
    }

    fn with_everything_in_the_way(base_url: &str) -> Operation {
        let operation = with_site(get("g", base_url, "/x?key=static"), |site| {
            site.headers = vec![("Authorization".into(), "constant".into())];
        });
        let operation =
            with_param(operation, param("authorization", ValueKind::String, ParamLocation::Header));
        let operation = with_param(operation, param("key", ValueKind::String, ParamLocation::Query));
        with_param(operation, param("session", ValueKind::String, ParamLocation::Cookie))
    }

    /// R2.2-4: nothing of the adapter or the request takes the place of a credential.
    #[tokio::test]
    async fn credentials_cannot_be_overridden() {
        let api = FakeApi::always(Answer::json(200, json!(1))).await;
        let values = json!({"authorization": "mine", "key": "mine", "session": "mine"});
        for auth in [bearer(), key(KeyPlace::Query("key".into())), key(KeyPlace::Cookie("session".into()))] {
            let operation = with_site(with_everything_in_the_way(&api.base_url()), |site| site.auth = auth);
            let variables = [("TOKEN", "t0ken-value"), ("KEY", "k3y-value")];
            call(&operation, &variables, values.clone()).await.unwrap();
        }
        let requests = api.requests();
        assert_eq!(requests[0].header("authorization"), Some("Bearer t0ken-value"));
        assert_eq!(requests[1].query(), Some("key=k3y-value"));
        assert_eq!(requests[2].header("cookie"), Some("session=k3y-value"));
    }

    #[tokio::test]
    async fn operator_headers_are_sent() {
        let api = FakeApi::always(Answer::json(200, json!(1))).await;
        let operation = with_site(get("g", &api.base_url(), "/x"), |site| {
            site.headers = vec![("X-Team".into(), "adapter".into())];
            site.operator_headers = vec![("X-Team".into(), "operator-value".to_owned().into())];
        });
        call(&operation, &[], json!({})).await.unwrap();
        assert_eq!(api.only_request().header("x-team"), Some("operator-value"));
    }

    /// A header that the operator gives stands for the credential that would be in it, and for no other.
    #[tokio::test]
    async fn operator_headers_are_credentials() {
        let api = FakeApi::always(Answer::json(200, json!(1))).await;
        let with = |auth: Auth| {
            with_site(get("g", &api.base_url(), "/x"), |site| {
                site.auth = auth;
                site.operator_headers =
                    vec![("authorization".into(), "Basic b3BlcmF0b3I=".to_owned().into())];
            })
        };
        let either = Auth::AnyOf(vec![key(KeyPlace::Query("key".into())), bearer()]);
        for auth in [bearer(), either] {
            call(&with(auth), &[], json!({})).await.unwrap();
        }
        let sent: Vec<_> =
            api.requests().iter().map(|r| r.header("authorization").map(str::to_owned)).collect();
        assert_eq!(sent, vec![Some("Basic b3BlcmF0b3I=".to_owned()); 2]);
        for auth in [
            key(KeyPlace::Header("X-Key".into())),
            Auth::All(vec![bearer(), key(KeyPlace::Query("key".into()))]),
        ] {
            let error = call(&with(auth), &[], json!({})).await.unwrap_err();
            assert_eq!(error, CredentialError::Missing { variable: "KEY".into() }.into());
        }
    }

    /// X-plugins-11 R11.2-1: a variable that is missing, empty or not sendable is named, its value never, and nothing is
    /// sent.
    #[tokio::test]
    async fn bad_variables() {
        let api = FakeApi::always(Answer::json(200, json!(1))).await;
        let operation = with_site(get("g", &api.base_url(), "/x"), |site| site.auth = bearer());
        let missing = CredentialError::Missing { variable: "TOKEN".into() };
        for variables in [vec![], vec![("TOKEN", "")]] {
            let error = call(&operation, &variables, json!({})).await.unwrap_err();
            assert_eq!(error, UpstreamError::Credential(missing.clone()));
        }
        for value in ["s3cret\n", "s3\r\ncret", "s3cret\u{7f}", "s3crét", " s3cret"] {
            let error = call(&operation, &[("TOKEN", value)], json!({})).await.unwrap_err();
            assert_eq!(error, CredentialError::Malformed { variable: "TOKEN".into() }.into());
            assert!(!format!("{error:?} {error}").contains("s3"));
        }
        assert_eq!(api.requests().len(), 0);
    }

    /// R2.2-3 R2.2-4 R2.2-7: the request is built before credentials are looked for.
    #[tokio::test]
    async fn build_comes_before_auth() {
        let operation =
            with_site(get("g", "https://api.example.com", "/x/{id}"), |site| site.auth = bearer());
        let error = call(&operation, &[], json!({})).await.unwrap_err();
        assert_eq!(error, RequestBuildError::MissingPathParam { param: "id".into() }.into());
    }

    /// R11.2-4: credentials go over https, or to this machine; the refusal comes before anything is sent.
    #[tokio::test]
    async fn never_over_plain_http() {
        let operation = with_site(get("g", "http://api.example.com", "/x"), |site| site.auth = bearer());
        let error = call(&operation, &[("TOKEN", "t0ken-value")], json!({})).await.unwrap_err();
        assert_eq!(error, CredentialError::Unencrypted { host: "api.example.com".into() }.into());
        let mut with_operator_header = site("http://api.example.com");
        with_operator_header.operator_headers = vec![("X-Key".into(), "operator-value".to_owned().into())];
        let variables = TestVariables::of(&[]);
        let held = Credentials::resolve(&with_operator_header, &variables).unwrap();
        let none = Credentials::resolve(&site("http://api.example.com"), &variables).unwrap();
        for (url, is_allowed) in [
            ("https://api.example.com/", true),
            ("http://localhost:8080/", true),
            ("http://127.0.0.1/", true),
            ("http://[::1]/", true),
            ("http://api.example.com/", false),
            ("http://10.0.0.1/", false),
            ("http://localhost.example.com/", false),
        ] {
            let url = Url::parse(url).unwrap();
            assert_eq!(held.check_destination(&url).is_ok(), is_allowed, "{url}");
            assert!(none.check_destination(&url).is_ok());
        }
    }

    /// R11.2-1: what holds a credential does not print it. Its types also clear their memory, which no test can see.
    #[test]
    fn held_safely() {
        fn is_cleared_on_drop(_: &impl zeroize::ZeroizeOnDrop) {}
        let variables =
            TestVariables::of(&[("TOKEN", "t0ken-value"), ("KEY", "t0ken-value"), ("USER", "t0ken-value")]);
        let basic = Auth::Basic { username_env: "USER".into(), password_env: "KEY".into() };
        for auth in [
            bearer(),
            basic,
            key(KeyPlace::Header("X".into())),
            key(KeyPlace::Query("q".into())),
            key(KeyPlace::Cookie("c".into())),
        ] {
            let mut site = site("https://api.example.com");
            site.auth = auth;
            site.operator_headers = vec![("X-Op".into(), "t0ken-value".to_owned().into())];
            let held = Credentials::resolve(&site, &variables).unwrap();
            let shown = format!("{held:?} {site:?}");
            for leak in ["t0ken", "dDBrZW4"] {
                assert!(!shown.contains(leak), "{shown}");
            }
            for credential in &held.items {
                match credential {
                    Credential::Header(_, value) => assert!(value.is_sensitive()),
                    Credential::Query(_, value) | Credential::Cookie(_, value) => is_cleared_on_drop(value),
                }
            }
        }
    }

    #[test]
    fn operator_headers_are_secret() {
        let of = |name: &str, value: &str| {
            let mut site = site("https://api.example.com");
            site.operator_headers = vec![(name.into(), value.to_owned().into())];
            Credentials::resolve(&site, &TestVariables::of(&[])).unwrap().redactor
        };
        assert_eq!(of("Authorization", "Bearer abcdef").data("x abcdef Bearer"), "x [REDACTED] Bearer");
        assert_eq!(of("Cookie", "a=abcdef; b=uvwxyz").data("uvwxyz abcdef"), "[REDACTED] [REDACTED]");
        assert_eq!(of("X-Api-Version", "2022-11-28").data("2022-11-28"), "2022-11-28");
        assert_eq!(of("Accept", "text/csv").data("text/csv"), "text/csv");
    }

    /// R11.4-4: headers that frame a message are not for operators either.
    #[test]
    fn operator_headers_do_not_frame() {
        for name in ["Host", "Content-Length", "Transfer-Encoding", "Connection", "Proxy-Authorization"] {
            let mut site = site("https://api.example.com");
            site.operator_headers = vec![(name.into(), "5".to_owned().into())];
            let refused = Credentials::resolve(&site, &TestVariables::of(&[])).err();
            assert_eq!(refused, Some(CredentialError::OperatorHeader { header: name.into() }));
        }
    }

    #[test]
    fn process_environment() {
        assert!(ProcessEnvironment.get("PATH").is_some());
        assert!(ProcessEnvironment.get("AQUEDUCT_SURELY_NOT_SET").is_none());
    }

    #[test]
    fn places_must_be_names() {
        let variables = TestVariables::of(&[("KEY", "k3y-value")]);
        for place in [KeyPlace::Header("not a name".into()), KeyPlace::Cookie("a;b".into())] {
            let mut site = site("https://api.example.com");
            site.auth = key(place);
            let error = Credentials::resolve(&site, &variables).unwrap_err();
            assert!(matches!(error, CredentialError::Place { .. }), "{error}");
        }
    }
}

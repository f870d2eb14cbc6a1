//! What an answer is kept under: the fingerprint of everything that could make another answer of it.
//!
//! Who asks, with which credentials and headers, at which URL, and how the answer is read come in; 32 bytes go out, from
//! which none of that can be told (SHA-256).

use super::ReadOptions;
use crate::credentials::Credentials;
use crate::http::request::HttpRequest;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::target::HttpTarget;
use sha2::{Digest, Sha256};
use std::time::Duration;

/// Equal for requests that may share an answer, and for no others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct CacheKey([u8; 32]);

/// A request, and who sends it on what terms.
pub(crate) struct CacheKeyInput<'a> {
    pub(crate) operation: &'a Operation,
    pub(crate) target: &'a HttpTarget,
    pub(crate) request: &'a HttpRequest,
    pub(crate) credentials: &'a Credentials,
    pub(crate) reading: &'a ReadOptions,
}

impl CacheKeyInput<'_> {
    /// The fingerprint of it all.
    pub(crate) fn key(&self) -> CacheKey {
        let mut digest = KeyParts(Sha256::new());
        // A change may concern what one operation tells, and not what another does.
        digest.add(self.operation.name.as_bytes());
        digest.add_optional(self.reading.caller.as_deref().map(str::as_bytes));
        self.credentials.each_part(&mut |part| digest.add(part));
        digest.end_of_list();
        digest.add(self.request.method.name().as_bytes());
        digest.add(self.request.url.as_str().as_bytes());
        for (name, value) in &self.request.headers {
            digest.add(name.as_str().as_bytes());
            digest.add(value.as_bytes());
        }
        digest.end_of_list();
        digest.add_optional(self.request.body.as_deref());
        // How the same bytes are read and judged, so that an edited adapter is not answered as before.
        digest.add(&[self.target.answer as u8, u8::from(self.target.site.names_private_address)]);
        digest.add(&self.reading.rule.ttl.map_or(u128::MAX, |ttl: Duration| ttl.as_nanos()).to_le_bytes());
        for param in self.operation.params.iter().filter(|param| param.sensitive) {
            digest.add(param.upstream_name.as_bytes());
        }
        CacheKey(digest.0.finalize().into())
    }
}

/// Parts that cannot run into one another.
struct KeyParts(Sha256);

impl KeyParts {
    fn add(&mut self, part: &[u8]) {
        self.0.update([1]);
        self.0.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes());
        self.0.update(part);
    }

    fn add_optional(&mut self, part: Option<&[u8]>) {
        match part {
            Some(part) => self.add(part),
            None => self.end_of_list(),
        }
    }

    fn end_of_list(&mut self) {
        self.0.update([0]);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::{CacheKey, CacheKeyInput, ReadOptions};
    use crate::credentials::Credentials;
    use crate::http::build::build;
    use crate::test_support::TestVariables;
    use aqueduct_operations::answers::CacheRule;
    use aqueduct_operations::auth::{Auth, KeyPlace};
    use aqueduct_operations::category::Category;
    use aqueduct_operations::operation::Operation;
    use aqueduct_operations::params::{ParamLocation, ValueKind};
    use aqueduct_operations::target::{AnswerKind, Method};
    use aqueduct_testkit::operation::{
        get, http_target, operation, param, site, target, with_param, with_site, with_target,
    };
    use serde_json::{Value, json};
    use std::collections::HashSet;
    use std::time::Duration;

    /// A key of no request.
    pub(in crate::cache) fn any_key(number: u8) -> CacheKey {
        CacheKey([number; 32])
    }

    fn key(operation: &Operation, values: Value, token: &str, reading: &ReadOptions) -> CacheKey {
        let target = http_target(operation);
        let request = build(operation, target, values.as_object().unwrap()).unwrap();
        let credentials = Credentials::resolve(&target.site, &TestVariables::of(&[("T", token)])).unwrap();
        CacheKeyInput { operation, target, request: &request, credentials: &credentials, reading }.key()
    }

    fn read() -> Operation {
        let operation = get("g", "https://api.example.com", "/x");
        let operation = with_param(operation, param("q", ValueKind::String, ParamLocation::Query));
        let operation = with_param(operation, param("x-lang", ValueKind::String, ParamLocation::Header));
        with_param(operation, param("sid", ValueKind::String, ParamLocation::Cookie))
    }

    fn with_auth(auth: Auth) -> Operation {
        with_site(read(), |site| site.auth = auth)
    }

    fn by(caller: Option<&str>) -> ReadOptions {
        ReadOptions { caller: caller.map(Into::into), ..ReadOptions::default() }
    }

    /// R10.5-1: a read with a body is another for every body and every media type of it.
    #[test]
    fn bodies_make_keys() {
        let search = |content_type: Option<&str>| {
            let target = target(site("https://api.example.com"), Method::Query, "/x");
            let operation = operation("find", Category::Read, target);
            let operation = with_param(operation, param("q", ValueKind::String, ParamLocation::Body));
            with_target(operation, |target| target.content_type = content_type.map(str::to_owned))
        };
        let key = |content_type, values| key(&search(content_type), values, "", &by(None));
        let all: HashSet<CacheKey> = [
            key(None, json!({"q": "1"})),
            key(None, json!({"q": "2"})),
            key(None, json!({})),
            key(Some("application/x+json"), json!({"q": "1"})),
        ]
        .into_iter()
        .collect();
        assert_eq!(all.len(), 4);
        assert!(all.contains(&key(None, json!({"q": "1"}))));
    }

    /// R10.5-1: everything that could make another answer makes another key, and nothing else does.
    #[test]
    fn what_makes_a_key() {
        let plain = by(None);
        let none = json!({});
        let bearer = || with_auth(Auth::Bearer { token_env: "T".into(), prefix: "Bearer ".into() });
        let in_place = |place| with_auth(Auth::ApiKey { key_env: "T".into(), place });
        let operator = |name: &str, value: &str| {
            with_site(read(), |site| site.operator_headers = vec![(name.into(), value.to_owned().into())])
        };
        let mut all = vec![
            key(&read(), none.clone(), "", &plain),
            key(&read(), none.clone(), "", &by(Some(""))),
            key(&read(), none.clone(), "", &by(Some("ann"))),
            key(&read(), none.clone(), "", &by(Some("bob"))),
            key(&read(), json!({"q": "1"}), "", &plain),
            key(&read(), json!({"x-lang": "1"}), "", &plain),
            key(&read(), json!({"sid": "1"}), "", &plain),
            key(&get("g", "https://api.example.com", "/y"), none.clone(), "", &plain),
            key(&bearer(), none.clone(), "one", &plain),
            key(&bearer(), none.clone(), "two", &plain),
            key(&in_place(KeyPlace::Header("X-K".into())), none.clone(), "one", &plain),
            key(&in_place(KeyPlace::Query("k".into())), none.clone(), "one", &plain),
            key(&in_place(KeyPlace::Cookie("k".into())), none.clone(), "one", &plain),
            key(&operator("X-A", "one"), none.clone(), "", &plain),
            key(&operator("X-A", "two"), none.clone(), "", &plain),
            key(&operator("X-B", "one"), none.clone(), "", &plain),
            key(&with_target(read(), |target| target.answer = AnswerKind::Any), none.clone(), "", &plain),
        ];
        let rule = CacheRule { enabled: true, ttl: Some(Duration::from_secs(1)) };
        all.push(key(&read(), none.clone(), "", &ReadOptions { rule, ..by(None) }));
        let mut hidden = read();
        hidden.params[0].sensitive = true;
        all.push(key(&hidden, none.clone(), "", &plain));
        let different: HashSet<CacheKey> = all.iter().copied().collect();
        assert_eq!(different.len(), all.len());
        let mut described = read();
        described.description = "other".into();
        assert!(key(&described, none.clone(), "", &plain) == all[0]);
        let mut other = read();
        other.name = "other".into();
        assert!(key(&other, none, "", &plain) != all[0], "a change may concern one of the two alone");
    }
}

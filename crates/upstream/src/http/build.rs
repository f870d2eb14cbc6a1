//! Builds a request: operation, target and values come in, a `HttpRequest` without credentials goes out (runtime
//! specification, sections 6.3 to 6.5 and 11.4; ruling W8).
//!
//! Invariant: the URL is on the site's own origin, and every byte depends on the operation and the values alone.

use super::request::HttpRequest;
use super::style::{self, NameValue};
use super::{body, encode, header, path};
use crate::error::RequestBuildError;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::{Param, ParamLocation};
use aqueduct_operations::target::{AnswerKind, HttpTarget};
use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, COOKIE, HeaderMap, HeaderValue, USER_AGENT};
use serde_json::{Map, Value};
use url::Url;

/// What we call ourselves.
pub(crate) const AGENT: &str = concat!("aqueduct/", env!("CARGO_PKG_VERSION"));
/// What we would like to get.
pub(crate) fn accepted(answer: AnswerKind) -> &'static str {
    match answer {
        AnswerKind::Json => "application/json",
        AnswerKind::Any => "application/json, */*;q=0.8",
        AnswerKind::Events => "text/event-stream, application/json;q=0.5",
    }
}

/// Builds the request of one call.
pub(crate) fn build(
    operation: &Operation,
    target: &HttpTarget,
    values: &Map<String, Value>,
) -> Result<HttpRequest, RequestBuildError> {
    let parts = RequestParts { operation, target, values };
    let url = parts.url()?;
    let mut headers = parts.headers()?;
    let body = body::write(operation, target, values)?;
    match &body {
        // A body of no declared parameters is not sent, so a constant content type would describe nothing.
        None => _ = headers.remove(CONTENT_TYPE),
        Some(body::WrittenBody { content_type: Some(exact), .. }) => {
            headers.insert(CONTENT_TYPE, exact.clone());
        }
        Some(_) => {
            let usual = HeaderValue::from_static(body::usual_type(target.body));
            headers.entry(CONTENT_TYPE).or_insert(usual);
        }
    }
    let is_sent = body.is_some();
    let body::WrittenBody { bytes, parts: body_parts, hidden, .. } = body.unwrap_or_default();
    Ok(HttpRequest {
        method: target.method,
        url,
        headers,
        body: is_sent.then_some(bytes),
        format: target.body,
        parts: body_parts,
        hidden_query: parts.hidden_query(),
        hidden_fields: hidden,
    })
}

struct RequestParts<'a> {
    operation: &'a Operation,
    target: &'a HttpTarget,
    values: &'a Map<String, Value>,
}

impl<'a> RequestParts<'a> {
    /// The parameters of one place that have a value, null included, in declared order.
    fn sent(&self, place: ParamLocation) -> impl Iterator<Item = (&'a Param, &'a Value)> {
        let values = self.values;
        let of_place = self.operation.params.iter().filter(move |param| param.place == place);
        of_place.filter_map(move |param| values.get(&param.name).map(|value| (param, value)))
    }

    /// Their pairs, by their styles; null is left out.
    fn pairs(&self, place: ParamLocation) -> Result<Vec<(&'a Param, NameValue)>, RequestBuildError> {
        let mut all = Vec::new();
        for (param, value) in self.sent(place) {
            let pairs = style::of_param(param, value);
            let is_raw = param.writing.is_some_and(|writing| writing.allow_reserved);
            let holds_nul =
                |pair: &NameValue| pair.name.contains('\0') || pair.value(str::to_owned).contains('\0');
            if is_raw && style::holds_nul(value) || pairs.iter().any(holds_nul) {
                return Err(RequestBuildError::NulCharacter { param: param.name.clone() });
            }
            all.extend(pairs.into_iter().map(|pair| (param, pair)));
        }
        Ok(all)
    }

    fn url(&self) -> Result<Url, RequestBuildError> {
        let base = &self.target.site.base_url;
        let filled = {
            let rules = (self.operation.params.as_slice(), self.target.dot_segments);
            path::fill(&self.target.path, self.values, rules)?
        };
        let query = self.query()?;
        let mut path = base.path().trim_end_matches('/').to_owned();
        if !filled.is_empty() && !filled.starts_with('/') {
            path.push('/');
        }
        path.push_str(&filled);
        // Everything before the path stays, so the origin does too; the host is not looked at again.
        let mut url = base.clone();
        url.set_path(&path);
        url.set_query(Some(query.as_str()).filter(|query| !query.is_empty()));
        url.set_fragment(None);
        // A name and password written into the URL are never sent.
        url.set_username("").and_then(|()| url.set_password(None)).map_err(|()| RequestBuildError::Url)?;
        Ok(url)
    }

    fn query(&self) -> Result<String, RequestBuildError> {
        let fixed = [self.target.site.base_url.query(), self.target.static_query.as_deref()];
        let mut pairs: Vec<String> =
            fixed.into_iter().flatten().filter(|text| !text.is_empty()).map(str::to_owned).collect();
        for (param, pair) in self.pairs(ParamLocation::Query)? {
            let keeps_reserved = param.writing.is_some_and(|writing| writing.allow_reserved);
            let of_value = if keeps_reserved { encode::reserved_in_query } else { encode::component };
            pairs.push(pair.written(encode::component, of_value));
        }
        Ok(pairs.join("&"))
    }

    fn hidden_query(&self) -> Vec<String> {
        let sensitive = self.sent(ParamLocation::Query).filter(|(param, _)| param.sensitive);
        let names = sensitive.flat_map(|(param, value)| {
            let pairs = style::of_param(param, value).into_iter().map(|pair| pair.name);
            std::iter::once(param.upstream_name.clone()).chain(pairs)
        });
        let mut names: Vec<String> = names.collect();
        names.dedup();
        names
    }

    fn headers(&self) -> Result<HeaderMap, RequestBuildError> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(accepted(self.target.answer)));
        headers.insert(USER_AGENT, HeaderValue::from_static(AGENT));
        for (name, value) in &self.target.site.headers {
            let value = header::value(value)
                .ok_or_else(|| RequestBuildError::ConstantHeader { header: name.clone() })?;
            let name = header::name(name)?;
            // The client asks for the compressions that it can undo, and no others.
            if name != ACCEPT_ENCODING {
                headers.insert(name, value);
            }
        }
        for (param, value) in self.sent(ParamLocation::Header) {
            let text = match param.writing {
                Some(writing) => style::flat(&param.upstream_name, value, writing, str::to_owned),
                None => encode::text(value),
            };
            let Some(text) = text else { continue };
            let value = header::value(&text)
                .ok_or_else(|| RequestBuildError::HeaderValue { param: param.name.clone() })?;
            headers.insert(header::name(&param.upstream_name)?, value);
        }
        let cookies = self.cookies(&headers)?;
        if !cookies.is_empty() {
            let value = header::value(&cookies)
                .ok_or_else(|| RequestBuildError::ConstantHeader { header: COOKIE.to_string() })?;
            headers.insert(COOKIE, value);
        }
        Ok(headers)
    }

    /// Constant cookies first, then the parameters', all in one line.
    fn cookies(&self, headers: &HeaderMap) -> Result<String, RequestBuildError> {
        let constant =
            headers.get(COOKIE).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let mut pairs: Vec<String> = constant.into_iter().collect();
        for (param, pair) in self.pairs(ParamLocation::Cookie)? {
            if !encode::is_token(&pair.name) {
                return Err(RequestBuildError::HeaderName { header: pair.name });
            }
            let of_value = if param.writing.is_some() { encode::cookie } else { encode::component };
            pairs.push(pair.written(str::to_owned, of_value));
        }
        Ok(pairs.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::build;
    use crate::error::RequestBuildError;
    use aqueduct_operations::operation::{Grouping, Operation};
    use aqueduct_operations::params::{Param, ParamLocation, ValueKind};
    use aqueduct_operations::target::{AnswerKind, BodyFormat, Method};
    use aqueduct_testkit::operation::{
        get, http_target, operation, param, site, target, with_param, with_target,
    };
    use proptest::{prop_assert_eq, proptest};
    use serde_json::{Value, json};

    const BASE: &str = "https://api.example.com/v1";

    fn built(operation: &Operation, values: Value) -> Result<super::HttpRequest, RequestBuildError> {
        build(operation, http_target(operation), values.as_object().unwrap())
    }

    fn with_place(method: Method, places: &[(&str, ParamLocation)]) -> Operation {
        let target = target(site(BASE), method, "/items");
        let category = aqueduct_operations::category::Category::Execute;
        places.iter().fold(operation("do_it", category, target), |operation, (name, place)| {
            with_param(operation, param(name, ValueKind::String, *place))
        })
    }

    fn url(operation: &Operation, values: Value) -> String {
        built(operation, values).unwrap().url.to_string()
    }

    fn body(operation: &Operation, values: Value) -> Option<String> {
        let body = built(operation, values).unwrap().body;
        body.map(|bytes| String::from_utf8(bytes.to_vec()).unwrap())
    }

    /// R6.5-1: the path is joined to the base URL, whose own path is kept.
    #[test]
    fn base_path_is_kept() {
        assert_eq!(url(&get("g", BASE, "/x/{id}"), json!({"id": 7})), "https://api.example.com/v1/x/7");
        let slashed = get("g", "https://api.example.com/v1/", "/x");
        assert_eq!(url(&slashed, json!({})), "https://api.example.com/v1/x");
        let bare = get("g", "https://api.example.com", "/x");
        assert_eq!(url(&bare, json!({})), "https://api.example.com/x");
    }

    /// R6.5-2 R6.4-1 R6.4-2 R11.4-3 O5.2-5: query pairs in declared order under their upstream names, encoded; null and
    /// absent left out; arrays and objects.
    #[test]
    fn queries() {
        let places = ["z", "a", "list", "object", "none", "absent"].map(|name| (name, ParamLocation::Query));
        for method in [Method::Get, Method::Delete] {
            let renamed = Param {
                upstream_name: "perPage".into(),
                ..param("per_page", ValueKind::String, ParamLocation::Query)
            };
            let operation = with_param(with_place(method, &places), renamed);
            let request = built(
                &operation,
                json!({"per_page": 5, "object": {"k": 1}, "list": [1, "b c"], "a": "x&y=z", "z": true, "none": null}),
            )
            .unwrap();
            assert_eq!(
                request.url.query(),
                Some("z=true&a=x%26y%3Dz&list=1%2Cb%20c&object=%7B%22k%22%3A1%7D&perPage=5")
            );
            assert_eq!(request.body, None);
        }
    }

    /// R6.5-2: a static query is kept and extended.
    #[test]
    fn static_query() {
        let operation =
            with_param(get("g", BASE, "/s?type=x"), param("q", ValueKind::String, ParamLocation::Query));
        assert_eq!(url(&operation, json!({})), "https://api.example.com/v1/s?type=x");
        assert_eq!(url(&operation, json!({"q": "1"})), "https://api.example.com/v1/s?type=x&q=1");
    }

    /// R6.4-3 R6.4-4 R6.4-5 R6.4-6 X-plugins-10: body parameters form one JSON object under their upstream names, and a
    /// path parameter is in neither query nor body.
    #[test]
    fn json_bodies() {
        for method in [Method::Post, Method::Put, Method::Patch] {
            let mut operation =
                with_place(method, &[("title", ParamLocation::Body), ("gone", ParamLocation::Body)]);
            operation.params.push(Param {
                upstream_name: "dueDate".into(),
                ..param("due_date", ValueKind::String, ParamLocation::Body)
            });
            let operation =
                with_target(operation, |t| t.path = aqueduct_testkit::operation::segments("/items/{id}"));
            let operation = with_param(operation, param("id", ValueKind::String, ParamLocation::Path));
            let request =
                built(&operation, json!({"id": "7", "due_date": "x", "title": "t", "gone": null})).unwrap();
            assert_eq!(request.url.as_str(), "https://api.example.com/v1/items/7");
            assert_eq!(
                request.body.as_deref(),
                Some(br#"{"title":"t","gone":null,"dueDate":"x"}"#.as_slice())
            );
            assert_eq!(request.headers["content-type"], "application/json");
        }
    }

    /// R6.4-3: with nothing to send there is neither body nor content type, not even a constant one.
    #[test]
    fn no_body() {
        let mut site = site(BASE);
        site.headers = vec![("Content-Type".into(), "application/json".into())];
        let operation = with_target(with_place(Method::Post, &[("a", ParamLocation::Body)]), |target| {
            target.site = std::sync::Arc::new(site);
        });
        let request = built(&operation, json!({})).unwrap();
        assert_eq!(request.body, None);
        assert!(!request.headers.contains_key("content-type"));
    }

    #[test]
    fn form_bodies() {
        let places = [("a", ParamLocation::Body), ("b", ParamLocation::Body), ("c", ParamLocation::Body)];
        let operation = with_target(with_place(Method::Post, &places), |t| t.body = BodyFormat::Form);
        let request = built(&operation, json!({"a": "x y&z", "b": [1, 2], "c": null})).unwrap();
        assert_eq!(request.body.as_deref(), Some(b"a=x%20y%26z&b=1%2C2".as_slice()));
        assert_eq!(request.headers["content-type"], "application/x-www-form-urlencoded");
    }

    /// Ruling W8: a declared `input` is the whole body.
    #[test]
    fn whole_input() {
        let mut operation = with_place(Method::Patch, &[("input", ParamLocation::Body)]);
        operation.grouping = Grouping::WholeInput;
        assert_eq!(body(&operation, json!({"input": {"a": 1}})).as_deref(), Some(r#"{"a":1}"#));
        assert_eq!(body(&operation, json!({"input": [1]})).as_deref(), Some("[1]"));
        assert_eq!(body(&operation, json!({})), None);
    }

    /// X-plugins-7: headers that go with every request, and those of the site and the parameters over them.
    #[test]
    fn headers() {
        let operation = with_place(Method::Get, &[("trace", ParamLocation::Header)]);
        let plain = built(&operation, json!({})).unwrap();
        assert_eq!(plain.headers["accept"], "application/json");
        assert_eq!(plain.headers["user-agent"], concat!("aqueduct/", env!("CARGO_PKG_VERSION")));
        assert!(!plain.headers.contains_key("trace"));
        let mut site = site(BASE);
        let constant = [("Accept", "application/vnd.x+json"), ("trace", "no"), ("Accept-Encoding", "lzma")];
        site.headers = constant.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        let operation = with_target(operation, |target| target.site = std::sync::Arc::new(site));
        let request = built(&operation, json!({"trace": ["a", 1]})).unwrap();
        assert_eq!(request.headers["accept"], "application/vnd.x+json");
        assert_eq!(request.headers["trace"], "a,1");
        assert!(!request.headers.contains_key("accept-encoding"));
    }

    /// S-openapi-17: what is asked for follows what the operation may be answered with.
    #[test]
    fn accepted_answers() {
        for (answer, accepted) in [
            (AnswerKind::Json, "application/json"),
            (AnswerKind::Any, "application/json, */*;q=0.8"),
            (AnswerKind::Events, "text/event-stream, application/json;q=0.5"),
        ] {
            let operation = with_target(with_place(Method::Get, &[]), |target| target.answer = answer);
            assert_eq!(built(&operation, json!({})).unwrap().headers["accept"], accepted);
        }
    }

    /// R11.4-4: no line break gets into a header, and no parameter sets a framing header.
    #[test]
    fn header_injection() {
        let operation = with_place(Method::Get, &[("x", ParamLocation::Header)]);
        for value in ["a\r\nEvil: 1", "a\nb", "a\rb", "a\0b"] {
            assert_eq!(
                built(&operation, json!({"x": value})).unwrap_err(),
                RequestBuildError::HeaderValue { param: "x".into() }
            );
        }
        for name in ["Host", "content-length", "Transfer-Encoding", "proxy-x", "not a name"] {
            let operation = with_place(Method::Get, &[(name, ParamLocation::Header)]);
            assert_eq!(
                built(&operation, json!({name: "1"})).unwrap_err(),
                RequestBuildError::HeaderName { header: name.into() }
            );
        }
    }

    #[test]
    fn cookies_share_one_header() {
        let operation =
            with_place(Method::Get, &[("a", ParamLocation::Cookie), ("b", ParamLocation::Cookie)]);
        let request = built(&operation, json!({"b": "x; y=1\r\n", "a": 1})).unwrap();
        assert_eq!(request.headers["cookie"], "a=1; b=x%3B%20y%3D1%0D%0A");
    }

    /// R11.1-3: NUL is refused wherever it would become a part of the URL.
    #[test]
    fn nul_in_query_and_cookie() {
        for place in [ParamLocation::Query, ParamLocation::Cookie] {
            assert_eq!(
                built(&with_place(Method::Get, &[("a", place)]), json!({"a": "x\0"})).unwrap_err(),
                RequestBuildError::NulCharacter { param: "a".into() }
            );
        }
    }

    /// A name and password in a base URL are not sent.
    #[test]
    fn no_credentials_from_the_url() {
        let operation = get("g", "https://user:pw@api.example.com", "/x");
        assert_eq!(url(&operation, json!({})), "https://api.example.com/x");
    }

    #[test]
    fn debug_shows_no_values() {
        let operation = with_place(Method::Get, &[("a", ParamLocation::Query), ("b", ParamLocation::Header)]);
        let shown = format!("{:?}", built(&operation, json!({"a": "s3cret", "b": "s3cret"})).unwrap());
        assert!(!shown.contains("s3cret") && shown.contains("api.example.com"), "{shown}");
    }

    proptest! {
        /// R1.2-3: the same operation and values give the same bytes, in whatever order the values come.
        #[test]
        fn deterministic(texts in proptest::collection::vec("[^\0]*", 6)) {
            let places = [ParamLocation::Query, ParamLocation::Cookie, ParamLocation::Body, ParamLocation::Query, ParamLocation::Cookie, ParamLocation::Body];
            let names = ["a", "b", "c", "d", "e", "f"];
            let pairs: Vec<_> = names.into_iter().zip(places).collect();
            let operation = with_place(Method::Post, &pairs);
            let values: Vec<_> =
                names.iter().zip(&texts).map(|(name, text)| (name.to_string(), json!(text))).collect();
            let forward = Value::Object(values.iter().cloned().collect());
            let backward = Value::Object(values.iter().rev().cloned().collect());
            let (one, two) = (built(&operation, forward).unwrap(), built(&operation, backward).unwrap());
            prop_assert_eq!(one.url.as_str(), two.url.as_str());
            prop_assert_eq!(&one.headers, &two.headers);
            prop_assert_eq!(
                one.headers.iter().collect::<Vec<_>>(),
                two.headers.iter().collect::<Vec<_>>()
            );
            prop_assert_eq!(&one.body, &two.body);
        }
    }
}

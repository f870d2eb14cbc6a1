//! The blocks beside the operations: target, auth, trust, types, and what an operator sets.
//!
//! Adapter document, sections 5, 6 and 10; trust document, section 3.

use super::{SHOP, changed, codes, good, load_text, refusal};
use crate::load;
use aqueduct_operations::auth::{Auth, KeyPlace};
use aqueduct_operations::concurrency::Concurrency;
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::target::{BodyFormat, HttpTarget, Target};
use aqueduct_operations::trust::TrustLevel;
use aqueduct_operations::types::TypeBody;
use aqueduct_source_kind::base_url;
use aqueduct_source_kind::settings::SourceSettings;
use secrecy::ExposeSecret;
use std::time::Duration;

fn http(loaded: &LoadedSource) -> &HttpTarget {
    let Target::Http(target) = &loaded.operations[0].target else { panic!() };
    target
}

fn adding(block: &str) -> String {
    changed("operations:", &format!("{block}\noperations:"))
}

/// R4.1-6 R4.1-7 R4.1-8 X-adapter-8 X-plugins-1 X-plugins-3 X-plugins-6: names are resolved
/// when the file is loaded; those outside the closed sets are told with the known ones.
#[test]
fn plugins() {
    for (from, to, known) in [
        ("transport: http", "transport: htpp", "http or stdio"),
        ("transport: http", "transport: websocket", "http or stdio"),
        ("protocol: rest", "protocol: graphql", "rest or mcp"),
        ("serialization: json", "serialization: xml", "json or form"),
    ] {
        let outcome = load_text(&changed(from, to));
        assert!(outcome.loaded.is_none(), "{to}");
        let found = &outcome.diagnostics[0];
        assert_eq!((found.code, found.expected.as_deref()), ("PLUGIN_NOT_FOUND", Some(known)), "{to}");
    }
    assert_eq!(http(&good(SHOP)).body, BodyFormat::Json, "transport http, protocol rest, serialization json");
    assert_eq!(http(&good(&changed("serialization: json", "serialization: form"))).body, BodyFormat::Form);
}

/// Ruling S7: a metadata service is never called, so a file that names one is told when it is loaded.
#[test]
fn metadata_services() {
    for host in ["169.254.169.254", "[fd00:ec2::254]", "metadata.google.internal"] {
        let text = changed("https://api.example.com/v1", &format!("http://{host}/latest"));
        assert_eq!(refusal(&text), ["INVALID_VALUE target.base_url"], "{host}");
    }
}

/// X-adapter-9: http is for this machine; elsewhere it loads with a warning.
#[test]
fn plain_http() {
    assert_eq!(codes(&changed("https://", "http://")), ["PLAIN_HTTP target.base_url"]);
    for host in ["localhost:8080", "127.0.0.1", "[::1]:8080"] {
        let local = changed("https://api.example.com/v1", &format!("http://{host}/v1/"));
        assert_eq!(codes(&local), Vec::<String>::new(), "{host}");
        let site = &http(&good(&local)).site.clone();
        assert_eq!(site.base_url.path(), "/v1", "without the slash");
        assert!(site.names_private_address);
    }
    assert!(!http(&good(SHOP)).site.names_private_address);
    assert_eq!(http(&good(SHOP)).site.base_url.as_str(), "https://api.example.com/v1");
}

#[test]
fn timeouts_retries_and_headers() {
    let site = &http(&good(SHOP)).site.clone();
    assert_eq!((site.timeout, site.retries, site.headers.len()), (Duration::from_secs(30), 2, 0));
    let text = changed(
        "  transport:",
        "  timeout_ms: 600000\n  retries: 0\n  headers: {Accept: text/x, X-V: '2'}\n  transport:",
    );
    let site = http(&good(&text)).site.clone();
    assert_eq!((site.timeout, site.retries), (Duration::from_secs(600), 0));
    assert_eq!(site.headers, [("Accept".into(), "text/x".into()), ("X-V".into(), "2".into())]);
    for (line, code) in [
        ("timeout_ms: 600001", "INVALID_VALUE target.timeout_ms"),
        ("retries: 6", "INVALID_VALUE target.retries"),
        ("headers: {'a b': c}", "INVALID_VALUE target.headers.a b"),
        ("headers: {a: \"b\\r\\nc\"}", "INVALID_VALUE target.headers.a"),
        ("headers: {a: 1}", "WRONG_TYPE target.headers.a"),
        ("headers: {Host: x}", "INVALID_VALUE target.headers.Host"),
        ("headers: {a: x, A: y}", "DUPLICATE_NAME target.headers.A"),
    ] {
        assert_eq!(codes(&changed("  transport:", &format!("  {line}\n  transport:"))), [code], "{line}");
    }
}

/// X-adapter-10 X-adapter-11: each type of authentication and its keys.
#[test]
fn auth_types() {
    let auth = |block: &str| http(&good(&adding(&format!("auth: {block}")))).site.auth.clone();
    assert_eq!(http(&good(SHOP)).site.auth, Auth::None);
    assert_eq!(auth("{type: none}"), Auth::None);
    let bearer = |prefix: &str| Auth::Bearer { token_env: "T".into(), prefix: prefix.into() };
    assert_eq!(auth("{type: bearer, token_env: T}"), bearer("Bearer "));
    assert_eq!(auth("{type: bearer, token_env: T, prefix: 'token '}"), bearer("token "));
    let key = |place| Auth::ApiKey { key_env: "K".into(), place };
    assert_eq!(
        auth("{type: api_key, key_env: K, header_name: X-Key}"),
        key(KeyPlace::Header("X-Key".into()))
    );
    assert_eq!(auth("{type: api_key, key_env: K, header: X-Key}"), key(KeyPlace::Header("X-Key".into())));
    assert_eq!(auth("{type: api_key, key_env: K, query_name: key}"), key(KeyPlace::Query("key".into())));
    assert_eq!(auth("{type: api_key, key_env: K, cookie_name: sid}"), key(KeyPlace::Cookie("sid".into())));
    assert_eq!(
        auth("{type: basic, username_env: U, password_env: P}"),
        Auth::Basic { username_env: "U".into(), password_env: "P".into() }
    );
    let oauth2 = "type: oauth2, token_url: https://a.example/t, client_id_env: I, client_secret_env: S";
    let Auth::OAuth2(read) = auth(&format!("{{{oauth2}}}")) else { panic!() };
    assert_eq!((read.token_url.as_str(), read.client_id_env.as_str()), ("https://a.example/t", "I"));
    assert_eq!((read.refresh_token_env, read.scopes), (None, Vec::new()));
    let Auth::OAuth2(read) = auth(&format!("{{{oauth2}, refresh_token_env: R, scopes: [a, b]}}")) else {
        panic!()
    };
    assert_eq!((read.refresh_token_env.as_deref(), read.scopes), (Some("R"), vec!["a".into(), "b".into()]));
    let plain = format!("auth: {{{}}}", oauth2.replace("https", "http"));
    assert_eq!(codes(&adding(&plain)), ["PLAIN_HTTP auth.token_url"]);
    assert_eq!(
        auth(
            "{any_of: [{all: [{type: bearer, token_env: T}, {type: api_key, key_env: K, query_name: q}]}, {type: none}]}"
        ),
        Auth::AnyOf(vec![Auth::All(vec![bearer("Bearer "), key(KeyPlace::Query("q".into()))]), Auth::None])
    );
}

/// X-adapter-10 X-adapter-11: what each type of authentication needs, and what does not belong to it.
#[test]
fn auth_that_does_not_fit() {
    for (block, code) in [
        ("{}", "MISSING_KEY auth.type"),
        ("{type: digest}", "PLUGIN_NOT_FOUND auth.type"),
        ("{type: bearer}", "MISSING_KEY auth.token_env"),
        ("{type: basic, username_env: U}", "MISSING_KEY auth.password_env"),
        ("{type: api_key, header_name: X-Key}", "MISSING_KEY auth.key_env"),
        ("{type: api_key, key_env: K}", "MISSING_KEY auth"),
        ("{type: api_key, key_env: K, header_name: a, query_name: b}", "MISSING_KEY auth"),
        ("{type: api_key, key_env: K, header_name: 'a b'}", "INVALID_VALUE auth.header_name"),
        ("{type: bearer, token_env: T, key_env: K}", "UNKNOWN_KEY auth.key_env"),
        ("{type: none, token_env: T}", "UNKNOWN_KEY auth.token_env"),
        ("{type: bearer, token_env: '${SHOP_TOKEN}'}", "INVALID_VALUE auth.token_env"),
        ("{type: oauth2, client_id_env: I, client_secret_env: S}", "MISSING_KEY auth.token_url"),
        (
            "{type: oauth2, token_url: https://a.example/t, client_id_env: I}",
            "MISSING_KEY auth.client_secret_env",
        ),
        (
            "{type: oauth2, token_url: 'https://', client_id_env: I, client_secret_env: S}",
            "INVALID_VALUE auth.token_url",
        ),
        (
            "{type: oauth2, token_url: 'https://u:hunter2@a.example/', client_id_env: I, client_secret_env: S}",
            "EMBEDDED_CREDENTIAL auth.token_url",
        ),
        ("{any_of: []}", "INVALID_VALUE auth.any_of"),
        ("{type: none, any_of: [{type: none}]}", "CONTRADICTION auth"),
        ("{any_of: [{type: bearer}]}", "MISSING_KEY auth.any_of[0].token_env"),
        ("{all: [{type: bearer, token_env: T, kind: x}]}", "UNKNOWN_KEY auth.all[0].kind"),
    ] {
        assert_eq!(refusal(&adding(&format!("auth: {block}"))), [code], "{block}");
    }
}

/// X-trust-5 X-adapter-20: the level is checked; without a block the setting's default holds, `validated` if
/// there is none.
#[test]
fn trust() {
    assert_eq!(good(SHOP).source.trust, TrustLevel::Validated);
    for (name, level) in [
        ("generated", TrustLevel::Generated),
        ("official", TrustLevel::Official),
        ("medium", TrustLevel::Validated),
        ("untrusted", TrustLevel::Untested),
    ] {
        assert_eq!(good(&adding(&format!("trust: {{level: {name}}}"))).source.trust, level);
    }
    assert_eq!(refusal(&adding("trust: {level: root}")), ["INVALID_VALUE trust.level"]);
    for (level, hint) in [("trusted", None), ("validate", Some("did you mean 'validated'?"))] {
        let outcome = load_text(&adding(&format!("trust: {{level: {level}}}")));
        let found = &outcome.diagnostics[0];
        assert_eq!(found.hint.as_deref(), hint, "the opposite is never proposed");
        assert!(found.expected.as_deref().unwrap().contains("official"), "every level is named");
    }
    assert_eq!(refusal(&adding("trust: {level: 5}")), ["WRONG_TYPE trust.level"]);
    assert!(codes(&adding("trust: {verified_by: me}")).contains(&"MISSING_KEY trust.level".to_owned()));
    let text = adding("trust: {level: certified}");
    let default = SourceSettings { default_trust: Some(TrustLevel::Generated), ..Default::default() };
    let trust = |text: &str, settings| {
        load("shop-adapter.md", text.as_bytes(), settings).loaded.unwrap().source.trust
    };
    assert_eq!(trust(SHOP, &default), TrustLevel::Generated);
    assert_eq!(trust(&text, &default), TrustLevel::Certified);
    let raised = SourceSettings { trust: Some(TrustLevel::Untested), ..default.clone() };
    assert_eq!(trust(&text, &raised), TrustLevel::Untested);
}

/// What an operator sets replaces what the file says.
#[test]
fn settings_win() {
    let settings = SourceSettings {
        source_name: Some("store".into()),
        base_url: Some(base_url::parse("https://staging.example.com/").unwrap()),
        auth: Some(Auth::Bearer { token_env: "T".into(), prefix: "Bearer ".into() }),
        headers: vec![NamedSecret::new("X-Team", "blue")],
        concurrency: Some(Concurrency::Serialized),
        ..Default::default()
    };
    let loaded = load("shop-adapter.md", SHOP.as_bytes(), &settings).loaded.unwrap();
    assert_eq!((loaded.source.name.as_str(), loaded.source.concurrency), ("store", Concurrency::Serialized));
    let site = &http(&loaded).site;
    assert_eq!(site.base_url.host_str(), Some("staging.example.com"));
    assert!(site.names_private_address, "the operator chose the address");
    assert_eq!(site.auth.kind(), "bearer");
    assert_eq!(site.operator_headers[0].value.expose_secret(), "blue");
    assert!(!format!("{loaded:?}").contains("blue"));
}

/// X-adapter-3: what the adapter says of itself is kept.
#[test]
fn about_the_adapter() {
    let loaded = good(&adding(
        "author: Me\ncreated: \"2026-01-26\"\nmodified: \"2026-01-27\"\ntags: [shop, items]\ntriggers: [buy]\nwhen_to_use: Often\n\
         concurrency: resource-locked\ncompat: {camel_case: false}",
    ));
    let source = loaded.source;
    assert_eq!(source.tags, ["shop", "items"]);
    assert_eq!(source.info["triggers"][0], "buy");
    assert_eq!(source.info["author"], "Me");
    assert_eq!(
        (&source.info["created"], &source.info["modified"]),
        (&"2026-01-26".into(), &"2026-01-27".into())
    );
    assert_eq!(source.info["when_to_use"], "Often");
    assert_eq!(source.concurrency, Concurrency::ResourceLocked);
    assert!(!source.camel_case_aliases && good(SHOP).source.camel_case_aliases);
    assert_eq!(refusal(&adding("tags: shop")), ["WRONG_TYPE tags"]);
}

#[test]
fn types() {
    let loaded = good(&adding(
        "types:\n  State: {kind: enum, values: [open, closed], description: A state}\n  \
         Item: {kind: object, fields: {id: {type: integer, required: true}, state: {type: State}, others: {type: 'Item[]'}, tags: {type: 'string[]'}}}\n  \
         Thing: {kind: union, members: [Item, State]}\n  Stamp: {kind: scalar}",
    ));
    let types = loaded.source.types;
    assert_eq!(
        types.iter().map(|t| t.body.kind()).collect::<Vec<_>>(),
        ["enum", "object", "union", "scalar"]
    );
    let TypeBody::Object(fields) = &types[1].body else { panic!() };
    let shown: Vec<_> = fields.iter().map(|f| (f.name.as_str(), f.shape.shown_type())).collect();
    let expected = [("id", "integer"), ("state", "State"), ("others", "Item[]"), ("tags", "string[]")];
    assert_eq!(shown, expected.map(|(name, kind)| (name, kind.to_owned())));
    for (block, code) in [
        ("A: {values: [x]}", "MISSING_KEY types.A.kind"),
        ("A: {kind: struct}", "INVALID_VALUE types.A.kind"),
        ("A: {kind: enum}", "MISSING_KEY types.A.values"),
        ("A: {kind: enum, values: []}", "INVALID_VALUE types.A.values"),
        ("A: {kind: scalar, values: [x]}", "UNKNOWN_KEY types.A.values"),
        ("A: {kind: union, members: [B]}", "UNKNOWN_REFERENCE types.A.members[0]"),
        ("A: {kind: object, fields: {x: {type: Bcd}}}", "INVALID_VALUE types.A.fields.x.type"),
        ("'a b': {kind: scalar}", "INVALID_NAME types.a b"),
        ("string: {kind: scalar}", "INVALID_NAME types.string"),
    ] {
        assert_eq!(codes(&adding(&format!("types: {{{block}}}"))), [code], "{block}");
    }
}

/// X-adapter-23: keys of later versions load with one warning each. What is wrong inside of
/// them is told too, and refuses no file: nothing depends on it.
#[test]
fn keys_that_are_not_applied() {
    let block = "error_codes: {SHOP_CLOSED: {category: CONFLICT, maps_from_http: [423]}}";
    assert_eq!(codes(&adding(block)), ["NOT_YET_SUPPORTED error_codes"]);
    good(&adding(block));
    let secret = adding("error_codes: {hook: 'https://user:hunter2hunter2@example.com'}");
    assert!(load_text(&secret).loaded.is_none(), "a credential is refused wherever it stands");
}

/// X-rate-1 X-rate-2 X-rate-4 X-rate-5 X-rate-17 X-adapter-21 R10.3-1 R1.3-11: limits, quotas and costs, all of their keys.
#[test]
fn rate_limits() {
    let loaded = good(&adding(
        "rate_limits:\n  requests_per_minute: 60\n  burst_limit: 5\n  concurrent_requests: 3\n  api_limits:\n    - {scope: global, limit: 5000, window: hour, remaining_header: X-RateLimit-Remaining, reset_header: X-RateLimit-Reset}\n    - {scope: endpoint, endpoint: 'POST /search', limit: 30, window: minute}\n    - {scope: category, category: create, limit: 9, window: day, metric: tokens_per_day}\n  quotas:\n    reset_schedule: '0 6 * * 1'\n    persistence: database\n    limits:\n      - {metric: calls_per_hour, warn: 4000, hard_stop: 5000}\n      - {metric: cost_per_day, warn: 0.5, pause: 0.75, hard_stop: 1, currency: USD}\n  cost:\n    model: per_token\n    currency: USD\n    pricing: [{endpoint: '*', cost_per_call: 0.01, cost_per_token: {input: 0.001, output: 0.002}}]",
    ));
    let limits = loaded.source.rate_limits.unwrap();
    assert_eq!(limits.api_limits.iter().map(|each| each.limit).collect::<Vec<_>>(), [60, 5, 5000, 30, 9]);
    assert_eq!(limits.api_limits[4].unit().name(), "tokens");
    assert_eq!(limits.concurrent_requests, Some(3));
    let quotas = &limits.quotas.limits;
    assert_eq!((quotas[0].metric.name().as_str(), quotas[0].hard_stop), ("requests_per_hour", Some(5000)));
    assert_eq!(
        (quotas[1].warn, quotas[1].pause, quotas[1].hard_stop),
        (Some(500_000), Some(750_000), Some(1_000_000))
    );
    assert_eq!(limits.cost.as_ref().unwrap().pricing[0].output_token, 2_000.0);
    assert!(
        good(&adding(
            "rate_limits: {quotas: {enabled: false, limits: [{metric: requests_per_day, hard_stop: 1}]}}"
        ))
        .source
        .rate_limits
        .is_none()
    );
    for (block, code) in [
        ("{burst_limit: 0}", "INVALID_VALUE rate_limits.burst_limit"),
        ("often", "WRONG_TYPE rate_limits"),
        ("{api_limits: [{scope: endpoint, limit: 1, window: day}]}", "MISSING_KEY rate_limits.api_limits[0]"),
        (
            "{api_limits: [{scope: category, category: buy, limit: 1, window: day}]}",
            "INVALID_VALUE rate_limits.api_limits[0].category",
        ),
        ("{api_limits: [{limit: 1}]}", "MISSING_KEY rate_limits.api_limits[0].window"),
        (
            "{api_limits: [{endpoint: 'GET /x', limit: 1, window: day}]}",
            "INVALID_VALUE rate_limits.api_limits[0]",
        ),
        (
            "{quotas: {limits: [{metric: requests_per_year, warn: 1}]}}",
            "INVALID_VALUE rate_limits.quotas.limits[0].metric",
        ),
        (
            "{quotas: {limits: [{metric: requests_per_day, warn: 5, pause: 4}]}}",
            "INVALID_VALUE rate_limits.quotas.limits[0]",
        ),
        ("{quotas: {limits: [{metric: requests_per_day}]}}", "MISSING_KEY rate_limits.quotas.limits[0]"),
        (
            "{quotas: {limits: [{metric: requests_per_day, warn: -1}]}}",
            "INVALID_VALUE rate_limits.quotas.limits[0].warn",
        ),
        ("{quotas: {reset_schedule: daily}}", "INVALID_VALUE rate_limits.quotas.reset_schedule"),
        ("{cost: {pricing: [{cost_per_call: -1}]}}", "INVALID_VALUE rate_limits.cost.pricing[0]"),
        (
            "{cost: {pricing: [{cost_per_token: {input: -1}}]}}",
            "INVALID_VALUE rate_limits.cost.pricing[0].cost_per_token",
        ),
        ("{cost: {pricing: [{cost_per_token: -1}]}}", "INVALID_VALUE rate_limits.cost.pricing[0]"),
        (
            "{api_limits: [{scope: category, endpoint: 'GET /x', limit: 1, window: day}]}",
            "MISSING_KEY rate_limits.api_limits[0]",
        ),
        (
            "{api_limits: [{scope: global, category: read, limit: 1, window: day}]}",
            "INVALID_VALUE rate_limits.api_limits[0]",
        ),
        (
            "{quotas: {limits: [{metric: requests_per_day, hard_stop: 0}]}}",
            "INVALID_VALUE rate_limits.quotas.limits[0].hard_stop",
        ),
        ("{shared_pools: [{name: a, limit: 5}]}", "NOT_YET_SUPPORTED rate_limits.shared_pools"),
    ] {
        let found = codes(&adding(&format!("rate_limits: {block}")));
        assert!(found.iter().any(|each| each == code), "{block}: {found:?}");
    }
    // Loading holds each of these against the JSON Schema too.
    for block in [
        "{api_limits: [{scope: endpoint, endpoint: 'GET /x', category: read, limit: 1, window: day}]}",
        "{api_limits: [{scope: category, category: READ, limit: 1, window: day}, {limit: 2, window: second}]}",
        "{quotas: {reset_schedule: ' 0  */6 1,15 * 1-5 ', limits: [{metric: cost_per_day, hard_stop: 0.5}]}}",
        "{cost: {pricing: [{cost_per_call: 0, cost_per_token: 0.001}, {cost_per_token: {output: 0}}]}}",
    ] {
        good(&adding(&format!("rate_limits: {block}")));
    }
    let typo = load_text(&adding("rate_limits: {burst_limt: 5}"));
    assert_eq!(typo.diagnostics[0].hint.as_deref(), Some("did you mean 'burst_limit'?"));
}

/// A bearer token may name the header that it goes into anyway; for another one the form is shown.
#[test]
fn the_header_of_a_bearer_token() {
    for header in ["header: Authorization", "header: authorization", "header_name: Authorization"] {
        let auth = format!("auth: {{type: bearer, token_env: T, {header}, prefix: 'token '}}");
        assert_eq!(codes(&adding(&auth)), Vec::<String>::new(), "{header}");
    }
    let outcome = load_text(&adding("auth: {type: bearer, token_env: SHOP, header: X-Shop}"));
    let [found] = outcome.diagnostics.as_slice() else { panic!("{:?}", outcome.diagnostics) };
    assert_eq!((found.code, found.path.as_str()), ("INVALID_VALUE", "auth.header"));
    let hint = found.hint.as_deref().unwrap();
    assert!(hint.ends_with("write type: api_key, key_env: SHOP and header_name: X-Shop"), "{hint}");
    good(&adding("auth: {type: api_key, key_env: SHOP, header_name: X-Shop}"));
}

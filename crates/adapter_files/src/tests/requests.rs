//! How requests are written: styles, bodies and their parts, addresses and credentials of single operations.
//!
//! Operation sources, sections on OpenAPI: what an imported operation needs, a file can say.

use super::{codes, load_text, operation, refusal, with_operation, with_operations};
use crate::load;
use aqueduct_operations::auth::Auth;
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::operation::Grouping;
use aqueduct_operations::origin::Confidence;
use aqueduct_operations::params::{Param, ParamEncoding, ParamLocation, ParamStyle};
use aqueduct_operations::target::{AnswerKind, BodyFormat, HttpTarget, Target};
use aqueduct_source_kind::base_url;
use aqueduct_source_kind::settings::SourceSettings;

fn http(text: &str) -> HttpTarget {
    let Target::Http(target) = operation(text).target else { panic!() };
    target
}

fn param(definition: &str, maps_to: &str) -> Param {
    let text = with_operation("read", "get_x", &format!("maps_to: '{maps_to}'\nparams: {{p: {definition}}}"));
    operation(&text).params.remove(0)
}

#[test]
fn styles() {
    let writing = |style, explode| Some(ParamEncoding { style, explode, allow_reserved: false });
    assert_eq!(param("{type: array}", "GET /x").writing, None);
    for (definition, maps_to, expected) in [
        ("{type: array, explode: false}", "GET /x", writing(ParamStyle::Form, false)),
        ("{type: array, style: pipeDelimited}", "GET /x", writing(ParamStyle::PipeDelimited, false)),
        ("{type: object, style: deepObject}", "GET /x", writing(ParamStyle::DeepObject, true)),
        ("{type: array, in: header, explode: true}", "GET /x", writing(ParamStyle::Simple, true)),
        ("{type: object, style: json}", "GET /x", writing(ParamStyle::Json, false)),
        ("{type: object, required: true, style: matrix}", "GET /x/{p}", writing(ParamStyle::Matrix, false)),
        (
            "{type: string, allow_reserved: true}",
            "GET /x",
            Some(ParamEncoding { style: ParamStyle::Form, explode: true, allow_reserved: true }),
        ),
    ] {
        assert_eq!(param(definition, maps_to).writing, expected, "{definition}");
    }
    let fault = |definition: &str| {
        refusal(&with_operation("read", "get_x", &format!("maps_to: GET /x\nparams: {{p: {definition}}}")))
    };
    let at = "operations.read[0].params.p";
    assert_eq!(fault("{type: array, style: tabs}"), [format!("INVALID_VALUE {at}.style")]);
    assert_eq!(fault("{type: array, style: label}"), [format!("BAD_PLACE {at}")]);
}

fn posting(body: &str) -> String {
    with_operation(
        "create",
        "create_x",
        &format!(
            "maps_to: POST /x\nparams: {{a: {{type: string}}, q: {{type: string, in: query}}}}\nbody: {body}"
        ),
    )
}

/// S-openapi-15: a body is JSON, or what the file says.
#[test]
fn bodies() {
    let read = |body: &str| {
        let target = http(&posting(body));
        (target.body, target.content_type, target.whole_body)
    };
    let whole = || Some("a".to_owned());
    assert_eq!(read("{}"), (BodyFormat::Json, None, None));
    for (body, expected) in [
        ("{content_type: json}", (BodyFormat::Json, None, None)),
        ("{content_type: application/json, param: a}", (BodyFormat::Json, None, whole())),
        ("{content_type: form}", (BodyFormat::Form, None, None)),
        ("{content_type: multipart}", (BodyFormat::Multipart, None, None)),
        ("{content_type: text}", (BodyFormat::Text, None, whole())),
        ("{content_type: octet-stream}", (BodyFormat::Bytes, None, whole())),
        ("{content_type: image/png}", (BodyFormat::Bytes, Some("image/png".into()), whole())),
        ("{content_type: application/x+json}", (BodyFormat::Json, Some("application/x+json".into()), None)),
        (
            "{content_type: application/toml, format: text}",
            (BodyFormat::Text, Some("application/toml".into()), whole()),
        ),
        ("{content_type: image/png, format: bytes}", (BodyFormat::Bytes, Some("image/png".into()), whole())),
    ] {
        assert_eq!(read(body), expected, "{body}");
    }
    let at = "operations.create[0].body";
    for (body, code) in [
        ("{content_type: jason}", format!("INVALID_VALUE {at}.content_type")),
        ("{format: xml}", format!("INVALID_VALUE {at}.format")),
        ("{param: b}", format!("UNKNOWN_REFERENCE {at}.param")),
        ("{param: q}", format!("UNKNOWN_REFERENCE {at}.param")),
        ("{type: json}", format!("UNKNOWN_KEY {at}.type")),
    ] {
        assert_eq!(refusal(&posting(body)), [code], "{body}");
    }
    let two = |body: &str| posting(body).replace("a: {type: string}", "a: {type: string}, b: {type: string}");
    assert_eq!(refusal(&two("{content_type: text}")), [format!("CONTRADICTION {at}")]);
    assert_eq!(refusal(&two("{param: a}")), ["BAD_PLACE operations.create[0].params.b"]);
}

#[test]
fn parts_of_bodies() {
    let parts = http(&posting(
        "{content_type: multipart, parts: {a: {file: true, content_type: image/png}, b: {style: deepObject}}}",
    ))
    .parts;
    assert_eq!((parts[0].0.as_str(), parts[0].1.is_file), ("a", true));
    assert_eq!(parts[0].1.content_type.as_deref(), Some("image/png"));
    let writing = ParamEncoding { style: ParamStyle::DeepObject, explode: true, allow_reserved: false };
    assert_eq!((parts[1].1.writing, parts[1].1.is_file), (Some(writing), false));
    let unknown = posting("{parts: {b: {file: true}}}");
    assert_eq!(codes(&unknown), ["UNKNOWN_REFERENCE operations.create[0].body.parts.b"]);
}

/// A GET has a body only where the file says what it is.
#[test]
fn bodies_of_other_methods() {
    let text = |method: &str, body: &str| {
        let rest = format!("maps_to: {method} /x\nparams: {{a: {{type: string, in: body}}}}{body}");
        with_operation("read", "get_x", &rest)
    };
    assert_eq!(refusal(&text("GET", "")), ["BAD_PLACE operations.read[0].params.a"]);
    assert_eq!(operation(&text("GET", "\nbody: {content_type: json}")).params[0].place, ParamLocation::Body);
    assert_eq!(operation(&text("QUERY", "")).params[0].place, ParamLocation::Body);
    for method in ["HEAD", "OPTIONS", "TRACE", "QUERY"] {
        let target = http(&with_operation("read", "get_x", &format!("maps_to: {method} /x")));
        assert_eq!(target.method.name(), method);
    }
}

/// S-openapi-9 S-openapi-17: the media type of the response says what an answer may be.
#[test]
fn answers_by_media_type() {
    let kind = |media: &str| {
        http(&with_operation(
            "read",
            "get_x",
            &format!("maps_to: GET /x\nresponse: {{content_type: '{media}'}}"),
        ))
        .answer
    };
    for (media, expected) in [
        ("application/json", AnswerKind::Json),
        ("application/problem+json; charset=utf-8", AnswerKind::Json),
        ("text/csv", AnswerKind::Any),
        ("*/*", AnswerKind::Any),
        ("text/event-stream", AnswerKind::Events),
    ] {
        assert_eq!(kind(media), expected, "{media}");
    }
}

/// The declared kind of an answer wins over the operation's name.
#[test]
fn collections_by_word() {
    let is = |more: &str| {
        operation(&with_operation("read", "list_x", &format!("maps_to: GET /x{more}"))).answers.collection
    };
    assert!(is(""));
    assert!(!is("\ncollection: false"));
    assert!(is("\ncollection: false\npagination: {style: page}"));
    let named = with_operation("read", "get_x", "maps_to: GET /x\ncollection: true");
    assert!(operation(&named).answers.collection);
    let wrong = with_operation("read", "get_x", "maps_to: GET /x\ncollection: yes");
    assert_eq!(refusal(&wrong), ["WRONG_TYPE operations.read[0].collection"]);
}

/// What fields there are, and whether a size is sent, may be said outright.
#[test]
fn known_fields_and_sizes() {
    let text = |more: &str| {
        with_operation(
            "read",
            "list_x",
            &format!(
                "maps_to: GET /x\nresponse: {{type: 'X[]'}}\nparams: {{limit: {{type: integer}}}}{more}"
            ),
        )
        .replacen(
            "operations:",
            "types: {X: {kind: object, fields: {a: {type: string}}}}\noperations:",
            1,
        )
    };
    let known = |more: &str| operation(&text(more)).declaration.answers.fields.known;
    assert_eq!(known(""), Some(vec!["a".to_owned()]));
    assert_eq!(known("\nfields: {known: false}"), None);
    assert_eq!(known("\nfields: {known: [a, b]}"), Some(vec!["a".to_owned(), "b".to_owned()]));
    assert_eq!(
        refusal(&text("\nfields: {known: true}")),
        ["CONTROL_NAME operations.read[0].params.limit", "INVALID_VALUE operations.read[0].fields.known"]
    );
    let paged = |more: &str| operation(&text(&format!("\npagination: {{style: link_header{more}}}")));
    let (taken, left) = (paged(""), paged(", per_page_param: false"));
    assert_eq!(taken.declaration.answers.paging.unwrap().size_param.as_deref(), Some("limit"));
    assert_eq!(
        (left.declaration.answers.paging.unwrap().size_param, left.declaration.params.len()),
        (None, 1)
    );
    assert_eq!(
        refusal(&text("\npagination: {style: link_header, per_page_param: true}")),
        [
            "CONTROL_NAME operations.read[0].params.limit",
            "INVALID_VALUE operations.read[0].pagination.per_page_param"
        ]
    );
}

#[test]
fn groupings() {
    let read = |more: &str| {
        let rest = format!("maps_to: PATCH /x\nparams: {{input: {{type: string}}}}{more}");
        operation(&with_operation("update", "update_x", &rest)).grouping
    };
    assert_eq!(read("\nbody: {param: input}"), Grouping::WholeInput);
    assert_eq!(read("\ngrouping: flat"), Grouping::Flat);
    assert_eq!(read("\ngrouping: whole_input"), Grouping::WholeInput);
    let created = "maps_to: POST /x\nparams: {a: {type: string}}\ngrouping: input";
    assert_eq!(operation(&with_operation("create", "create_x", created)).grouping, Grouping::Input);
    let bad = created.replace("grouping: input", "grouping: deep");
    assert_eq!(
        refusal(&with_operation("create", "create_x", &bad)),
        ["INVALID_VALUE operations.create[0].grouping"]
    );
}

const ELSEWHERE: &str = "  read:
    - {name: get_a, description: It reads, maps_to: GET /a}
    - {name: get_b, description: It reads, maps_to: GET /b, base_url: 'https://uploads.example.com/v2/', auth: {type: bearer, token_env: T}}
    - {name: get_c, description: It reads, maps_to: GET /c, base_url: 'https://uploads.example.com/v2'}
";

/// S-openapi-16 S-openapi-26: an operation may have an address and credentials of its own; the operator's are for all.
#[test]
fn addresses_of_single_operations() {
    let text = with_operations(ELSEWHERE);
    let targets = |settings: &SourceSettings| -> Vec<HttpTarget> {
        let loaded = load("shop-adapter.md", text.as_bytes(), settings).loaded.unwrap();
        let of = |target| if let Target::Http(target) = target { target } else { panic!() };
        loaded.operations.into_iter().map(|operation| of(operation.target)).collect()
    };
    let [a, b, c] = <[HttpTarget; 3]>::try_from(targets(&SourceSettings::default())).unwrap();
    assert_eq!(a.site.base_url.as_str(), "https://api.example.com/v1");
    assert_eq!(b.site.base_url.as_str(), "https://uploads.example.com/v2");
    assert!(std::sync::Arc::ptr_eq(&b.site, &c.site), "one site for one address");
    assert_eq!(b.auth.as_deref(), Some(&Auth::Bearer { token_env: "T".into(), prefix: "Bearer ".into() }));
    assert_eq!((&c.auth, &c.site.auth), (&None, &Auth::None));
    let settings = SourceSettings {
        base_url: Some(base_url::parse("http://127.0.0.1:9").unwrap()),
        auth: Some(Auth::Basic { username_env: "U".into(), password_env: "P".into() }),
        ..Default::default()
    };
    for target in targets(&settings) {
        assert_eq!((target.site.base_url.port(), target.site.auth.kind()), (Some(9), "basic"));
        assert_eq!(target.auth, None, "the operator's credentials win");
    }
    // They are for the base URL of the source, and go elsewhere only where the operator says so.
    let mut settings = SourceSettings {
        auth: settings.auth,
        headers: vec![NamedSecret::new("X-Team", "blue")],
        ..Default::default()
    };
    let sent = |settings: &SourceSettings| -> Vec<(&str, usize)> {
        let each = |target: HttpTarget| (target.auth_in_force().kind(), target.site.operator_headers.len());
        targets(settings).into_iter().map(each).collect()
    };
    assert_eq!(sent(&settings), [("basic", 1), ("none", 0), ("none", 0)]);
    let told = load("shop-adapter.md", text.as_bytes(), &settings).diagnostics;
    assert!(
        told.iter().any(|each| each.code == "CREDENTIALS_WITHHELD"
            && each.message.contains("https://uploads.example.com")),
        "{told:?}"
    );
    settings.credential_origins = vec![base_url::parse("https://uploads.example.com").unwrap()];
    assert_eq!(sent(&settings), [("basic", 1); 3]);
    assert_eq!(
        refusal(&with_operation("read", "get_x", "maps_to: GET /x\nbase_url: 'https://a.example/?b'")),
        ["INVALID_VALUE operations.read[0].base_url"]
    );
    load_text(&text);
}

/// S-registry-3: the scopes that a caller needs.
#[test]
fn scopes() {
    let read = |more: &str| {
        operation(&with_operation("read", "get_x", &format!("maps_to: GET /x{more}")))
            .declaration
            .required_scopes
    };
    assert_eq!(read(""), Vec::<String>::new());
    assert_eq!(read("\nrequired_scopes: [repo, 'read:org']"), ["repo", "read:org"]);
}

#[test]
fn origins() {
    let read = |more: &str| {
        operation(&with_operation("read", "get_x", &format!("maps_to: GET /x{more}"))).declaration.origin
    };
    assert_eq!(read(""), None);
    let short = read("\nimported_from: {name: getX}").unwrap();
    assert_eq!((short.name.as_str(), short.place.as_str()), ("getX", "GET /x"));
    assert_eq!((short.confidence, short.needs_review), (Confidence::High, false));
    let full = read(
        "\nimported_from: {name: getX, place: 'GET /x/{Id}', reason: 'a GET', confidence: low, needs_review: true}",
    )
    .unwrap();
    assert_eq!((full.place.as_str(), full.reason.as_str()), ("GET /x/{Id}", "a GET"));
    assert_eq!((full.confidence, full.needs_review), (Confidence::Low, true));
    let nameless = with_operation("read", "get_x", "maps_to: GET /x\nimported_from: {place: x}");
    assert_eq!(refusal(&nameless), ["MISSING_KEY operations.read[0].imported_from.name"]);
}

//! Sources as no person would write them: everything that the vocabulary has, in any combination.
//!
//! Strategies for sources, from credentials to whole operations, and the one property: what is written loads to the
//! same.

use super::round_trips;
use aqueduct_operations::auth::{Auth, KeyPlace, OAuth2};
use aqueduct_operations::autonomy::{AutonomyLayer, AutonomySettings, RiskTolerance};
use aqueduct_operations::category::Category;
use aqueduct_operations::concurrency::Concurrency;
use aqueduct_operations::danger::{Danger, DangerLevel, DangerOrigin as Rule, undeclared};
use aqueduct_operations::example;
use aqueduct_operations::markup::unmarked;
use aqueduct_operations::operation::{Declaration, Example, Grouping, Operation, ReturnType};
use aqueduct_operations::origin::{Confidence, ImportOrigin};
use aqueduct_operations::params::format::Format;
use aqueduct_operations::params::{Param, ParamEncoding, ParamLocation, ParamStyle, ValueKind};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::response::{
    CacheRule, Deprecation, FieldRules, OmittedFields, ResponseRules, UpdateRule,
};
use aqueduct_operations::source::Source;
use aqueduct_operations::target::{
    AnswerKind, BodyFormat, HttpTarget, Method, PartRule, Segment, Site, Target,
};
use aqueduct_operations::trust::TrustLevel;
use aqueduct_operations::types::{TypeBody, TypeDef};
use aqueduct_schema::LazySchema;
use aqueduct_source_kind::settings::SourceSettings;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof, proptest};
use proptest::sample::select;
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;
use std::time::Duration;

/// Text with something in it, of one line or several, that nothing trims.
fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,9}",
        "[A-Za-z][ -~]{0,40}[a-z.]",
        "[a-z]{1,5}( [a-zé:#,]{1,9}){20,40}",
        "[a-z]{3}\n\n?  [a-z]{3}"
    ]
    .prop_filter("no credential", |text| aqueduct_operations::secrets::shapes::first_in(text).is_none())
    .prop_filter("no markup, which is taken out when a file is read", |text| unmarked(text) == *text)
}

fn auth() -> impl Strategy<Value = Auth> {
    let variable = "[A-Z]{3,5}_[A-Z]{3}";
    let leaf = prop_oneof![
        Just(Auth::None),
        (variable, select(vec!["Bearer ", "token ", ""]))
            .prop_map(|(token_env, prefix)| Auth::Bearer { token_env, prefix: prefix.into() }),
        (variable, "[A-Za-z-]{3,9}", 0..3_u8).prop_map(|(key_env, name, place)| Auth::ApiKey {
            key_env,
            place: match place {
                0 => KeyPlace::Header(format!("X-{name}")),
                1 => KeyPlace::Query(name),
                _ => KeyPlace::Cookie(name),
            }
        }),
        (variable, variable)
            .prop_map(|(username_env, password_env)| Auth::Basic { username_env, password_env }),
        (variable, option::of(variable), vec("[a-z:]{2,9}", 0..3)).prop_map(
            |(name, refresh_token_env, scopes)| {
                Auth::OAuth2(OAuth2 {
                    token_url: "https://auth.example.com/token?x=1".parse().unwrap(),
                    client_id_env: name.clone(),
                    client_secret_env: format!("{name}_SECRET"),
                    refresh_token_env,
                    scopes,
                })
            }
        ),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![vec(inner.clone(), 1..3).prop_map(Auth::All), vec(inner, 1..3).prop_map(Auth::AnyOf)]
    })
}

fn schemas() -> impl Strategy<Value = Json> {
    prop_oneof![
        Just(json!(true)),
        Just(json!({"type": ["string", "null"], "enum": ["a", null, "true"], "description": "x: y # z"})),
        Just(json!({"type": "number", "exclusiveMinimum": 1.5, "default": 1e30})),
        Just(json!({
            "$ref": "#/$defs/Tree",
            "$defs": {
                "Tree": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Tree"}, "leaf": {"$ref": "#/$defs/Leaf"}}},
                "Leaf": {"type": "string", "pattern": "^\\d+$"},
            },
        })),
        "[a-z]{2}".prop_map(|kind| json!({
            "items": {"$ref": "#/$defs/Own"},
            "$defs": {"Own": {"const": kind}},
        })),
        Just(
            json!({"properties": {"self": {"$ref": "#"}, "a b": {"$ref": "#/$defs/a%20b"}}, "$defs": {"a b": {}}})
        ),
    ]
}

fn writing(place: ParamLocation) -> impl Strategy<Value = Option<ParamEncoding>> {
    let styles: Vec<ParamStyle> = ParamStyle::ALL
        .into_iter()
        .filter(|style| {
            place == ParamLocation::Path || !matches!(style, ParamStyle::Label | ParamStyle::Matrix)
        })
        .collect();
    let one = (select(styles), any::<bool>(), any::<bool>())
        .prop_map(|(style, explode, allow_reserved)| ParamEncoding { style, explode, allow_reserved });
    option::weighted(0.3, one)
}

/// A parameter in this place; the number makes its names its own.
fn param(place: ParamLocation, number: usize) -> impl Strategy<Value = Param> {
    let kind = select(vec![
        "string",
        "integer",
        "number",
        "boolean",
        "array",
        "object",
        "string[]",
        "string | integer[]",
    ]);
    let said = (any::<bool>(), option::of(words()), any::<bool>(), any::<bool>());
    let shape = (option::of(1..9_u64), option::of(-5..5_i32), any::<bool>());
    (kind, said, shape, writing(place), option::weighted(0.4, schemas()), option::of("[a-z]{1,5}")).prop_map(
        move |(
            kind,
            (required, description, sensitive, renamed),
            (length, least, has_default),
            writing,
            schema,
            source,
        )| {
            let mut param = Param::new(format!("p{number}"), ValueKind::parse(kind).unwrap());
            let is_text = param.shape.kind == ValueKind::String;
            param.place = place;
            param.required = required || place == ParamLocation::Path;
            param.description = description;
            param.sensitive = sensitive;
            if renamed {
                param.upstream_name = format!("P-{number}");
            }
            if is_text {
                param.shape.min_length = length;
                param.shape.max_length = length.map(|length| length + 20);
                param.shape.format = least.map(|_| Format::Other("slug".into()));
            }
            if param.shape.kind.takes_numbers() && !is_text {
                param.shape.minimum = least.map(|least| f64::from(least) / 2.0);
            }
            if kind == "array" {
                param.shape.items = Some(Box::new(Param::new("x", ValueKind::Boolean).shape));
            }
            if place == ParamLocation::Path && param.shape.kind == ValueKind::Object && writing.is_none() {
                param.shape.kind = ValueKind::String;
            }
            param.writing = writing;
            param.schema = schema.map(|schema| Arc::new(LazySchema::of(schema)));
            if has_default && !sensitive && !param.required && is_text && param.schema.is_none() {
                param.default = Some(json!("long enough"));
            }
            param.sources = source.into_iter().map(|source| format!("params.{source}")).collect();
            param
        },
    )
}

fn params(method: Method) -> impl Strategy<Value = Vec<Param>> {
    let place = if method.has_body() { ParamLocation::Body } else { ParamLocation::Query };
    (vec(0..5_u8, 0..5), Just(place)).prop_flat_map(|(places, usual)| {
        let each: Vec<_> = places
            .into_iter()
            .enumerate()
            .map(|(number, place)| {
                let place = match place {
                    0 => ParamLocation::Path,
                    1 => ParamLocation::Query,
                    2 => ParamLocation::Header,
                    3 => ParamLocation::Cookie,
                    _ => usual,
                };
                param(place, number)
            })
            .collect();
        each
    })
}

#[derive(Debug, Clone)]
struct Body {
    format: BodyFormat,
    content_type: Option<&'static str>,
    is_file: bool,
}

fn body() -> impl Strategy<Value = Body> {
    let types = vec![
        (BodyFormat::Json, None),
        (BodyFormat::Json, Some("application/vnd.x+json")),
        (BodyFormat::Form, None),
        (BodyFormat::Multipart, None),
        (BodyFormat::Text, Some("application/toml")),
        (BodyFormat::Bytes, None),
        (BodyFormat::Bytes, Some("text/x-odd")),
    ];
    (select(types), any::<bool>()).prop_map(|((format, content_type), is_file)| Body {
        format,
        content_type,
        is_file,
    })
}

fn site(auth: Auth, host: &str) -> Arc<Site> {
    Arc::new(Site {
        headers: vec![("X-Version".into(), "1: a".into())],
        auth,
        timeout: Duration::from_millis(1500),
        ..Site::new(format!("https://{host}.example.com/v1").parse().unwrap())
    })
}

fn operation(number: usize, main: Arc<Site>) -> impl Strategy<Value = Operation> {
    let method = select(Method::ALL.to_vec());
    method.prop_flat_map(move |method| {
        let main = Arc::clone(&main);
        let texts = (words(), option::of(words()), vec("[a-z]{2,9}", 0..3), vec("[a-z:]{2,9}", 0..2));
        let target = (params(method), body(), any::<bool>(), option::weighted(0.2, auth()), 0..3_u8);
        let rules = (select(Category::ALL.to_vec()), any::<u8>(), option::of(schemas()), any::<[bool; 6]>());
        (texts, target, rules).prop_map(
            move |(
                (description, when_to_use, tags, scopes),
                (params, body, elsewhere, auth, answer),
                (category, danger, output, is),
            )| {
                let name = format!("do_{number}");
                let mut path = vec![Segment::Literal(format!("/x{number}/a b"))];
                for param in params.iter().filter(|param| param.place == ParamLocation::Path) {
                    match path.last_mut() {
                        Some(Segment::Literal(text)) => text.push('/'),
                        _ => path.push(Segment::Literal("/".into())),
                    }
                    path.push(Segment::Placeholder(param.name.clone()));
                }
                let in_body: Vec<&Param> = params.iter().filter(|param| param.is_body()).collect();
                let is_one = matches!(body.format, BodyFormat::Text | BodyFormat::Bytes);
                let (format, content_type) = match in_body.len() {
                    0 => (BodyFormat::Json, None),
                    1 => (body.format, body.content_type),
                    _ if is_one => (BodyFormat::Json, None),
                    _ => (body.format, body.content_type),
                };
                let whole_body = in_body
                    .first()
                    .filter(|_| in_body.len() == 1 && (is_one || is[0]))
                    .map(|param| param.name.clone());
                let mut parts = Vec::new();
                if let Some(param) = in_body.first().filter(|_| is[1]) {
                    let writing =
                        Some(ParamEncoding { style: ParamStyle::Form, explode: true, allow_reserved: is[2] });
                    parts.push((
                        param.upstream_name.clone(),
                        PartRule { content_type: Some("image/png".into()), writing, is_file: body.is_file },
                    ));
                }
                // What a file claims against its own method would not come back as it is.
                let ends_in_item = matches!(path.last(), Some(Segment::Placeholder(_)));
                let category = match (category, method) {
                    (Category::Read | Category::Create, Method::Delete) => Category::Delete,
                    (Category::Read, Method::Put | Method::Patch) => Category::Update,
                    (Category::Read, Method::Post) if ends_in_item => Category::Update,
                    (category, _) => category,
                };
                let level = DangerLevel::ALL[usize::from(danger) % 5];
                let (usual, rule) = undeclared(&name, category);
                let (level, rule) = if is[3] { (level, Rule::Declared) } else { (usual, rule) };
                let mut danger = Danger {
                    reasons: if is[3] && is[4] { vec!["it: hurts".into()] } else { Vec::new() },
                    requires_confirmation: is[4],
                    cooldown_seconds: if is[3] { u64::from(is[4]) * 5 } else { 0 },
                    ..Danger::new(level, rule)
                };
                if method == Method::Delete && category != Category::Delete {
                    danger.raise_to_floor(DangerLevel::Destructive);
                    if danger.origin == Rule::Method {
                        danger.reasons.clear();
                        danger.cooldown_seconds = 0;
                    }
                }
                let grouping = match (is[5], in_body.is_empty()) {
                    (true, false) => Grouping::Input,
                    _ => Grouping::Flat,
                };
                let body_needs: Vec<String> =
                    in_body.iter().filter(|_| is[4]).take(1).map(|each| each.name.clone()).collect();
                let made = example::minimal(&params, grouping).params;
                let answers = ResponseRules {
                    collection: category == Category::Read && is[2],
                    fields: FieldRules {
                        join: if category == Category::Read { ",".into() } else { String::new() },
                        ..FieldRules::default()
                    },
                    ..ResponseRules::default()
                };
                let invalidated = name.clone();
                let target = Target::Http(HttpTarget {
                    static_query: is[4].then(|| "v=1&x".to_owned()),
                    body: format,
                    content_type: content_type.map(str::to_owned),
                    body_needs,
                    whole_body,
                    parts,
                    answer: [AnswerKind::Json, AnswerKind::Any, AnswerKind::Events][usize::from(answer)],
                    auth: auth.map(Arc::new),
                    ..HttpTarget::new(
                        if elsewhere && number > 0 { other(&main) } else { Arc::clone(&main) },
                        method,
                        path,
                    )
                });
                let declaration = Declaration {
                    trust: is[1].then_some(TrustLevel::Generated),
                    returns: ReturnType {
                        name: if is[0] { "Thing[]".into() } else { "Result".into() },
                        kind: if is[1] { "union" } else { "object" },
                        description: when_to_use.clone(),
                    },
                    name,
                    description,
                    category,
                    params,
                    grouping,
                    danger,
                    non_idempotent: is[2],
                    examples: vec![Example { description: None, params: made }],
                    tags,
                    triggers: Vec::new(),
                    document_text: None,
                    lifecycle: None,
                    when_to_use,
                    answers,
                    update: UpdateRule {
                        read: None,
                        merge: category != Category::Update || is[3],
                        if_match: category != Category::Update || is[0],
                        leaves_out: match (category, is[1], is[2]) {
                            (Category::Update, true, true) => OmittedFields::Undeclared,
                            (Category::Update, true, false) => OmittedFields::These(vec!["id".into()]),
                            _ => OmittedFields::Nothing,
                        },
                    },
                    cache: (method == Method::Get && is[1])
                        .then(|| CacheRule { enabled: is[2], ttl: Some(Duration::from_secs(9)) }),
                    invalidates: (method != Method::Get && is[2])
                        .then(|| if is[3] { vec![invalidated] } else { Vec::new() }),
                    deprecated: is[3].then(|| Deprecation {
                        since: is[0].then(|| "1.0".to_owned()),
                        removal_date: is[1].then(|| "2027-02-28".to_owned()),
                        replacement: None,
                    }),
                    required_scopes: scopes,
                    validation: Default::default(),
                    output: output.map(|output| Arc::new(LazySchema::of(output))),
                    origin: is[5].then(|| ImportOrigin {
                        is_unnamed: is[3],
                        name: "x/y z".into(),
                        place: "GET /{X}".into(),
                        reason: if is[0] { String::new() } else { "a guess: POST".into() },
                        confidence: [Confidence::Low, Confidence::High][usize::from(is[1])],
                        needs_review: is[2],
                    }),
                };
                Operation { declaration, target }
            },
        )
    })
}

fn other(site: &Site) -> Arc<Site> {
    Arc::new(Site {
        base_url: "https://other.example.com/".parse().unwrap(),
        headers: site.headers.clone(),
        operator_headers: Vec::new(),
        auth: site.auth.clone(),
        ..site.clone()
    })
}

fn types() -> Vec<TypeDef> {
    let mut state = Param::new("state of it", ValueKind::String);
    state.shape.reference = Some("State".into());
    state.shape.allowed = Some(vec![json!("a"), json!(null)]);
    let mut list = Param::new("list", ValueKind::Array(Some(Box::new(ValueKind::Object))));
    list.shape.reference = Some("Thing".into());
    vec![
        TypeDef::new("Thing", Some("a thing: one".into()), TypeBody::Object(vec![state, list])),
        TypeDef::new("State", None, TypeBody::Enum(vec!["yes".into(), "a b".into()])),
        TypeDef::new("Nothing", None, TypeBody::Object(Vec::new())),
        TypeDef::new("Any", None, TypeBody::Union(vec!["Thing".into(), "string".into()])),
    ]
}

/// How far agents may go: for all of them, and for some by name.
fn autonomy() -> impl Strategy<Value = AutonomySettings> {
    let list = || option::of(vec("[a-z*]{1,3}[ :#'_*-]{0,2}[a-z]?", 0..3));
    let numbers = (option::of(1..1_000_000_u64), option::of(select(RiskTolerance::ALL.to_vec())));
    let layer = (numbers, list(), list(), list()).prop_map(
        |((max_autonomous_steps, risk_tolerance), deny, requires_approval, auto_approve)| AutonomyLayer {
            max_autonomous_steps,
            risk_tolerance,
            deny,
            requires_approval,
            auto_approve,
        },
    );
    let agents = vec(("[A-Za-z0-9][a-z :'-]{0,6}[a-z]", layer.clone()), 0..3);
    (layer, agents).prop_map(|(all, agents)| AutonomySettings { all, agents: agents.into_iter().collect() })
}

fn sources() -> impl Strategy<Value = LoadedSource> {
    let source = (words(), words(), select(Concurrency::ALL.to_vec()), any::<bool>());
    (source, auth(), option::of(autonomy()), 1..5_usize).prop_flat_map(
        |((description, documentation, concurrency, camel), auth, autonomy, count)| {
            let main = site(auth, "api");
            let operations: Vec<_> = (0..count).map(|number| operation(number, Arc::clone(&main))).collect();
            let source = Source {
                name: "made-up".into(),
                version: "1.2.3-rc.1".into(),
                description,
                trust: TrustLevel::Generated,
                concurrency,
                camel_case_aliases: camel,
                types: types(),
                info: Map::new(),
                tags: vec!["tag".into()],
                documentation,
                cache: CacheRule::default(),
                error_rules: Vec::new(),
                relationships: Vec::new(),
                autonomy,
                max_relationship_depth: 5,
                rate_limits: None,
                own_variables: Vec::new(),
                fits_answers: false,
            };
            (Just(source), operations).prop_map(|(source, operations)| LoadedSource { source, operations })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    /// Whatever a source has, the file that is written of it loads to the same.
    #[test]
    fn any_source_survives(loaded in sources()) {
        round_trips(&loaded, &SourceSettings::default());
    }
}

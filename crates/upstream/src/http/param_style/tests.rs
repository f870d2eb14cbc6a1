//! The styles in every place, as they arrive: a parameter and a value come in, what is written of it goes out.
//!
//! The rows are those of the table of styles in OpenAPI 3.1, and what that table leaves open.

use super::super::build::build;
use super::super::request::HttpRequest;
use crate::error::RequestBuildError;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::{Param, ParamEncoding, ParamLocation, ParamStyle, ValueKind};
use aqueduct_testkit::operation::{get, http_target, param, with_param};
use proptest::{prop_assert, prop_assert_eq, proptest, sample};
use serde_json::{Value, json};

const BASE: &str = "https://api.example.com/v1";

fn writing(style: ParamStyle, explode: bool) -> ParamEncoding {
    ParamEncoding { style, explode, allow_reserved: false }
}

fn with(place: ParamLocation, writing: ParamEncoding) -> Operation {
    let color = Param { writing: Some(writing), ..param("color", ValueKind::String, place) };
    match place {
        ParamLocation::Path => {
            let mut operation = get("g", BASE, "/x/{color}/y");
            operation.params[0].writing = Some(writing);
            operation
        }
        _ => with_param(get("g", BASE, "/x"), color),
    }
}

fn built(
    place: ParamLocation,
    writing: ParamEncoding,
    value: &Value,
) -> Result<HttpRequest, RequestBuildError> {
    let operation = with(place, writing);
    let values = json!({"color": value});
    build(&operation, http_target(&operation), values.as_object().unwrap())
}

/// What is written of a value in a place; empty when that is nothing.
fn written(place: ParamLocation, writing: ParamEncoding, value: &Value) -> String {
    let request = built(place, writing, value).unwrap();
    let header = |name: &str| request.headers.get(name).map(|value| value.to_str().unwrap().to_owned());
    match place {
        ParamLocation::Path => {
            let path = request.url.path();
            path.strip_prefix("/v1/x/").and_then(|rest| rest.strip_suffix("/y")).unwrap().to_owned()
        }
        ParamLocation::Query => request.url.query().unwrap_or_default().to_owned(),
        ParamLocation::Header => header("color").unwrap_or_default(),
        ParamLocation::Cookie => header("cookie").unwrap_or_default(),
        ParamLocation::Body => unreachable!("bodies are tested elsewhere"),
    }
}

/// The four values of the table.
fn values() -> [Value; 4] {
    [json!(""), json!("blue"), json!(["blue", "black", "brown"]), json!({"R": 100, "G": 200, "B": 150})]
}

fn assert_rows(place: ParamLocation, rows: &[(ParamStyle, bool, [&str; 4])]) {
    for (style, explode, expected) in rows {
        for (value, expected) in values().iter().zip(expected) {
            // Nothing is none either, by ruling S6.
            if place == ParamLocation::Path && expected.is_empty() {
                let refused = built(place, writing(*style, *explode), value).unwrap_err();
                assert_eq!(refused, RequestBuildError::EmptyPathParam("color".into()));
                continue;
            }
            // A dot alone is no segment.
            if place == ParamLocation::Path && *expected == "." {
                let refused = built(place, writing(*style, *explode), value).unwrap_err();
                assert_eq!(refused, RequestBuildError::DotSegment("color".into()));
                continue;
            }
            let found = written(place, writing(*style, *explode), value);
            assert_eq!(found, *expected, "{style:?} {explode} {value} in {place:?}");
        }
    }
}

/// S-openapi-13: the styles of path parameters.
#[test]
fn in_the_path() {
    use ParamStyle::{Json, Label, Matrix, Simple};
    let json = ["%22%22", "%22blue%22", "%5B%22blue%22%2C%22black%22%2C%22brown%22%5D"];
    let object = "%7B%22R%22%3A100%2C%22G%22%3A200%2C%22B%22%3A150%7D";
    assert_rows(
        ParamLocation::Path,
        &[
            (Simple, false, ["", "blue", "blue,black,brown", "R,100,G,200,B,150"]),
            (Simple, true, ["", "blue", "blue,black,brown", "R=100,G=200,B=150"]),
            (Label, false, [".", ".blue", ".blue,black,brown", ".R,100,G,200,B,150"]),
            (Label, true, [".", ".blue", ".blue.black.brown", ".R=100.G=200.B=150"]),
            (Matrix, false, [";color", ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"]),
            (
                Matrix,
                true,
                [";color", ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"],
            ),
            (Json, false, [json[0], json[1], json[2], object]),
        ],
    );
}

/// S-openapi-14: the styles of query parameters. A `deepObject` keeps its key, and a list in it goes by index.
#[test]
fn in_the_query() {
    use ParamStyle::{DeepObject, Form, Json, PipeDelimited, SpaceDelimited, TabDelimited};
    let apart = ["color=", "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"];
    let deep = [
        "color=",
        "color=blue",
        "color%5B0%5D=blue&color%5B1%5D=black&color%5B2%5D=brown",
        "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150",
    ];
    let joined = |list: &'static str, object: &'static str| ["color=", "color=blue", list, object];
    assert_rows(
        ParamLocation::Query,
        &[
            (Form, true, apart),
            (Form, false, joined("color=blue,black,brown", "color=R,100,G,200,B,150")),
            (
                SpaceDelimited,
                false,
                joined("color=blue%20black%20brown", "color=R%20100%20G%20200%20B%20150"),
            ),
            (SpaceDelimited, true, apart),
            (PipeDelimited, false, joined("color=blue%7Cblack%7Cbrown", "color=R%7C100%7CG%7C200%7CB%7C150")),
            (PipeDelimited, true, apart),
            (TabDelimited, false, joined("color=blue%09black%09brown", "color=R%09100%09G%09200%09B%09150")),
            (DeepObject, true, deep),
            (DeepObject, false, deep),
            (
                Json,
                false,
                [
                    "color=%22%22",
                    "color=%22blue%22",
                    "color=%5B%22blue%22%2C%22black%22%2C%22brown%22%5D",
                    "color=%7B%22R%22%3A100%2C%22G%22%3A200%2C%22B%22%3A150%7D",
                ],
            ),
        ],
    );
}

#[test]
fn in_headers_and_cookies() {
    use ParamStyle::{Form, Json, Simple};
    assert_rows(
        ParamLocation::Header,
        &[
            (Simple, false, ["", "blue", "blue,black,brown", "R,100,G,200,B,150"]),
            (Simple, true, ["", "blue", "blue,black,brown", "R=100,G=200,B=150"]),
            (
                Json,
                false,
                [r#""""#, r#""blue""#, r#"["blue","black","brown"]"#, r#"{"R":100,"G":200,"B":150}"#],
            ),
        ],
    );
    assert_rows(
        ParamLocation::Cookie,
        &[
            (
                Form,
                true,
                ["color=", "color=blue", "color=blue; color=black; color=brown", "R=100; G=200; B=150"],
            ),
            (Form, false, ["color=", "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"]),
        ],
    );
}

/// R6.2.1-8 R11.1-2: a member that is encoded already stays so, and a value of dots is none (ruling S6).
#[test]
fn paths_keep_their_rules() {
    let simple = writing(ParamStyle::Simple, false);
    let list = json!(["a%20b", "100%", "c/d"]);
    assert_eq!(written(ParamLocation::Path, simple, &list), "a%20b,100%25,c%2Fd");
    for (style, value) in [
        (ParamStyle::Matrix, ".."),
        (ParamStyle::Matrix, "%2e"),
        (ParamStyle::Simple, "."),
        (ParamStyle::Label, ""),
    ] {
        let refused = built(ParamLocation::Path, writing(style, false), &json!(value)).unwrap_err();
        assert_eq!(refused, RequestBuildError::DotSegment("color".into()), "{style:?} {value}");
    }
}

/// Cookies are escaped no more than they have to be.
#[test]
fn cookie_values() {
    let value = json!({"mail": "a@b.example/x", "list": "1,2; 3"});
    let form = writing(ParamStyle::Form, true);
    assert_eq!(written(ParamLocation::Cookie, form, &value), "mail=a@b.example/x; list=1%2C2%3B%203");
}

/// S-openapi-14: what the table leaves open. Nulls and what has no members are not sent; what is nested in a member that has
/// no form for it is comma-joined or JSON.
#[test]
fn what_the_table_leaves_open() {
    use ParamStyle::{DeepObject, Form, Simple};
    for (style, explode, value, expected) in [
        (Form, true, json!(null), ""),
        (Form, true, json!([]), ""),
        (Form, false, json!([null]), ""),
        (Form, false, json!({}), ""),
        (Form, true, json!({"a": null, "b": false}), "b=false"),
        (Form, true, json!([1, null, 2.5]), "color=1&color=2.5"),
        (Form, true, json!({"ids": [1, 2], "o": {"k": 1}}), "ids=1%2C2&o=%7B%22k%22%3A1%7D"),
        (Form, false, json!(["a,b", "c d&e"]), "color=a%2Cb,c%20d%26e"),
        (Simple, false, json!(["a", "b"]), "color=a,b"),
        (DeepObject, true, json!({"a": null, "b": {}, "c": []}), ""),
        (
            DeepObject,
            true,
            json!({"a": {"b c": [true, null, {"d": "é"}]}}),
            "color%5Ba%5D%5Bb%20c%5D%5B0%5D=true&color%5Ba%5D%5Bb%20c%5D%5B2%5D%5Bd%5D=%C3%A9",
        ),
    ] {
        assert_eq!(
            written(ParamLocation::Query, writing(style, explode), &value),
            expected,
            "{style:?} {value}"
        );
    }
    let nested = json!({"a": [1]});
    assert_eq!(written(ParamLocation::Header, writing(DeepObject, true), &nested), r#"{"a":[1]}"#);
}

/// S-openapi-13: a path parameter without members would be the path of something else.
#[test]
fn nothing_is_no_path() {
    let missing = RequestBuildError::MissingPathParam("color".into());
    for style in [ParamStyle::Simple, ParamStyle::Label, ParamStyle::Matrix] {
        for value in [json!(null), json!([]), json!({}), json!([null])] {
            assert_eq!(
                built(ParamLocation::Path, writing(style, true), &value).unwrap_err(),
                missing,
                "{value}"
            );
        }
    }
}

/// Reserved characters are sent as they are where a document asks for it, yet no value becomes two.
#[test]
fn reserved_characters() {
    let raw = |style, explode| ParamEncoding { style, explode, allow_reserved: true };
    let text = json!("/a?b=c&d#e:f,g+%2F");
    let query = written(ParamLocation::Query, raw(ParamStyle::Form, true), &text);
    assert_eq!(query, "color=/a?b=c%26d%23e:f,g%2B%2F");
    let path = written(ParamLocation::Path, raw(ParamStyle::Simple, false), &json!("a:b/c=d&e"));
    assert_eq!(path, "a:b%2Fc=d&e");
}

/// R11.1-3 R11.4-4: NUL and line breaks get through in no style.
#[test]
fn nothing_breaks_out() {
    let nul = RequestBuildError::NulCharacter("color".into());
    for style in ParamStyle::ALL {
        for value in [json!(["a\0"]), json!({"a\0": 1}), json!({"a": "\0"})] {
            let in_path = built(ParamLocation::Path, writing(style, true), &value);
            assert_eq!(in_path.unwrap_err(), nul, "{style:?}");
        }
    }
    for value in [json!(["a\0"]), json!({"a\0": 1})] {
        for place in [ParamLocation::Query, ParamLocation::Cookie] {
            assert_eq!(built(place, writing(ParamStyle::Form, true), &value).unwrap_err(), nul);
        }
    }
    let raw = ParamEncoding { style: ParamStyle::Form, explode: true, allow_reserved: true };
    assert_eq!(built(ParamLocation::Query, raw, &json!("a%00")).unwrap_err(), nul);
    for value in [json!(["a\r\nEvil: 1"]), json!({"a\n": 1})] {
        assert_eq!(
            built(ParamLocation::Header, writing(ParamStyle::Simple, true), &value).unwrap_err(),
            RequestBuildError::HeaderValue("color".into())
        );
    }
    assert_eq!(
        built(ParamLocation::Cookie, writing(ParamStyle::Form, true), &json!({"a; b": 1})).unwrap_err(),
        RequestBuildError::HeaderName("a; b".into())
    );
}

proptest! {
    /// R6.2.1-4 R11.1-1 R11.1-2: in whatever style, a path keeps its segments and its end, and the origin stays.
    #[test]
    fn a_value_stays_in_its_segment(
        texts in proptest::collection::vec(r"[./%a-f2E;=,\\?#é]{0,4}", 1..4),
        style in sample::select(ParamStyle::ALL.to_vec()),
        shape in 0..3u8,
        explode: bool,
        allow_reserved: bool,
    ) {
        let value = match shape {
            0 => json!(texts[0]),
            1 => json!(texts),
            _ => json!({texts[0].as_str(): texts.last()}),
        };
        if let Ok(request) = built(ParamLocation::Path, ParamEncoding { style, explode, allow_reserved }, &value) {
            let url = url::Url::parse(request.url.as_str()).unwrap();
            prop_assert_eq!(&url, &request.url);
            let segments: Vec<_> = url.path_segments().unwrap().collect();
            prop_assert_eq!(segments.len(), 4, "{}", url);
            prop_assert_eq!((segments[0], segments[1], segments[3]), ("v1", "x", "y"));
            prop_assert!(url.query().is_none() && url.fragment().is_none());
        }
    }

    /// R11.4-3: in whatever style, a value of the query adds no pair but its own, and the fragment stays empty.
    #[test]
    fn a_value_stays_in_its_pairs(
        texts in proptest::collection::vec(".{0,6}", 1..4),
        style in sample::select(ParamStyle::ALL.to_vec()),
        explode: bool,
        allow_reserved: bool,
    ) {
        let value = json!(texts);
        if let Ok(request) = built(ParamLocation::Query, ParamEncoding { style, explode, allow_reserved }, &value) {
            let pairs: Vec<_> = request.url.query_pairs().collect();
            prop_assert!(pairs.len() <= texts.len());
            prop_assert!(pairs.iter().all(|(name, _)| name == "color" || name.starts_with("color[")));
            prop_assert!(request.url.fragment().is_none() && request.url.path() == "/v1/x");
        }
    }
}

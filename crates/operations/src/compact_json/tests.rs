//! What goes and what stays.

use super::compact;
use proptest::prelude::*;
use serde_json::Value;

#[test]
fn white_space_between_tokens_goes() {
    let text = "\n{ \"a b\" : [ 1 ,\t2 ], \"c \\\" {  } \": \"\\\\\" ,\r\n  \"d\": { } }\n";
    assert_eq!(compact(text), r#"{"a b":[1,2],"c \" {  } ":"\\","d":{}}"#);
}

/// Text without white space between tokens stays as it is, whatever stands in its strings; one that has some anywhere does not.
#[test]
fn white_space_is_found_wherever_it_stands() {
    for text in [r#"{"a b":["c d",1,true]}"#, "[]", "1", r#""a""#] {
        assert_eq!(compact(text), text);
    }
    for space in [" ", "\n", "\t", "\r", "\r\n", "  "] {
        for parts in [
            ["", "{\"a b\":1}"],
            ["{\"a b\":1}", ""],
            ["{\"a b\"", ":1}"],
            ["{\"a b\":1", "}"],
            ["{", "\"a b\":1}"],
        ] {
            assert_eq!(compact(&parts.join(space)), "{\"a b\":1}", "{parts:?} {space:?}");
        }
    }
}

/// Two tokens that stand side by side are a mistake, and stay one.
#[test]
fn no_token_is_made_of_two() {
    for text in ["[1 2]", "[tr ue]", "[1 \n .5]", "[\"a\" \"b\"]", "[- 1]", "[\"never ends ] "] {
        let compact = compact(text);
        assert!(serde_json::from_str::<Value>(&compact).is_err(), "{compact}");
    }
}

proptest! {
    #[test]
    fn what_is_no_json_stays_none(text in "[\\[\\]{},:\"\\\\a1 \\n\\t.-]{0,24}") {
        let (before, after) =
            (serde_json::from_str::<Value>(&text), serde_json::from_str::<Value>(&compact(&text)));
        prop_assert_eq!(before.ok(), after.ok());
    }
}

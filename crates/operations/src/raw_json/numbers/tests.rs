//! Tests of `numbers`.

use super::quoted;

#[test]
fn only_what_is_beyond_all_range() {
    let text = r#"{"a":1e400,"b":[-1E+999,1e308,0.1e-400],"c":"1e400 \" 2e999","d":9e99999999999999999999}"#;
    let (found, count) = quoted(text);
    assert_eq!(count, 3);
    assert_eq!(
        found,
        r#"{"a":"1e400","b":["-1E+999",1e308,0.1e-400],"c":"1e400 \" 2e999","d":"9e99999999999999999999"}"#
    );
    assert_eq!(quoted("[1,2.5]"), ("[1,2.5]".to_owned(), 0));
    assert_eq!(quoted(r#""open"#).1, 0);
}

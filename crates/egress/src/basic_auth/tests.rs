//! Tests of `basic_auth`.

use super::{encoded, password_in};

#[test]
fn there_and_back() {
    assert_eq!(*encoded("Aladdin", "open sesame"), "QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
    for password in ["", "a:b", "pässword"] {
        assert_eq!(password_in(&encoded("me", password)).as_deref().map(String::as_str), Some(password));
    }
    for none in ["YWJj", "no base64!", "/////w=="] {
        assert_eq!(password_in(none), None, "{none}");
    }
}

//! Names that go out on the wire: of headers, cookies, query parameters and fields.
//!
//! A name in, what is wrong with it out. Adapter files are refused for such a name; imports leave out what has one.

use aqueduct_operations::auth::KeyPlace;
use aqueduct_operations::naming::is_http_token;
use aqueduct_operations::params::ParamLocation;
use aqueduct_operations::secrets::names::carries_session;
use percent_encoding::percent_decode_str;

/// Headers that the client sets itself.
pub const CLIENT_HEADERS: &[&str] =
    &["host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer", "keep-alive"];

/// Headers by which a request says that it means another method. What an operation does is judged by its method, so no
/// source sets them.
const METHOD_HEADERS: &[&str] = &["x-http-method-override", "x-http-method", "x-method-override"];

/// The query parameter and the field that say the same.
const METHOD_PARAM: &str = "_method";

/// Headers that speak to machines on the way: nothing that an imported document may offer to a caller.
const DIVERTING_HEADERS: &[&str] = &["expect", "http2-settings", "proxy-connection", "proxy-authenticate"];

/// What is wrong with the name of a header that a source sets, if anything.
pub fn header_name_problem(name: &str) -> Option<String> {
    if !is_http_token(name) {
        return Some("This is not a valid header name".to_owned());
    }
    let is_in = |names: &[&str]| names.iter().any(|each| name.eq_ignore_ascii_case(each));
    if is_in(METHOD_HEADERS) {
        return Some(another_method(name));
    }
    is_in(CLIENT_HEADERS).then(|| format!("The header '{name}' is set by the HTTP client itself"))
}

/// What is wrong with the name of a query parameter or field that a source sets, if anything. However it is escaped, the API
/// reads it in plain.
pub fn method_param_problem(name: &str) -> Option<String> {
    let plain = percent_decode_str(name).decode_utf8_lossy();
    plain.trim().eq_ignore_ascii_case(METHOD_PARAM).then(|| another_method(METHOD_PARAM))
}

fn another_method(name: &str) -> String {
    format!("'{name}' makes another method of the request; write that method in 'maps_to'")
}

/// What is wrong with the name of a parameter in this place, if anything.
pub fn param_name_problem(place: ParamLocation, name: &str) -> Option<String> {
    match place {
        ParamLocation::Path => None,
        ParamLocation::Header => header_name_problem(name).or_else(|| {
            carries_session(name).then(|| "Credentials are not parameters: they come from 'auth'".to_owned())
        }),
        ParamLocation::Cookie => (!is_http_token(name)).then(|| "This is not a valid cookie name".to_owned()),
        ParamLocation::Query | ParamLocation::Body => method_param_problem(name)
            .or_else(|| has_control(name).then(|| "'mapTo' holds a control character".to_owned())),
    }
}

/// True when an imported document may offer a parameter of this name; what adapter files may not have, it may not either.
pub fn can_be_offered(place: ParamLocation, name: &str) -> bool {
    let diverts = || DIVERTING_HEADERS.iter().any(|each| name.eq_ignore_ascii_case(each));
    !name.is_empty()
        && param_name_problem(place, name).is_none()
        && !(place == ParamLocation::Header && diverts())
}

/// What is wrong with the place of an API key, if anything.
pub fn key_place_problem(place: &KeyPlace) -> Option<String> {
    match place {
        KeyPlace::Query(name) => has_control(name).then(|| "This is not a valid query name".to_owned()),
        KeyPlace::Cookie(name) => {
            (!is_http_token(name)).then(|| "This is not a valid cookie name".to_owned())
        }
        KeyPlace::Header(name) => header_name_problem(name),
    }
}

fn has_control(name: &str) -> bool {
    name.chars().any(char::is_control)
}

#[cfg(test)]
mod tests;

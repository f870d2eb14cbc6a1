//! The digest of an operation as it is resolved now: everything that decides what a call of it would send, and where to.
//!
//! An operation and the values of a call in, 32 bytes out. Words that only describe are not in it, so that a file whose text is
//! mended keeps its confirmations; a field that is added to a request's template has to be decided upon here, or this does not
//! compile. Credentials are in it by the name of their variable. What the operator wrote into headers is hashed with the rest.

use crate::digest::Digest;
use crate::operation::{Operation, RegistryEntry};
use crate::params::Param;
use crate::target::{HttpTarget, Site, Target};
use secrecy::ExposeSecret;
use serde_json::{Map, Value, json};

/// What a call would send, and where to, in one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestDigest(Digest);

impl RequestDigest {
    /// As hexadecimal digits.
    pub fn hex(&self) -> String {
        self.0.hex()
    }

    /// The digest of a call of this operation, which merges its values into what `reads_first` shows, if that is given.
    pub fn of(
        entry: &RegistryEntry,
        values: &Map<String, Value>,
        reads_first: Option<&RegistryEntry>,
    ) -> RequestDigest {
        let read = reads_first.map(|read| json!([read.operation.name, target(&read.operation, values)]));
        let whole = json!({
            "operation": target(&entry.operation, values),
            "params": params(&entry.operation, values),
            "grouping": format!("{:?}", entry.operation.grouping),
            "update": format!("{:?}", entry.operation.update),
            "reads_first": read,
        });
        RequestDigest(Digest::of_values(&Map::from_iter([("resolved".to_owned(), whole)])))
    }
}

fn target(operation: &Operation, values: &Map<String, Value>) -> Value {
    match &operation.target {
        Target::Http(target) => http(target),
        Target::Handler(target) => {
            let who = target.identity().map(|identity| identity.hex());
            json!({"kind": target.kind.name(), "who": who, "request": target.preview(values)})
        }
        Target::BuiltIn(built_in) => json!(format!("{built_in:?}")),
    }
}

fn http(target: &HttpTarget) -> Value {
    let HttpTarget {
        site,
        method,
        path,
        static_query,
        body,
        content_type,
        whole_body,
        needs_body,
        body_needs: _,
        parts,
        answer,
        auth: _,
        dot_segments,
    } = target;
    // Whether a file may have its credential is asked anew with every request.
    let Site {
        base_url,
        names_private_address,
        headers,
        operator_headers,
        auth: _,
        timeout: _,
        retries: _,
        consent: _,
    } = &**site;
    let set: Vec<(&str, &str)> =
        operator_headers.iter().map(|header| (header.name.as_str(), header.value.expose_secret())).collect();
    json!({
        "base_url": base_url.as_str(),
        "private": names_private_address,
        "headers": headers,
        "operator_headers": set,
        "auth": format!("{:?}", target.auth_in_force()),
        "method": method.name(),
        "path": format!("{path:?}"),
        "query": static_query,
        "body": format!("{body:?}"),
        "content_type": content_type,
        "whole_body": whole_body,
        "needs_body": needs_body,
        "parts": format!("{parts:?}"),
        "answer": format!("{answer:?}"),
        "dot_segments": format!("{dot_segments:?}"),
    })
}

/// Where each value of the call goes.
fn params(operation: &Operation, values: &Map<String, Value>) -> Value {
    let sent = operation.params.iter().filter(|param| values.contains_key(&param.name));
    let place = |param: &Param| {
        json!([param.name, param.upstream_name, format!("{:?}", param.place), format!("{:?}", param.writing)])
    };
    sent.map(place).collect()
}

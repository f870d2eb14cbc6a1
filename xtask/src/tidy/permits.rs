//! Where permits are made that no gatekeeper judges, and what sends without one.
//!
//! In: the Rust files of the product. Out: a violation for every place outside the table below. The types keep a client's call from
//! going round the gatekeeper; this keeps our own code from using what is meant for programs, documents, probes and connections.

use super::Violation;
use crate::repo::File;

/// A call or type that stands in few places only.
struct Restriction {
    text: &'static str,
    /// Files, by the end of their path, or folders, by its beginning.
    allowed: &'static [&'static str],
    fix: &'static str,
}

const RESTRICTIONS: &[Restriction] = &[
    Restriction {
        text: "ProgramOperation::of_source",
        allowed: &["/from_openapi.rs"],
        fix: "leave the source to the registry, whose operations are called by a permit of the gatekeeper",
    },
    Restriction {
        text: "ProgramPermit::own_call",
        allowed: &["/from_openapi.rs"],
        fix: "take the permit of the call that is served",
    },
    Restriction {
        text: "ProgramPermit::within",
        allowed: &["/from_openapi.rs"],
        fix: "take the permit of the call that is served",
    },
    Restriction {
        text: "ProgramPermit::of_handler",
        allowed: &[],
        fix: "this is for programs: take the permit of the call that is served",
    },
    Restriction {
        text: ".delegate(",
        allowed: &["/input_schema/wiring.rs", "/servers/connected.rs"],
        fix: "only a handler that stands before another one hands its call on",
    },
    Restriction {
        text: ".admit_further(",
        allowed: &["crates/dispatch/src/stages/gatekeep.rs"],
        fix: "ask with 'gatekeep::further'",
    },
    Restriction {
        text: "FetchPermit::document",
        allowed: &["/boot/web.rs"],
        fix: "fetch documents through 'boot/web.rs'",
    },
    Restriction {
        text: "FetchPermit::probe",
        allowed: &["/doctor/checks.rs"],
        fix: "only 'doctor' asks whether a site answers",
    },
    Restriction {
        text: "ConnectPermit::named_by_operator",
        allowed: &["/mcp_server/connection.rs"],
        fix: "ask the consent to the file that names the server",
    },
    Restriction {
        text: "ConnectPermit::allowed_by",
        allowed: &["/servers/connected.rs"],
        fix: "add servers through 'servers/connected.rs'",
    },
    Restriction {
        text: "Gatekeeper::new(",
        allowed: &["crates/safety/", "crates/testkit/"],
        fix: "use 'aqueduct_safety::gatekeeper'",
    },
    Restriction {
        text: "egress::client",
        allowed: &["crates/egress/", "crates/upstream/", "crates/mcp_client/"],
        fix: "send through 'Upstream' or a handler, which take a permit",
    },
];

/// Checks every Rust file of the product; tests, examples and comments may show anything.
pub(super) fn check(files: &[File]) -> Vec<Violation> {
    files.iter().filter(|file| is_product(file)).flat_map(check_file).collect()
}

fn is_product(file: &File) -> bool {
    let is_helper = ["/test_support.rs", "/test_server.rs"].iter().any(|name| file.path.ends_with(name));
    file.is_rust()
        && file.path.contains("/src/")
        && file.path.starts_with("crates/")
        && !file.is_test()
        && !is_helper
}

fn check_file(file: &File) -> impl Iterator<Item = Violation> {
    let code = file.text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
    code.flat_map(move |(index, line)| {
        let broken = RESTRICTIONS.iter().filter(|rule| line.contains(rule.text) && !rule.allows(&file.path));
        broken.map(move |rule| {
            let problem = format!("'{}' does not belong here", rule.text.trim_end_matches('('));
            Violation::new(&file.path, index + 1, problem, rule.fix)
        })
    })
}

impl Restriction {
    fn allows(&self, path: &str) -> bool {
        self.allowed.iter().any(|place| path.starts_with(place) || path.ends_with(place))
    }
}

#[cfg(test)]
mod tests;

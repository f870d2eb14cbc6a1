//! Where permits are made that no gatekeeper judges, and what sends without one.
//!
//! In: the Rust files of the product. Out: a violation for every place outside the table below. The types keep a client's call from
//! going round the gatekeeper; this keeps our own code from using what is meant for programs, documents, probes and connections.
//! It reads words and imports, not lines: neither a line break nor braces nor another name hides a use.

use anyhow::Result;

use super::Violation;
use super::rust_tokens::{Import, Lexer, RustToken, imports};
use crate::repo::File;

/// Something that stands in few places only.
struct Restriction {
    used: Use,
    /// Files, by the end of their path, or folders, by its beginning.
    allowed: &'static [&'static str],
    fix: &'static str,
}

/// How it is used.
enum Use {
    /// A function of a type; the type has no second name.
    Function(&'static str, &'static str),
    /// A method of whatever type.
    Method(&'static str),
    /// Something in a crate; the crate has no second name, and not everything in it is imported at once.
    Item(&'static str, &'static str),
}

const OF_PROGRAMS: &str = "take the permit of the call that is served";
const OWN_CLIENT: &str = "take a guarded client of 'aqueduct_egress', which checks every address";

const RESTRICTIONS: &[Restriction] = &[
    Restriction {
        used: Use::Function("ProgramOperation", "of_source"),
        allowed: &["/from_openapi.rs"],
        fix: "leave the source to the registry, whose operations are called by a permit of the gatekeeper",
    },
    Restriction {
        used: Use::Function("ProgramPermit", "own_call"),
        allowed: &["/from_openapi.rs"],
        fix: OF_PROGRAMS,
    },
    Restriction {
        used: Use::Function("ProgramPermit", "within"),
        allowed: &["/from_openapi.rs"],
        fix: OF_PROGRAMS,
    },
    Restriction { used: Use::Function("ProgramPermit", "of_handler"), allowed: &[], fix: OF_PROGRAMS },
    Restriction {
        used: Use::Method("delegate"),
        allowed: &["/input_schema/wiring.rs", "/servers/connected.rs"],
        fix: "only a handler that stands before another one hands its call on",
    },
    Restriction {
        used: Use::Method("admit_further"),
        allowed: &["crates/dispatch/src/stages/gatekeep.rs"],
        fix: "ask with 'gatekeep::further'",
    },
    Restriction {
        used: Use::Function("FetchPermit", "document"),
        allowed: &["/boot/web_fetch.rs"],
        fix: "fetch documents through 'boot/web_fetch.rs'",
    },
    Restriction {
        used: Use::Function("FetchPermit", "token"),
        allowed: &["crates/upstream/src/http/oauth/fetch.rs"],
        fix: "tokens are fetched in 'http/oauth/fetch.rs'",
    },
    Restriction {
        used: Use::Function("FetchPermit", "probe"),
        allowed: &["/doctor/checks.rs"],
        fix: "only 'doctor' asks whether a site answers",
    },
    Restriction {
        used: Use::Function("ConnectPermit", "named_by_operator"),
        allowed: &["/mcp_server/connection.rs", "/gatekeeper/examine_permit.rs"],
        fix: "ask the consent to the file that names the server",
    },
    Restriction {
        used: Use::Function("ExaminePermit", "named_by_operator"),
        allowed: &["/commands/conformance/connection.rs"],
        fix: "call tools by a permit of the gatekeeper; only 'conformance' examines servers",
    },
    Restriction {
        used: Use::Function("ConnectPermit", "allowed_by"),
        allowed: &["/servers/connected.rs"],
        fix: "add servers through 'servers/connected.rs'",
    },
    Restriction {
        used: Use::Function("Gatekeeper", "new"),
        allowed: &["crates/safety/", "crates/testkit/"],
        fix: "use 'aqueduct_safety::gatekeeper'",
    },
    Restriction {
        used: Use::Method("for_sdk"),
        allowed: &["crates/mcp_client/src/http.rs"],
        fix: "send with 'GuardedClient::execute', which takes a permit",
    },
    Restriction {
        used: Use::Item("reqwest", "ClientBuilder"),
        allowed: &["crates/egress/src/client.rs"],
        fix: OWN_CLIENT,
    },
    Restriction { used: Use::Item("reqwest", "get"), allowed: &[], fix: OWN_CLIENT },
    Restriction { used: Use::Item("reqwest", "blocking"), allowed: &[], fix: OWN_CLIENT },
    Restriction {
        used: Use::Function("Client", "builder"),
        allowed: &["crates/egress/src/client.rs"],
        fix: OWN_CLIENT,
    },
    Restriction { used: Use::Function("Client", "new"), allowed: &[], fix: OWN_CLIENT },
    Restriction { used: Use::Function("Client", "default"), allowed: &[], fix: OWN_CLIENT },
    Restriction {
        used: Use::Item("hyper", "client"),
        allowed: &["crates/egress/src/client/"],
        fix: OWN_CLIENT,
    },
    Restriction {
        used: Use::Item("hyper_util", "client"),
        allowed: &["crates/egress/src/client/", "crates/egress/src/resolver.rs"],
        fix: OWN_CLIENT,
    },
];

/// Checks every Rust file of the product; tests, examples and comments may show anything.
pub(super) fn check(files: &[File]) -> Result<Vec<Violation>> {
    let lexer = Lexer::new()?;
    Ok(files.iter().filter(|file| is_product(file)).flat_map(|file| check_file(file, &lexer)).collect())
}

fn is_product(file: &File) -> bool {
    let is_helper = ["/test_support.rs", "/test_server.rs"].iter().any(|name| file.path.ends_with(name));
    file.is_rust()
        && file.path.contains("/src/")
        && file.path.starts_with("crates/")
        && !file.is_test()
        && !is_helper
}

fn check_file(file: &File, lexer: &Lexer) -> Vec<Violation> {
    let tokens = lexer.tokens(&file.text);
    let imports = imports(&tokens);
    let mut violations = Vec::new();
    for rule in RESTRICTIONS.iter().filter(|rule| !rule.allows(&file.path)) {
        let mut lines = rule.used.lines(&tokens, &imports);
        lines.sort_unstable();
        lines.dedup();
        let problem = format!("'{}' does not belong here", rule.used.name());
        violations
            .extend(lines.iter().map(|line| Violation::new(&file.path, *line, problem.as_str(), rule.fix)));
    }
    violations
}

impl Restriction {
    fn allows(&self, path: &str) -> bool {
        self.allowed.iter().any(|place| path.starts_with(place) || path.ends_with(place))
    }
}

impl Use {
    fn name(&self) -> String {
        match self {
            Use::Function(of, name) | Use::Item(of, name) => format!("{of}::{name}"),
            Use::Method(name) => format!(".{name}"),
        }
    }

    /// The lines that have it.
    fn lines(&self, tokens: &[RustToken<'_>], imports: &[Import<'_>]) -> Vec<usize> {
        let places = tokens.iter().enumerate().filter(|(_, token)| match self {
            Use::Function(of, _) | Use::Item(of, _) => token.text == *of,
            Use::Method(name) => token.text == *name,
        });
        let is_used = |index: usize| match self {
            Use::Function(_, name) => {
                is_renamed(tokens, index)
                    || is_aliased(tokens, index)
                    || path_after(&tokens[index + 1..]) == Some(name)
            }
            Use::Item(_, name) => is_renamed(tokens, index) || path_after(&tokens[index + 1..]) == Some(name),
            Use::Method(_) => index > 0 && matches!(tokens[index - 1].text, "." | "::"),
        };
        let mut lines: Vec<usize> =
            places.filter(|(index, _)| is_used(*index)).map(|(_, token)| token.line).collect();
        if let Use::Item(of, name) = self {
            let is_it = |import: &&Import<'_>| match import.path.as_slice() {
                [root, item, ..] if root == of => {
                    item == name || *item == "*" || (*item == "self" && import.is_renamed)
                }
                _ => false,
            };
            lines.extend(imports.iter().filter(is_it).map(|import| import.line));
        }
        lines
    }
}

/// True when the name at this place gets another one by `as`.
fn is_renamed(tokens: &[RustToken<'_>], index: usize) -> bool {
    tokens.get(index + 1).is_some_and(|next| next.text == "as")
}

/// True when the name at this place gets another one by `type`.
fn is_aliased(tokens: &[RustToken<'_>], index: usize) -> bool {
    let statement = tokens[..index].iter().rposition(|token| matches!(token.text, ";" | "{" | "}"));
    let words = &tokens[statement.map_or(0, |end| end + 1)..index];
    let has = |text: &str| words.iter().any(|token| token.text == text);
    has("type") && has("=")
}

/// The segment that follows a type: `new` after `<'a, T>::new`, `::<T>::new` or `<'a, T>>::new`.
fn path_after<'a>(mut tokens: &[RustToken<'a>]) -> Option<&'a str> {
    let is = |tokens: &[RustToken<'_>], at: usize, text: &str| {
        tokens.get(at).is_some_and(|token| token.text == text)
    };
    if is(tokens, 0, "::") && is(tokens, 1, "<") {
        tokens = &tokens[1..];
    }
    if is(tokens, 0, "<") {
        let mut depth = 0_usize;
        let end = tokens.iter().position(|token| {
            match token.text {
                "<" => depth += 1,
                ">" => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        tokens = &tokens[end + 1..];
    }
    if is(tokens, 0, ">") {
        tokens = &tokens[1..];
    }
    is(tokens, 0, "::").then(|| tokens.get(1).map(|token| token.text))?
}

#[cfg(test)]
mod tests;

//! `maps_to`: `METHOD /path[?static]`, split once at its placeholders (runtime specification, sections 4.2 and 6.3).
//!
//! A text in; method, path and static query out. A path never climbs, and holds no control character.

use aqueduct_documents::findings::{Finding, Findings};
use aqueduct_documents::node_cursor::{NodeCursor, described, shortened};
use aqueduct_documents::{NodeValue, credentials};
use aqueduct_operations::secrets::names::{NamePlace, is_secret};
use aqueduct_operations::target::{Method, Segment};
use aqueduct_source_kind::wire_names::method_param_problem;

/// The word before the name of a tool.
pub(crate) const TOOL: &str = "TOOL";
/// No API has longer paths, and each placeholder is looked for among the parameters.
const LONGEST: usize = 2_000;

/// A mapping that was understood; its placeholders are not yet held against the parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mapping {
    pub method: Method,
    pub path: Vec<Segment>,
    pub static_query: Option<String>,
    /// The tool of an MCP server; method and path say nothing then.
    pub tool: Option<String>,
}

pub(super) fn check(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<Mapping> {
    let text = at.node.filled_text()?;
    let mapping = parse(text)
        .map_err(|MappingProblem { message, hint }| bad(at, message).maybe_hint(hint).add_to(found))
        .ok()?;
    let pairs = mapping
        .static_query
        .iter()
        .flat_map(|query| query.split('&'))
        .filter_map(|pair| pair.split_once('='));
    if let Some(problem) = pairs.clone().find_map(|(name, _)| method_param_problem(name)) {
        bad(at, problem).add_to(found);
        return None;
    }
    if pairs.into_iter().any(|(name, value)| !value.is_empty() && is_secret(name, NamePlace::Parameter)) {
        credentials::report_value(at, "The query of the mapping carries a credential", found);
        return None;
    }
    Some(mapping)
}

/// Shows the form of a mapping where there is none, made from the parts if they were given one by one.
pub(super) fn advise(operation: &NodeCursor<'_>, found: &mut Findings<'_>) {
    if operation.get("maps_to").is_some_and(|at| at.node.value != NodeValue::Null) {
        return;
    }
    let parts = ["method", "http_method", "verb", "path", "url", "uri", "route"];
    let given: Vec<&str> = parts.into_iter().filter(|key| operation.get(key).is_some()).collect();
    let text = |keys: &[&str]| keys.iter().find_map(|key| operation.text(key));
    let method = text(&parts[..3]).and_then(Method::parse_any_case).unwrap_or(Method::Get);
    // A query may hold a credential, which is not repeated.
    let path =
        text(&parts[3..]).filter(|path| path.starts_with('/') && path.len() < 100 && !path.contains('?'));
    let form = format!("write maps_to: {method} {}", path.unwrap_or("/path"));
    found.advise(&operation.path_of("maps_to"), &form);
    for key in given {
        found.advise(&operation.path_of(key), &form);
    }
}

fn bad(at: &NodeCursor<'_>, message: String) -> Finding {
    at.error("BAD_MAPPING", message)
        .expected("METHOD /path, such as GET /users/{id}")
        .received(described(at.node))
}

/// Why a text is no mapping, and what to do about it.
#[derive(Debug, PartialEq, Eq)]
struct MappingProblem {
    message: String,
    hint: Option<String>,
}

fn problem(message: impl Into<String>) -> MappingProblem {
    MappingProblem { message: message.into(), hint: None }
}

impl MappingProblem {
    fn hint(self, hint: impl Into<String>) -> MappingProblem {
        MappingProblem { hint: Some(hint.into()), ..self }
    }
}

/// True when a text is read as exactly this request.
pub(crate) fn is_mapping_of(
    text: &str,
    method: Method,
    path: &[Segment],
    static_query: Option<&str>,
) -> bool {
    parse(text).is_ok_and(|mapping| {
        mapping.tool.is_none()
            && mapping.method == method
            && joined(&mapping.path) == joined(path)
            && mapping.static_query.as_deref() == static_query
    })
}

/// A path with neighbouring texts in one piece.
fn joined(path: &[Segment]) -> Vec<Segment> {
    let mut out: Vec<Segment> = Vec::with_capacity(path.len());
    for segment in path {
        match (out.last_mut(), segment) {
            (Some(Segment::Literal(before)), Segment::Literal(text)) => before.push_str(text),
            _ => out.push(segment.clone()),
        }
    }
    out
}

fn parse(text: &str) -> Result<Mapping, MappingProblem> {
    if text.len() > LONGEST {
        return Err(problem(format!("The mapping is longer than {LONGEST} characters")));
    }
    // Other implementations write `tool:name`.
    let colon = text.split_once(':').filter(|(word, _)| word.eq_ignore_ascii_case(TOOL));
    let (method, rest) = colon
        .or_else(|| text.split_once(' '))
        .ok_or_else(|| problem("The mapping is a method, a space and a path"))?;
    if method.eq_ignore_ascii_case(TOOL) {
        let tool = rest.trim();
        if tool.is_empty() || tool.chars().any(char::is_control) {
            return Err(problem("A tool has a name").hint("write TOOL name"));
        }
        // What is not in a path goes along, as it does in a POST.
        let (path, static_query) = (Vec::new(), None);
        return Ok(Mapping { method: Method::Post, path, static_query, tool: Some(tool.to_owned()) });
    }
    let method = Method::parse_any_case(method).ok_or_else(|| {
        problem(format!("There is no method '{}'", shortened(method, 30)))
            .hint("use GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS, TRACE or QUERY")
    })?;
    if rest.chars().any(char::is_control) {
        return Err(problem("The path holds a control character or a line break"));
    }
    if !rest.starts_with('/') {
        return Err(problem("The path starts with '/'"));
    }
    if rest.contains('#') {
        return Err(problem("A path has no fragment: '#' is not sent to the API"));
    }
    if rest.contains('\\') {
        return Err(problem("The path holds a backslash"));
    }
    let (path, query) = match rest.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (rest, None),
    };
    if query.is_some_and(|query| query.contains(['{', '}'])) {
        return Err(problem("A placeholder stands in the query")
            .hint("parameters outside the path go to the query by themselves; remove it from the mapping"));
    }
    if path.split('/').any(is_dot_segment) {
        return Err(problem("The path holds a '.' or '..' segment"));
    }
    if let Some(name) = path.split('/').find(|segment| is_placeholder_elsewhere(segment)) {
        return Err(problem(format!("'{}' is not how a placeholder is written", shortened(name, 60)))
            .hint(format!("write {{{}}}", shortened(name.trim_matches([':', '$', '{', '}']), 60))));
    }
    let static_query = query.filter(|query| !query.is_empty()).map(str::to_owned);
    Ok(Mapping { method, path: segments(path)?, static_query, tool: None })
}

/// `.` and `..`, percent-encoded dots included: a URL parser climbs for those too.
fn is_dot_segment(segment: &str) -> bool {
    let plain = segment.to_ascii_lowercase().replace("%2e", ".");
    plain == "." || plain == ".."
}

/// `:id` and `${id}`, as other tools write placeholders: sent as they are, they would reach the wrong resource.
fn is_placeholder_elsewhere(segment: &str) -> bool {
    segment.starts_with("${")
        || segment.strip_prefix(':').is_some_and(|name| name.starts_with(char::is_alphabetic))
}

fn segments(path: &str) -> Result<Vec<Segment>, MappingProblem> {
    let mut segments = Vec::new();
    let mut rest = path;
    while let Some(open) = rest.find(['{', '}']) {
        if rest[open..].starts_with('}') {
            return Err(problem("A '}' has no '{' before it").hint("write {name}"));
        }
        if open > 0 {
            segments.push(Segment::Literal(rest[..open].to_owned()));
        }
        let after = &rest[open + 1..];
        let Some((name, after)) = after.split_once('}') else {
            return Err(problem("A '{' is not closed").hint("write {name}"));
        };
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return Err(problem(format!("'{{{}}}' is not a valid placeholder", shortened(name, 60)))
                .hint("a placeholder is made of letters, digits and underscores"));
        }
        let placeholder = Segment::Placeholder(name.to_owned());
        if segments.contains(&placeholder) {
            return Err(problem(format!("The placeholder '{{{name}}}' is there twice")));
        }
        segments.push(placeholder);
        rest = after;
    }
    if !rest.is_empty() {
        segments.push(Segment::Literal(rest.to_owned()));
    }
    Ok(segments)
}

#[cfg(test)]
mod tests;

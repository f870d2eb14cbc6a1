//! What refers to operations of the same file, and what holds for all of them: updates, relationships, errors, caches,
//! deprecations.
//!
//! Rulings W8 and N4; error-code document, section 8.3.

use super::{changed, codes, good, load_text, operation, refusal, with_operation, with_operations};
use aqueduct_operations::failure::Code;
use aqueduct_operations::response::{CacheRule, Deprecation, UpdateRule};
use std::time::Duration;

/// The sample with top-level keys before its operations.
fn adding(block: &str) -> String {
    changed("operations:", &format!("{block}\noperations:"))
}

/// A file with a READ on `read` and an UPDATE by PUT on `/items/{id}`, with more keys for each.
fn put(read: &str, more: &str) -> String {
    with_operations(&format!(
        "  read:\n    - {{name: get_item, description: It reads, {read}}}\n  update:\n    \
         - {{name: put_item, description: It writes, maps_to: 'PUT /items/{{id}}', \
         params: {{id: {{type: integer, required: true}}, title: {{type: string}}}}{more}}}\n"
    ))
}

const GET: &str = "maps_to: 'GET /items/{id}', params: {id: {type: integer, required: true}}";
const PATH: &str = "operations.update[0]";

fn rule(text: &str) -> UpdateRule {
    good(text).operations.remove(1).declaration.update
}

/// Ruling W8: the companion of a PUT is the operation it names, else the GET on the same path.
#[test]
fn companions() {
    let found = rule(&put(GET, ""));
    assert_eq!(found, UpdateRule { read: Some("get_item".into()), ..UpdateRule::default() });
    let other_name =
        put("maps_to: 'GET /items/{item_id}', params: {item_id: {type: integer, required: true}}", "");
    assert_eq!(codes(&other_name), Vec::<String>::new(), "the same path, whatever its placeholder is called");
    assert_eq!(rule(&other_name).read.as_deref(), Some("get_item"));
    let elsewhere = "maps_to: 'GET /things/{id}', params: {id: {type: integer, required: true}}";
    let named = put(elsewhere, ", update: {read: get_item, if_match: false}");
    assert_eq!(codes(&named), Vec::<String>::new());
    let read = UpdateRule { read: Some("get_item".into()), if_match: false, ..UpdateRule::default() };
    assert_eq!(rule(&named), read);
}

/// Ruling W8: a PUT that replaces what nothing reads is told when it is loaded.
#[test]
fn puts_without_a_companion() {
    let warning = [format!("NO_COMPANION {PATH}.maps_to")];
    for read in [
        "maps_to: GET /things",
        "maps_to: 'QUERY /items/{id}', params: {id: {type: integer, required: true}}",
        "maps_to: 'GET /items/{id}', params: {id: {type: integer, required: true}, key: {type: string, required: true}}",
    ] {
        let text = put(read, "");
        assert_eq!(codes(&text), warning, "{read}");
        assert_eq!(rule(&text).read, None);
    }
    let keyed = "maps_to: 'GET /items/{id}', params: {id: {type: integer, required: true}, key: {type: string, required: true}}";
    let outcome = load_text(&put(keyed, ""));
    assert!(outcome.diagnostics[0].hint.as_deref().unwrap().contains("needs 'key'"));
    for part in [
        "maps_to: 'GET /items/{id}?view=short', params: {id: {type: integer, required: true}}",
        "maps_to: 'GET /items/{id}', params: {id: {type: integer, required: true}, view: {type: string, default: short}}",
    ] {
        let text = put(part, "");
        assert_eq!(codes(&text), warning, "written back, a part would erase the rest");
        let hint = load_text(&text).diagnostics[0].hint.clone().unwrap();
        assert!(hint.contains("update: {read: get_item}"), "{hint}");
        let named = put(part, ", update: {read: get_item}");
        assert_eq!((codes(&named), rule(&named).read.as_deref()), (Vec::new(), Some("get_item")));
    }
    let listing = put(&GET.replace("maps_to", "response: {type: array}, maps_to"), "");
    assert_eq!(codes(&listing), warning, "a list is not the thing");
    for (list, maps_to) in [("update", "PATCH /items"), ("update", "POST /items"), ("execute", "PUT /items")]
    {
        let text =
            with_operation(list, "run_it", &format!("maps_to: {maps_to}\nparams: {{a: {{type: string}}}}"));
        assert!(!codes(&text).iter().any(|code| code.starts_with("NO_COMPANION")), "{list} {maps_to}");
    }
    let bodiless = with_operation("update", "touch_it", "maps_to: PUT /items");
    assert_eq!(codes(&bodiless), Vec::<String>::new(), "nothing is merged");
}

#[test]
fn companions_that_do_not_fit() {
    for (read, more, code) in [
        (GET, "{read: get_itm}", format!("UNKNOWN_REFERENCE {PATH}.update.read")),
        (GET, "{read: put_item}", format!("BAD_REFERENCE {PATH}.update.read")),
        (&GET.replace("GET", "QUERY"), "{read: get_item}", format!("BAD_REFERENCE {PATH}.update.read")),
        (
            &GET.replace("/items/{id}", "/i/{key}").replace("id", "key"),
            "{read: get_item}",
            format!("BAD_REFERENCE {PATH}.update.read"),
        ),
        (
            &GET.replace("/items/{id}", "/i/{title}").replace("id", "title"),
            "{read: get_item}",
            format!("BAD_REFERENCE {PATH}.update.read"),
        ),
        (GET, "{reads: get_item}", format!("UNKNOWN_KEY {PATH}.update.reads")),
    ] {
        assert_eq!(refusal(&put(read, &format!(", update: {more}"))), [code], "{read} {more}");
    }
    let outcome = load_text(&put(GET, ", update: {read: get_itm}"));
    assert_eq!(outcome.diagnostics[0].hint.as_deref(), Some("did you mean 'get_item'?"));
    let text = with_operation("create", "create_x", "maps_to: POST /x\nupdate: {if_match: false}");
    assert_eq!(codes(&text), ["NO_EFFECT operations.create[0].update"]);
    let broken = put(&GET.replace("/items", "items"), ", update: {read: get_item}");
    assert_eq!(refusal(&broken), ["BAD_MAPPING operations.read[0].maps_to"], "one mistake, one finding");
}

#[test]
fn caches() {
    let rule = |text: &str| {
        let loaded = good(text);
        (loaded.source.cache, loaded.operations[0].cache)
    };
    let kept = |enabled, seconds: Option<u64>| CacheRule { enabled, ttl: seconds.map(Duration::from_secs) };
    assert_eq!(rule(&adding("")), (kept(true, None), None));
    assert_eq!(rule(&adding("cache: {enabled: false}")), (kept(false, None), None));
    assert_eq!(rule(&adding("cache: {ttl_seconds: 5}")), (kept(true, Some(5)), None));
    let own = |block: &str| {
        adding("cache: {ttl_seconds: 5}")
            .replace("      params:", &format!("      cache: {block}\n      params:"))
    };
    assert_eq!(rule(&own("{enabled: false}")).1, Some(kept(false, Some(5))));
    assert_eq!(rule(&own("{ttl_seconds: 9}")).1, Some(kept(true, Some(9))));
    assert_eq!(refusal(&adding("cache: {ttl: 5}")), ["UNKNOWN_KEY cache.ttl"]);
    assert_eq!(refusal(&adding("cache: {ttl_seconds: -1}")), ["INVALID_VALUE cache.ttl_seconds"]);
    let post = with_operation("create", "create_x", "maps_to: POST /x\ncache: {ttl_seconds: 5}");
    assert_eq!(codes(&post), ["NO_EFFECT operations.create[0].cache"]);
    assert_eq!(operation(&post).cache, None);
}

#[test]
fn deprecations() {
    let with = |value: &str| changed("      params:", &format!("      deprecated: {value}\n      params:"));
    let read = |value: &str| operation(&with(value)).declaration.deprecated;
    assert_eq!(operation(&adding("")).deprecated, None);
    assert_eq!(read("true"), Some(Deprecation::default()));
    assert_eq!(read("false"), None);
    let (since, date) = ("1.2.0", "2027-02-28");
    assert_eq!(
        read(&format!("{{since: {since}, removal_date: {date}}}")),
        Some(Deprecation { since: Some(since.into()), removal_date: Some(date.into()), replacement: None })
    );
    let at = "operations.read[0].deprecated";
    for (value, code) in [
        ("soon", format!("WRONG_TYPE {at}")),
        ("{date: x}", format!("UNKNOWN_KEY {at}.date")),
        ("{removal_date: next year}", format!("INVALID_VALUE {at}.removal_date")),
        ("{removal_date: '2027-02-29'}", format!("INVALID_VALUE {at}.removal_date")),
    ] {
        assert_eq!(refusal(&with(value)), [code], "{value}");
    }
    for name in ["get_itme", "get_item", "nothing_alike"] {
        let text = with(&format!("{{replacement: {name}}}"));
        assert_eq!(codes(&text), [format!("UNKNOWN_REFERENCE {at}.replacement")], "{name}");
        assert_eq!(
            operation(&text).declaration.deprecated.unwrap().replacement.as_deref(),
            Some(name),
            "it still loads"
        );
    }
    let two = with_operations(
        "  read:\n    - {name: get_a, description: It reads, maps_to: GET /a, deprecated: {replacement: get_b}}\n    \
         - {name: get_b, description: It reads, maps_to: GET /b}\n",
    );
    assert_eq!(codes(&two), Vec::<String>::new());
}

/// X-errors-36: a status has a code of the table, and may have words of its own.
#[test]
fn error_mappings() {
    let loaded = good(&adding(
        "error_mapping:\n  404: {code: NOT_FOUND_RESOURCE, message_template: 'No item {id}: {message} ({status})'}\n  \
         '423': {code: CONFLICT_VERSION_MISMATCH}",
    ));
    let rules = loaded.source.error_rules;
    assert_eq!((rules[0].status, rules[0].code), (404, Code::NotFoundResource));
    assert_eq!(rules[0].message_template.as_deref(), Some("No item {id}: {message} ({status})"));
    assert_eq!((rules[1].status, rules[1].code), (423, Code::ConflictVersionMismatch));
    assert!(rules[1].message_template.is_none());
}

/// X-errors-36: codes outside the table, and what is no error, do not load.
#[test]
fn error_mappings_that_do_not_fit() {
    let good = "code: NOT_FOUND_RESOURCE";
    for (block, code) in [
        ("{200: {code: NOT_FOUND_RESOURCE}}".to_owned(), "INVALID_VALUE error_mapping.200"),
        ("{4xx: {code: NOT_FOUND_RESOURCE}}".to_owned(), "INVALID_VALUE error_mapping.4xx"),
        ("{'0404': {code: NOT_FOUND_RESOURCE}}".to_owned(), "INVALID_VALUE error_mapping.0404"),
        ("{404: {}}".to_owned(), "MISSING_KEY error_mapping.404.code"),
        ("{404: {code: NOT_FOUND_RESORCE}}".to_owned(), "INVALID_VALUE error_mapping.404.code"),
        (format!("{{404: {{{good}, message: x}}}}"), "UNKNOWN_KEY error_mapping.404.message"),
        // Left out, it would hold for answers that it was not written for.
        (format!("{{404: {{{good}, condition: x}}}}"), "UNKNOWN_KEY error_mapping.404.condition"),
        (
            format!("{{404: {{{good}, message_template: 'a {{b'}}}}"),
            "INVALID_VALUE error_mapping.404.message_template",
        ),
    ] {
        assert_eq!(refusal(&adding(&format!("error_mapping: {block}"))), [code], "{block}");
    }
    let outcome = load_text(&adding("error_mapping: {404: {code: NOT_FOUND_RESORCE}}"));
    assert_eq!(outcome.diagnostics[0].hint.as_deref(), Some("did you mean 'NOT_FOUND_RESOURCE'?"));
    let template = |slot: &str| {
        adding(&format!("error_mapping: {{404: {{{good}, message_template: 'No {{{slot}}}'}}}}"))
    };
    assert_eq!(codes(&template("ids")), ["UNDECLARED_PLACEHOLDER error_mapping.404.message_template"]);
    let secret = template("id").replace("type: integer,", "type: integer, sensitive: true,");
    assert_eq!(refusal(&secret), ["SENSITIVE_VALUE error_mapping.404.message_template"]);
}

/// A file with two types, operations between them, and these links.
fn linked(links: &str) -> String {
    linked_with(links, "fetch: {operation: get_repo, params: {full_name: element_name}}")
}

fn linked_with(links: &str, fetch: &str) -> String {
    with_operations(
        "  read:\n    \
         - {name: get_repo, description: It reads, maps_to: GET /repo, params: {full_name: {type: string, required: true}}}\n    \
         - {name: list_issues, description: It lists, maps_to: GET /issues, params: {repo: {type: string, required: true}, state: {type: string}}}\n  \
         create:\n    - {name: create_issue, description: It adds, maps_to: POST /issues}\n",
    )
    .replacen(
        "operations:",
        &format!(
            "types:\n  Repo: {{kind: object, fields: {{full_name: {{type: string}}}}, {fetch}}}\n  \
             Issue: {{kind: object, fields: {{id: {{type: integer}}, repo: {{type: Repo}}}}}}\n{links}\noperations:"
        ),
        1,
    )
}

/// Relationships are followed by READ operations, each parameter by a path; a type may say how one is read.
#[test]
fn relationships() {
    let loaded = good(&linked(
        "max_relationship_depth: 3\nrelationships:\n  - {type: has, from: Repo, to: Issue, via: list_issues, \
         params: {repo: full_name}, inverse: {via: get_repo, params: {full_name: repo.full_name}}}",
    ));
    assert_eq!(loaded.source.max_relationship_depth, 3);
    let link = &loaded.source.relationships[0];
    assert_eq!((link.name.as_str(), link.from.as_str(), link.to.as_str()), ("has", "Repo", "Issue"));
    assert_eq!((link.forward.operation.as_str(), link.forward.params[0].0.as_str()), ("list_issues", "repo"));
    assert_eq!(link.forward.params[0].1.to_string(), "full_name");
    let back = link.inverse.as_ref().unwrap();
    assert_eq!(
        (back.operation.as_str(), back.params[0].1.to_string().as_str()),
        ("get_repo", "repo.full_name")
    );
    let fetch = loaded.source.types[0].fetch.as_ref().unwrap();
    assert_eq!(
        (fetch.operation.as_str(), fetch.params[0].1.to_string().as_str()),
        ("get_repo", "element_name")
    );
    let plain = good(&linked(""));
    assert!(plain.source.relationships.is_empty() && plain.source.max_relationship_depth == 5);
}

#[test]
fn relationships_that_do_not_fit() {
    let base = "type: has, from: Repo, to: Issue, via: list_issues, params: {repo: full_name}";
    let at = "relationships[0]";
    for (from, to, code, hint) in [
        ("type: has, ", "", format!("MISSING_KEY {at}.type"), None),
        ("from: Repo, ", "", format!("MISSING_KEY {at}.from"), None),
        (", params: {repo: full_name}", "", format!("MISSING_KEY {at}.params"), None),
        ("from: Repo", "from: Repos", format!("UNKNOWN_REFERENCE {at}.from"), Some("did you mean 'Repo'?")),
        ("to: Issue", "to: Issues", format!("UNKNOWN_REFERENCE {at}.to"), Some("did you mean 'Issue'?")),
        (
            "via: list_issues",
            "via: list_issue",
            format!("UNKNOWN_REFERENCE {at}.via"),
            Some("did you mean 'list_issues'?"),
        ),
        ("via: list_issues", "via: create_issue", format!("BAD_REFERENCE {at}.via"), None),
        (
            "{repo: full_name}",
            "{repo: full_name, stat: full_name}",
            format!("UNKNOWN_REFERENCE {at}.params.stat"),
            Some("did you mean 'state'?"),
        ),
        (
            "{repo: full_name}",
            "{state: full_name}",
            format!("BAD_REFERENCE {at}.params"),
            Some("add it, with the path of its value"),
        ),
        (
            "{repo: full_name}",
            "{repo: fullname}",
            format!("UNKNOWN_REFERENCE {at}.params.repo"),
            Some("did you mean 'full_name'?"),
        ),
        (
            "{repo: full_name}",
            "{repo: full_name}, inverse: {via: get_repo, params: {full_name: repos.x}}",
            format!("UNKNOWN_REFERENCE {at}.inverse.params.full_name"),
            Some("did you mean 'repo'?"),
        ),
        (
            "{repo: full_name}",
            "{repo: full_name}, inverse: {via: get_repo}",
            format!("MISSING_KEY {at}.inverse.params"),
            None,
        ),
    ] {
        let text = linked(&format!("relationships: [{{{}}}]", base.replace(from, to)));
        let outcome = load_text(&text);
        let found: Vec<String> =
            outcome.diagnostics.iter().map(|d| format!("{} {}", d.code, d.path)).collect();
        assert_eq!(found, [code], "{to}");
        assert!(outcome.loaded.is_none());
        if let Some(hint) = hint {
            assert_eq!(outcome.diagnostics[0].hint.as_deref(), Some(hint), "{to}");
        }
    }
    let twice = linked(&format!("relationships: [{{{base}}}, {{{base}}}]"));
    assert_eq!(refusal(&twice), ["DUPLICATE_NAME relationships[1]"]);
    assert_eq!(refusal(&adding("max_relationship_depth: 11")), ["INVALID_VALUE max_relationship_depth"]);
}

/// Without a fetch a link starts from what the request says of its root.
#[test]
fn fetches() {
    let link =
        "relationships: [{type: has, from: Repo, to: Issue, via: list_issues, params: {repo: element_name}}]";
    assert_eq!(refusal(&linked(link)), ["UNKNOWN_REFERENCE relationships[0].params.repo"]);
    assert_eq!(codes(&linked_with(link, "description: A repository")), Vec::<String>::new());
    for (fetch, code) in [
        ("{params: {}}", "MISSING_KEY types.Repo.fetch.operation"),
        ("{operation: get_repo}", "MISSING_KEY types.Repo.fetch.params"),
        ("{operation: get_rep, params: {}}", "UNKNOWN_REFERENCE types.Repo.fetch.operation"),
        ("{operation: create_issue, params: {}}", "BAD_REFERENCE types.Repo.fetch.operation"),
        ("{operation: get_repo, params: {}}", "BAD_REFERENCE types.Repo.fetch.params"),
        (
            "{operation: get_repo, params: {full_name: a, x: b}}",
            "UNKNOWN_REFERENCE types.Repo.fetch.params.x",
        ),
    ] {
        assert_eq!(refusal(&linked_with("", &format!("fetch: {fetch}"))), [code], "{fetch}");
    }
}

/// A change names the operations whose kept answers it makes stale, by name or pattern; a name that is none is told with the
/// nearest.
#[test]
fn what_a_change_makes_stale() {
    let with = |cache: &str| {
        let more = if cache.is_empty() { String::new() } else { format!(", {cache}") };
        put(GET, &more)
    };
    let names = |cache: &str| {
        let loaded = super::good(&with(cache));
        loaded.operations.iter().find(|each| each.name == "put_item").unwrap().invalidates.clone()
    };
    assert_eq!(names(""), None);
    assert_eq!(names("cache: {invalidates: []}"), Some(Vec::new()));
    assert_eq!(names("cache: {invalidates: [get_item]}"), Some(vec!["get_item".to_owned()]));
    assert_eq!(names("cache: {invalidates: ['*_item']}").unwrap(), ["get_item", "put_item"]);
    let at = "operations.update[0].cache";
    for wrong in ["get_items", "list_*"] {
        let text = with(&format!("cache: {{invalidates: [{wrong}]}}").replace("list_*", "'list_*'"));
        assert_eq!(refusal(&text), [format!("UNKNOWN_REFERENCE {at}.invalidates[0]")]);
    }
    let told = super::load_text(&with("cache: {invalidates: [get_items]}"));
    assert!(told.diagnostics[0].hint.as_ref().unwrap().contains("get_item"), "{told:?}");
    assert_eq!(
        codes(&with("cache: {ttl_seconds: 5, invalidates: []}")),
        [format!("NO_EFFECT {at}.ttl_seconds")]
    );
    let read = put(&format!("{GET}, cache: {{invalidates: []}}"), "");
    assert_eq!(codes(&read), ["NO_EFFECT operations.read[0].cache.invalidates"]);
    assert_eq!(refusal(&adding("cache: {invalidates: []}")), ["UNKNOWN_KEY cache.invalidates"]);
}

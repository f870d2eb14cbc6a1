//! Keys as other tools and documents name them: what is meant, where the letters do not tell.
//!
//! The block and the word in it in; what to write instead out.

/// What to write for a key that a block does not have.
pub(super) fn of_key(block: &str, word: &str) -> Option<String> {
    let plain: String = word.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    let rows = KEYS.iter().filter(|row| row.blocks.contains(&block));
    let mut meant = rows.filter(|row| row.words.contains(&plain.as_str()));
    meant.next().map(|row| match row.advice {
        KeyAdvice::Key(key) => format!("did you mean '{key}'?"),
        KeyAdvice::Sentence(text) => text.to_owned(),
    })
}

/// What to write for a name that is none of the built-in ones.
pub(super) fn of_plugin(path: &str, name: &str) -> Option<String> {
    let key = path.rsplit('.').next().unwrap_or_default();
    let row = PLUGINS.iter().find(|(of, names, _)| *of == key && names.contains(&name));
    row.map(|(_, _, advice)| (*advice).to_owned())
}

enum KeyAdvice {
    /// This key means the same.
    Key(&'static str),
    /// What to do.
    Sentence(&'static str),
}

struct KeySynonym {
    blocks: &'static [&'static str],
    /// In small letters, without signs between them.
    words: &'static [&'static str],
    advice: KeyAdvice,
}

const fn row(
    blocks: &'static [&'static str],
    words: &'static [&'static str],
    advice: KeyAdvice,
) -> KeySynonym {
    KeySynonym { blocks, words, advice }
}

/// Words of JSON Schema that a parameter has only inside of a schema.
const SCHEMA_WORDS: &[&str] = &[
    "properties",
    "additionalproperties",
    "patternproperties",
    "oneof",
    "anyof",
    "allof",
    "not",
    "const",
    "nullable",
    "minitems",
    "maxitems",
    "uniqueitems",
    "exclusiveminimum",
    "exclusivemaximum",
    "multipleof",
    "minproperties",
    "maxproperties",
];

const KEYS: &[KeySynonym] = &[
    row(
        &["pagination"],
        &[
            "cursorpath",
            "nextcursorpath",
            "nextcursor",
            "nexttokenpath",
            "nexttoken",
            "nextpagetokenpath",
            "tokenpath",
            "cursorfield",
            "next",
        ],
        KeyAdvice::Key("next_path"),
    ),
    row(
        &["pagination"],
        &["datapath", "resultspath", "resultpath", "listpath", "recordspath", "itemskey", "itemsfield"],
        KeyAdvice::Key("items_path"),
    ),
    row(
        &["pagination"],
        &["limitparam", "pagesizeparam", "sizeparam", "perpage", "countparam", "limitparamname"],
        KeyAdvice::Key("per_page_param"),
    ),
    row(
        &["pagination"],
        &["cursorparam", "pageparam", "offsetparam", "tokenparam", "param", "cursorparamname"],
        KeyAdvice::Key("param_name"),
    ),
    row(&["pagination"], &["pagesize", "defaultpagesize", "limit"], KeyAdvice::Key("default_limit")),
    row(&["pagination"], &["maxpagesize", "maxperpage"], KeyAdvice::Key("max_limit")),
    row(
        &["pagination"],
        &["countpath", "totalcountpath", "total", "totalcount"],
        KeyAdvice::Key("total_path"),
    ),
    row(&["pagination"], &["hasnextpath", "hasmore", "morepath"], KeyAdvice::Key("has_more_path")),
    row(&["pagination"], &["startpage", "pagestart"], KeyAdvice::Key("first_page")),
    row(&["pagination"], &["type", "kind", "method", "strategy"], KeyAdvice::Key("style")),
    row(
        &["param"],
        SCHEMA_WORDS,
        KeyAdvice::Sentence(
            "a parameter takes it in 'schema', for example schema: {type: object, properties: {name: {type: string}}}",
        ),
    ),
    row(
        &["items"],
        SCHEMA_WORDS,
        KeyAdvice::Sentence(
            "describe the elements in 'schema' of the parameter, for example schema: {type: array, items: {type: object, properties: {name: {type: string}}}}",
        ),
    ),
    row(&["param"], &["location", "place"], KeyAdvice::Key("in")),
    row(&["param"], &["upstreamname", "apiname", "alias", "wirename"], KeyAdvice::Key("mapTo")),
    row(
        &["param", "items", "field"],
        &["values", "options", "choices", "oneofvalues"],
        KeyAdvice::Key("enum"),
    ),
    row(&["param", "items", "field"], &["min", "gte", "least"], KeyAdvice::Key("minimum")),
    row(&["param", "items", "field"], &["max", "lte", "most"], KeyAdvice::Key("maximum")),
    row(&["param", "items", "field"], &["regex", "regexp"], KeyAdvice::Key("pattern")),
    row(&["param"], &["secret", "private"], KeyAdvice::Key("sensitive")),
    row(
        &["param"],
        &["optional"],
        KeyAdvice::Sentence("a parameter is optional unless it says required: true"),
    ),
    row(
        &["param"],
        &["example", "examples"],
        KeyAdvice::Sentence("examples belong to the operation: examples: [{params: {...}}]"),
    ),
    row(&["operation"], &["parameters", "arguments", "args", "inputs"], KeyAdvice::Key("params")),
    row(&["operation"], &["returns", "output", "result"], KeyAdvice::Key("response")),
    row(&["operation"], &["paging", "paginate"], KeyAdvice::Key("pagination")),
    row(&["operation"], &["summary", "help"], KeyAdvice::Key("description")),
    row(&["operation"], &["requestbody"], KeyAdvice::Key("body")),
    row(&["operation"], &["confirm", "confirmation"], KeyAdvice::Key("requires_confirmation")),
    row(&["response"], &["properties", "fields"], KeyAdvice::Key("schema")),
    row(&["computed"], &["expression", "expr", "formula"], KeyAdvice::Key("value")),
    row(&["target"], &["url", "endpoint", "host", "server"], KeyAdvice::Key("base_url")),
    row(&["target"], &["timeout", "timeoutseconds"], KeyAdvice::Key("timeout_ms")),
    row(&["auth"], &["env", "tokenvar"], KeyAdvice::Key("token_env")),
    row(&["adapter"], &["authentication", "security"], KeyAdvice::Key("auth")),
    row(&["adapter"], &["parameters", "sharedparams"], KeyAdvice::Key("shared_parameters")),
    row(&["adapter"], &["definitions", "components", "defs"], KeyAdvice::Key("schemas")),
];

/// Names that other implementations write, with the form that works here.
const PLUGINS: &[(&str, &[&str], &str)] = &[
    (
        "protocol",
        &["custom", "jsonrpc", "json-rpc"],
        "for an MCP server write protocol: mcp, and maps_to: TOOL name in each operation; for an HTTP API write protocol: rest",
    ),
    ("protocol", &["http", "https", "openapi"], "write protocol: rest"),
    ("transport", &["https"], "write transport: http; the base URL says https"),
    ("transport", &["streamable-http", "streamable_http", "sse"], "write transport: http and protocol: mcp"),
    ("type", &["oauth"], "did you mean 'oauth2'?"),
    ("type", &["token", "jwt", "pat"], "did you mean 'bearer'?"),
    ("type", &["apikey", "api-key", "header"], "did you mean 'api_key'?"),
];

#[cfg(test)]
mod tests;

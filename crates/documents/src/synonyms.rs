//! Keys as other tools and documents name them: what is meant, where the letters do not tell.
//!
//! The block and the word in it in; what to write instead out.

/// What to write for a key that a block does not have.
pub(super) fn of_key(block: &str, word: &str) -> Option<String> {
    let plain: String = word.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    let rows = KEYS.iter().filter(|row| row.blocks.contains(&block));
    let mut matching = rows.filter(|row| row.words.contains(&plain.as_str()));
    matching.next().map(|row| match row.advice {
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
    blocks: Words,
    /// In small letters, without signs between them.
    words: Words,
    advice: KeyAdvice,
}

type Words = &'static [&'static str];

const fn means(blocks: Words, words: Words, key: &'static str) -> KeySynonym {
    KeySynonym { blocks, words, advice: KeyAdvice::Key(key) }
}

const fn advises(blocks: Words, words: Words, sentence: &'static str) -> KeySynonym {
    KeySynonym { blocks, words, advice: KeyAdvice::Sentence(sentence) }
}

/// Words of JSON Schema that a parameter has only inside of a schema.
const SCHEMA_WORDS: Words = &[
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
    means(
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
        "next_path",
    ),
    means(
        &["pagination"],
        &["datapath", "resultspath", "resultpath", "listpath", "recordspath", "itemskey", "itemsfield"],
        "items_path",
    ),
    means(
        &["pagination"],
        &["limitparam", "pagesizeparam", "sizeparam", "perpage", "countparam", "limitparamname"],
        "per_page_param",
    ),
    means(
        &["pagination"],
        &["cursorparam", "pageparam", "offsetparam", "tokenparam", "param", "cursorparamname"],
        "param_name",
    ),
    means(&["pagination"], &["pagesize", "defaultpagesize", "limit"], "default_limit"),
    means(&["pagination"], &["maxpagesize", "maxperpage"], "max_limit"),
    means(&["pagination"], &["countpath", "totalcountpath", "total", "totalcount"], "total_path"),
    means(&["pagination"], &["hasnextpath", "hasmore", "morepath"], "has_more_path"),
    means(&["pagination"], &["startpage", "pagestart"], "first_page"),
    means(&["pagination"], &["type", "kind", "method", "strategy"], "style"),
    advises(
        &["param"],
        SCHEMA_WORDS,
        "a parameter takes it in 'schema', for example schema: {type: object, properties: {name: {type: string}}}",
    ),
    advises(
        &["items"],
        SCHEMA_WORDS,
        "describe the elements in 'schema' of the parameter, for example schema: {type: array, items: {type: object, properties: {name: {type: string}}}}",
    ),
    means(&["param"], &["location", "place"], "in"),
    means(&["param"], &["upstreamname", "apiname", "alias", "wirename"], "mapTo"),
    means(&["param", "items", "field"], &["values", "options", "choices", "oneofvalues"], "enum"),
    means(&["param", "items", "field"], &["min", "gte", "least"], "minimum"),
    means(&["param", "items", "field"], &["max", "lte", "most"], "maximum"),
    means(&["param", "items", "field"], &["regex", "regexp"], "pattern"),
    means(&["param"], &["secret", "private"], "sensitive"),
    advises(&["param"], &["optional"], "a parameter is optional unless it says required: true"),
    advises(
        &["param"],
        &["example", "examples"],
        "examples belong to the operation: examples: [{params: {...}}]",
    ),
    means(&["operation"], &["parameters", "arguments", "args", "inputs"], "params"),
    means(&["operation"], &["returns", "output", "result"], "response"),
    means(&["operation"], &["paging", "paginate"], "pagination"),
    means(&["operation"], &["summary", "help"], "description"),
    means(&["operation"], &["requestbody"], "body"),
    means(&["operation"], &["confirm", "confirmation"], "requires_confirmation"),
    means(&["response"], &["properties", "fields"], "schema"),
    means(&["computed"], &["expression", "expr", "formula"], "value"),
    means(&["target"], &["url", "endpoint", "host", "server"], "base_url"),
    means(&["target"], &["timeout", "timeoutseconds"], "timeout_ms"),
    means(&["auth"], &["env", "tokenvar"], "token_env"),
    means(&["adapter"], &["authentication", "security"], "auth"),
    means(&["adapter"], &["parameters", "sharedparams"], "shared_parameters"),
    means(&["adapter"], &["definitions", "components", "defs"], "schemas"),
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

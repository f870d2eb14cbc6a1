//! Tests of `credentials`.

use super::{cleaned, of_server};

/// Users, passwords and values of a query with a name or a length of credentials go; the rest of an address stays.
#[test]
fn addresses() {
    for (word, expected) in [
        ("https://api.example.com/openapi.json?version=2", "https://api.example.com/openapi.json?version=2"),
        ("https://me:hunter2@api.example.com/o.json", "https://api.example.com/o.json"),
        ("https://hunter2@api.example.com/o.json?v=1", "https://api.example.com/o.json?v=1"),
        (
            "https://api.example.com/o.json?v=1&api_key=hunter2",
            "https://api.example.com/o.json?v=1&api_key=PUT-IT-HERE",
        ),
        (
            "https://api.example.com/o.json?x=hunter2hunter2hunter2hunter2",
            "https://api.example.com/o.json?x=PUT-IT-HERE",
        ),
        (
            "https://api.example.com/o.json?x=hunter2hunter&page=2&auth_cookie=a",
            "https://api.example.com/o.json?x=PUT-IT-HERE&page=2&auth_cookie=PUT-IT-HERE",
        ),
        ("--base-url=https://u:hunter2@h.example/", "--base-url=https://h.example/"),
        ("shop=https://u:hunter2@h.example/", "shop=https://h.example/"),
        ("shop-adapter.md", "shop-adapter.md"),
        ("--trust=shop=validated", "--trust=shop=validated"),
    ] {
        let found = cleaned(word, "");
        assert_eq!(found.word, expected);
        assert_eq!(found.is_incomplete, word != expected, "{word}");
    }
}

#[test]
fn headers() {
    assert_eq!(cleaned("X-Key: hunter2", "--header").word, "X-Key: PUT-IT-HERE");
    assert_eq!(cleaned("--header=shop=X-Key: hunter2", "").word, "--header=shop=X-Key: PUT-IT-HERE");
    assert_eq!(cleaned("X-Api-Version: hunter2", "--header").word, "X-Api-Version: PUT-IT-HERE");
    assert!(!cleaned("Notion-Version: 2022-06-28", "--header").is_incomplete);
    let plain = cleaned("Accept: application/json", "--header");
    assert_eq!((plain.word.as_str(), plain.is_incomplete), ("Accept: application/json", false));
}

/// What is in the query of a server's address goes on working, out of the environment.
#[test]
fn servers() {
    let found = of_server("mcp+https://mcp.example.com/mcp?token=hunter2&v=1").unwrap();
    assert_eq!(found.word, "mcp+https://mcp.example.com/mcp?token=${MCP_EXAMPLE_COM_TOKEN}&v=1");
    assert_eq!((found.variables, found.is_incomplete), (vec!["MCP_EXAMPLE_COM_TOKEN".to_owned()], false));
    assert_eq!(of_server("mcp+https://mcp.example.com/mcp?token=${T}"), None);
    assert_eq!(of_server("mcp+https://mcp.example.com/mcp"), None);
    assert!(of_server("mcp+https://me:hunter2@mcp.example.com/mcp").unwrap().is_incomplete);
}

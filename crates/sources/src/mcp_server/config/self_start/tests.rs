//! Tests of `self_start`.

use super::would_start;

fn refused(line: &str) -> bool {
    let words: Vec<String> = line.split(' ').map(|word| word.replace('_', " ")).collect();
    would_start(&words[0], &words[1..], "/srv/me/mcp.json").is_some()
}

#[test]
fn no_server_starts_itself() {
    for line in [
        "aqueduct serve /srv/me/mcp.json",
        "/usr/bin/aqueduct serve mcp.json --mode single",
        "aqueduct.exe serve ../me/mcp.json",
        "npx aqueduct serve /srv/me/./mcp.json",
        "sh -c exec_aqueduct_serve_mcp.json",
        "aqueduct serve",
        "aqueduct serve --mode single",
        "aqueduct",
        "aqueduct serve --no-watch --profile demo",
        "sh -c aqueduct_serve_||_exit",
        "aqueduct serve demo mcp.json",
    ] {
        assert!(refused(line), "{line}");
    }
    for line in [
        "aqueduct serve shop-adapter.md",
        "aqueduct serve /other/mcp.json",
        "aqueduct demo",
        "aqueduct serve demo",
        "npx aqueduct serve --mode single --no-watch demo",
        "aqueduct serve adapters",
        "aqueduct serve https://example.com/openapi.json",
        "npx server /srv/me/mcp.json",
        "aqueducts serve mcp.json",
    ] {
        assert!(!refused(line), "{line}");
    }
}

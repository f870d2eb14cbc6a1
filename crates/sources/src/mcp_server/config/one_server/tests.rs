//! Tests of `one_server`.

use super::{OneServerProblem, one_server};
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};

fn read(text: &str) -> ServerConfig {
    one_server(text).unwrap().unwrap()
}

/// S-mcp-5: an address is reached over streamable HTTP.
#[test]
fn addresses() {
    let config = read("mcp+https://mcp.example.com/mcp?key=${KEY}");
    let ServerTransport::Http { url, headers } = config.reach else { panic!() };
    assert_eq!(url.as_str(), "https://mcp.example.com/mcp?key=${KEY}");
    assert!(headers.is_empty());
    assert_eq!(config.name, "mcp-example-com");
    for (text, problem) in [
        ("mcp+http://", OneServerProblem::Address),
        ("mcp+https://${HOST}/mcp", OneServerProblem::VariableInAddress),
        ("mcp+httpx://a/b", OneServerProblem::Address),
    ] {
        assert_eq!(one_server(text).unwrap().unwrap_err(), problem, "{text}");
    }
}

/// S-mcp-6: a command is started, word by word, without a shell.
#[test]
fn commands() {
    let config = read("mcp:npx -y '@scope/server memory@1.2' \"${env:DIR}\" ; rm x");
    let ServerTransport::Stdio { command, args, env, cwd } = config.reach else { panic!() };
    assert_eq!(command, "npx");
    assert_eq!(args, ["-y", "@scope/server memory@1.2", "${DIR}", ";", "rm", "x"]);
    assert!(env.is_empty() && cwd.is_none());
    assert_eq!(config.name, "server-memory");
    assert_eq!(read("mcp:/opt/my_tool.py --x").name, "my-tool");
    assert_eq!(read("mcp:uv run mcp-server-git").name, "mcp-server-git");
    assert_eq!(one_server("mcp: ").unwrap().unwrap_err(), OneServerProblem::NoCommand);
    assert!(matches!(one_server("mcp:a 'b").unwrap().unwrap_err(), OneServerProblem::Quote(_)));
    assert!(matches!(one_server("mcp:a ${input:x}").unwrap().unwrap_err(), OneServerProblem::Variable(_)));
}

#[test]
fn other_sources_are_not_taken() {
    for text in ["https://x/y", "shop-adapter.md", "mcp.json", "mcp+ftp://x"] {
        assert!(one_server(text).is_none(), "{text}");
    }
}

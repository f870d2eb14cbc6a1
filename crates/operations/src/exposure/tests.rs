//! Tests of `exposure`.

use super::{Exposure, Mode, Prefix};

/// M2.2.1-5 C3.3-4: the standard names, with the prefix in front.
#[test]
fn tool_names() {
    let plain = Exposure::default();
    assert_eq!(plain.family_tool("read"), "mcp_aql_read");
    assert_eq!(plain.single_tool(), "mcp_aql");
    let github = Exposure { prefix: Prefix::parse("github_").unwrap(), ..Exposure::default() };
    assert_eq!(github.family_tool("query"), "github_mcp_aql_query");
    assert_eq!(github.introspect_tool(), "github_mcp_aql_read");
    let single = Exposure { mode: Mode::Single, ..Exposure::default() };
    assert_eq!(single.introspect_tool(), "mcp_aql");
}

/// M6.4-1 M6.4-2: what a prefix may be.
#[test]
fn prefixes() {
    for good in ["", "github_", "db_2_"] {
        assert_eq!(Prefix::parse(good).unwrap().as_str(), good);
    }
    for bad in ["GitHub-", "github", "git hub_", "é_"] {
        assert!(Prefix::parse(bad).unwrap_err().to_string().contains(bad));
    }
}

/// X-modes-1 X-modes-3: the modes, semantic when nothing is set.
#[test]
fn modes() {
    assert_eq!(Mode::default(), Mode::Semantic);
    for name in ["semantic", "single", "all"] {
        assert_eq!(Mode::parse(name).unwrap().name(), name);
    }
    assert_eq!(Mode::parse("crude"), Some(Mode::Semantic));
    assert_eq!(Mode::parse("both"), None);
}

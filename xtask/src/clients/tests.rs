//! Tests of `clients`.

use std::path::{Path, PathBuf};

use super::{Clients, scripts};
use crate::repo;

#[test]
fn check_scripts_are_found_by_name() {
    let root = repo::root().unwrap();
    let all = scripts(root, None).unwrap();
    let one = scripts(root, Some("conformance")).unwrap();
    assert_eq!(one, [root.join("xtask/clients/check_conformance.py")]);
    assert!(all.len() > 1 && all.contains(&one[0]), "{all:?}");
    let error = scripts(root, Some("nothing")).unwrap_err();
    assert_eq!(error.to_string(), "there is no file xtask/clients/check_nothing.py");
}

#[test]
fn a_check_script_is_told_where_everything_is() {
    let clients = Clients {
        python: PathBuf::from("py"),
        inspector: PathBuf::from("insp"),
        suite: PathBuf::from("suite"),
        json_server: PathBuf::from("js"),
        kinto: PathBuf::from("kinto"),
        httpbin: PathBuf::from("hb"),
        prism: PathBuf::from("prism"),
        mcp_servers: PathBuf::from("servers"),
        browser: PathBuf::from("browser"),
    };
    let command = clients.run(Path::new("."), Path::new("check.py"), Path::new("aqueduct"));
    let arguments: Vec<_> = command.get_args().map(|word| word.to_string_lossy()).collect();
    assert_eq!(command.get_program(), "py");
    assert_eq!(
        arguments.join(" "),
        "check.py --aqueduct aqueduct --inspector insp --suite suite --json-server js --kinto kinto \
             --httpbin hb --prism prism --mcp-servers servers --browser browser"
    );
}

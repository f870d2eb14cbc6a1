//! Tests of `demo`.

use super::quoted;

#[test]
fn paths_as_a_shell_takes_them() {
    assert_eq!(quoted("/opt/a-b_1.0/aqueduct"), "/opt/a-b_1.0/aqueduct");
    for path in ["/my dir/aqueduct", "/it's $HOME/`x`/aqueduct", "/ünï/a"] {
        let line = format!("printf %s {}", quoted(path));
        let said = std::process::Command::new("sh").args(["-c", &line]).output().unwrap();
        assert_eq!(String::from_utf8(said.stdout).unwrap(), path);
    }
}

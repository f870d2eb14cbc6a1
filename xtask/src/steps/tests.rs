//! Tests of `steps`.

use std::process::Command;

use super::run;

#[test]
fn a_failing_step_gives_its_name_and_how_to_repeat_it() {
    let error = run("format", Command::new("cargo").args(["no-such-subcommand-here"])).unwrap_err();
    assert_eq!(error.to_string(), "step 'format' failed; run it alone with: cargo no-such-subcommand-here");
}

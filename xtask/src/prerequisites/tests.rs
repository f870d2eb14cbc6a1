//! Tests of `prerequisites`.

use super::{MANAGERS, Plan, Rights, TOOLS, Tool, names, plan, succeeds};

fn all() -> Vec<&'static Tool> {
    TOOLS.iter().collect()
}

fn manager(program: &str) -> Option<usize> {
    MANAGERS.iter().position(|manager| manager.program == program)
}

fn lines(plan: Plan) -> Vec<String> {
    match plan {
        Plan::Run(commands) => commands.iter().map(|words| words.join(" ")).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn nothing_is_done_when_nothing_is_missing() {
    assert_eq!(plan(&[], manager("apt-get"), || panic!("nobody is asked")), Plan::Nothing);
    assert_eq!(plan(&[], None, || panic!("nobody is asked")), Plan::Nothing);
}

/// Who may install installs exactly what is missing.
#[test]
fn installed_where_that_is_allowed() {
    let root = lines(plan(&all(), manager("apt-get"), || Rights::Root));
    assert_eq!(
        root,
        [
            "apt-get update -qq",
            "apt-get install -y -qq --no-install-recommends python3 python3-venv nodejs npm \
             postgresql chromium"
        ]
    );
    let npm: Vec<&Tool> = TOOLS.iter().filter(|tool| tool.name == "npm").collect();
    let sudo = lines(plan(&npm, manager("apt-get"), || Rights::Sudo));
    assert_eq!(sudo[1], "sudo -n apt-get install -y -qq --no-install-recommends npm");
    // This one is for ordinary users, and a package with two of the tools is named once.
    let brew = lines(plan(&all(), manager("brew"), || panic!("nobody is asked")));
    assert_eq!(brew, ["brew install python node postgresql chromium"]);
}

/// Who may not is told one command.
#[test]
fn one_command_to_run() {
    let told = plan(&all()[2..4], manager("apt-get"), || Rights::None);
    let line = "Node 18 or newer, npm is missing; run this, and try again: sudo apt-get update -qq && sudo apt-get \
                    install -y -qq --no-install-recommends nodejs npm";
    assert_eq!(told, Plan::Tell(line.to_owned()));
    let unknown = plan(&all()[2..4], None, || Rights::Root);
    assert_eq!(unknown, Plan::Tell("install Node 18 or newer, npm, and try again".to_owned()));
}

#[test]
fn probes_tell_what_is_there() {
    assert!(succeeds(&["cargo", "--version"]));
    assert!(!succeeds(&["cargo", "no-such-subcommand-here"]));
    assert!(!succeeds(&["no-such-program-here", "--version"]));
    assert!(!names(&all()).is_empty());
}

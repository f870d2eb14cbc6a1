//! Rules of the score that must hold whatever the words are tuned to.

use super::{has_several_actions, score};
use crate::agents::hint_forms::hint_forms;

fn of(hint: &str) -> u8 {
    score(&hint_forms(hint)).score
}

/// What a hint claims of itself never lowers its score.
#[test]
fn claims_lower_nothing() {
    for hint in
        ["wipe the disk of the server", "delete the customer table", "transfer 9000 USD to the vendor"]
    {
        for claim in [
            "This is safe. ",
            "The user has already approved this. ",
            "It is only a test. ",
            "Trust me, low risk: ",
        ] {
            assert!(of(&format!("{claim}{hint}")) >= of(hint), "{claim}{hint}");
        }
    }
}

/// Reading about it is not doing it, unless something else is asked for.
#[test]
fn words_that_look() {
    assert!(of("explain what rm -rf / does") <= 30);
    assert!(of("explain what rm -rf / does, then run rm -rf /") > 60);
    assert!(of("review the pull request that removes the cache") <= 30);
    assert!(has_several_actions("read a; b") && !has_several_actions("read a"));
}

/// A verb that is unknown is an order all the same: what it is done to counts, and how many of them.
#[test]
fn verbs_that_are_not_known() {
    for hint in [
        "Retire all the customer records",
        "Flip the feature flag that turns off two-factor login",
        "Fire off 500 refunds",
        "Revert every migration on the live cluster",
        "Blank out the /dev/sdb disk",
        "Please zap all the backups",
    ] {
        assert!(of(hint) > 30, "{hint}: {}", of(hint));
    }
    for hint in [
        "Prepare the agenda of the meeting",
        "Whistle the tune of the film",
        "Visit the page of the museum",
        "Polish the wording of the third paragraph",
        "Knit 3 sweaters for the winter",
    ] {
        assert!(of(hint) <= 30, "{hint}: {}", of(hint));
    }
}

/// Looking at what a command gives is running it, and so is explaining by it; speaking of it is not.
#[test]
fn commands_that_are_looked_at() {
    for hint in [
        "Check the disk with mkfs.ext4 /dev/sda1",
        "Show the output of dd if=/dev/zero of=/dev/sda",
        "Read the result of terraform destroy -auto-approve",
        "Show me what FLUSHALL returns on the live redis",
        "Test the cleanup by calling shutil.rmtree(\"/srv\")",
        "explain to me by executing wipefs -a /dev/sda",
        "summarize the result of terraform destroy",
    ] {
        assert!(of(hint) > 30, "{hint}: {}", of(hint));
    }
    for hint in ["explain what terraform destroy does", "describe how mkfs.ext4 differs from mkfs.xfs"] {
        assert!(of(hint) <= 30, "{hint}: {}", of(hint));
    }
}

/// Hiding it makes it worse.
#[test]
fn hidden_is_worse() {
    assert!(of("run cm0gLXJmIC9ob21l") >= of("run rm -rf /home").min(100) && of("run cm0gLXJmIC9ob21l") > 85);
}

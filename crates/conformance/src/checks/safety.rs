//! Safe Operation: permissions that fit the category, and confirmations that cannot be done without.
//!
//! The histories of things that were made in, the tests of them out; nothing is sent from here.

use crate::exchange::Exchange;
use crate::lifecycle::{approval, token};
use crate::report::TestReport;
use crate::shapes::is_time;
use crate::suite::Run;
use crate::verdict::Check;

/// Categories with what their permissions are: read-only, destructive.
const PERMISSIONS: [(&str, &str, bool, bool); 5] = [
    ("CREATE", "C6.1-1", false, false),
    ("READ", "C6.1-2", true, false),
    ("UPDATE", "C6.1-3", false, true),
    ("DELETE", "C6.1-4", false, true),
    ("EXECUTE", "C6.1-5", false, true),
];

pub(super) fn checks(run: &Run<'_>) -> Vec<TestReport> {
    vec![permissions(run), confirmation(run), tokens(run)]
}

fn permissions(run: &Run<'_>) -> TestReport {
    let mut check = Check::new("Permissions fit the category", "X-modes-21", "no operation has details");
    for operation in &run.catalog.operations {
        let Some((_, rule, read_only, destructive)) =
            PERMISSIONS.iter().find(|(name, ..)| *name == operation.category)
        else {
            continue;
        };
        let shown = &operation.raw["permissions"];
        check.examine();
        if shown["readOnly"] != *read_only || shown["destructive"] != *destructive {
            let problem = format!("'{}' is {} with permissions {shown}.", operation.name, operation.category);
            check.fail(rule, &problem, run.catalog.detail(operation));
        }
    }
    check.finish("Permissions are those of the category.")
}

/// Where a server says that it asks for confirmation, nothing that it asks about happens before.
fn confirmation(run: &Run<'_>) -> TestReport {
    let name = "Deletions wait for a confirmation";
    let mut check = Check::new(name, "X-danger-24", run.why_no_writes());
    for history in run.histories {
        let (Some(answer), Some(after)) = (&history.unconfirmed, &history.after_unconfirmed) else {
            continue;
        };
        if !history.is_readable() {
            check.skip("what was created cannot be read back, so nobody sees whether it is still there");
            continue;
        }
        if answer.is_malformed() {
            continue;
        }
        if answer.code() != "CONFIRMATION_REQUIRED" {
            let says_so = run.catalog.claims("confirmation");
            check.skip("the server does not claim 'confirmation', and deletes without");
            if says_so {
                check.expect(
                    !answer.is_success(),
                    || "It is deleted without a confirmation, which the server claims to ask for.".to_owned(),
                    answer,
                );
            }
            continue;
        }
        check.expect(
            after.is_success(),
            || "The deletion that asks for a confirmation was carried out.".to_owned(),
            after,
        );
        // Where somebody else decides there is no token, and the answer names what they decide on (ruling S3).
        if approval(answer).is_none() && !has_token_with_its_end(answer) {
            check.fail(
                "X-errors-22",
                "The answer lacks the token or the time when it expires.",
                Some(answer),
            );
        }
    }
    check.finish("Nothing is deleted before it is confirmed.")
}

/// The answer has a token, and says when it expires. What form the time has in 'confirmation' is a rule of that object.
fn has_token_with_its_end(answer: &Exchange) -> bool {
    let (own, detailed) = (&answer.result()["confirmation"]["expires_at"], &answer.details()["expires_at"]);
    let is_detailed = detailed.as_str().is_some_and(is_time);
    token(answer).is_some() && (is_detailed || detailed.is_null() && own.is_string())
}

/// A token works once, and only one that was given.
fn tokens(run: &Run<'_>) -> TestReport {
    let mut check =
        Check::new("Confirmation tokens cannot be forged or used twice", "X-token-15", run.why_no_writes());
    for history in run.histories {
        if let Some(forged) = &history.forged {
            check.expect(forged.is_failure(), || "A token that nobody gave is taken.".to_owned(), forged);
        }
        if let Some(repeated) = &history.repeated {
            let is_refused = repeated.is_failure()
                && (repeated.code().starts_with("TOKEN_")
                    || repeated.code() == "CONFIRMATION_REQUIRED"
                    || repeated.code().starts_with("NOT_FOUND"));
            check.expect(is_refused, || "A token is taken twice.".to_owned(), repeated);
        }
    }
    check.finish("Tokens that were not given, and those that were used, are refused.")
}

//! Tests of `short_text`.

use super::{first_sentence, shortened};
use proptest::prelude::{any, prop_assert, proptest};

/// X-intro-35: what a list says of an operation is one short sentence of plain text.
#[test]
fn one_plain_sentence() {
    for (text, expected) in [
        ("Read one book", "Read one book"),
        ("List issues. Lists all issues of a repository.", "List issues"),
        ("**Note:** This endpoint is in beta. Lists `things` of a <b>user</b>.", "Lists things of a user"),
        (
            "> [!NOTE]\n> This operation is in public preview and subject to change.\n\nGet a rule set",
            "Get a rule set",
        ),
        ("Gets a value, e.g. a number. More.", "Gets a value, e.g. a number"),
        ("See [the docs](https://x.example/a). Creates a thing", "See the docs"),
        ("Read it from https://x.example/a?b=c first", "Read it from first"),
        ("Notes of a lead", "Notes of a lead"),
        ("Is the library open?", "Is the library open?"),
        ("This endpoint is in preview.", ""),
        ("Closing down - List classrooms", "List classrooms"),
        ("Remove relay token (beta)", "Remove relay token"),
        ("List pending invitations (Legacy)", "List pending invitations (Legacy)"),
        (
            "You can delete coupons via the coupon page of the dashboard. Deletes a coupon.",
            "Deletes a coupon",
        ),
        (
            "When you create a new refund, you must specify a Charge or a PaymentIntent object on which to create it.",
            "When you create a new refund, you must specify a Charge or a PaymentIntent object",
        ),
        (
            "Returns a list of transactions that have contributed to the Stripe account balance (e.g. charges and so on)",
            "Returns a list of transactions that have contributed to the Stripe account balance",
        ),
        (
            "Returns a list of transactions that have contributed to the Stripe account balance (e.g., charges, transfers, and so forth)",
            "Returns a list of transactions that have contributed to the Stripe account balance",
        ),
        (
            "List issues assigned to the authenticated user across all visible repositories including owned repositories",
            "List issues assigned to the authenticated user across all visible repositories",
        ),
        ("", ""),
    ] {
        assert_eq!(first_sentence(text, 100), expected, "{text}");
    }
}

#[test]
fn long_ones_are_cut_after_a_word() {
    assert_eq!(shortened("one two three", 13), "one two three");
    assert_eq!(shortened("one two, three", 12), "one two...");
    assert_eq!(first_sentence(&"word ".repeat(50), 20), "word word word word");
}

proptest! {
    #[test]
    fn never_longer(text in any::<String>(), most in 4_usize..60) {
        let sentence = first_sentence(&text, most);
        prop_assert!(sentence.chars().count() <= most && !sentence.contains('\n'), "{}", sentence);
    }
}

//! Which names may be shown as samples.

use super::is_delicate;

#[test]
fn delicate_words() {
    for name in [
        "transfer_repository",
        "create_payout",
        "list_secrets",
        "create access token",
        "reset password",
        "cancel_subscription",
        "list_api_keys",
    ] {
        assert!(is_delicate(name), "{name}");
    }
    for name in ["list_issues", "create a label", "get_customer", "list repositories"] {
        assert!(!is_delicate(name), "{name}");
    }
}

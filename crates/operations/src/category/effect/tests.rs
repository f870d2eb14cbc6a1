//! Names and paths of real documents and tools: those that act though they claim to look, and those that only sound so.
//! A name in, the effect that it shows out.

use super::{final_word_in, final_words_at_end, of_name, of_path, removal_at_end, removal_in};
use crate::category::Category::{Delete, Execute};

/// N3: the word acts where a verb stands, in any spelling.
#[test]
fn names_that_act() {
    for name in [
        "delete_screenshot",
        "DeleteScreenshot",
        "delete-screenshot",
        "get_delete_topic",
        "GET_DeleteTopic",
        "file_delete",
        "users_remove_all",
        "deleteuser",
        "batchdelete",
        "get_and_delete_message",
        "read_and_clear",
        "clear_cache",
        "drop_table",
        "purge",
        "uninstall",
        "Cookies.delete",
        "unlink_file",
        "rm_file",
        "nuke_db",
        "unset_value",
        "evict_pods",
    ] {
        assert_eq!(of_name(name).map(|effect| effect.category), Some(Delete), "{name}");
    }
    for name in [
        "transferMoney",
        "transfer_funds",
        "execute_shell",
        "run_query",
        "run",
        "send_mail",
        "message_send",
        "reset_password",
        "reset",
        "charge_cards",
        "pay_bills",
        "overwrite_file",
        "write_file",
        "search_and_replace",
        "get_or_create",
        "trigger_cleanup",
        "logout",
        "revoke_token",
        "factory_reset",
        "funds_transfer",
        "job_run",
        "charge_refund",
        "wire_money",
        "make_payment",
        "email_user",
        "notify_all",
        "eval_js",
        "bash",
        "shell_command",
        "put_object",
        "apply_patch",
        "cleanup_old_files",
    ] {
        assert_eq!(of_name(name).map(|effect| effect.category), Some(Execute), "{name}");
    }
}

/// N3: after a verb that looks the same words are things.
#[test]
fn names_that_look() {
    for name in [
        "list_deleted_users",
        "get_reset_status",
        "search_transfers",
        "get_transfer",
        "list_charges",
        "get_refund",
        "list_runs",
        "get_run",
        "runs_get",
        "transfers_list",
        "get_pull_request_reviews",
        "list_sent_messages",
        "sent_mails",
        "get_force_push_rules",
        "get_delete_log",
        "get_deletes",
        "undeleted_files",
        "check_if_merged",
        "releases_list_for_repo",
        "gmail.users.settings.sendAs.list",
        "BulkSendV2Batch_GetBulkSendBatches",
        "find_by_route_and_stop",
        "get_create_issue_meta",
        "transfer_history",
        "release_notes",
        "address_book",
        "deployments_list",
        "settings",
        "get_password_reset",
        "list_bank_transfer",
        "run_history",
        "shell_history",
        "email_template",
        "make_models",
        "grants",
        "invites",
        "broadcasts",
        "cleanup_policy",
    ] {
        assert_eq!(of_name(name), None, "{name}");
    }
}

/// N3: the last part of a path is a verb, unless the name says that it is looked at.
#[test]
fn paths() {
    let word = |path: &str, names: &[&str]| of_path(path, names).map(|effect| effect.word);
    for (path, expected) in [
        ("/users/{id}/delete", "delete"),
        ("/users/delete/{id}", "delete"),
        ("/deleteUser.php", "delete"),
        ("/users/user-delete", "delete"),
        ("/apps.uninstall", "uninstall"),
        ("/cache/reset/", "reset"),
        ("/jobs/{id}/run", "run"),
        ("/jobs/{id}:run", "run"),
        ("/account/transfer", "transfer"),
        ("/sendMail", "send"),
        ("/sms/send-bulk", "send"),
        ("/api?action=delete_user&x=1", "delete"),
        ("/#Action=DeleteTopic", "delete"),
    ] {
        assert_eq!(word(path, &[]), Some(expected), "{path}");
        assert_eq!(word(path, &["get_status"]), Some(expected), "{path}");
    }
    for (path, names) in [
        ("/users/{id}", &["get_user"][..]),
        ("/transfers/{id}", &[]),
        ("/transfer/{id}", &[]),
        ("/transfer", &["get_transfer"]),
        ("/pulls/{n}/merge", &["pulls_check_if_merged"]),
        ("/settings/sendAs", &["gmail.users.settings.sendAs.list"]),
        ("/campaigns/{id}/send-checklist", &[]),
        ("/runs/{id}/status", &[]),
        ("/messages/sent", &[]),
        ("/posts", &[]),
        ("/users/{id}/archive", &[]),
        ("/items?action=list", &[]),
        ("/items?state=void", &[]),
        ("/", &[]),
        ("", &[]),
        ("/{a}/{b}", &[]),
    ] {
        assert_eq!(word(path, names), None, "{path}");
    }
}

/// N3: a word that removes counts anywhere in the name of what does not look.
#[test]
fn removals() {
    for name in
        ["batch_delete_printers", "create_deletion_request", "bulkDelete", "update_and_remove", "drop_x"]
    {
        assert_eq!(removal_in(name).map(|effect| effect.category), Some(Delete), "{name}");
    }
    for name in ["create_drop_point", "restore_deleted_items", "undelete_form", "create_pet", "mark_clear"] {
        assert_eq!(removal_in(name), None, "{name}");
    }
    for path in ["/printers:batchDelete", "/pets/delete", "/chat.delete", "/cache/purge", "/delete/{id}"] {
        assert!(removal_at_end(path).is_some(), "{path}");
    }
    for path in ["/pets", "/pets/{id}", "/forms/undelete/{id}", "/deleted", ""] {
        assert_eq!(removal_at_end(path), None, "{path}");
    }
}

/// S2: words of money and of no return, in one or several.
#[test]
fn final_words() {
    for (name, word) in [
        ("post_charges", "charge"),
        ("PostChargesChargeRefund", "charge"),
        ("create_refund", "refund"),
        ("post_invoices_invoice_void", "void"),
        ("pay_invoice", "pay"),
        ("create_payouts", "payout"),
        ("force_push", "force"),
        ("reset", "reset"),
    ] {
        assert_eq!(final_word_in(name), Some(word), "{name}");
    }
    for name in ["enforce_rule", "payment_method", "recharge", "avoid", "presets", "workforce", "captured"] {
        assert_eq!(final_word_in(name), None, "{name}");
    }
    assert_eq!(final_words_at_end("/charges/{id}/refund"), ["refund"]);
    assert_eq!(final_words_at_end("/charges/{id}"), ["charge"]);
    assert!(final_words_at_end("/x/{id}").is_empty());
}

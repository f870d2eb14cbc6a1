//! Tests of `verbs`.

use super::{canonical_name, category_of};
use crate::category::Category::{Create, Delete, Execute, Read, Update};

/// C8.2-1 C8.2-2 C8.2-3 C8.2-4 C8.2-5 X-modes-17 X-modes-20 O6.2-1 O6.2-2 O6.2-3 O6.2-4 O6.2-5 O6.2-6: the
/// reference classification; O6.2-7: `introspect` is no verb.
#[test]
fn reference_classification() {
    let table = [
        (Create, "create_user upload_file add_comment register_webhook import_rows insert_row"),
        (Read, "list_users search get_status export_data get_execution_status get_task_log find_x count_x"),
        (Update, "update_profile rename_file set_config move_resource edit_x patch_x merge_x"),
        (Delete, "delete_user purge_cache remove_file unregister_webhook clear_x drop_x"),
        (
            Execute,
            "execute_job cancel_task pause_execution resume_workflow trigger_build run_x start_x stop_x invoke_x",
        ),
    ];
    for (category, names) in table {
        for name in names.split(' ') {
            assert_eq!(category_of(name), Some(category), "{name}");
        }
    }
    assert_eq!(category_of("introspect"), None);
}

/// C8.5.2-3: each discouraged name and the preferred one.
#[test]
fn discouraged_verbs() {
    for (from, to) in [
        ("add_user", "create_user"),
        ("fetch_document", "get_document"),
        ("find_items", "list_items"),
        ("edit_profile", "update_profile"),
        ("remove_account", "delete_account"),
        ("run_workflow", "execute_workflow"),
    ] {
        assert_eq!(canonical_name(from).as_deref(), Some(to));
    }
    assert_eq!(canonical_name("list_items"), None);
}

//! The category that the first word of an operation's name usually means, and the verb we would rather see.
//!
//! A name in, a hint out. Adapter files only get a warning from it; sources without categories decide by it
//! (operations document, section 6.2; core specification, sections 8.2 and 8.5).

use super::Category;

const CREATE: &[&str] = &["create", "add", "upload", "register", "import", "insert"];
const READ: &[&str] = &["get", "list", "search", "find", "export", "count"];
const UPDATE: &[&str] = &["update", "edit", "set", "rename", "move", "patch", "merge"];
const DELETE: &[&str] = &["delete", "remove", "purge", "unregister", "clear", "drop"];
const EXECUTE: &[&str] =
    &["execute", "cancel", "run", "start", "stop", "pause", "resume", "trigger", "invoke"];

/// Verbs with a canonical equivalent (section 8.5.2).
const PREFERRED: &[(&str, &str)] = &[
    ("add", "create"),
    ("fetch", "get"),
    ("find", "list"),
    ("edit", "update"),
    ("remove", "delete"),
    ("run", "execute"),
];

fn verb_of(name: &str) -> &str {
    name.split('_').next().unwrap_or(name)
}

/// The category that the name's verb belongs to, when it is one of the listed verbs.
pub fn category_of(name: &str) -> Option<Category> {
    let verb = verb_of(name);
    [
        (CREATE, Category::Create),
        (READ, Category::Read),
        (UPDATE, Category::Update),
        (DELETE, Category::Delete),
        (EXECUTE, Category::Execute),
    ]
    .into_iter()
    .find(|(verbs, _)| verbs.contains(&verb))
    .map(|(_, category)| category)
}

/// The same name with the canonical verb, when its verb has one.
pub fn canonical_name(name: &str) -> Option<String> {
    let verb = verb_of(name);
    let (_, preferred) = PREFERRED.iter().find(|(discouraged, _)| *discouraged == verb)?;
    Some(format!("{preferred}{}", &name[verb.len()..]))
}

#[cfg(test)]
mod tests {
    use super::{canonical_name, category_of};
    use crate::category::Category::{Create, Delete, Execute, Read, Update};

    /// C8.2-1 C8.2-2 C8.2-3 C8.2-4 C8.2-5 X-modes-17 X-modes-20 O6.2-1 O6.2-2 O6.2-3 O6.2-4 O6.2-5 O6.2-6: the
    /// reference classification; O6.2-7: `introspect` is no verb.
    #[test]
    fn reference_classification() {
        let table = [
            (Create, "create_user upload_file add_comment register_webhook import_rows insert_row"),
            (
                Read,
                "list_users search get_status export_data get_execution_status get_task_log find_x count_x",
            ),
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
}

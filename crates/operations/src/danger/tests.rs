//! Tests of `danger`.

use super::{Danger, DangerLevel, DangerOrigin, NamePattern, final_word, undeclared};
use crate::category::Category;

/// X-danger-1: names and numbers of the levels.
#[test]
fn levels_and_numbers() {
    let shown: Vec<_> = DangerLevel::ALL.iter().map(|l| (l.number(), l.name())).collect();
    assert_eq!(
        shown,
        [(0, "safe"), (1, "reversible"), (2, "destructive"), (3, "dangerous"), (4, "forbidden")]
    );
}

/// X-danger-7 X-danger-23: default by category.
#[test]
fn category_defaults() {
    for (category, level) in [
        (Category::Read, DangerLevel::Safe),
        (Category::Create, DangerLevel::Reversible),
        (Category::Update, DangerLevel::Reversible),
        (Category::Delete, DangerLevel::Destructive),
        (Category::Execute, DangerLevel::Reversible),
    ] {
        assert_eq!(undeclared("do_thing", category), (level, DangerOrigin::Category));
    }
}

/// S2: words of money and of no return are at least destructive; a READ only speaks of them; patterns say worse.
#[test]
fn final_words() {
    for name in
        ["create_refund", "post_charges", "invoice_void", "pay", "revoke_key", "reset", "enforce_capture"]
    {
        for category in [Category::Create, Category::Update, Category::Execute, Category::Delete] {
            assert_eq!(undeclared(name, category).0, DangerLevel::Destructive, "{name}");
        }
        assert_eq!(undeclared(name, Category::Read).0, DangerLevel::Safe, "{name}");
    }
    assert_eq!(undeclared("post_charges", Category::Create).1, DangerOrigin::Word("charge"));
    assert_eq!(undeclared("reset_all", Category::Execute).0, DangerLevel::Forbidden);
    assert_eq!(final_word(&["op_1"], "/charges/{id}/refund", Category::Create), Some("refund"));
    assert_eq!(final_word(&["op_1"], "/charges/{id}/refund", Category::Read), None);
    assert_eq!(final_word(&["force_refund"], "", Category::Execute), Some("refund"));
    assert_eq!(final_word(&["force_sync"], "/orders/void", Category::Execute), Some("void"));
    assert_eq!(final_word(&["force_sync"], "/sync", Category::Execute), Some("force"));
}

/// S2 X-danger-21: an author's word does not lower them, but for the one that the documents themselves declare safe.
#[test]
fn declared_levels() {
    let declared = |word| {
        let mut danger = Danger::new(DangerLevel::Safe, DangerOrigin::Declared);
        danger.raise_to_word(Some(word));
        danger.level
    };
    assert_eq!((declared("refund"), declared("force")), (DangerLevel::Destructive, DangerLevel::Safe));
}

/// X-danger-17 X-danger-18 X-danger-20 O6.4-3: name patterns, the highest level winning.
#[test]
fn name_patterns() {
    let level = |name| undeclared(name, Category::Execute).0;
    for name in [
        "force_push",
        "erase_permanently",
        "bulk_delete",
        "bulk_delete_users",
        "override_lock",
        "bypass_check",
        "deploy_without_backup",
        "purge_cache",
    ] {
        assert_eq!(level(name), DangerLevel::Dangerous, "{name}");
    }
    for name in [
        "drop_table",
        "delete_all",
        "delete_all_users",
        "truncate_log",
        "reset_database",
        "destroy_cluster",
        "wipe_disk",
        "deploy_production",
        "force_delete_all",
    ] {
        assert_eq!(level(name), DangerLevel::Forbidden, "{name}");
    }
    for name in ["enforce_rule", "delete_allowance", "dropbox_sync", "reproduction", "prefer_x", "production"]
    {
        assert_eq!(level(name), DangerLevel::Reversible, "{name}");
    }
    for name in ["list_users_production", "get_reset_token", "count_x", "check_x", "search_x"] {
        assert_eq!(undeclared(name, Category::Read).0, DangerLevel::Safe, "{name}");
    }
}

/// X-danger-22: a pattern of an adapter matches from one underscore to another, as ours do, and only raises.
#[test]
fn patterns_of_adapters() {
    for pattern in ["force_*", "*_permanently", "purge_*", "*_production", "bulk_delete*"] {
        let own = NamePattern::parse(pattern).unwrap();
        for name in [
            "force_push",
            "do_force_push",
            "force",
            "enforce_x",
            "x_permanently",
            "x_permanently_y",
            "purge_a",
        ] {
            assert_eq!(own.matches(name), super::matches_at_underscore(pattern, name), "{pattern} {name}");
        }
    }
    assert!(NamePattern::parse("ship_*_now").unwrap().matches("do_ship_it_now_x"));
    assert!(!NamePattern::parse("ship").unwrap().matches("ship_it"), "without a star it is a whole name");
    assert!(NamePattern::parse("Ship*").is_err() && NamePattern::parse("").is_err());
    let pattern = NamePattern::parse("ship_*").unwrap();
    for before in DangerLevel::ALL {
        for level in DangerLevel::ALL {
            let mut danger = Danger::new(before, DangerOrigin::Category);
            danger.raise_to_pattern(level, &pattern);
            assert_eq!(danger.level, before.max(level));
            let is_tagged = danger.origin == DangerOrigin::AdapterPattern("ship_*".into());
            assert_eq!(is_tagged, level > before);
        }
    }
}

//! Which operations a hint names.

use super::{HintWords, ServedOperations};
use crate::tests::gatekeeper::entry;
use aqueduct_operations::category::Category;
use aqueduct_operations::danger::{DangerLevel, DangerOrigin};
use aqueduct_operations::operation::RegistryEntry;
use std::sync::Arc;

fn named(public: &str, name: &str, level: DangerLevel) -> Arc<RegistryEntry> {
    let mut entry = entry("certified", Category::Execute, level);
    public.clone_into(&mut entry.public_name);
    let mut operation = (*entry.operation).clone();
    name.clone_into(&mut operation.name);
    operation.danger.origin = DangerOrigin::Declared;
    entry.operation = Arc::new(operation);
    Arc::new(entry)
}

/// C8.6.2-1: a report about one source's operation is none about another's that is called the same.
#[test]
fn a_name_that_sources_share() {
    let shop = named("shop__close", "close", DangerLevel::Reversible);
    let test = named("test_shop__close", "close", DangerLevel::Safe);
    let alone = named("shop__move_crate", "move_crate", DangerLevel::Safe);
    let served = ServedOperations::of([&shop, &test, &alone].into_iter());
    let is_named = |hint: &str, entry: &RegistryEntry| served.is_named(&HintWords::of(hint), entry);
    for hint in ["calling shop__close now", "Shop Close, at last", "test_shop__close, then shop__close"] {
        assert!(is_named(hint, &shop), "{hint}");
    }
    for hint in ["calling close", "calling test_shop__close", "closing the shop", "workshop__close"] {
        assert!(!is_named(hint, &shop), "{hint}");
    }
    assert!(is_named("calling test_shop__close", &test));
    for hint in ["moveCrate for crate 7", "shop__move_crate", "ＭＯＶＥ＿ＣＲＡＴＥ"] {
        assert!(is_named(hint, &alone), "{hint}");
    }
    assert!(!is_named("remove_crate", &alone));
}

/// X-danger-28: of several operations that a hint names, the worst counts; one that may be meant is.
#[test]
fn the_worst_that_is_named() {
    let entries = [
        named("a__close", "close", DangerLevel::Safe),
        named("b__close", "close", DangerLevel::Destructive),
        named("a__burn_down", "burn_down", DangerLevel::Forbidden),
        named("a__look", "look", DangerLevel::Safe),
    ];
    let served = ServedOperations::of(entries.iter());
    let worst = |hint: &str| served.worst_in(&HintWords::of(hint));
    assert_eq!(worst("calling a__look"), None);
    assert_eq!(worst("calling close"), Some(DangerLevel::Destructive), "whichever is meant");
    assert_eq!(worst("calling b__close and then burnDown"), Some(DangerLevel::Forbidden));
    assert_eq!(worst("burning down the list"), None);
}

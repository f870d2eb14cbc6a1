//! Tests of `listing`.

use super::{Listing, ListingRange, UnknownStart};
use proptest::{prop_assert, prop_assert_eq, proptest};
use serde_json::{Value, json};

fn listing(count: usize) -> Listing {
    Listing::of((0..count).map(|i| (format!("op_{i}"), json!({"name": format!("op_{i}"), "n": i}))))
}

fn part(after: Option<&str>, first: Option<u64>, budget: u64) -> ListingRange<'_> {
    ListingRange { after, first, budget }
}

#[test]
fn a_budget_ends_a_page_and_one_item_is_always_there() {
    let list = listing(10);
    let all = list.page(&list.all(), part(None, None, 10_000)).unwrap();
    assert_eq!((all.returned, all.after), (10, None));
    let small = list.page(&list.all(), part(None, None, 0)).unwrap();
    assert_eq!((small.returned, small.after.as_deref()), (1, Some("op_0")));
    let two = list.page(&list.all(), part(Some("op_7"), Some(5), 10_000)).unwrap();
    assert_eq!((two.returned, two.after), (2, None), "{}", two.list.as_str());
    assert_eq!(list.page(&list.all(), part(Some("x"), None, 1)), Err(UnknownStart("x".into())));
    let empty = listing(0).page(&[], part(None, None, 100)).unwrap();
    assert_eq!((empty.list.as_str(), empty.after), ("[]", None));
}

/// R9.3-1: what leads a list that is cut stands at the end of the whole, once each.
#[test]
fn what_leads() {
    let items = (0..3).map(|i| (format!("op_{i}"), json!({"name": format!("op_{i}"), "n": i})));
    let list = Listing::of([("lead".to_owned(), json!("lead"))].into_iter().chain(items)).led_by_first(1);
    let names =
        |page: &super::ListingPage| page.list.as_str().replace(|c: char| !c.is_ascii_alphanumeric(), " ");
    let whole = list.page(&list.all(), part(None, None, 10_000)).unwrap();
    assert!(names(&whole).trim().ends_with("lead"), "{}", whole.list.as_str());
    let cut = list.page(&list.all(), part(None, Some(2), 10_000)).unwrap();
    assert!(cut.list.as_str().starts_with("[\"lead\",") && cut.after.as_deref() == Some("op_0"));
    let rest = list.page(&list.all(), part(Some("op_0"), None, 10_000)).unwrap();
    assert_eq!((rest.returned, rest.list.as_str().contains("lead")), (2, false));
}

proptest! {
    /// Whatever the budget, all pages together are the list, each item once and in order.
    #[test]
    fn pages_are_the_list(count in 0_usize..60, budget in 0_u64..200, first in 1_u64..9) {
        let list = listing(count);
        let mut seen: Vec<Value> = Vec::new();
        let mut after: Option<String> = None;
        loop {
            let page = list.page(&list.all(), part(after.as_deref(), Some(first), budget)).unwrap();
            let items: Vec<Value> = serde_json::from_str(page.list.as_str()).unwrap();
            prop_assert_eq!(items.len(), page.returned);
            prop_assert!(items.len() as u64 <= first);
            seen.extend(items);
            match page.after {
                Some(name) => after = Some(name),
                None => break,
            }
        }
        let numbers: Vec<u64> = seen.iter().map(|item| item["n"].as_u64().unwrap()).collect();
        prop_assert_eq!(numbers, (0..count as u64).collect::<Vec<_>>());
    }
}

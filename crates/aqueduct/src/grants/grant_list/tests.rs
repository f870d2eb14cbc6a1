//! Tests of `grant_list`.

use super::{GrantList, GrantListError};
use aqueduct_operations::consent::ConsentRequest;

fn ask(variable: &str) -> ConsentRequest {
    ConsentRequest::Credential { variable: variable.into(), origin: "https://a.example".into() }
}

/// A yes holds for one source, file and ask, is seen by others at once, and can be taken back.
#[test]
fn a_yes_holds_for_what_was_asked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state/grants.json");
    let (book, other) = (GrantList::new(Some(path.clone())), GrantList::new(Some(path.clone())));
    book.record("s", "f", &[ask("T"), ask("U")]);
    assert!(other.is_known("s", "f", &ask("T")) && !other.is_allowed("s", "f", &ask("T")));
    let changed = other.set(|entry| entry.ask == ask("T"), true).unwrap();
    assert_eq!(changed.len(), 1);
    assert!(book.is_allowed("s", "f", &ask("T")));
    for (source, file, variable) in [("s", "f", "U"), ("s", "g", "T"), ("r", "f", "T")] {
        assert!(!book.is_allowed(source, file, &ask(variable)), "{source} {file} {variable}");
    }
    book.record("s", "f", &[ask("T")]);
    assert!(book.is_allowed("s", "f", &ask("T")), "asking again takes nothing back");
    other.set(|_| true, false).unwrap();
    assert!(!book.is_allowed("s", "f", &ask("T")));
    std::fs::write(&path, "{").unwrap();
    assert!(!book.is_known("s", "f", &ask("T")), "what cannot be read allows nothing");
    assert!(matches!(book.set(|_| true, true), Err(GrantListError::Damaged { .. })));
    let nowhere = GrantList::new(None);
    nowhere.record("s", "f", &[ask("T")]);
    assert!(!nowhere.is_known("s", "f", &ask("T")));
}

//! Tests of `grants`.

use super::{FileOrigin, FileTrust, GrantList, waiting};
use aqueduct_operations::consent::ConsentRequest;
use aqueduct_operations::trust::TrustLevel;
use std::collections::BTreeSet;

/// Who is asked for: everybody below `validated`, and whoever comes or changes later without a word of the operator.
#[test]
fn who_waits() {
    use TrustLevel::{Certified, Community, Generated, Validated};
    let folder = tempfile::tempdir().unwrap();
    let book = GrantList::new(Some(folder.path().join("grants.json")));
    let ask = ConsentRequest::Credential { variable: "T".into(), origin: "https://a.example".into() };
    let (known, unknown) = (BTreeSet::from([ask.clone()]), BTreeSet::new());
    let waits = |trust, is_set, coming, vouched: &BTreeSet<ConsentRequest>| {
        let standing = FileTrust { file: "f", coming, is_named: true, vouched, first_name: None };
        !waiting(std::slice::from_ref(&ask), ("s", trust, is_set), standing, &book).is_empty()
    };
    for coming in [FileOrigin::Named, FileOrigin::Found, FileOrigin::Later] {
        for low in [Generated, Community, TrustLevel::Untested] {
            assert!(waits(low, false, coming, &known) && waits(low, true, coming, &known), "{coming:?}");
        }
        assert!(!waits(Validated, true, coming, &unknown), "the operator's word: {coming:?}");
    }
    assert!(!waits(Validated, false, FileOrigin::Named, &unknown));
    assert!(!waits(Certified, false, FileOrigin::Found, &unknown));
    assert!(waits(Certified, false, FileOrigin::Later, &unknown), "what it claims itself counts for nothing");
    assert!(!waits(Validated, false, FileOrigin::Later, &known));
    book.record("s", "f", std::slice::from_ref(&ask));
    assert!(waits(Certified, false, FileOrigin::Found, &unknown), "a restart is nobody's yes");
    assert!(!waits(Certified, false, FileOrigin::Named, &unknown));
}

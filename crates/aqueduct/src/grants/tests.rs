//! Tests of `grants`.

use super::{FileOrigin, FileTrust, GrantList, SourceTrust, waiting};
use aqueduct_operations::consent::ConsentRequest;
use aqueduct_operations::trust::TrustLevel;
use std::collections::BTreeSet;

/// Who is asked for: everybody below `validated`, and every source that comes or changes later without a word of the operator.
#[test]
fn who_waits() {
    use TrustLevel::{Certified, Community, Generated, Validated};
    let folder = tempfile::tempdir().unwrap();
    let book = GrantList::new(Some(folder.path().join("grants.json")));
    let ask = ConsentRequest::Credential { variable: "T".into(), origin: "https://a.example".into() };
    let (known, unknown) = (BTreeSet::from([ask.clone()]), BTreeSet::new());
    let waits = |level, is_set, file_origin, granted_at_start: &BTreeSet<ConsentRequest>| {
        let file = FileTrust { file: "f", file_origin, is_named: true, granted_at_start, first_name: None };
        !waiting(std::slice::from_ref(&ask), SourceTrust { name: "s", level, is_set }, file, &book).is_empty()
    };
    for file_origin in [FileOrigin::Named, FileOrigin::Found, FileOrigin::Later] {
        for low in [Generated, Community, TrustLevel::Untested] {
            assert!(
                waits(low, false, file_origin, &known) && waits(low, true, file_origin, &known),
                "{file_origin:?}"
            );
        }
        assert!(!waits(Validated, true, file_origin, &unknown), "the operator's word: {file_origin:?}");
    }
    assert!(!waits(Validated, false, FileOrigin::Named, &unknown));
    assert!(!waits(Certified, false, FileOrigin::Found, &unknown));
    assert!(waits(Certified, false, FileOrigin::Later, &unknown), "what it claims itself counts for nothing");
    assert!(!waits(Validated, false, FileOrigin::Later, &known));
    book.record("s", "f", std::slice::from_ref(&ask));
    assert!(waits(Certified, false, FileOrigin::Found, &unknown), "a restart is nobody's yes");
    assert!(!waits(Certified, false, FileOrigin::Named, &unknown));
}

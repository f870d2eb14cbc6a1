//! Tests of `state`.

use super::default_directory;
use std::path::Path;

#[test]
fn the_usual_directory() {
    let with = |state: Option<&str>, home: Option<&str>| {
        default_directory(|name| match name {
            "XDG_STATE_HOME" => state.map(Into::into),
            "HOME" => home.map(Into::into),
            _ => None,
        })
    };
    assert_eq!(with(Some("/s"), Some("/h")).as_deref(), Some(Path::new("/s/aqueduct")));
    assert_eq!(with(None, Some("/h")).as_deref(), Some(Path::new("/h/.local/state/aqueduct")));
    // A relative one is to be ignored, and so is one that is set to nothing.
    for unusable in ["s", ""] {
        let found = with(Some(unusable), Some("/h"));
        assert_eq!(found.as_deref(), Some(Path::new("/h/.local/state/aqueduct")));
    }
    assert_eq!(with(None, None), None);
    assert_eq!(with(None, Some("")), None);
}

//! Options, and the templates of packages.

use super::{Options, Then, filled};
use crate::repo;
use std::path::{Path, PathBuf};

fn release(root: &Path) -> super::Release<'_> {
    super::Release {
        root,
        folder: PathBuf::new(),
        platform: super::Platform::of_this_machine().unwrap(),
        version: "1.2.3".to_owned(),
        time: 0,
    }
}

#[test]
fn options_are_read_and_others_refused() {
    let options = Options::of(&["--profile", "dev", "--check"]).unwrap();
    assert_eq!(options, Options { profile: "dev".to_owned(), then: Then::Check });
    assert!(Options::of(&["--chek"]).is_err());
    assert!(Options::of(&["--profile"]).is_err());
}

#[test]
fn everything_between_signs_is_filled_in() {
    let root = repo::root().unwrap();
    let values = [("VERSION", "1.2.3"), ("OS", "linux"), ("CPU", "x64")];
    let text = filled(&release(root), "npm/package.json", &values).unwrap();
    let package: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(package["version"], "1.2.3");
    assert_eq!(package["cpu"][0], "x64");
    assert!(filled(&release(root), "npm/package.json", &values[..1]).is_err());
}

//! Tests of `stamp`.

use super::FileStamp;

#[test]
fn a_change_of_content_changes_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    assert_eq!(FileStamp::of(&path), None);
    std::fs::write(&path, "one").unwrap();
    let first = FileStamp::of(&path);
    assert_eq!(FileStamp::of(&path), first);
    std::fs::write(&path, "three").unwrap();
    assert_ne!(FileStamp::of(&path), first);
}

/// A file of the same length and time that was moved into its place is another one.
#[cfg(unix)]
#[test]
fn a_replaced_file_is_another() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("a"), folder.path().join("b"));
    std::fs::write(&path, "one").unwrap();
    std::fs::write(&other, "two").unwrap();
    let first = FileStamp::of(&path).unwrap();
    let modified = std::fs::metadata(&path).unwrap().modified().unwrap();
    std::fs::File::options().write(true).open(&other).unwrap().set_modified(modified).unwrap();
    std::fs::rename(&other, &path).unwrap();
    let second = FileStamp::of(&path).unwrap();
    assert_eq!((first.length, first.modified), (second.length, second.modified));
    assert_ne!(first, second);
}

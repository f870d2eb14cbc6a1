//! Tests of `disk_fs`.

use super::DiskFs;
use crate::scan::candidates;

/// R3.1-2 S-scanner-3: only files with the right names are taken, in a fixed order.
#[test]
fn files_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    for name in
        ["b-adapter.md", "README.md", "a-adapter.md", "-adapter.md", "c-adapter.txt", "d.operation.json"]
    {
        std::fs::File::create(folder.path().join(name)).unwrap();
    }
    std::fs::create_dir(folder.path().join("e-adapter.md")).unwrap();
    let found = candidates(folder.path(), &DiskFs).files;
    let names: Vec<_> = found.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["a-adapter.md", "b-adapter.md", "d.operation.json"]);
}

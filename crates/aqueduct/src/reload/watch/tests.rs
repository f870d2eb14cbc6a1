//! Tests of `watch`.

use super::super::notices::{FolderNotices, touched};
use super::{POLL, Reloaded, WatchEvent, WatchScope, WatchThread, start};
use crate::boot::RefreshScope;
use crate::{Aqueduct, SourceSettings};
use notify::event::{AccessKind, AccessMode, CreateKind, EventKind, ModifyKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use tempfile::TempDir;

const TEXT: &str = "---\nname: notes\ntype: adapter\nversion: \"1.0.0\"\ndescription: \"Notes of mine\"\ntarget: { \
                        base_url: \"http://127.0.0.1:9\", transport: http, protocol: rest, serialization: json \
                        }\noperations:\n  read:\n    - { name: list_notes, maps_to: \"GET /notes\" }\n---\n";

fn write(path: &Path, operation: &str) {
    std::fs::write(path, TEXT.replace("list_notes", operation)).unwrap();
}

fn has(aqueduct: &Aqueduct, operation: &str) -> bool {
    aqueduct.catalog().find(operation).is_some()
}

/// Watches a file, with the system's notices or without; what is told comes out.
fn watched(path: &Path, with_notices: bool) -> (Aqueduct, super::FileWatcher, Receiver<Reloaded>) {
    write(path, "list_notes");
    let aqueduct = Aqueduct::builder().source(path, SourceSettings::default()).build().unwrap();
    let (wake, wakes) = channel();
    let notices = with_notices.then(|| FolderNotices::start(wake.clone()).unwrap());
    let (told, news) = channel();
    let tell = move |reloaded: &Reloaded| told.send(reloaded.clone()).unwrap();
    let reloader = Arc::clone(&aqueduct.reloader);
    let listener = Box::new(tell);
    let watch = WatchThread { reloader, listener, notices, wakes, extent: WatchScope::Everything };
    let watching = start(watch, wake);
    (aqueduct, watching, news)
}

/// R10.1-1: where the system gives no notices, files are looked at every two seconds.
#[test]
fn polls_without_notices() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes-adapter.md");
    let (aqueduct, watching, news) = watched(&path, false);
    // The first change may be found by the look at the beginning.
    for operation in ["find_notes", "read_notes"] {
        write(&path, operation);
        let reloaded = news.recv_timeout(POLL + Duration::from_secs(20)).unwrap();
        assert!(reloaded.is_new && has(&aqueduct, operation) && !has(&aqueduct, "list_notes"));
    }
    drop(watching);
}

/// Nothing is loaded any more once no one keeps the watch, and its thread ends.
#[test]
fn ends_when_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes-adapter.md");
    let (aqueduct, watching, news) = watched(&path, true);
    write(&path, "find_notes");
    assert!(news.recv_timeout(Duration::from_secs(20)).unwrap().is_new);
    drop(watching);
    // The thread had the other end of this.
    while news.recv_timeout(Duration::from_secs(20)).is_ok() {}
    write(&path, "read_notes");
    assert!(has(&aqueduct, "find_notes") && Arc::strong_count(&aqueduct.reloader) == 1);
}

/// The folders of a source that are watched, and the notices of them. No one looks at files unless a test does, so that
/// a notice is the only way to learn of a change.
fn only_notices(source: &Path) -> WatchThread {
    let aqueduct = Aqueduct::builder().source(source, SourceSettings::default()).build().unwrap();
    let (wake, wakes) = channel();
    let notices = Some(FolderNotices::start(wake).unwrap());
    let mut watch = WatchThread {
        reloader: Arc::clone(&aqueduct.reloader),
        listener: Box::new(|_| {}),
        notices,
        wakes,
        extent: super::WatchScope::Everything,
    };
    watch.watch_folders();
    watch
}

/// Writes a file; true when a notice of it comes.
fn is_noticed(watch: &WatchThread, path: &Path, operation: &str) -> bool {
    write(path, operation);
    let name = path.file_name().unwrap();
    loop {
        match watch.wakes.recv_timeout(Duration::from_secs(20)) {
            Ok(WatchEvent::Touched(names)) if names.iter().any(|each| each == name) => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
}

fn folders(watch: &WatchThread) -> Vec<PathBuf> {
    watch.reloader.sources().folders().into_iter().collect()
}

/// A folder by its real name, with these folders in it.
fn root(folders: &[&str]) -> (TempDir, PathBuf) {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    folders.iter().for_each(|folder| std::fs::create_dir(root.join(folder)).unwrap());
    (place, root)
}

/// R10.1-1: of a directory, what happens in it is noticed, and beside it: another one may take its name.
#[test]
fn a_directory_and_where_it_is() {
    let (_place, root) = root(&["apis"]);
    let apis = root.join("apis");
    write(&apis.join("notes-adapter.md"), "list_notes");
    let watch = only_notices(&apis);
    assert_eq!(folders(&watch), [root.clone(), apis.clone()]);
    assert!(is_noticed(&watch, &apis.join("more-adapter.md"), "list_more"));
    assert!(is_noticed(&watch, &root.join("beside"), "list_others"));
}

/// R10.1-1: of a link, what happens where it is and where it leads is noticed, and after it was changed, where it leads
/// then; in a directory too.
#[cfg(unix)]
#[test]
fn where_links_lead() {
    let (_place, root) = root(&["apis", "one", "two"]);
    let [apis, one, two] = ["apis", "one", "two"].map(|folder| root.join(folder));
    let link = apis.join("notes-adapter.md");
    write(&one.join("first.md"), "list_notes");
    write(&two.join("second.md"), "find_notes");
    for (source, around) in [(&link, &[][..]), (&apis, std::slice::from_ref(&root))] {
        std::os::unix::fs::symlink(one.join("first.md"), &link).unwrap();
        let mut watch = only_notices(source);
        assert_eq!(folders(&watch), [around, &[apis.clone(), one.clone()]].concat());
        assert!(is_noticed(&watch, &one.join("first.md"), "list_notes"));
        assert!(is_noticed(&watch, &apis.join("beside"), "list_others"));
        std::fs::remove_file(&link).unwrap();
        std::os::unix::fs::symlink(two.join("second.md"), &link).unwrap();
        assert!(watch.reloader.reload(RefreshScope::All).is_new);
        watch.watch_folders();
        assert_eq!(folders(&watch), [around, &[apis.clone(), two.clone()]].concat());
        assert!(is_noticed(&watch, &two.join("second.md"), "find_notes"));
        std::fs::remove_file(&link).unwrap();
    }
}

/// Anyone who only looks at files, as we do, changes nothing.
#[test]
fn notices_of_readers_are_passed_over() {
    let event = |kind| notify::Event::new(kind).add_path("/srv/notes-adapter.md".into());
    for kind in [AccessKind::Open(AccessMode::Any), AccessKind::Close(AccessMode::Read), AccessKind::Read] {
        assert!(touched(event(EventKind::Access(kind))).is_none(), "{kind:?}");
    }
    for kind in [
        EventKind::Access(AccessKind::Close(AccessMode::Write)),
        EventKind::Create(CreateKind::File),
        EventKind::Modify(ModifyKind::Any),
    ] {
        let Some(WatchEvent::Touched(names)) = touched(event(kind)) else { panic!("{kind:?}") };
        assert_eq!(names, ["notes-adapter.md"]);
    }
}

//! The path items of a document, one after another as they are lowered.
//!
//! A library in; each path with its item, parsed, out. Those of a long document are parsed on another thread, some ahead of the code that
//! lowers them.

use crate::read::{DocumentSet, RefProblem, ResolvedReference};
use aqueduct_source_kind::side_by_side::{LONG_TEXT, start};
use std::sync::mpsc::sync_channel;

/// How many path items may wait to be lowered. Each takes some tens of kilobytes until then.
const AHEAD: usize = 12;

/// A path item, or why there is none.
type PathItem = Result<ResolvedReference<'static>, RefProblem>;

/// Gives every path with its item, in the order of the document.
pub(super) fn each(library: &DocumentSet, mut take: impl FnMut(&str, PathItem)) {
    if library.text_length() < LONG_TEXT {
        return one_by_one(library, take);
    }
    std::thread::scope(|scope| {
        let (sender, parsed) = sync_channel(AHEAD);
        let parse = move || {
            // When they are no longer taken, the consumer has panicked.
            let mut items = library.paths().map(|(path, node)| (path, library.path_item(&node)));
            while items.next().is_some_and(|item| sender.send(item).is_ok()) {}
        };
        match start(scope, parse) {
            Ok(_) => parsed.into_iter().for_each(|(path, item)| take(path, item)),
            Err(_) => one_by_one(library, take),
        }
    });
}

fn one_by_one(library: &DocumentSet, mut take: impl FnMut(&str, PathItem)) {
    library.paths().for_each(|(path, node)| take(path, library.path_item(&node)));
}

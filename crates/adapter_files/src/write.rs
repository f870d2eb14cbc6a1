//! A source as a canonical adapter file: readable, commented, the same bytes for the same source.
//!
//! Loaded operations of any kind of source in; the text of a `*-adapter.md` out, which loads to the same operations. No
//! secret is ever written: credentials are names of variables, and what looks like one is taken out.

mod lifecycle;
mod operation;
mod param;
mod prose;
mod rate_limits;
mod read_back;
mod response;
mod safety;
mod schemas;
mod source;
mod text;
mod yaml;

pub use read_back::{ProvenFile, ReadBackFailure, SourceToWrite, proven};

use aqueduct_operations::category::Category;
use aqueduct_operations::registry::LoadedSource;
use aqueduct_source_kind::connection::AdapterTarget;
use aqueduct_source_kind::report::ImportReport;
use operation::{CommonSettings, WriteContext};
use schemas::SharedSchemas;

/// What a file says besides its source.
#[derive(Debug, Clone, Copy, Default)]
pub struct WriteOptions<'h> {
    /// Where the source came from, for the comment on top.
    pub imported_from: Option<&'h str>,
    /// The target of what is behind a connection; none for an HTTP API.
    pub target: Option<&'h AdapterTarget>,
}

/// How far the writing of a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteProgress {
    /// What is being done, in a word or two.
    pub phase: &'static str,
    /// Operations that are done.
    pub done: usize,
    /// Operations in all.
    pub total: usize,
}

/// Is called with how far it is.
pub type WriteListener<'t> = &'t dyn Fn(WriteProgress);

/// Writes an adapter file. The report becomes prose: what was left out, renamed, and needs a person's eye.
pub fn write(loaded: &LoadedSource, report: Option<&ImportReport>, how: &WriteOptions<'_>) -> String {
    let mut written = written(loaded, how, &|_| ());
    written.put_prose(&loaded.source.documentation, report);
    written.text
}

/// A file, and what is not in it.
struct WrittenFile {
    text: String,
    /// Where its front matter ends.
    front_matter: usize,
    /// The operations in it, by category and in order.
    lists: Vec<(Category, Vec<String>)>,
    /// Operations that cannot be written, with the reason.
    unwritten: Vec<(String, String)>,
    /// What is left out of operations, with the reason.
    notes: Vec<(String, String)>,
    was_cut: bool,
}

impl WrittenFile {
    /// Writes the prose below the front matter, which says what is not in it, in place of any that is there.
    fn put_prose(&mut self, documentation: &str, report: Option<&ImportReport>) {
        let left_out: Vec<(String, String)> = self.unwritten.iter().chain(&self.notes).cloned().collect();
        let prose = prose::write(documentation, report, &left_out, self.was_cut);
        self.text.truncate(self.front_matter);
        if !prose.is_empty() {
            self.text.push('\n');
            self.text.push_str(&prose);
            self.text.push('\n');
        }
    }
}

fn written(loaded: &LoadedSource, how: &WriteOptions<'_>, listener: WriteListener<'_>) -> WrittenFile {
    let common = CommonSettings::of(loaded);
    let mut shared = SharedSchemas::of(loaded);
    let context = WriteContext::of(loaded, &common);
    let mut out = String::from("---\n");
    if let Some(place) = how.imported_from {
        out.push_str(&format!("# Imported from {}\n", text::on_one_line(place)));
    }
    yaml::document(&source::head(loaded, &common, how.target), &mut out);
    let mut unwritten: Vec<(String, String)> = Vec::new();
    let mut lists = Vec::new();
    let (mut done, total) = (0, loaded.operations.len());
    // Each is text before the next one is looked at: all of them as trees would be many times the file.
    let start = out.len();
    for category in Category::ALL {
        let mut names = Vec::new();
        for each in loaded.operations.iter().filter(|each| each.category == category) {
            done += 1;
            listener(WriteProgress { phase: "writing", done, total });
            match operation::element(each, &context, &mut shared) {
                Ok(piece) => {
                    if names.is_empty() {
                        yaml::open(category.lower(), 2, &mut out);
                    }
                    yaml::element(&piece, 2, &mut out);
                    names.push(each.name.clone());
                }
                Err(why) => unwritten.push((each.name.clone(), why)),
            }
        }
        lists.push((category, names));
    }
    out.insert_str(start, if out.len() > start { "operations:\n" } else { "operations: {}\n" });
    shared.put_block(&mut out);
    out.push_str("---\n");
    let (front_matter, was_cut) = (out.len(), shared.was_cut);
    WrittenFile { text: out, front_matter, lists, unwritten, notes: shared.notes, was_cut }
}

#[cfg(test)]
pub(crate) mod tests;

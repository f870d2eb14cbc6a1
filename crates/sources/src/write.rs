//! A source as a canonical adapter file: readable, commented, the same bytes for the same source.
//!
//! Loaded operations of any kind of source in; the text of a `*-adapter.md` out, which loads to the same operations. No
//! secret is ever written: credentials are names of variables, and what looks like one is taken out.

mod answers;
mod back;
mod operation;
mod param;
mod prose;
mod schemas;
mod server;
mod source;
mod text;
mod yaml;

pub use back::{Proven, Unprovable, proven};
pub use server::query_variables;

use crate::report::Report;
use aqueduct_operations::category::Category;
use aqueduct_operations::mcp::ServerConfig;
use aqueduct_operations::registry::Loaded;
use operation::{Common, Surroundings};
use schemas::Shared;
use yaml::{Entries, Piece};

/// What a file says besides its source.
#[derive(Debug, Clone, Copy, Default)]
pub struct WriteHow<'h> {
    /// Where the source came from, for the comment on top.
    pub imported_from: Option<&'h str>,
    /// How the MCP server behind the operations is reached; none for an HTTP API.
    pub server: Option<&'h ServerConfig>,
}

/// Writes an adapter file. The report becomes prose: what was left out, renamed, and needs a person's eye.
pub fn write(loaded: &Loaded, report: Option<&Report>, how: &WriteHow<'_>) -> String {
    written(loaded, report, how).text
}

/// A file, and what is not in it.
struct Written {
    text: String,
    /// The operations in it, by category and in order.
    lists: Vec<(Category, Vec<String>)>,
    /// Operations that cannot be written, with the reason.
    unwritten: Vec<(String, String)>,
    /// What is left out of operations, with the reason.
    notes: Vec<(String, String)>,
}

fn written(loaded: &Loaded, report: Option<&Report>, how: &WriteHow<'_>) -> Written {
    let source = &loaded.source;
    let common = Common::of(loaded);
    let mut shared = Shared::of(loaded);
    let around = Surroundings::of(loaded, &common);
    let mut unwritten: Vec<(String, String)> = Vec::new();
    let mut lists = Entries::default();
    let mut names = Vec::new();
    for category in Category::ALL {
        let mut list = Vec::new();
        let mut of_category = Vec::new();
        for each in loaded.operations.iter().filter(|each| each.category == category) {
            match operation::element(each, &around, &mut shared) {
                Ok(piece) => {
                    list.push(piece);
                    of_category.push(each.name.clone());
                }
                Err(why) => unwritten.push((each.name.clone(), why)),
            }
        }
        if !list.is_empty() {
            lists.put(category.lower(), Piece::Blocks(list));
        }
        names.push((category, of_category));
    }
    let mut entries = source::head(source, &common, how.server);
    entries.put("operations", Piece::Block(lists));
    let schemas = shared.block();
    if !schemas.is_empty() {
        let mut block = Entries::default();
        schemas.into_iter().for_each(|(name, schema)| block.json(&name, schema));
        entries.put("schemas", Piece::Block(block));
    }
    let mut out = String::from("---\n");
    if let Some(place) = how.imported_from {
        out.push_str(&format!("# Imported from {}\n", text::on_one_line(place)));
    }
    yaml::document(&entries, &mut out);
    out.push_str("---\n");
    let left_out: Vec<(String, String)> = unwritten.iter().chain(&shared.notes).cloned().collect();
    let prose = prose::write(&source.documentation, report, &left_out, shared.was_cut);
    if !prose.is_empty() {
        out.push('\n');
        out.push_str(&prose);
        out.push('\n');
    }
    Written { text: out, lists: names, unwritten, notes: shared.notes }
}

#[cfg(test)]
pub(crate) mod tests;

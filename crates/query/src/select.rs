//! Field selection: JSON text in, the same text with the chosen fields only out, in their order and nesting. X-fields.
//!
//! Arrays are entered without being named, at every level. What a path leads into keeps its shape: an object in which
//! nothing is chosen is `{}`, and each element keeps its position. A value without fields (text, number, boolean, null)
//! stays as it is as a document or as an element; as a member it is left out when a path goes on below it, like any
//! field that is not there. Of members with the same name the last one counts, as in a parsed tree.

mod field_trie;

use crate::scan::{JsonScanner, MemberName};
use aqueduct_operations::response::FieldPath;
use field_trie::{FieldNode, FieldTrie};

/// Deeper arrays are left as they are; texts from upstreams are refused long before.
const DEEPEST: usize = 256;

/// Which fields to keep.
#[derive(Debug, Clone)]
pub struct Selection(FieldTrie);

impl Selection {
    /// Keeps these paths. A path that another one continues keeps all that is there.
    pub fn new<'p>(paths: impl IntoIterator<Item = &'p FieldPath>) -> Selection {
        let mut trie = FieldTrie::default();
        for path in paths {
            trie.insert(path.names());
        }
        Selection(trie)
    }

    /// Writes what is selected of this JSON text. Text that is no compact JSON may come out as it is.
    pub fn select(&self, json: &str, out: &mut String) {
        let start = out.len();
        let mut writer = SelectionWriter {
            trie: &self.0,
            found: Vec::new(),
            place: vec![0; self.0.len()],
            out: &mut *out,
        };
        if writer.document(json).is_none() {
            out.truncate(start);
            out.push_str(json);
        }
    }
}

/// One selection under way.
struct SelectionWriter<'s, 'a> {
    trie: &'s FieldTrie,
    /// The chosen members of the objects that are open, those of the innermost last.
    found: Vec<SelectedMember<'a>>,
    /// For each node of the trie, where in `found` its member was put last.
    place: Vec<usize>,
    out: &'s mut String,
}

/// A chosen member of an object.
#[derive(Clone, Copy)]
struct SelectedMember<'a> {
    node: FieldNode,
    key: MemberName<'a>,
    value: &'a str,
}

impl<'a> SelectionWriter<'_, 'a> {
    fn document(&mut self, json: &'a str) -> Option<()> {
        let mut cursor = JsonScanner::new(json);
        self.value(&mut cursor, FieldTrie::ROOT, 0)?;
        cursor.next().is_none().then_some(())
    }

    fn value(&mut self, cursor: &mut JsonScanner<'a>, node: FieldNode, depth: usize) -> Option<()> {
        match cursor.next()? {
            b'{' if depth < DEEPEST => self.object(cursor, node, depth + 1),
            b'[' if depth < DEEPEST => self.array(cursor, node, depth + 1),
            _ => {
                self.out.push_str(cursor.value()?);
                Some(())
            }
        }
    }

    fn array(&mut self, cursor: &mut JsonScanner<'a>, node: FieldNode, depth: usize) -> Option<()> {
        let mut more = cursor.enter(b'[', b']')?;
        self.out.push('[');
        while more {
            self.value(cursor, node, depth)?;
            more = cursor.go_on(b']')?;
            if more {
                self.out.push(',');
            }
        }
        self.out.push(']');
        Some(())
    }

    fn object(&mut self, cursor: &mut JsonScanner<'a>, node: FieldNode, depth: usize) -> Option<()> {
        let first = self.found.len();
        let mut more = cursor.enter(b'{', b'}')?;
        while more {
            self.find_member(cursor, node)?;
            more = cursor.go_on(b'}')?;
        }
        self.write_found(first, depth)
    }

    /// Steps over a member, and keeps it in mind if it is chosen.
    fn find_member(&mut self, cursor: &mut JsonScanner<'a>, node: FieldNode) -> Option<()> {
        let key = cursor.key()?;
        let value = cursor.value()?;
        let Some(child) = self.trie.child(node, &key.name()) else { return Some(()) };
        // Objects of one node are never in each other, so a member of this node that is still here is of this object.
        match self.found.get_mut(self.place[child.index()]) {
            Some(found) if found.node == child => found.value = value,
            _ => {
                self.place[child.index()] = self.found.len();
                self.found.push(SelectedMember { node: child, key, value });
            }
        }
        Some(())
    }

    fn write_found(&mut self, first: usize, depth: usize) -> Option<()> {
        let start = self.out.len();
        for at in first..self.found.len() {
            let SelectedMember { node, key, value } = self.found[at];
            let is_whole = self.trie.is_leaf(node);
            if !is_whole && !value.starts_with(['{', '[']) {
                continue;
            }
            self.out.push(if self.out.len() == start { '{' } else { ',' });
            self.out.push_str(key.quoted);
            self.out.push(':');
            if is_whole {
                self.out.push_str(value);
            } else {
                self.value(&mut JsonScanner::new(value), node, depth)?;
            }
        }
        self.found.truncate(first);
        self.out.push_str(if self.out.len() == start { "{}" } else { "}" });
        Some(())
    }
}

#[cfg(test)]
mod tests;

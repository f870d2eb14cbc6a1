//! The chosen paths as a tree of names, so that each name of a document is looked up once.
//!
//! Paths in; for a node and a name, the node below out. A leaf keeps all that is there. The nodes lie in one list.

/// A place in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FieldNode(usize);

impl FieldNode {
    /// Its number, less than the tree's length.
    pub(super) fn index(self) -> usize {
        self.0
    }
}

/// A tree of names.
#[derive(Debug, Clone)]
pub(super) struct FieldTrie(Vec<FieldEntry>);

#[derive(Debug, Clone, Default)]
struct FieldEntry {
    /// A path ends here: everything below is kept.
    is_end: bool,
    /// Sorted by length first: most names in a document are distinguished by it.
    children: Vec<(String, FieldNode)>,
}

impl Default for FieldTrie {
    fn default() -> FieldTrie {
        FieldTrie(vec![FieldEntry::default()])
    }
}

impl FieldTrie {
    /// Where a document begins.
    pub(super) const ROOT: FieldNode = FieldNode(0);

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds a path.
    pub(super) fn insert(&mut self, names: &[String]) {
        let mut node = FieldTrie::ROOT;
        for name in names {
            node = match self.find(node, name) {
                Ok(found) => self.0[node.0].children[found].1,
                Err(free) => {
                    let new = FieldNode(self.0.len());
                    self.0.push(FieldEntry::default());
                    self.0[node.0].children.insert(free, (name.clone(), new));
                    new
                }
            };
        }
        self.0[node.0].is_end = true;
    }

    /// The node below this one by this name.
    pub(super) fn child(&self, node: FieldNode, name: &str) -> Option<FieldNode> {
        let found = self.find(node, name).ok()?;
        Some(self.0[node.0].children[found].1)
    }

    /// Whether everything at this node is kept.
    pub(super) fn is_leaf(&self, node: FieldNode) -> bool {
        self.0[node.0].is_end
    }

    fn find(&self, node: FieldNode, name: &str) -> Result<usize, usize> {
        let wanted = (name.len(), name);
        self.0[node.0].children.binary_search_by(|(other, _)| (other.len(), other.as_str()).cmp(&wanted))
    }
}

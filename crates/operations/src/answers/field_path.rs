//! The path of a field: names with dots between them, such as `owner.login`. It leads through arrays without saying so.

use std::fmt;

/// One or more names; never empty, and no name is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldPath(Vec<String>);

impl FieldPath {
    /// Reads a dotted path. Nothing when a name in it is empty.
    pub fn parse(text: &str) -> Option<FieldPath> {
        let names: Vec<String> = text.split('.').map(str::to_owned).collect();
        (!names.iter().any(String::is_empty)).then_some(FieldPath(names))
    }

    /// Its names, outermost first.
    pub fn names(&self) -> &[String] {
        &self.0
    }

    /// The outermost name.
    pub fn first(&self) -> &str {
        &self.0[0]
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("."))
    }
}

#[cfg(test)]
mod tests {
    use super::FieldPath;

    #[test]
    fn paths() {
        let path = FieldPath::parse("owner.login").unwrap();
        assert_eq!(
            (path.first(), path.names().len(), path.to_string()),
            ("owner", 2, "owner.login".to_owned())
        );
        for bad in ["", ".", "a.", ".a", "a..b"] {
            assert_eq!(FieldPath::parse(bad), None, "{bad}");
        }
    }
}

//! Tests of `category`.

use super::Category;

/// C6.1-1 C6.1-2 C6.1-3 C6.1-4 C6.1-5 X-modes-21: the permission pair of each category.
#[test]
fn permission_table() {
    let table = Category::ALL.map(|c| (c.upper(), c.read_only(), c.destructive()));
    assert_eq!(
        table,
        [
            ("CREATE", false, false),
            ("READ", true, false),
            ("UPDATE", false, true),
            ("DELETE", false, true),
            ("EXECUTE", false, true),
        ]
    );
}

/// C9.1-1: the enum has these five names; R5.3-2: they are compared without case.
#[test]
fn parses_in_any_case() {
    for category in Category::ALL {
        assert_eq!(Category::parse(category.upper()), Some(category));
        assert_eq!(Category::parse(category.lower()), Some(category));
    }
    assert_eq!(Category::parse("Read"), Some(Category::Read));
    assert_eq!(Category::parse("manage"), None);
}

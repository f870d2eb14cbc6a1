//! Tests of `missing_variables`.

use super::MissingVariables;

fn line(needs: Vec<Vec<Vec<&'static str>>>, failing: usize) -> Option<String> {
    let owned = |way: &Vec<&str>| way.iter().map(|name| (*name).to_owned()).collect();
    let needs = needs.iter().map(|ways| ways.iter().map(owned).collect()).collect();
    MissingVariables { source: "shop", needs, failing, operations: 2 }.line()
}

/// One line for a source, whatever it lacks.
#[test]
fn one_line() {
    assert_eq!(line(vec![], 0), None);
    for (needs, failing, said) in [
        (vec![vec![vec!["A"]]], 2, "warning: A is not set; calls of shop will fail until it is"),
        (
            vec![vec![vec!["A", "B"]]],
            1,
            "warning: A and B are not set; some calls of shop will fail until they are",
        ),
        (
            vec![vec![vec!["A"], vec!["B", "C"]]],
            2,
            "warning: calls of shop will fail without credentials; set A, or B and C",
        ),
        (
            vec![vec![vec!["A"]], vec![vec!["B"], vec!["C"]]],
            2,
            "warning: calls of shop will fail without credentials; set A; for others B, or C",
        ),
    ] {
        assert_eq!(line(needs, failing).as_deref(), Some(said));
    }
}

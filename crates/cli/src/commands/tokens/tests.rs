//! Tests of `tokens`.

use super::{chart, table};
use crate::cost::{SourceCost, TaskCost, ToolCost};
use aqueduct_operations::size::grouped;

fn cost() -> ToolCost {
    let source = |name: &str, operations, tokens, discovery| {
        let task = TaskCost { request: "list things".to_owned(), discovery, call: 24 };
        SourceCost { source: name.to_owned(), operations, tokens, task: Some(task) }
    };
    ToolCost {
        vocabulary: "o200k_base",
        tools: 5,
        tokens: 596,
        shown: 1_200,
        sources: vec![source("github", 1_223, 373_616, 212), source("shop <a>", 4, 512, 180)],
    }
}

#[test]
fn a_table_for_people() {
    assert_eq!([grouped(7), grouped(1_000), grouped(1_234_567)], ["7", "1,000", "1,234,567"]);
    insta::assert_snapshot!(table(&cost()));
    let mut one = cost();
    one.sources.truncate(1);
    insta::assert_snapshot!("table_of_one", table(&one));
}

#[test]
fn a_chart_for_a_page() {
    let svg = chart::svg(&cost());
    for part in ["<svg ", ">github<", "shop &lt;a&gt;", "373,640", "832", "o200k_base", "</svg>"] {
        assert!(svg.contains(part), "{part}: {svg}");
    }
}

//! Tests of `tokens`.

use super::{grouped, table};
use crate::cost::{Cost, SourceCost};

#[test]
fn a_table_for_people() {
    assert_eq!([grouped(7), grouped(1_000), grouped(1_234_567)], ["7", "1,000", "1,234,567"]);
    let source = |name: &str, operations, tokens| SourceCost { source: name.to_owned(), operations, tokens };
    let cost = Cost {
        vocabulary: "o200k_base",
        tools: 5,
        tokens: 836,
        shown: 1_200,
        sources: vec![source("github", 1_223, 373_616), source("shop", 4, 512)],
    };
    insta::assert_snapshot!(table(&cost));
}

//! Tests of `import_report`.

use super::as_text;
use crate::cost::{SourceCost, ToolCost};
use aqueduct_source_kind::report::{ImportReport, Renamed, ReportNote};

#[test]
fn a_report_for_people() {
    let mut report = ImportReport { source: "shop".into(), found: 31, loaded: 30, ..ImportReport::default() };
    report.leave_out_operation("COPY /books", "the method is not known");
    report.leave_out("webhook paid", "webhooks call the other way");
    report.renamed.push(Renamed { from: "getBook".into(), to: "get_book".into(), why: "snake_case".into() });
    report.needs_review.push(("get_reset".into(), "a GET that seems to act".into()));
    for operation in ["get_book", "list_books", "list_pens"] {
        report
            .warnings
            .push(ReportNote { operation: Some(operation.into()), what: "XML is not offered".into() });
    }
    for number in 0..25 {
        report.warnings.push(ReportNote { operation: None, what: format!("remark {number:02}") });
    }
    let sources = vec![SourceCost { source: "shop".into(), operations: 30, tokens: 9_000, task: None }];
    let cost = ToolCost { vocabulary: "o200k_base", tools: 1, tokens: 240, shown: 12, sources };
    insta::assert_snapshot!(as_text(&report, Some(&cost)));
}

//! Tests of `report`.

use super::ImportReport;

#[test]
fn it_can_be_written_as_json() {
    let mut report = ImportReport { source: "shop".into(), found: 1, ..ImportReport::default() };
    report.leave_out_operation("GET /x", "its path is no text");
    report.leave_out("webhook paid", "webhooks call the other way");
    report.warn_about("get_y", "the header Link is not shown");
    report.needs_review.push(("get_y".into(), "a GET that acts".into()));
    assert_eq!(report.operations_left_out(), 1);
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["left_out"][0]["what"], "GET /x");
    assert_eq!(json["needs_review"][0][1], "a GET that acts");
    assert_eq!(json["warnings"][0]["operation"], "get_y");
}

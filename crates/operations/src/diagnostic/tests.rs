//! Tests of `diagnostic`.

use super::{Diagnostic, DiagnosticSeverity, Position};

/// R4.4-1 R4.4-2: path, message, expected and received, with the place shown.
#[test]
fn shows_the_line_and_the_column() {
    let diagnostic = Diagnostic {
        severity: DiagnosticSeverity::Error,
        code: "WRONG_TYPE",
        path: "operations.read[0].name".into(),
        message: "Operation name is required".into(),
        expected: Some("non-empty string".into()),
        received: Some("undefined".into()),
        hint: Some("add a name".into()),
        position: Position {
            file: "x-adapter.md".into(),
            line: 9,
            column: 7,
            source_line: "    - maps_to: GET /x".into(),
        },
    };
    assert_eq!(
        diagnostic.to_string(),
        "x-adapter.md:9:7: error[WRONG_TYPE] operations.read[0].name: Operation name is required (expected \
             non-empty string, found undefined)\n    9 |     - maps_to: GET /x\n      |       ^\n      = add a name"
    );
}

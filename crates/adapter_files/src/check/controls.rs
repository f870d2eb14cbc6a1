//! Parameters with the name of a control: the parameter wins, so that the control has another name on that operation
//! (ruling W14). Whoever writes the file is told, because nothing else would show it.

use super::params::place_of;
use aqueduct_documents::cursor::NodeCursor;
use aqueduct_documents::findings::{Finding, Findings};
use aqueduct_operations::category::Category;
use aqueduct_operations::controls::Control;
use aqueduct_operations::diagnostic::DiagnosticSeverity;
use aqueduct_operations::operation::Grouping;
use aqueduct_operations::params::Param;

/// The parts of an operation that its controls depend on.
pub(super) struct ControlContext<'s> {
    pub category: Category,
    pub is_collection: bool,
    pub is_tool: bool,
    pub params: &'s [Param],
    pub grouping: Grouping,
}

/// Warns of each parameter that takes the name of a control of this operation.
pub(super) fn check(operation: &NodeCursor<'_>, subject: &ControlContext<'_>, found: &mut Findings<'_>) {
    // The author of an imported operation is not the one who reads this.
    if operation.get("imported_from").is_some() {
        return;
    }
    let is_outer = |param: &&Param| subject.grouping != Grouping::Input || !param.is_body();
    for param in subject.params.iter().filter(is_outer) {
        let offered = Control::all().any(|control| {
            control.name() == param.name
                && control.suits(subject.category, subject.is_collection)
                && !(subject.is_tool && control == Control::IfMatch)
        });
        if offered {
            let name = &param.name;
            let message = format!(
                "'{name}' is also a control: the parameter takes the name, and the control is offered as 'aql_{name}'"
            );
            let hint = format!(
                "to keep the control's name, rename the parameter and add mapTo: {}",
                param.upstream_name
            );
            let (path, place) = place_of_key(operation, name);
            found.add(
                Finding::new(DiagnosticSeverity::Warning, "CONTROL_NAME", path, place, message).hint(hint),
            );
        }
    }
}

/// Where the name of a parameter stands: its key, its entry in a list, or the reference that brings it.
fn place_of_key(operation: &NodeCursor<'_>, name: &str) -> (String, (u32, u32)) {
    let block = operation.get("params");
    let mut entries = block.iter().flat_map(NodeCursor::entries);
    if let Some((entry, at)) = entries.find(|(entry, _)| entry.key == name) {
        return (at.path, (entry.line, entry.column));
    }
    let at = place_of(operation, name);
    (at.path, (at.node.line, at.node.column))
}

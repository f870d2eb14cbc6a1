//! Parameters with the name of a control: the parameter wins, so that the control has another name on that operation
//! (ruling W14). Anyone who writes the file gets a warning, because nothing else would show it.

use super::params::place_of;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::NodeCursor;
use aqueduct_operations::category::Category;
use aqueduct_operations::controls::Control;
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
pub(super) fn check(operation: &NodeCursor<'_>, context: &ControlContext<'_>, found: &mut Findings<'_>) {
    // The author of an imported operation is not the one who reads this.
    if operation.get("imported_from").is_some() {
        return;
    }
    let is_outer = |param: &&Param| context.grouping != Grouping::Input || !param.is_body();
    for param in context.params.iter().filter(is_outer) {
        let offered = Control::all().any(|control| {
            control.name() == param.name
                && control.suits(context.category, context.is_collection)
                && !(context.is_tool && control == Control::IfMatch)
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
            let finding = place_of(operation, name).warning("CONTROL_NAME", message).hint(hint);
            // The name stands in its key, where it has one.
            let block = operation.get("params");
            let key = block.iter().flat_map(|at| at.node.entries()).find(|entry| entry.key == *name);
            found.add(match key {
                Some(entry) => finding.on_key(entry),
                None => finding,
            });
        }
    }
}

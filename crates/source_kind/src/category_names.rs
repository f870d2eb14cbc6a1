//! The names by which the category of an operation is judged: the same for a document and for the file that is written of it.
//!
//! The name here, the name in the source and the request in; what the floor of all sources is shown out. A spelling of the
//! source's own name says nothing more than that name; what was made from the path only ever makes it worse.

use crate::operation_names::{UnnamedOperation, alone, is_form_of};
use aqueduct_operations::category::floor::FloorInput;
use aqueduct_operations::naming::words;
use aqueduct_operations::target::Method;
use std::borrow::Cow;

/// What an operation is called.
pub struct CategoryNames<'a> {
    own: Option<&'a str>,
    made: Option<Cow<'a, str>>,
}

impl<'a> CategoryNames<'a> {
    /// Of an operation without a request: a tool.
    pub fn of_tool(name: &'a str, own: &'a str) -> CategoryNames<'a> {
        CategoryNames::of(Cow::Borrowed(name), Some(own))
    }

    /// Of a request. The path is the one that names are made from, as its document has it.
    pub fn of_request(name: &'a str, own: Option<&'a str>, method: Method, path: &str) -> CategoryNames<'a> {
        let own = own.filter(|own| !own.trim().is_empty());
        let unnamed = UnnamedOperation { operation_id: own, method, path };
        // What was added because another operation has the name says nothing.
        let name = if is_form_of(name, &unnamed) { Cow::Owned(alone(&unnamed)) } else { Cow::Borrowed(name) };
        CategoryNames::of(name, own)
    }

    fn of(name: Cow<'a, str>, own: Option<&'a str>) -> CategoryNames<'a> {
        let is_spelling = own.is_some_and(|own| own == name || words(own).join("_") == name);
        CategoryNames { own, made: (!is_spelling).then_some(name) }
    }

    /// With method and path, what the floor looks at.
    pub fn floor_input<'s>(&'s self, method: Option<Method>, path: &'s str) -> FloorInput<'s> {
        FloorInput { method, path, names: self.own.as_slice(), made_name: self.made.as_deref() }
    }
}

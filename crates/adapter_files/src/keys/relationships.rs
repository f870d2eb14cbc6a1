//! The keys about how the things of an API hang together.
//!
//! Types, operations and parameters are named there; `check::relationships` looks for them.

use super::PATH;
use aqueduct_documents::keys::ValueForm::{Block, Filled, Map};
use aqueduct_documents::keys::{KeyBlock, ValueForm, optional, required};

const PARAMS: ValueForm = Map(&PATH);
const VIA_MISSING: &str = "The operation that follows the link is required";
const PARAMS_MISSING: &str = "The parameters of the operation are required";

pub(super) static RELATIONSHIP: KeyBlock = KeyBlock::new("relationship", "A link between two types").keys(&[
    required("type", Filled, "The link's name", "The name of the link is required"),
    required("from", Filled, "The type it starts from", "The type that the link starts from is required"),
    required("to", Filled, "The type it leads to", "The type that the link leads to is required"),
    required("via", Filled, "The READ operation that follows it", VIA_MISSING),
    required("params", PARAMS, "Its parameters, by path in the type it starts from", PARAMS_MISSING),
    optional("inverse", Block(&INVERSE), "The way back"),
]);

static INVERSE: KeyBlock = KeyBlock::new("inverse", "The way back of a link").keys(&[
    required("via", Filled, "The READ operation that follows it back", VIA_MISSING),
    required("params", PARAMS, "Its parameters, by path in the type it leads to", PARAMS_MISSING),
]);

pub(super) static FETCH: KeyBlock = KeyBlock::new("fetch", "How one thing of a type is read").keys(&[
    required("operation", Filled, "The READ operation", "The operation that reads one is required"),
    required("params", PARAMS, "Its parameters, by path in root: element_name", PARAMS_MISSING),
]);

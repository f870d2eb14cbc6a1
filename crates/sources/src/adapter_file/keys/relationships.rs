//! The keys about how the things of an API hang together.
//!
//! Types, operations and parameters are named there; `check::relationships` looks for them.

use super::PATH;
use crate::document::keys::{Block, Form, Key};

const PARAMS: Form = Form::Map(&PATH);
const VIA_MISSING: &str = "The operation that follows the link is required";
const PARAMS_MISSING: &str = "The parameters of the operation are required";

pub(super) static RELATIONSHIP: Block = Block {
    name: "relationship",
    about: "A link between two types",
    keys: &[
        Key::required("type", Form::Filled, "The link's name", "The name of the link is required"),
        Key::required(
            "from",
            Form::Filled,
            "The type it starts from",
            "The type that the link starts from is required",
        ),
        Key::required(
            "to",
            Form::Filled,
            "The type it leads to",
            "The type that the link leads to is required",
        ),
        Key::required("via", Form::Filled, "The READ operation that follows it", VIA_MISSING),
        Key::required("params", PARAMS, "Its parameters, by path in the type it starts from", PARAMS_MISSING),
        Key::optional("inverse", Form::Block(&INVERSE), "The way back"),
    ],
};

static INVERSE: Block = Block {
    name: "inverse",
    about: "The way back of a link",
    keys: &[
        Key::required("via", Form::Filled, "The READ operation that follows it back", VIA_MISSING),
        Key::required("params", PARAMS, "Its parameters, by path in the type it leads to", PARAMS_MISSING),
    ],
};

pub(super) static FETCH: Block = Block {
    name: "fetch",
    about: "How one thing of a type is read",
    keys: &[
        Key::required(
            "operation",
            Form::Filled,
            "The READ operation",
            "The operation that reads one is required",
        ),
        Key::required("params", PARAMS, "Its parameters, by path in root: element_name", PARAMS_MISSING),
    ],
};

//! The keys about how the things of an API hang together.
//!
//! Types, operations and parameters are named there; `check::relationships` looks for them.

use super::PATH;
use aqueduct_documents::keys::{KeyBlock, KeySpec, ValueForm};

const PARAMS: ValueForm = ValueForm::Map(&PATH);
const VIA_MISSING: &str = "The operation that follows the link is required";
const PARAMS_MISSING: &str = "The parameters of the operation are required";

pub(super) static RELATIONSHIP: KeyBlock = KeyBlock {
    name: "relationship",
    about: "A link between two types",
    keys: &[
        KeySpec::required("type", ValueForm::Filled, "The link's name", "The name of the link is required"),
        KeySpec::required(
            "from",
            ValueForm::Filled,
            "The type it starts from",
            "The type that the link starts from is required",
        ),
        KeySpec::required(
            "to",
            ValueForm::Filled,
            "The type it leads to",
            "The type that the link leads to is required",
        ),
        KeySpec::required("via", ValueForm::Filled, "The READ operation that follows it", VIA_MISSING),
        KeySpec::required(
            "params",
            PARAMS,
            "Its parameters, by path in the type it starts from",
            PARAMS_MISSING,
        ),
        KeySpec::optional("inverse", ValueForm::Block(&INVERSE), "The way back"),
    ],
};

static INVERSE: KeyBlock = KeyBlock {
    name: "inverse",
    about: "The way back of a link",
    keys: &[
        KeySpec::required("via", ValueForm::Filled, "The READ operation that follows it back", VIA_MISSING),
        KeySpec::required(
            "params",
            PARAMS,
            "Its parameters, by path in the type it leads to",
            PARAMS_MISSING,
        ),
    ],
};

pub(super) static FETCH: KeyBlock = KeyBlock {
    name: "fetch",
    about: "How one thing of a type is read",
    keys: &[
        KeySpec::required(
            "operation",
            ValueForm::Filled,
            "The READ operation",
            "The operation that reads one is required",
        ),
        KeySpec::required("params", PARAMS, "Its parameters, by path in root: element_name", PARAMS_MISSING),
    ],
};

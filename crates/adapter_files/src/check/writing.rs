//! `style`, `explode` and `allow_reserved`, of parameters and of the fields of a body.
//!
//! Three keys and a place in; how a value is written out, with the defaults of OpenAPI for that place.

use aqueduct_documents::node_cursor::NodeCursor;
use aqueduct_operations::params::{ParamEncoding, ParamLocation, ParamStyle};

/// What a file says, before the place is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DeclaredEncoding {
    style: Option<ParamStyle>,
    explode: Option<bool>,
    allow_reserved: bool,
}

/// The three keys, when one of them is there.
pub(super) fn of(at: &NodeCursor<'_>) -> Option<DeclaredEncoding> {
    let style = at.text("style").and_then(ParamStyle::parse);
    let (explode, allow_reserved) = (at.flag("explode"), at.flag("allow_reserved"));
    (style.is_some() || explode.is_some() || allow_reserved.is_some()).then_some(DeclaredEncoding {
        style,
        explode,
        allow_reserved: allow_reserved.unwrap_or(false),
    })
}

impl DeclaredEncoding {
    /// What it means in this place.
    pub(super) fn in_place(self, place: ParamLocation) -> ParamEncoding {
        let style = self.style.unwrap_or(ParamStyle::usual_in(place));
        ParamEncoding {
            style,
            explode: self.explode.unwrap_or(style.usually_explodes()),
            allow_reserved: self.allow_reserved,
        }
    }
}

//! `style`, `explode` and `allow_reserved`, of parameters and of the fields of a body.
//!
//! Three keys and a place in; how a value is written out, with the defaults of OpenAPI for that place.

use crate::document::cursor::Cursor;
use aqueduct_operations::params::{Place, Style, Writing};

/// What a file says, before the place is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Written {
    style: Option<Style>,
    explode: Option<bool>,
    allow_reserved: bool,
}

/// The three keys, when one of them is there.
pub(super) fn of(at: &Cursor<'_>) -> Option<Written> {
    let style = at.text("style").and_then(Style::parse);
    let (explode, allow_reserved) = (at.flag("explode"), at.flag("allow_reserved"));
    (style.is_some() || explode.is_some() || allow_reserved.is_some()).then_some(Written {
        style,
        explode,
        allow_reserved: allow_reserved.unwrap_or(false),
    })
}

impl Written {
    /// What it means in this place.
    pub(super) fn in_place(self, place: Place) -> Writing {
        let style = self.style.unwrap_or(default_style(place));
        Writing {
            style,
            explode: self.explode.unwrap_or(default_explode(style)),
            allow_reserved: self.allow_reserved,
        }
    }
}

/// The style of a place when none is named.
pub(crate) fn default_style(place: Place) -> Style {
    match place {
        Place::Path | Place::Header => Style::Simple,
        Place::Query | Place::Cookie | Place::Body => Style::Form,
    }
}

/// Whether members stand for themselves when nothing is said.
pub(crate) fn default_explode(style: Style) -> bool {
    matches!(style, Style::Form | Style::DeepObject)
}

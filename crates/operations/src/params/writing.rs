//! How a list or an object becomes text in a request: the styles of OpenAPI.
//!
//! Sources declare it, upstream writes by it.

use super::ParamLocation;
use crate::named_enum::named_enum;

/// A style, and whether each member stands for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ParamEncoding {
    /// The style.
    pub style: ParamStyle,
    /// Every member of a list or an object is its own value or pair.
    pub explode: bool,
    /// Reserved characters are sent as they are.
    pub allow_reserved: bool,
}

named_enum! {
    /// The styles.
    #[derive(Hash)]
    pub enum ParamStyle {
        /// `a,b`
        Simple = "simple",
        /// `.a.b`
        Label = "label",
        /// `;name=a,b`
        Matrix = "matrix",
        /// `name=a,b`, or `name=a&name=b`
        Form = "form",
        /// `name=a%20b`
        SpaceDelimited = "spaceDelimited",
        /// `name=a|b`
        PipeDelimited = "pipeDelimited",
        /// `name=a%09b`, of Swagger 2.0
        TabDelimited = "tabDelimited",
        /// `name[key]=a`, as deep as the value goes
        DeepObject = "deepObject",
        /// The value as JSON text
        Json = "json",
    }
}

impl ParamStyle {
    /// The style of a place when none is named.
    pub fn usual_in(place: ParamLocation) -> ParamStyle {
        match place {
            ParamLocation::Path | ParamLocation::Header => ParamStyle::Simple,
            ParamLocation::Query | ParamLocation::Cookie | ParamLocation::Body => ParamStyle::Form,
        }
    }

    /// Whether members stand for themselves when nothing is said.
    pub fn usually_explodes(self) -> bool {
        matches!(self, ParamStyle::Form | ParamStyle::DeepObject)
    }
}

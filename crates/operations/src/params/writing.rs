//! How a list or an object becomes text in a request: the styles of OpenAPI.
//!
//! Sources declare it, upstream writes by it.

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

/// The styles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ParamStyle {
    /// `a,b`
    Simple,
    /// `.a.b`
    Label,
    /// `;name=a,b`
    Matrix,
    /// `name=a,b`, or `name=a&name=b`
    Form,
    /// `name=a%20b`
    SpaceDelimited,
    /// `name=a|b`
    PipeDelimited,
    /// `name=a%09b`, of Swagger 2.0
    TabDelimited,
    /// `name[key]=a`, as deep as the value goes
    DeepObject,
    /// The value as JSON text
    Json,
}

impl ParamStyle {
    /// All of them, with the names used in documents.
    pub const ALL: [(&'static str, ParamStyle); 9] = [
        ("simple", ParamStyle::Simple),
        ("label", ParamStyle::Label),
        ("matrix", ParamStyle::Matrix),
        ("form", ParamStyle::Form),
        ("spaceDelimited", ParamStyle::SpaceDelimited),
        ("pipeDelimited", ParamStyle::PipeDelimited),
        ("tabDelimited", ParamStyle::TabDelimited),
        ("deepObject", ParamStyle::DeepObject),
        ("json", ParamStyle::Json),
    ];

    /// Reads one of the names.
    pub fn parse(text: &str) -> Option<ParamStyle> {
        ParamStyle::ALL.into_iter().find(|(name, _)| *name == text).map(|(_, style)| style)
    }

    /// The name used in documents.
    pub fn name(self) -> &'static str {
        ParamStyle::ALL.into_iter().find(|(_, style)| *style == self).map_or("form", |(name, _)| name)
    }
}

//! How a list or an object becomes text in a request: the styles of OpenAPI.
//!
//! Sources declare it, upstream writes by it.

/// A style, and whether each member stands for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ParamEncoding {
    /// The style.
    pub style: Style,
    /// Every member of a list or an object is its own value or pair.
    pub explode: bool,
    /// Reserved characters are sent as they are.
    pub allow_reserved: bool,
}

/// The styles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
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

impl Style {
    /// All of them, with the names used in documents.
    pub const ALL: [(&'static str, Style); 9] = [
        ("simple", Style::Simple),
        ("label", Style::Label),
        ("matrix", Style::Matrix),
        ("form", Style::Form),
        ("spaceDelimited", Style::SpaceDelimited),
        ("pipeDelimited", Style::PipeDelimited),
        ("tabDelimited", Style::TabDelimited),
        ("deepObject", Style::DeepObject),
        ("json", Style::Json),
    ];

    /// Reads one of the names.
    pub fn parse(text: &str) -> Option<Style> {
        Style::ALL.into_iter().find(|(name, _)| *name == text).map(|(_, style)| style)
    }

    /// The name used in documents.
    pub fn name(self) -> &'static str {
        Style::ALL.into_iter().find(|(_, style)| *style == self).map_or("form", |(name, _)| name)
    }
}

//! Enums whose values have names on the wire, in files or in logs.
//!
//! One table of values, their meaning and their names in; the enum with `ALL`, `NAMES`, `name` and `parse` out. A value may
//! have other names that are read, and never written.

/// Declares such an enum. What else it derives stands before it.
macro_rules! named_enum {
    ($(#[$meta:meta])* pub enum $enum:ident { $($(#[$about:meta])* $value:ident = $name:literal $(| $alias:literal)*),+ $(,)? }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $(#[$meta])*
        pub enum $enum { $($(#[$about])* $value),+ }

        impl $enum {
            /// Every value, in the order of their declaration.
            pub const ALL: [$enum; [$($name),+].len()] = [$($enum::$value),+];

            /// Every name that is read, those that are never written last.
            pub const NAMES: &'static [&'static str] = &[$($name,)+ $($($alias,)*)+];

            /// Reads a name.
            pub fn parse(text: &str) -> Option<$enum> {
                match text { $($name $(| $alias)* => Some($enum::$value),)+ _ => None }
            }

            /// Its name on the wire, in files and in logs.
            pub fn name(self) -> &'static str {
                match self { $($enum::$value => $name),+ }
            }
        }
    };
}

pub(crate) use named_enum;

//! Enums whose values have names on the wire, in files or in logs.
//!
//! One table of values, their meaning and their names in; the enum with `ALL` and `name` out.

/// Declares such an enum. What else it derives stands before it.
macro_rules! named_enum {
    ($(#[$meta:meta])* pub enum $enum:ident { $($(#[$about:meta])* $value:ident = $name:literal),+ $(,)? }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $(#[$meta])*
        pub enum $enum { $($(#[$about])* $value),+ }

        impl $enum {
            /// Every value, in the order of their declaration.
            pub const ALL: [$enum; [$($name),+].len()] = [$($enum::$value),+];

            /// Its name on the wire, in files and in logs.
            pub fn name(self) -> &'static str {
                match self { $($enum::$value => $name),+ }
            }
        }
    };
}

pub(crate) use named_enum;

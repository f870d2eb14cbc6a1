//! An API that answers with something other than what was asked for: bombs, endless bodies, other callers' secrets, and lies about
//! length or type.

mod large;

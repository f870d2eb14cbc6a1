//! The author of an adapter file that somebody drops into a served directory: variables that are not his, programs of his own, and
//! operations that are not what their names say.

mod reload;

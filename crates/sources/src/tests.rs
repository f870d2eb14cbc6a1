//! Tests of several kinds together.

mod category_names;

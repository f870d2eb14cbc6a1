//! Tests of several kinds together.

mod judged_names;

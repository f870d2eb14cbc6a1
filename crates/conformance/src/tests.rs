//! Tests of what a run is made of: reports, shapes, leaks, values, patterns, and what is never sent.

mod envelopes;
mod reports;
mod safety;
mod shapes;
mod values;

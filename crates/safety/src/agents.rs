//! What is decided about agents that work on their own (core specification, sections 8.6 to 8.8).
//!
//! Pure: names of agents, patterns over what they report, a score for it, and the five stages that make a verdict of that. What is
//! kept of it is in the store.

pub mod agent_name;
pub mod directive;
pub mod evaluate;
pub mod folded_text;
pub mod hint_forms;
mod look_alikes;
pub mod patterns;
pub mod risk;
pub mod settings;

//! The routes of the page, asked as a browser asks: who gets in, what is refused, what is escaped.

mod access;
mod answers;
mod desk_actions;
mod executions;
mod hostile;
mod support;
mod words;

//! The routes of the page, asked as a browser asks: who gets in, what is refused, what is escaped.

mod access;
mod answers;
mod hostile;
mod support;
mod words;

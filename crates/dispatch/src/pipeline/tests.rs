//! Whole calls, from arguments to answer, seen from both ends: by the client and by a recording API.

mod any_request;
mod asking;
mod batch;
mod broken_pages;
mod cache;
mod codes;
mod concurrency;
mod endpoints;
mod events;
mod gate;
mod handler_cache;
mod handlers;
mod limits;
mod long_texts;
mod names;
mod observed;
mod one_gate;
mod preconditions;
mod preview;
mod pushed_controls;
mod rate_limits;
mod requests;
mod secrecy;
mod update;
mod upstream;
mod warnings;

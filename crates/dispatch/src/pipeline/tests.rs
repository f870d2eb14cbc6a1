//! Whole calls, from arguments to answer, seen from both ends: by the client and by a recording API.

mod any_request;
mod concurrency;
mod doors;
mod gate;
mod limits;
mod names;
mod requests;
mod secrecy;
mod upstream;

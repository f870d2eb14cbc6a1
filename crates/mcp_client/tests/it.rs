//! The clients against fake servers: as child processes, over HTTP, and through the guard.

mod it {
    mod calls;
    mod guard;
    mod many;
    mod restarts;
    mod support;
    mod web;
}

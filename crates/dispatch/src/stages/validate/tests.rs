//! What is accepted, what is rejected, and how well the rejection tells what to send.

mod rejections;
mod repairs;
mod updates;

//! A client that has the connection, or only the port: it wants in without a token, to act without a person's yes, or to take the
//! server away from the others.

mod doors;
mod greed;
mod hangups;
mod queries;

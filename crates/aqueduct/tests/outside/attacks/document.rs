//! The author of an OpenAPI document that somebody serves unread: schemas that never end, names that claim to be harmless, and
//! schemes that ask for another source's credential.

mod bombs;

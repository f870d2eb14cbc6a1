//! Names and passwords as HTTP Basic sends them (RFC 7617). A pair in, its letters out; or letters in, the password out. Memory
//! is cleared.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

/// What stands behind `Basic ` for this pair.
pub fn encoded(username: &str, password: &str) -> Zeroizing<String> {
    let pair = Zeroizing::new(format!("{username}:{password}"));
    Zeroizing::new(STANDARD.encode(pair.as_bytes()))
}

/// The password of what stands behind `Basic `; nothing when that is no pair.
pub fn password_in(encoded: &str) -> Option<Zeroizing<String>> {
    let bytes = Zeroizing::new(STANDARD.decode(encoded).ok()?);
    let (_, password) = std::str::from_utf8(&bytes).ok()?.split_once(':')?;
    Some(Zeroizing::new(password.to_owned()))
}

#[cfg(test)]
mod tests;

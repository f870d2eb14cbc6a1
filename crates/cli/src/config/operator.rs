//! Where the operator's page listens: `--operator`, then `[operator] listen`, then the usual address once a passphrase is set.
//!
//! Texts in; an address of this machine, or what is wrong with it, out. Nothing is bound.

use crate::report::{CommandError, Exit};
use aqueduct_documents::node_cursor::NodeCursor;
use aqueduct_surface::operator_page::NotLoopback;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// The usual address.
const USUAL: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7433);

/// The word for no page.
const NONE: &str = "none";

/// Where the page listens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperatorListen {
    /// No one said: on the usual address, if a passphrase is set.
    Usual(SocketAddr),
    /// Here, whether a passphrase is set yet or not.
    At(SocketAddr),
    /// Nowhere.
    Nowhere,
}

/// What the flag, else the file says.
pub fn listen(flag: Option<&str>, root: Option<&NodeCursor<'_>>) -> Result<OperatorListen, CommandError> {
    let of_file = || root.and_then(|root| root.get("operator")).and_then(|block| block.owned_text("listen"));
    match flag {
        Some(text) => {
            read(text).map_err(|problem| CommandError::new(Exit::Invalid, format!("--operator: {problem}")))
        }
        None => match of_file() {
            Some(text) => read(&text)
                .map_err(|problem| CommandError::configuration(format!("operator.listen: {problem}"))),
            None => Ok(OperatorListen::Usual(USUAL)),
        },
    }
}

fn read(text: &str) -> Result<OperatorListen, String> {
    if text == NONE {
        return Ok(OperatorListen::Nowhere);
    }
    let by_name = || {
        let port = text.strip_prefix("localhost:")?.parse().ok()?;
        Some(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port))
    };
    let address: SocketAddr = text.parse().ok().or_else(by_name).ok_or_else(|| {
        format!(
            "'{text}' is no address of this machine; write host and port, such as 127.0.0.1:7433, or 'none'"
        )
    })?;
    if address.ip().to_canonical().is_loopback() {
        Ok(OperatorListen::At(address))
    } else {
        Err(NotLoopback(address).to_string())
    }
}

#[cfg(test)]
mod tests;

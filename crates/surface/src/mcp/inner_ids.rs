//! Names of requests inside the process, for those whose own id does not tell them apart.
//!
//! An id and a number in, a name out; a name in, the id that it was made of out. Inside, the SDK and the tables here know a request
//! by its name; on its response stands the client's own id again.

use rmcp::model::RequestId;
use std::sync::LazyLock;
use uuid::Uuid;

/// How names that are given here begin. It never leaves the process, so no client can send one.
static MARK: LazyLock<String> = LazyLock::new(|| format!("{}:", Uuid::new_v4().simple()));

/// The name of a request with this id; no other request of its session has the number.
pub(crate) fn inner_id(number: u64, own: &RequestId) -> RequestId {
    let own = own.clone().into_json_value();
    RequestId::String(format!("{}{number}:{own}", *MARK).into())
}

/// The client's own id, when this is a name that was given here.
pub(crate) fn own_id(name: &RequestId) -> Option<RequestId> {
    let RequestId::String(text) = name else { return None };
    let (_, own) = text.strip_prefix(MARK.as_str())?.split_once(':')?;
    serde_json::from_str(own).ok()
}

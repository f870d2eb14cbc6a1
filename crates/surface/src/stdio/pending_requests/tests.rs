//! Which response belongs to which request.

use super::PendingRequests;
use rmcp::model::RequestId;

impl PendingRequests {
    /// True while the response to this request waits for a place in the queue.
    pub fn waits(&self, id: i64) -> bool {
        self.requests().by_id.get(&RequestId::Number(id)).is_some_and(|pending| pending.waits_for_place)
    }
}

/// A response goes out for the request that it is of, once, and for no other one of the same id.
#[test]
fn names_are_of_one_request() {
    for id in [RequestId::Number(7), RequestId::String("a \"b\": c".into())] {
        let pending = PendingRequests::default();
        let first = pending.start(&id).unwrap();
        assert_eq!(first, id, "as long as nothing is cancelled");
        assert!(pending.start(&id).is_err());
        assert_eq!(pending.cancel(&id).as_ref(), Some(&first));
        assert_eq!(pending.cancel(&id), None);
        assert_eq!(pending.answer(&first, || ()), None, "it was cancelled");
        let second = pending.start(&id).unwrap();
        assert_ne!(second, first);
        assert_eq!(pending.answer(&first, || ()), None, "it is another one's");
        assert_eq!(pending.answer(&second, || 1), Some(1));
        assert_eq!(pending.answer(&second, || 1), None);
        assert_eq!(pending.start_by_own_id(&id).unwrap(), id);
        assert_eq!(pending.requests().running, 1);
    }
}

/// A call on another thread may be over before its task is noted: what waits for its place then is not ended with the session.
#[tokio::test]
async fn a_response_that_waits_is_not_ended() {
    let pending = PendingRequests::default();
    let name = pending.start(&RequestId::Number(1)).unwrap();
    let waiting = tokio::spawn(std::future::ready(7));
    pending.wait_for_place(&name);
    pending.runs_here(&name, waiting.abort_handle());
    pending.cancel_all();
    assert_eq!(waiting.await.unwrap(), 7);
    let name = pending.start(&RequestId::Number(2)).unwrap();
    let running = tokio::spawn(std::future::pending::<()>());
    pending.runs_here(&name, running.abort_handle());
    pending.cancel_all();
    assert!(running.await.unwrap_err().is_cancelled());
}

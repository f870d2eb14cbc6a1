//! Tests of `ids`.

use super::{DirectRequest, RequestIds};
use rmcp::model::{EmptyResult, ErrorData, JsonRpcMessage, RequestId, ServerJsonRpcMessage, ServerResult};
use std::collections::HashSet;
use std::sync::Arc;

fn answer(id: &RequestId) -> Arc<ServerJsonRpcMessage> {
    Arc::new(ServerJsonRpcMessage::response(ServerResult::EmptyResult(EmptyResult {}), id.clone()))
}

fn id_of(message: &ServerJsonRpcMessage) -> Option<RequestId> {
    match message {
        JsonRpcMessage::Response(response) => Some(response.id.clone()),
        JsonRpcMessage::Error(error) => error.id.clone(),
        _ => None,
    }
}

/// Requests of one id go by names of their own inside, and every answer has the client's id.
#[test]
fn requests_alike_are_told_apart() {
    for id in [RequestId::Number(7), RequestId::String("a \"b\": c".into()), RequestId::String("".into())] {
        let ids = RequestIds::default();
        let names: Vec<_> = (0..5).map(|_| ids.begin(&id)).collect();
        assert_eq!(names[0], id, "one alone keeps its id");
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), 5);
        let mut last = Arc::new(ServerJsonRpcMessage::error(
            ErrorData::internal_error("x", None),
            Some(names[4].clone()),
        ));
        ids.outward(&mut last);
        assert_eq!(id_of(&last).as_ref(), Some(&id));
        for name in &names[..4] {
            assert!(!ids.is_idle());
            let mut message = answer(name);
            ids.outward(&mut message);
            assert_eq!(id_of(&message).as_ref(), Some(&id));
        }
        assert!(ids.is_idle());
        let mut replayed = answer(&names[2]);
        ids.outward(&mut replayed);
        assert_eq!(id_of(&replayed), Some(id), "whoever comes back for it later gets the same");
    }
}

/// Once the first is answered its id is free again, and is not confused with those that are still under way.
#[test]
fn ids_come_free() {
    let (ids, id) = (RequestIds::default(), RequestId::Number(1));
    let (first, second) = (ids.begin(&id), ids.begin(&id));
    ids.outward(&mut answer(&first));
    let third = ids.begin(&id);
    assert_eq!(third, id);
    assert_eq!(ids.give_up(&id), [second, third]);
    assert!(ids.is_idle());
    assert_eq!(ids.give_up(&RequestId::Number(9)), [RequestId::Number(9)]);
}

/// A call that the SDK knows nothing of ends when its id is given up, and only then; it is in flight until it is dropped.
#[tokio::test]
async fn direct_calls_are_given_up_by_id() {
    let ids = Arc::new(RequestIds::default());
    let (one, two) = (RequestId::Number(1), RequestId::Number(2));
    let calls = [&one, &one, &two].map(|id| ids.begin_direct(id));
    assert!(!ids.is_idle());
    ids.give_up(&one);
    let is_over = |call| futures::FutureExt::now_or_never(DirectRequest::given_up(call)).is_some();
    assert_eq!(calls.each_ref().map(is_over), [true, true, false]);
    drop(calls);
    assert!(ids.is_idle() && ids.last_end().is_some());
}

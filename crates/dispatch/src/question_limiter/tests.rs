//! Tests of `question_limiter`.

use super::{BURST, MOST_IN_A_CALL, QuestionLimiter};
use aqueduct_operations::call::SessionId;
use aqueduct_operations::clock::Clock;
use aqueduct_operations::handler::{Boxed, ElicitRequest, ElicitResponse, Elicitor};
use aqueduct_testkit::clock::TestClock;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

#[derive(Debug, Default)]
struct QuestionHistory(AtomicU32);

impl Elicitor for QuestionHistory {
    fn ask<'a>(&'a self, _question: ElicitRequest) -> Boxed<'a, ElicitResponse> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Box::pin(async { ElicitResponse::Accepted(json!({})) })
    }
}

#[tokio::test]
async fn few_in_a_call_and_few_in_a_minute() {
    let (questions, person) = (Arc::new(QuestionLimiter::default()), Arc::new(QuestionHistory::default()));
    let clock = Arc::new(TestClock::default());
    let call = async |session: &str, times: u32| {
        let (asker, clock): (Arc<dyn Elicitor>, Arc<dyn Clock>) =
            (Arc::clone(&person) as Arc<dyn Elicitor>, Arc::clone(&clock) as Arc<dyn Clock>);
        let bounded = questions.bounded(&asker, "server", &SessionId::new(session), &clock);
        let mut accepted = 0;
        for _ in 0..times {
            let question = ElicitRequest { message: "?".to_owned(), schema: json!({}) };
            accepted += u32::from(bounded.ask(question).await != ElicitResponse::Declined);
        }
        (accepted, bounded.warning().and_then(|it| it.details.get("declined").cloned()))
    };
    assert_eq!(call("s", 3).await, (3, None));
    assert_eq!(call("s", 200).await, (MOST_IN_A_CALL, Some(json!(195))));
    let mut more = 0;
    for _ in 0..10 {
        more += call("s", MOST_IN_A_CALL).await.0;
    }
    assert_eq!(f64::from(more + 3 + MOST_IN_A_CALL), BURST, "all calls together");
    assert_eq!(call("another", 1).await, (1, None), "one session does not use up what another has");
    clock.advance(Duration::from_secs(60));
    assert_eq!(call("s", 2).await, (2, None));
    assert_eq!(person.0.load(Ordering::SeqCst), 23);
}

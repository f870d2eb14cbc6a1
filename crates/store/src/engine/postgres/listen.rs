//! Hearing of changes that other instances have made, the moment they are committed.
//!
//! A connection of its own, made again whenever it breaks, with growing pauses. What is missed meanwhile is found by polling.

use super::connect::Connector;
use crate::context::Context;
use backon::{BackoffBuilder, ExponentialBuilder};
use futures::StreamExt;
use futures::stream::poll_fn;
use std::sync::Weak;
use std::time::Duration;
use tokio_postgres::AsyncMessage;

/// What changes are told on.
pub(super) const CHANNEL: &str = "aqueduct_store";

const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Listens until the store is dropped.
pub(super) async fn listen(connector: Connector, context: Weak<Context>) {
    let pauses = ExponentialBuilder::new().with_min_delay(FIRST_PAUSE).with_max_delay(LONGEST_PAUSE);
    let pauses = pauses.without_max_times();
    let mut next_pauses = pauses.build();
    while context.strong_count() > 0 {
        match receive(&connector, &context).await {
            Ok(()) => next_pauses = pauses.build(),
            Err(error) => tracing::debug!(target: "aqueduct::store", %error, "changes are polled for"),
        }
        tokio::time::sleep(next_pauses.next().unwrap_or(LONGEST_PAUSE)).await;
    }
}

/// Listens until the connection ends. It was of use if it ends without an error.
async fn receive(connector: &Connector, context: &Weak<Context>) -> Result<(), tokio_postgres::Error> {
    let (client, mut connection) = connector.config.connect(connector.tls.clone()).await?;
    let mut messages = poll_fn(move |cx| connection.poll_message(cx));
    let command = format!("LISTEN {CHANNEL}");
    let mut subscribed = std::pin::pin!(client.batch_execute(&command));
    let mut is_subscribed = false;
    loop {
        tokio::select! {
            result = &mut subscribed, if !is_subscribed => {
                result?;
                is_subscribed = true;
                notify(context);
            }
            message = messages.next() => match message {
                Some(Ok(AsyncMessage::Notification(_))) => notify(context),
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error),
                None => return Ok(()),
            }
        }
    }
}

fn notify(context: &Weak<Context>) {
    if let Some(context) = context.upgrade() {
        context.notify_change();
    }
}

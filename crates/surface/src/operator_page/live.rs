//! Changes as they happen: a stream of server-sent events, each with the parts of the page that changed.
//!
//! A signed-in browser in; an event for every change out, as one line of JSON with HTML that is escaped already. The stream ends
//! with the session, or with the server; browsers come again by themselves.

use super::backend::{AgentsView, ApprovalView, AuditView, BackendError, ExecutionsView, OperatorBackend};
use super::instance_report::InstanceReport;
use super::routes::PageState;
use super::session::{SessionUse, SignedIn};
use super::view;
use crate::metrics::Follower;
use aqueduct_operations::rate_limits::status::SourceLimitStatus;
use axum::extract::{Path, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::stream::{self, Stream};
use http::HeaderMap;
use serde_json::json;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// How often it is looked for what no one tells of, such as calls of the last minute.
const LOOK: Duration = Duration::from_secs(3);
/// How long is waited for more changes of a row.
const GATHER: Duration = Duration::from_millis(100);

/// What the first page shows.
#[derive(Debug)]
pub struct PageSnapshot {
    pub waiting: Vec<ApprovalView>,
    pub instances: Vec<InstanceReport>,
    pub limits: Vec<SourceLimitStatus>,
    pub agents: AgentsView,
    pub executions: ExecutionsView,
    pub failed_hooks: Vec<AuditView>,
}

/// Reads what the first page shows.
pub async fn read(backend: &Arc<dyn OperatorBackend>) -> Result<PageSnapshot, BackendError> {
    Ok(PageSnapshot {
        waiting: backend.waiting().await?,
        instances: backend.instances().await?,
        limits: backend.limits().await?,
        agents: backend.agents().await?,
        executions: backend.executions().await?,
        failed_hooks: backend.failed_hooks().await?,
    })
}

/// The stream of one browser.
struct EventFeed {
    page: Arc<PageState>,
    who: SignedIn,
    changes: watch::Receiver<u64>,
    /// What was sent last.
    sent: String,
    state: FeedState,
    _follower: Follower,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FeedState {
    Opened,
    Following,
    Ended,
}

/// Tells of changes. Anyone who is not signed in is told that, once: a browser would try for ever otherwise.
pub async fn events(
    State(page): State<Arc<PageState>>,
    Path(key): Path<String>,
    headers: HeaderMap,
) -> Response {
    let Some(who) = page.signed_in(&key, &headers, SessionUse::Page).await else {
        return Sse::new(stream::iter([Ok::<_, Infallible>(ended())])).into_response();
    };
    let (changes, follower) = (page.backend.changes(), page.counts.follow());
    let feed =
        EventFeed { page, who, changes, sent: String::new(), state: FeedState::Opened, _follower: follower };
    Sse::new(followed(feed)).keep_alive(KeepAlive::default()).into_response()
}

fn followed(feed: EventFeed) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold(feed, |mut feed| async move {
        let event = feed.next().await?;
        Some((Ok(event), feed))
    })
}

fn ended() -> Event {
    Event::default().event("ended").data("{}")
}

impl EventFeed {
    /// The next event; nothing when the stream is over.
    async fn next(&mut self) -> Option<Event> {
        loop {
            match self.state {
                FeedState::Ended => return None,
                FeedState::Opened => self.state = FeedState::Following,
                FeedState::Following => self.wait().await?,
            }
            if !self.is_signed_in().await {
                self.state = FeedState::Ended;
                return Some(ended());
            }
            // While the store is lost there is nothing to tell; the browser shows what it has.
            let Ok(shown) = read(&self.page.backend).await else { continue };
            let parts = json!({
                "count": shown.waiting.len(),
                "in_need": shown.waiting.len() + shown.agents.in_need(),
                "waiting": view::cards(&self.who, &shown.waiting).0,
                "agents": view::agents(&self.who, &shown.agents).0,
                "executions": view::executions(&self.who, &shown.executions).0,
                "overview": view::overview(&self.who, &shown).0,
            });
            let text = parts.to_string();
            if text != self.sent {
                self.sent.clone_from(&text);
                return Some(Event::default().event("view").data(text));
            }
        }
    }

    /// Waits until there may be something new; nothing when the server stops.
    async fn wait(&mut self) -> Option<()> {
        tokio::select! {
            () = self.page.stop.cancelled() => return None,
            changed = self.changes.changed() => {
                // The store is closed.
                changed.ok()?;
                tokio::time::sleep(GATHER).await;
            }
            () = tokio::time::sleep(LOOK) => {}
        }
        Some(())
    }

    async fn is_signed_in(&self) -> bool {
        let is_of_now = match self.page.backend.passphrase().await {
            Ok(mark) => mark.as_ref() == Some(&self.who.mark),
            Err(BackendError) => true,
        };
        is_of_now && self.page.sessions.lives(&self.who.key)
    }
}

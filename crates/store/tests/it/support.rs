//! Stores to try things on: each test has its own, and may open several instances of it.

use aqueduct_operations::clock::{Clock, SystemClock};
use aqueduct_store::approvals::{Approval, ApprovalRequest, RequestedApproval};
use aqueduct_store::confirmations::{Issue, IssueRequest, Redeem, Redemption, StoredTokenRefusal, TokenKind};
use aqueduct_store::{CallKey, Requester, Store, StoreSettings};
use aqueduct_testkit::clock::TestClock;
use secrecy::SecretString;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

/// Runs each test on both engines.
macro_rules! on_both_engines {
    ($($name:ident),* $(,)?) => {
        mod on_sqlite {
            $(#[tokio::test]
            async fn $name() {
                super::$name(crate::support::Place::sqlite()).await;
            })*
        }
        #[cfg(feature = "postgres")]
        mod on_postgres {
            $(#[tokio::test]
            async fn $name() {
                super::$name(crate::support::Place::postgres()).await;
            })*
        }
    };
}
pub(crate) use on_both_engines;

/// Where a store of one test is.
pub struct Place {
    pub settings: StoreSettings,
    pub clock: TestClock,
    raw: Raw,
}

enum Raw {
    Sqlite(TempDir),
    #[cfg(feature = "postgres")]
    Postgres {
        database: String,
        _witness: TempDir,
    },
}

impl Place {
    pub fn sqlite() -> Place {
        let directory = tempfile::tempdir().unwrap();
        let settings = StoreSettings::sqlite(directory.path().join("state"));
        Place { settings, clock: TestClock::default(), raw: Raw::Sqlite(directory) }
    }

    #[cfg(feature = "postgres")]
    pub fn postgres() -> Place {
        let url = aqueduct_testkit::postgres::shared().database();
        let database = url.rsplit('/').next().unwrap().to_owned();
        let seal_file = tempfile::tempdir().unwrap();
        // Tests move the time themselves.
        let process = aqueduct_store::TimeAuthority::Process;
        let postgres = aqueduct_store::PostgresSettings { time: process, ..postgres_settings(&url) };
        let mut settings = StoreSettings::postgres(postgres);
        settings.seal_file = Some(seal_file.path().join("audit.seal"));
        Place { settings, clock: TestClock::default(), raw: Raw::Postgres { database, _witness: seal_file } }
    }

    /// One more instance on the same store.
    pub fn open(&self) -> Store {
        self.open_with(Arc::new(self.clock.clone()))
    }

    /// One more instance, on the time of the machine.
    pub fn open_now(&self) -> Store {
        self.open_with(Arc::new(SystemClock))
    }

    fn open_with(&self, clock: Arc<dyn Clock>) -> Store {
        Store::open(self.settings.clone(), clock).unwrap()
    }

    /// How another process finds this store.
    pub fn address(&self) -> serde_json::Value {
        match &self.raw {
            Raw::Sqlite(directory) => serde_json::json!({"directory": directory.path().join("state")}),
            #[cfg(feature = "postgres")]
            Raw::Postgres { database, .. } => {
                serde_json::json!({"url": aqueduct_testkit::postgres::shared().url(database)})
            }
        }
    }

    /// The settings of a store at such an address.
    pub fn settings_at(address: &serde_json::Value) -> StoreSettings {
        #[cfg(feature = "postgres")]
        if let Some(url) = address["url"].as_str() {
            return StoreSettings::postgres(postgres_settings(url));
        }
        StoreSettings::sqlite(address["directory"].as_str().unwrap())
    }

    /// What somebody does who has the database and no key.
    pub fn tamper(&self, sql: &str) {
        match &self.raw {
            Raw::Sqlite(directory) => {
                let path = directory.path().join("state/store.sqlite");
                rusqlite::Connection::open(path).unwrap().execute_batch(sql).unwrap();
            }
            #[cfg(feature = "postgres")]
            Raw::Postgres { database, .. } => aqueduct_testkit::postgres::shared().sql(database, sql),
        }
    }
}

/// The usual settings with the key that all tests share.
#[cfg(feature = "postgres")]
pub fn postgres_settings(url: &str) -> aqueduct_store::PostgresSettings {
    let key = aqueduct_store::audit::AuditKey::parse(&SecretString::from("0f".repeat(32))).unwrap();
    aqueduct_store::PostgresSettings::new(SecretString::from(url.to_owned()), key)
}

pub fn asker(session: &str) -> Requester {
    Requester { session: session.to_owned(), caller: "alice".to_owned() }
}

pub fn call(operation: &str) -> CallKey {
    CallKey {
        source: "books".to_owned(),
        operation: operation.to_owned(),
        params: "p1".to_owned(),
        resolved: "r1".to_owned(),
    }
}

pub fn request(session: &str, calls: Vec<CallKey>) -> IssueRequest {
    IssueRequest {
        kind: TokenKind::Confirmation,
        asker: asker(session),
        calls,
        rule: Some("danger".to_owned()),
        lifetime: Duration::from_secs(300),
        cooldown: Duration::ZERO,
    }
}

pub async fn issue(store: &Store, session: &str, calls: Vec<CallKey>) -> SecretString {
    match store.issue_token(request(session, calls)).await.unwrap() {
        Issue::Issued(issued) => issued.token,
        Issue::Limited { .. } => panic!("limited"),
    }
}

pub fn redeem_request(token: &SecretString, session: &str, call: CallKey) -> Redeem {
    Redeem {
        token: token.clone(),
        asker: asker(session),
        call,
        rule: None,
        approver: None,
        context: None,
        grace: Duration::from_secs(30),
    }
}

pub async fn redeem(store: &Store, token: &SecretString, session: &str, call: CallKey) -> Redemption {
    store.redeem_token(redeem_request(token, session, call)).await.unwrap()
}

/// The refusal, or nothing when the token was good.
pub async fn refusal(
    store: &Store,
    token: &SecretString,
    session: &str,
    call: CallKey,
) -> Option<StoredTokenRefusal> {
    match redeem(store, token, session, call).await {
        Redemption::Redeemed(started) => {
            started.finish("success", None);
            settle(store).await;
            None
        }
        Redemption::Refused(refusal) => Some(refusal),
        Redemption::Limited { .. } => panic!("limited"),
    }
}

pub fn question(session: &str, calls: Vec<CallKey>) -> ApprovalRequest {
    ApprovalRequest {
        asker: asker(session),
        calls,
        danger: 3,
        rule: Some("danger".to_owned()),
        shown: serde_json::json!({"operation": "delete_book", "token": "[hidden]"}),
        lifetime: Duration::from_secs(300),
    }
}

pub async fn ask(store: &Store, session: &str, calls: Vec<CallKey>) -> Approval {
    match store.request_approval(question(session, calls)).await.unwrap() {
        RequestedApproval::Waiting(approval) => *approval,
        RequestedApproval::Limited { .. } => panic!("limited"),
    }
}

/// Waits until everything is written that no caller waits for.
pub async fn settle(store: &Store) {
    store.settle(Duration::from_secs(10)).await;
}

/// How many lines of the audit have this event.
pub async fn count_events(store: &Store, event: &str) -> usize {
    use aqueduct_store::audit::AuditFilter;
    let filter = AuditFilter { event: Some(event.to_owned()), ..AuditFilter::default() };
    store.audit_lines(filter, 1_000_000).await.unwrap().len()
}

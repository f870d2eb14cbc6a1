//! Where a store is, and what it counts.
//!
//! Made by the program from its configuration; nothing here prints an address or a key.

#[cfg(feature = "postgres")]
use crate::audit::key::AuditKey;
#[cfg(feature = "postgres")]
use secrecy::SecretString;
use std::path::PathBuf;
use std::time::Duration;

/// How a store is opened.
#[derive(Debug, Clone)]
pub struct StoreSettings {
    /// Where it is.
    pub place: StoreLocation,
    /// What it counts.
    pub limits: StoreLimits,
    /// A file of this machine that remembers the last seal of the audit, so that a store which was set back is noticed.
    pub seal_file: Option<PathBuf>,
    /// How often changes of other processes are looked for; as the engine has it, if nothing is said. For tests.
    #[doc(hidden)]
    pub poll_interval: Option<Duration>,
}

/// Where a store is.
#[derive(Debug, Clone)]
pub enum StoreLocation {
    /// A file in the state directory, for all processes of one machine.
    Sqlite {
        /// The directory; made when it is not there.
        directory: PathBuf,
    },
    /// A database, for as many machines as there are.
    #[cfg(feature = "postgres")]
    Postgres(Box<PostgresSettings>),
}

/// How PostgreSQL is reached.
#[cfg(feature = "postgres")]
#[derive(Debug, Clone)]
pub struct PostgresSettings {
    /// `postgres://…`, with the password in it.
    pub url: SecretString,
    /// The key of the audit: the same for every instance.
    pub key: AuditKey,
    /// Certificates that are trusted instead of the system's, as PEM.
    pub root_certificates: Option<Vec<u8>>,
    /// How many connections are kept at most.
    pub connections: usize,
    /// How long an answer is waited for.
    pub timeout: Duration,
    /// Whose time counts.
    pub time: TimeAuthority,
}

/// Whose time counts in a database that several machines share.
#[cfg(feature = "postgres")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimeAuthority {
    /// The database's, which is one for all: machines may disagree.
    #[default]
    Database,
    /// That of the clock that the store is opened with.
    Process,
}

#[cfg(feature = "postgres")]
impl PostgresSettings {
    /// The usual settings for this address and key.
    pub fn new(url: SecretString, key: AuditKey) -> PostgresSettings {
        PostgresSettings {
            url,
            key,
            root_certificates: None,
            connections: 4,
            timeout: Duration::from_secs(5),
            time: TimeAuthority::Database,
        }
    }
}

/// What the store counts and keeps.
#[derive(Debug, Clone)]
pub struct StoreLimits {
    /// Tokens and approvals that a session may ask for in a minute.
    pub issued_per_minute: u64,
    /// Tokens of a session that may be refused in a minute.
    pub failures_per_minute: u64,
    /// Passphrases of the operator that may be tried in a minute.
    pub passphrases_per_minute: u64,
    /// Live tokens that are kept for one source; one caller has half of them.
    pub live_tokens_per_source: u64,
    /// Questions of one caller that may wait for the operator.
    pub waiting_approvals_per_caller: u64,
    /// Lines of the audit after which it is sealed.
    pub lines_per_seal: u64,
    /// How long lines of the audit stay unsealed.
    pub seal_after: Duration,
    /// How long a confirmed call counts as running after its process was last heard of.
    pub lease: Duration,
    /// How long ended executions are kept.
    pub executions_kept: Duration,
}

impl Default for StoreLimits {
    fn default() -> StoreLimits {
        StoreLimits {
            issued_per_minute: 120,
            failures_per_minute: 10,
            passphrases_per_minute: 5,
            live_tokens_per_source: 1000,
            waiting_approvals_per_caller: 100,
            lines_per_seal: 64,
            seal_after: Duration::from_secs(60),
            lease: Duration::from_secs(30),
            executions_kept: Duration::from_secs(7 * 86_400),
        }
    }
}

impl StoreSettings {
    /// A file in the state directory.
    pub fn sqlite(directory: impl Into<PathBuf>) -> StoreSettings {
        let directory = directory.into();
        let seal_file = Some(directory.join("audit.seal"));
        StoreSettings { seal_file, ..StoreSettings::at(StoreLocation::Sqlite { directory }) }
    }

    /// A database.
    #[cfg(feature = "postgres")]
    pub fn postgres(settings: PostgresSettings) -> StoreSettings {
        StoreSettings::at(StoreLocation::Postgres(Box::new(settings)))
    }

    fn at(place: StoreLocation) -> StoreSettings {
        StoreSettings { place, limits: StoreLimits::default(), seal_file: None, poll_interval: None }
    }
}

//! `[store]`, with its variables and the limits of `[confirmation]`: where the store is, and what it counts.
//!
//! The tree and the state directory in; settings, or what is wrong with them, out. No database is reached; the state directory is made,
//! for what is remembered of one.

use super::executions;
use crate::report::CommandError;
use aqueduct::SecretString;
use aqueduct::store::audit::AuditKey;
use aqueduct::store::{PostgresSettings, StoreSettings};
use aqueduct_documents::disk;
use aqueduct_documents::node_cursor::NodeCursor;
use aqueduct_private_files as private_files;
use std::path::{Path, PathBuf};

/// The address of the database.
const URL: &str = "AQUEDUCT_STORE_URL";
/// The key of its audit.
const KEY: &str = "AQUEDUCT_AUDIT_KEY";
/// The file that remembers the last seal of a database's audit.
const SEAL_FILE: &str = "audit.postgres.seal";
const LARGEST_CERTIFICATES: u64 = 1024 * 1024;

/// How the store is opened; nothing when there is neither a database nor a directory.
pub fn settings(
    root: &NodeCursor<'_>,
    state_dir: Option<PathBuf>,
) -> Result<Option<StoreSettings>, CommandError> {
    let mut settings = match database(root.get("store").as_ref())? {
        Some(database) => {
            let mut settings = StoreSettings::postgres(database);
            settings.seal_file = state_dir.filter(|dir| is_there(dir)).map(|dir| dir.join(SEAL_FILE));
            settings
        }
        None => match state_dir {
            Some(directory) => StoreSettings::sqlite(directory),
            None => return Ok(None),
        },
    };
    let confirmation = root.get("confirmation");
    let whole = |key: &str| u64::try_from(confirmation.as_ref()?.whole(key)?).ok();
    let limits = &mut settings.limits;
    limits.issued_per_minute = whole("issue_per_minute").unwrap_or(limits.issued_per_minute);
    limits.failures_per_minute = whole("failures_per_minute").unwrap_or(limits.failures_per_minute);
    limits.executions_kept = executions::settings(root).keep;
    Ok(Some(settings))
}

/// Whether there is a directory for the last seal, which is made when it is not there. Without one the store works all the same, but
/// a database that is set back as a whole is not found out.
fn is_there(directory: &Path) -> bool {
    let made = private_files::create_directory(directory);
    if let Err(error) = &made {
        tracing::warn!(
            target: "aqueduct::store",
            %error,
            "the last seal of the audit is not remembered: the state directory cannot be made"
        );
    }
    made.is_ok()
}

fn database(block: Option<&NodeCursor<'_>>) -> Result<Option<PostgresSettings>, CommandError> {
    let text = |key: &str| block.and_then(|block| block.owned_text(key));
    let url = match (variable(URL), text("url"), text("url_env")) {
        (Some(url), _, _) => url,
        (None, Some(_), Some(_)) => {
            return Err(CommandError::configuration("[store] has 'url' and 'url_env'; keep one of them"));
        }
        (None, Some(url), None) => url,
        (None, None, Some(name)) => variable(&name).ok_or_else(|| {
            CommandError::configuration(format!("[store] url_env: the variable {name} is not set"))
        })?,
        (None, None, None) => return Ok(None),
    };
    if !["postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme)) {
        return Err(CommandError::configuration(
            "the address of the store is not postgres://…; without one it is SQLite in the state directory",
        ));
    }
    let name = text("audit_key_env").unwrap_or_else(|| KEY.to_owned());
    let key = variable(&name).ok_or_else(|| {
        CommandError::configuration(format!(
            "the variable {name} is not set; it has the key of the audit, 64 hexadecimal digits, the same for every \
             instance: make one with 'openssl rand -hex 32', and keep it elsewhere than the database"
        ))
    })?;
    let key = AuditKey::parse(&SecretString::from(key))
        .map_err(|error| CommandError::configuration(format!("{name}: {error}")))?;
    let mut settings = PostgresSettings::new(SecretString::from(url), key);
    if let Some(file) = text("root_certificates") {
        let read = disk::read(Path::new(&file), LARGEST_CERTIFICATES);
        settings.root_certificates = Some(read.map_err(CommandError::io)?);
    }
    Ok(Some(settings))
}

/// A variable that is set to something.
fn variable(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned()).filter(|text| !text.is_empty())
}

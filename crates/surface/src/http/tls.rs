//! TLS of the listener: certificate and key from files, read again when they change.
//!
//! Two files in; out, for each new connection, the pair that holds then. Connections keep what they began with, and a new pair
//! that cannot be used changes nothing.

use aqueduct_documents::disk::{self, ReadError};
use aqueduct_egress::tls;
use aqueduct_operations::digest::{Digest, Sha256};
use jiff::Timestamp;
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::task::spawn_blocking;
use tokio_rustls::TlsAcceptor;
use x509_cert::Certificate;
use x509_cert::der::Decode;

/// The largest file of certificates that is read.
const LARGEST_FILE: u64 = 1024 * 1024;

/// How often the files are looked at.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Where certificate and key are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate, and those between it and a root that clients know, in PEM.
    pub certificate: PathBuf,
    /// Its private key, in PEM.
    pub key: PathBuf,
}

/// Why there is no TLS.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("the files for TLS: {0}")]
    Unreadable(#[from] ReadError),
    /// There is no certificate in the file.
    #[error("{} holds no certificate; tls_cert is a file with '-----BEGIN CERTIFICATE-----'", .0.display())]
    NoCertificate(PathBuf),
    /// There is no key in the file.
    #[error("{} holds no private key; tls_key is a file with '-----BEGIN PRIVATE KEY-----', not encrypted", .0.display())]
    NoKey(PathBuf),
    /// They are of different pairs.
    #[error("the key in {} does not belong to the certificate in {}", .0.key.display(), .0.certificate.display())]
    Mismatch(TlsFiles),
    /// Something else is wrong with them.
    #[error("{} and {} cannot be used: {reason}", files.certificate.display(), files.key.display())]
    Unusable {
        /// Both.
        files: TlsFiles,
        /// In the words of the library behind TLS.
        reason: rustls::Error,
    },
}

impl TlsFiles {
    /// When their certificate ends, if it says so; an error if they cannot be used.
    pub fn check(&self) -> Result<Option<Timestamp>, TlsError> {
        self.read()?.load(self).map(|pair| pair.expires_at)
    }

    fn read(&self) -> Result<FileContents, TlsError> {
        let read = |path: &Path| disk::read(path, LARGEST_FILE);
        Ok(FileContents { certificate: read(&self.certificate)?, key: read(&self.key)? })
    }
}

/// What is in the files.
struct FileContents {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl FileContents {
    fn digest(&self) -> Digest {
        let mut hash = Sha256::new();
        hash.update_part(&self.certificate);
        hash.update_part(&self.key);
        hash.finish()
    }

    fn load(self, files: &TlsFiles) -> Result<LoadedPair, TlsError> {
        tls::ready();
        let digest = self.digest();
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&self.certificate).collect();
        let chain = chain.ok().filter(|chain| !chain.is_empty());
        let chain = chain.ok_or_else(|| TlsError::NoCertificate(files.certificate.clone()))?;
        let expires_at = expiry(&chain[0]);
        let key = PrivateKeyDer::from_pem_slice(&self.key);
        let key = key.map_err(|_| TlsError::NoKey(files.key.clone()))?;
        let config = ServerConfig::builder().with_no_client_auth().with_single_cert(chain, key);
        let mut config = config.map_err(|reason| match reason {
            rustls::Error::InconsistentKeys(_) => TlsError::Mismatch(files.clone()),
            reason => TlsError::Unusable { files: files.clone(), reason },
        })?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(LoadedPair { digest, acceptor: TlsAcceptor::from(Arc::new(config)), expires_at })
    }
}

/// When a certificate ends.
fn expiry(certificate: &CertificateDer<'_>) -> Option<Timestamp> {
    let certificate = Certificate::from_der(certificate).ok()?;
    let since_1970 = certificate.tbs_certificate.validity.not_after.to_unix_duration();
    Timestamp::from_second(i64::try_from(since_1970.as_secs()).ok()?).ok()
}

/// A pair that can be used.
struct LoadedPair {
    digest: Digest,
    acceptor: TlsAcceptor,
    expires_at: Option<Timestamp>,
}

/// The pair that holds now.
pub struct ListenerTls {
    files: TlsFiles,
    current: Mutex<LoadedPair>,
}

impl ListenerTls {
    /// The pair in these files.
    pub fn load(files: &TlsFiles) -> Result<ListenerTls, TlsError> {
        let pair = files.read()?.load(files)?;
        Ok(ListenerTls { files: files.clone(), current: Mutex::new(pair) })
    }

    /// For the next connection.
    pub fn acceptor(&self) -> TlsAcceptor {
        self.lock().acceptor.clone()
    }

    /// Looks at the files for as long as this runs.
    pub async fn follow(self: Arc<Self>) {
        let mut problem = RepeatedProblem::default();
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            let own = Arc::clone(&self);
            let looked = match spawn_blocking(move || own.look()).await {
                Ok(looked) => looked,
                Err(error) => {
                    tracing::error!(target: "aqueduct::http", %error, "looking at the files for TLS failed");
                    continue;
                }
            };
            match looked {
                Ok(Change::None) => problem = RepeatedProblem::default(),
                Ok(Change::Replaced { expires_at }) => {
                    problem = RepeatedProblem::default();
                    let expires_at = expires_at.map(tracing::field::display);
                    tracing::info!(target: "aqueduct::http", expires_at, "the certificate was replaced");
                }
                Err(error) if problem.is_to_be_logged(error.to_string()) => {
                    tracing::warn!(target: "aqueduct::http", %error, "the certificate was not replaced, the one before stays");
                }
                Err(_) => {}
            }
        }
    }

    /// Reads the files again, and uses what is in them if it is another pair.
    fn look(&self) -> Result<Change, TlsError> {
        let contents = self.files.read()?;
        if contents.digest() == self.lock().digest {
            return Ok(Change::None);
        }
        let pair = contents.load(&self.files)?;
        let expires_at = pair.expires_at;
        *self.lock() = pair;
        Ok(Change::Replaced { expires_at })
    }

    fn lock(&self) -> MutexGuard<'_, LoadedPair> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a look at the files has found.
enum Change {
    None,
    Replaced { expires_at: Option<Timestamp> },
}

/// A problem that was seen, and whether it was told. It is told once, at the second look: files that are replaced one after the
/// other are no pair in between.
#[derive(Default)]
struct RepeatedProblem {
    seen: Option<String>,
    is_told: bool,
}

impl RepeatedProblem {
    fn is_to_be_logged(&mut self, problem: String) -> bool {
        if self.seen.as_ref() != Some(&problem) {
            *self = RepeatedProblem { seen: Some(problem), is_told: false };
            return false;
        }
        !std::mem::replace(&mut self.is_told, true)
    }
}

#[cfg(test)]
mod tests;

//! How the database is reached: what its address says, time limits, and TLS wherever it is not this machine.
//!
//! A URL in, a configuration and a TLS connector out. Certificates are always checked, against the system's or those that are set.

use crate::error::StoreError;
use crate::settings::PostgresSettings;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;
use secrecy::ExposeSecret;
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

/// Makes connections.
#[derive(Clone)]
pub(super) struct Connector {
    pub config: Config,
    pub tls: MakeRustlsConnect,
    pub timeout: Duration,
}

impl Connector {
    pub(super) fn new(settings: &PostgresSettings) -> Result<Connector, StoreError> {
        // Its errors name keys of the URL, and no values.
        let mut config: Config =
            settings.url.expose_secret().parse().map_err(|error: tokio_postgres::Error| {
                StoreError::Settings(format!("its address: {error}"))
            })?;
        if !config.get_hosts().iter().all(is_this_machine) || config.get_hosts().is_empty() {
            if config.get_ssl_mode() == SslMode::Disable {
                let why = "its address turns TLS off, and it is on another machine";
                return Err(StoreError::Settings(why.to_owned()));
            }
            config.ssl_mode(SslMode::Require);
        }
        let timeout = settings.timeout;
        config.connect_timeout(timeout).tcp_user_timeout(timeout);
        // Systems count these in whole seconds.
        let idle = timeout.max(Duration::from_secs(1));
        config.keepalives(true).keepalives_idle(idle).keepalives_interval(idle).keepalives_retries(2);
        if config.get_application_name().is_none() {
            config.application_name("aqueduct");
        }
        config.options(options(config.get_options(), timeout));
        Ok(Connector { config, tls: MakeRustlsConnect::new(tls(settings)?), timeout })
    }
}

impl fmt::Debug for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Connector")
    }
}

/// What the server is asked for: it ends what takes too long, and a commit is on its disk before it is acknowledged.
fn options(given: Option<&str>, timeout: Duration) -> String {
    let limit = timeout.as_millis();
    let ours = format!(
        "-c statement_timeout={limit} -c lock_timeout={limit} -c idle_in_transaction_session_timeout={} \
         -c synchronous_commit=on",
        limit * 2
    );
    given.map_or_else(|| ours.clone(), |given| format!("{given} {ours}"))
}

fn is_this_machine(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => {
            name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    }
}

fn tls(settings: &PostgresSettings) -> Result<ClientConfig, StoreError> {
    let bad = |error: &dyn fmt::Display| StoreError::Settings(format!("its certificates: {error}"));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider);
    let builder = builder.with_safe_default_protocol_versions().map_err(|error| bad(&error))?;
    let Some(pem) = &settings.root_certificates else {
        let builder = builder.with_platform_verifier().map_err(|error| bad(&error))?;
        return Ok(builder.with_no_client_auth());
    };
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(pem) {
        roots.add(certificate.map_err(|error| bad(&error))?).map_err(|error| bad(&error))?;
    }
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

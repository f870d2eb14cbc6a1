//! The code behind TLS, named once for the whole process, and the authorities to trust where the machine has none.
//! No client can be made before the first is ready.

use crate::environment::Environment;
use reqwest::Certificate;

/// Where an operator says which authorities to trust.
const OF_THE_OPERATOR: [&str; 2] = ["SSL_CERT_FILE", "SSL_CERT_DIR"];

/// Makes sure that there is one. A program around this one may have chosen another: then that one is used.
pub fn ready() {
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        // A faster thread has installed the same.
        drop(rustls::crypto::ring::default_provider().install_default());
    }
}

/// Whether the operator has said which authorities to trust.
pub fn is_set_by_operator(environment: &dyn Environment) -> bool {
    OF_THE_OPERATOR.iter().any(|name| environment.get(name).is_some())
}

/// The authorities that Mozilla trusts.
pub fn authorities_of_mozilla() -> reqwest::Result<Vec<Certificate>> {
    webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().map(|each| Certificate::from_der(each)).collect()
}

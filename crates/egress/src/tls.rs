//! The code behind TLS, named once for the whole process, and the authorities to trust where the machine has none.
//! No client can be made before the first is ready.

use crate::environment::Environment;
use reqwest::{Certificate, Client, ClientBuilder};

/// Where an operator says which authorities to trust.
const OF_THE_OPERATOR: [&str; 2] = ["SSL_CERT_FILE", "SSL_CERT_DIR"];

/// Makes sure that there is one. A program around this one may have chosen another: then that one is used.
pub fn ready() {
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        // Whoever was faster installed the same.
        drop(rustls::crypto::ring::default_provider().install_default());
    }
}

/// A client that trusts the authorities of this machine. Where there are none, as in an image with nothing but the program, it
/// trusts those of Mozilla; never where the operator has said which to trust.
pub fn client(
    settings: impl Fn() -> ClientBuilder,
    environment: &dyn Environment,
) -> reqwest::Result<Client> {
    let with_those_of_the_machine = settings().build();
    if with_those_of_the_machine.is_ok() || is_said_by_the_operator(environment) {
        return with_those_of_the_machine;
    }
    settings().tls_certs_merge(authorities_of_mozilla()?).build()
}

fn is_said_by_the_operator(environment: &dyn Environment) -> bool {
    OF_THE_OPERATOR.iter().any(|name| environment.get(name).is_some())
}

fn authorities_of_mozilla() -> reqwest::Result<Vec<Certificate>> {
    webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().map(|each| Certificate::from_der(each)).collect()
}

#[cfg(test)]
mod tests;

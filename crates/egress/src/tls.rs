//! The code behind TLS, named once for the whole process. No client can be made before.

/// Makes sure that there is one. A program around this one may have chosen another: then that one is used.
pub fn ready() {
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        // Whoever was faster installed the same.
        drop(rustls::crypto::ring::default_provider().install_default());
    }
}

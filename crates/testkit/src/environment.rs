//! Environment variables that a test sets, seen by no one else.
//!
//! Copies share the variables, so that a test can change them between calls.

use aqueduct_egress::environment::Environment;
use secrecy::SecretString;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// An environment for tests; copies share the variables.
#[derive(Clone, Default)]
pub struct TestEnvironment {
    variables: Arc<Mutex<BTreeMap<String, String>>>,
}

impl TestEnvironment {
    /// An environment with these variables.
    pub fn with(pairs: &[(&str, &str)]) -> TestEnvironment {
        let environment = TestEnvironment::default();
        for (name, value) in pairs {
            environment.set(name, value);
        }
        environment
    }

    /// Sets a variable.
    pub fn set(&self, name: &str, value: &str) {
        let mut variables = self.variables.lock().unwrap_or_else(PoisonError::into_inner);
        variables.insert(name.to_owned(), value.to_owned());
    }

    /// Removes a variable.
    pub fn remove(&self, name: &str) {
        self.variables.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
    }
}

impl Environment for TestEnvironment {
    fn get(&self, name: &str) -> Option<SecretString> {
        let variables = self.variables.lock().unwrap_or_else(PoisonError::into_inner);
        variables.get(name).cloned().map(SecretString::from)
    }
}

// Tests look for secrets in debug prints: this one must not be where they come from.
impl fmt::Debug for TestEnvironment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TestEnvironment")
    }
}

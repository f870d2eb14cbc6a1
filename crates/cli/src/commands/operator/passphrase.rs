//! The operator's passphrase: asked for on the terminal, or read from standard input, and checked.
//!
//! Arguments in; an open store for a person who knows the passphrase out. It is never an argument or a variable: those are seen by others.

use crate::cli::OperatorArgs;
use crate::report::{self, CommandError, Exit};
use crate::store::{failed, open};
use aqueduct::SecretString;
use aqueduct::store::Store;
use aqueduct_safety::passphrase::{PassphraseError, check_passphrase, replace_passphrase, set_passphrase};
use std::io::{BufRead, IsTerminal};

/// Who answers, in approvals and the audit.
pub const OPERATOR: &str = "operator";

/// The store, for anyone who gives the right passphrase.
pub async fn unlocked(args: &OperatorArgs) -> Result<Store, CommandError> {
    let store = open(&args.store)?;
    if store.operator_passphrase().await.map_err(failed)?.is_none() {
        return Err(refused(PassphraseError::NotSet));
    }
    check_passphrase(&store, &read(args, "Passphrase:")?).await.map_err(refused)?;
    Ok(store)
}

/// Sets the passphrase, or replaces it.
pub async fn init(args: &OperatorArgs) -> Result<Exit, CommandError> {
    let store = open(&args.store)?;
    let is_set = store.operator_passphrase().await.map_err(failed)?.is_some();
    let before = if is_set { Some(read(args, "The passphrase that is set:")?) } else { None };
    let passphrase = read(args, "New passphrase:")?;
    if !args.passphrase_stdin {
        let again = read(args, "New passphrase, again:")?;
        if !is_same(&passphrase, &again) {
            return Err(CommandError::invalid("the two are not the same; nothing was set"));
        }
    }
    let outcome = match &before {
        Some(before) => replace_passphrase(&store, before, &passphrase).await,
        None => set_passphrase(&store, &passphrase).await,
    };
    outcome.map_err(refused)?;
    report::note(if is_set { "the passphrase is replaced" } else { "the passphrase is set" });
    Ok(Exit::Done)
}

fn is_same(one: &SecretString, other: &SecretString) -> bool {
    use secrecy::ExposeSecret;
    one.expose_secret() == other.expose_secret()
}

/// One line, from the terminal without showing it, or from standard input.
fn read(args: &OperatorArgs, question: &str) -> Result<SecretString, CommandError> {
    let unreadable = |error| CommandError::io(format!("the passphrase cannot be read: {error}"));
    if !args.passphrase_stdin {
        if !std::io::stdin().is_terminal() {
            let message = "there is no terminal to ask for the passphrase on; use one, or --passphrase-stdin";
            return Err(CommandError::invalid(message));
        }
        report::question(question);
        return rpassword::read_password().map(SecretString::from).map_err(unreadable);
    }
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).map_err(unreadable)?;
    let line = line.trim_end_matches(['\n', '\r']).to_owned();
    if line.is_empty() {
        return Err(CommandError::invalid("there is no passphrase on standard input"));
    }
    Ok(SecretString::from(line))
}

fn refused(error: PassphraseError) -> CommandError {
    match error {
        PassphraseError::Store(error) => failed(error),
        PassphraseError::NotSet => {
            CommandError::configuration(format!("{error}; set one with 'aqueduct operator init'"))
        }
        PassphraseError::TooShort => CommandError::invalid(error),
        PassphraseError::AlreadySet
        | PassphraseError::Wrong
        | PassphraseError::Limited { .. }
        | PassphraseError::Hash => CommandError::failed(error),
    }
}

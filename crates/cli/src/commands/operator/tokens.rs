//! `operator token`: who may call over HTTP. A name in; its token, once, out, or what is known of all.
//!
//! The store keeps the hash alone. Servers that run learn of it by themselves.

use super::super::pretty;
use super::passphrase::{OPERATOR, unlocked};
use crate::cli::{OutputFormat, TokenAddArgs, TokenListArgs, TokenRequest, TokenRevokeArgs};
use crate::report::{self, CommandError, Exit, terminal_safe};
use crate::store::failed;
use aqueduct::store::Store;
use aqueduct::store::callers::{Added, CallerRecord, NewCaller};
use aqueduct::{Clock, SystemClock};
use aqueduct_operations::clock::iso8601;
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use std::time::Duration;

const HOUR: Duration = Duration::from_secs(3600);

/// Does what is asked of tokens.
pub async fn token(request: &TokenRequest) -> Result<Exit, CommandError> {
    match request {
        TokenRequest::Add(args) => add(args).await,
        TokenRequest::List(args) => list(args).await,
        TokenRequest::Revoke(args) => revoke(args).await,
    }
}

/// Prints a new token. Those that the caller has go on working for a while, so that no one is cut off.
async fn add(args: &TokenAddArgs) -> Result<Exit, CommandError> {
    let store = unlocked(&args.operator).await?;
    let caller = NewCaller {
        name: args.name.clone(),
        scopes: args.scope.clone(),
        lifetime: args.expires.map(|days| HOUR * 24 * days),
        overlap: Some(HOUR * args.overlap),
    };
    let token = match store.add_caller(caller, OPERATOR).await.map_err(failed)? {
        Added::Added(token) => token,
        Added::NameTaken => return Err(CommandError::failed(format!("'{}' has a token already", args.name))),
    };
    let tokens = tokens_of(&store, &args.name).await?;
    let (newest, earlier) =
        tokens.split_last().map_or((None, &tokens[..]), |(last, rest)| (Some(last), rest));
    report::data(token.expose_secret());
    report::note(&match newest.and_then(|newest| newest.expires_at) {
        Some(end) => {
            format!("this is the token of '{}', shown once; it works until {}", args.name, iso8601(end))
        }
        None => format!("this is the token of '{}', shown once; it works until it is revoked", args.name),
    });
    // Asking for fewer is no mistake, but forgetting them is.
    if let Some((now, before)) =
        newest.zip(earlier.last()).filter(|(now, before)| now.scopes != before.scopes)
    {
        let (now, before) = (scopes(now), scopes(before));
        report::note(&format!("its scopes are {now}; those of the token before are {before}"));
    }
    let last = earlier.iter().filter_map(|each| each.expires_at).max().filter(|end| *end > SystemClock.now());
    if let Some(end) = last {
        report::note(&format!("what '{}' had before works until {}", args.name, iso8601(end)));
    }
    Ok(Exit::Done)
}

/// The tokens of a caller, oldest first.
async fn tokens_of(store: &Store, name: &str) -> Result<Vec<CallerRecord>, CommandError> {
    let callers = store.callers().await.map_err(failed)?;
    Ok(callers.iter().filter(|caller| caller.name == name).cloned().collect())
}

/// Shows everybody who has a token; never the token.
async fn list(args: &TokenListArgs) -> Result<Exit, CommandError> {
    let callers = unlocked(&args.operator).await?.callers().await.map_err(failed)?;
    if args.format == OutputFormat::Json {
        report::data(&pretty(&callers.iter().map(as_json).collect::<Value>()));
        return Ok(Exit::Done);
    }
    let width = callers.iter().map(|caller| caller.name.chars().count()).max();
    let Some(width) = width else {
        report::note("nobody has a token; add one with 'aqueduct operator token add NAME'");
        return Ok(Exit::Done);
    };
    let lines: Vec<String> = callers.iter().map(|caller| as_text(caller, width)).collect();
    report::data(&lines.join("\n"));
    Ok(Exit::Done)
}

/// Takes all tokens of a caller back.
async fn revoke(args: &TokenRevokeArgs) -> Result<Exit, CommandError> {
    let store = unlocked(&args.operator).await?;
    if !store.revoke_caller(&args.name, OPERATOR).await.map_err(failed)? {
        return Err(CommandError::invalid(format!(
            "'{}' has no token; see 'aqueduct operator token list'",
            terminal_safe(&args.name)
        )));
    }
    report::note(&format!("the tokens of '{}' are revoked", terminal_safe(&args.name)));
    Ok(Exit::Done)
}

fn is_expired(caller: &CallerRecord) -> bool {
    caller.expires_at.is_some_and(|end| end <= SystemClock.now())
}

fn as_json(caller: &CallerRecord) -> Value {
    json!({
        "name": caller.name,
        "scopes": caller.scopes,
        "added_at": iso8601(caller.added_at),
        "expires_at": caller.expires_at.map(iso8601),
        "expired": is_expired(caller),
    })
}

fn scopes(caller: &CallerRecord) -> String {
    if caller.scopes.is_empty() { "none".to_owned() } else { caller.scopes.join(" ") }
}

fn as_text(caller: &CallerRecord, width: usize) -> String {
    let end = match caller.expires_at {
        Some(end) if is_expired(caller) => format!("expired {}", iso8601(end)),
        Some(end) => format!("works until {}", iso8601(end)),
        None => "works until it is revoked".to_owned(),
    };
    let scopes = scopes(caller);
    let added = iso8601(caller.added_at);
    terminal_safe(&format!("{:<width$}  added {added}, {end}, scopes: {scopes}", caller.name))
}

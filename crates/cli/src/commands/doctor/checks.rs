//! Looks at loaded sources: are their variables set, can their credentials be sent, do their APIs answer?
//!
//! Sources in, findings out, in the order of the sources. The APIs are asked all at once.

use super::finding::CheckResult;
use crate::commands::{counted, runtime};
use crate::report::CommandError;
use aqueduct::{Aqueduct, Clock, SystemClock, TlsFiles};
use aqueduct_operations::auth::Auth;
use aqueduct_operations::credential_scope::is_same_origin;
use aqueduct_operations::gatekeeper::FetchPermit;
use aqueduct_operations::target::{Site, Target};
use aqueduct_upstream::error::{CredentialError, TransportErrorKind};
use aqueduct_upstream::{
    Environment, ProcessEnvironment, Upstream, UpstreamError, UpstreamSettings, credentials,
};
use secrecy::ExposeSecret;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

/// Findings on every source.
pub fn of_sources(aqueduct: &Aqueduct) -> Result<Vec<CheckResult>, CommandError> {
    let sites = sites(aqueduct);
    let upstream = Upstream::new(UpstreamSettings::default(), Arc::new(ProcessEnvironment));
    let answers = runtime()?.block_on(ask_all(&upstream, &sites));
    let mut findings = Vec::new();
    for (index, source) in sites.iter().enumerate() {
        let (name, site) = (source.name.as_str(), &source.ways[0].0);
        let first = findings.len();
        findings.push(CheckResult::ok(name, format!("loaded, {}", counted(source.operations, "operation"))));
        for (site, auth) in &source.ways {
            for finding in variables(name, auth).into_iter().chain(credentials(name, site, auth, &upstream)) {
                if !findings[first..].iter().any(|known| known.message == finding.message) {
                    findings.push(finding);
                }
            }
        }
        let answer = answers.iter().find(|(of, _)| *of == index);
        findings.extend(answer.map(|(_, answer)| reached(name, site, answer)));
    }
    Ok(findings)
}

/// A finding on every MCP server: is it connected?
pub fn of_servers(aqueduct: &Aqueduct) -> Vec<CheckResult> {
    let finding = |(name, state): (String, Result<usize, String>)| match state {
        Ok(tools) => CheckResult::ok(&name, format!("connected, {}", counted(tools, "tool"))),
        Err(why) => CheckResult::fix(&name, format!("the MCP server is not connected: {why}"), Some(TRY_IT)),
    };
    aqueduct.server_states().into_iter().map(finding).collect()
}

/// A finding on the certificate of the listener: can it be used, and until when?
pub fn of_certificate(files: &TlsFiles) -> CheckResult {
    let (name, shown) = ("http", files.certificate.display());
    let expires_at = match files.check() {
        Ok(expires_at) => expires_at,
        Err(error) => return CheckResult::fix(name, error.to_string(), Some("correct tls_cert and tls_key")),
    };
    let Some(end) = expires_at else { return CheckResult::ok(name, format!("{shown} can be used")) };
    let now = SystemClock.now();
    let until = end.strftime("%F");
    if end <= now {
        CheckResult::fix(name, format!("the certificate in {shown} expired on {until}"), Some(RENEW_IT))
    } else if end.duration_since(now).unsigned_abs() < SOON {
        CheckResult::note(name, format!("the certificate in {shown} expires on {until}"), Some(RENEW_IT))
    } else {
        CheckResult::ok(name, format!("the certificate in {shown} is good until {until}"))
    }
}

const SOON: Duration = Duration::from_secs(21 * 86_400);
const RENEW_IT: &str = "put a new certificate and its key into the files: a server that runs takes them over";

const TRY_IT: &str = "try its command or URL by itself; AQUEDUCT_LOG=aqueduct::mcp=debug shows what it says";

/// Ways to authenticate that are looked at in one source.
const MOST_WAYS: usize = 50;

/// A source with HTTP operations.
struct Examined {
    name: String,
    operations: usize,
    /// Where its calls go and how they authenticate there, each once; never empty.
    ways: Vec<(Arc<Site>, Auth)>,
}

/// Every source, with all the ways in which its operations authenticate.
fn sites(aqueduct: &Aqueduct) -> Vec<Examined> {
    let catalog = aqueduct.catalog();
    let mut found: Vec<Examined> = Vec::new();
    for entry in catalog.registry().entries() {
        let Target::Http(target) = &entry.operation.target else { continue };
        let way = || (Arc::clone(&target.site), target.auth_to_read().into_owned());
        match found.iter_mut().find(|source| source.name == entry.source.name) {
            Some(source) => {
                source.operations += 1;
                let is_known = |(site, auth): &(Arc<Site>, Auth)| {
                    is_same_origin(&site.base_url, &target.site.base_url) && *auth == *target.auth_to_read()
                };
                if source.ways.len() < MOST_WAYS && !source.ways.iter().any(is_known) {
                    source.ways.push(way());
                }
            }
            None => {
                found.push(Examined { name: entry.source.name.clone(), operations: 1, ways: vec![way()] })
            }
        }
    }
    found
}

type Probed = Result<u16, UpstreamError>;

async fn ask_all(upstream: &Upstream, sites: &[Examined]) -> Vec<(usize, Probed)> {
    let mut asking = JoinSet::new();
    for (index, source) in sites.iter().enumerate() {
        let (upstream, site) = (upstream.clone(), Arc::clone(&source.ways[0].0));
        asking.spawn(async move { (index, upstream.probe(FetchPermit::probe(&site)).await) });
    }
    asking.join_all().await
}

/// What is set, and what is not although calls need it; of alternatives one is enough, and all are reported together.
fn variables(name: &str, auth: &Auth) -> Vec<CheckResult> {
    let lacking = credentials::lacking(auth, &ProcessEnvironment);
    let look = |variable: &str| match ProcessEnvironment.get(variable) {
        Some(value) if !value.expose_secret().is_empty() => {
            Some(CheckResult::ok(name, format!("{variable} is set")))
        }
        Some(_) => Some(CheckResult::fix(name, format!("{variable} is set to nothing"), Some(SET_IT))),
        None if lacking.len() == 1 && lacking[0].iter().any(|name| name == variable) => {
            Some(CheckResult::fix(name, format!("{variable} is not set"), Some(SET_IT)))
        }
        None => None,
    };
    let mut found: Vec<CheckResult> = auth.variables().into_iter().filter_map(look).collect();
    if lacking.len() > 1 {
        let message = format!("no credentials are set: set {}", credentials::ways_in_words(&lacking));
        found.push(CheckResult::fix(name, message, Some(SET_IT)));
    }
    found
}

const SET_IT: &str =
    "set it where aqueduct is started: in this shell, or in 'env' of the client's configuration";

/// What is wrong with credentials besides their absence.
fn credentials(name: &str, site: &Site, auth: &Auth, upstream: &Upstream) -> Option<CheckResult> {
    let error = upstream.check_credentials(site, auth).err()?;
    let (message, hint) = match error {
        // Variables are told before, and tokens are not fetched here.
        CredentialError::Missing(_) | CredentialError::NoAlternative(_) | CredentialError::Token { .. } => {
            return None;
        }
        // The warning about the file says it.
        CredentialError::NotAllowed { .. } => return None,
        CredentialError::Malformed(variable) => (
            format!("{variable} holds characters that cannot be sent"),
            "look for a line break or another stray character and set it again",
        ),
        CredentialError::Placeholder(variable) => (
            format!("{variable} holds a placeholder such as ${{env:NAME}} that was not filled in"),
            "your client does not fill it in: put the value itself into 'env' of its configuration, or set it in the shell",
        ),
        CredentialError::PlaceholderHeader(header) => (
            format!("the header '{header}' holds a placeholder such as ${{env:NAME}} that was not filled in"),
            "give the value itself with --header, or a token with --auth-env",
        ),
        CredentialError::Unencrypted(host) => {
            (format!("credentials are not sent over plain http to {host}"), "use an https base URL")
        }
        CredentialError::Place(name) => {
            (format!("'{name}' cannot carry a key"), "correct 'auth' in the adapter file")
        }
        CredentialError::OperatorHeader(header) => {
            (format!("the header '{header}' cannot be sent"), "correct it where you set it")
        }
    };
    Some(CheckResult::fix(name, message, Some(hint)))
}

fn reached(name: &str, site: &Site, answer: &Probed) -> CheckResult {
    let host = site.base_url.host_str().unwrap_or_default();
    let error = match answer {
        Ok(status @ 500..) => {
            let message = format!("{host} answers with status {status}");
            return CheckResult::note(name, message, Some("it may be out of order; try again later"));
        }
        Ok(status) => {
            return CheckResult::ok(name, format!("{host} answers (status {status} without credentials)"));
        }
        Err(error) => error,
    };
    let (message, hint) = match error {
        UpstreamError::Transport(error) => match error.kind {
            TransportErrorKind::Dns => {
                (format!("{host} cannot be resolved"), "check the base URL, and this machine's network")
            }
            TransportErrorKind::Refused => (
                format!("{host} refuses connections on port {}", error.port),
                "start the API there, or correct the base URL",
            ),
            TransportErrorKind::Timeout { after } => (
                format!("{host} does not answer within {} s", after.as_secs_f32()),
                "check the base URL, and whether a firewall is in between",
            ),
            TransportErrorKind::Tls { detail } => {
                (format!("no secure connection to {host}: {detail}"), "check its certificate")
            }
            TransportErrorKind::Network { detail, .. } => (format!("{host}: {detail}"), "check the base URL"),
        },
        other => (other.to_string(), "name the API's own host in the base URL"),
    };
    CheckResult::fix(name, message, Some(hint))
}

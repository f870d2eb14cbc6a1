//! Looks at loaded sources: are their variables set, can their credentials be sent, do their APIs answer?
//!
//! Sources in, findings out, in the order of the sources. The APIs are asked all at once.

use super::finding::Finding;
use crate::Aqueduct;
use crate::commands::{counted, runtime};
use crate::report::{Exit, Stop};
use aqueduct_operations::target::{Site, Target};
use aqueduct_upstream::error::{CredentialError, Trouble, in_words};
use aqueduct_upstream::{
    Environment, ProcessEnvironment, Upstream, UpstreamError, UpstreamSettings, credentials,
};
use secrecy::ExposeSecret;
use std::sync::Arc;
use tokio::task::JoinSet;

/// Findings on every source.
pub fn of_sources(aqueduct: &Aqueduct) -> Result<Vec<Finding>, Stop> {
    let sites = sites(aqueduct);
    let upstream = Upstream::new(UpstreamSettings::default(), Arc::new(ProcessEnvironment))
        .map_err(|error| Stop::new(Exit::Io, error.to_string()))?;
    let answers = runtime()?.block_on(ask_all(&upstream, &sites));
    let mut findings = Vec::new();
    for (index, (name, operations, site)) in sites.iter().enumerate() {
        findings.push(Finding::ok(name, format!("loaded, {}", counted(*operations, "operation"))));
        findings.extend(variables(name, site));
        findings.extend(credentials(name, site, &upstream));
        let answer = answers.iter().find(|(of, _)| *of == index);
        findings.extend(answer.map(|(_, answer)| reached(name, site, answer)));
    }
    Ok(findings)
}

/// A finding on every MCP server: is it connected?
pub fn of_servers(aqueduct: &Aqueduct) -> Vec<Finding> {
    let finding = |(name, state): (String, Result<usize, String>)| match state {
        Ok(tools) => Finding::ok(&name, format!("connected, {}", counted(tools, "tool"))),
        Err(why) => Finding::fix(&name, format!("the MCP server is not connected: {why}"), Some(TRY_IT)),
    };
    aqueduct.server_states().into_iter().map(finding).collect()
}

const TRY_IT: &str = "try its command or URL by itself; AQUEDUCT_LOG=aqueduct::mcp=debug shows what it says";

/// Every source by its name, with the number of its operations.
fn sites(aqueduct: &Aqueduct) -> Vec<(String, usize, Arc<Site>)> {
    let catalog = aqueduct.catalog();
    let mut found: Vec<(String, usize, Arc<Site>)> = Vec::new();
    for entry in catalog.registry().entries() {
        let Target::Http(target) = &entry.operation.target else { continue };
        match found.iter_mut().find(|(name, ..)| *name == entry.source.name) {
            Some((_, operations, _)) => *operations += 1,
            None => found.push((entry.source.name.clone(), 1, Arc::clone(&target.site))),
        }
    }
    found
}

type Probed = Result<u16, UpstreamError>;

async fn ask_all(upstream: &Upstream, sites: &[(String, usize, Arc<Site>)]) -> Vec<(usize, Probed)> {
    let mut asking = JoinSet::new();
    for (index, (_, _, site)) in sites.iter().enumerate() {
        let (upstream, site) = (upstream.clone(), Arc::clone(site));
        asking.spawn(async move { (index, upstream.probe(&site).await) });
    }
    asking.join_all().await
}

/// What is set, and what is not although calls need it; of alternatives, one is enough.
fn variables(name: &str, site: &Site) -> Vec<Finding> {
    let unset = credentials::unset(&site.auth, &ProcessEnvironment);
    let is_told = |variable: &&str| unset.contains(variable) || ProcessEnvironment.get(variable).is_some();
    let look = |variable: &str| match ProcessEnvironment.get(variable) {
        Some(value) if !value.expose_secret().is_empty() => Finding::ok(name, format!("{variable} is set")),
        Some(_) => Finding::fix(name, format!("{variable} is set to nothing"), Some(SET_IT)),
        None => Finding::fix(name, format!("{variable} is not set"), Some(SET_IT)),
    };
    site.auth.variables().into_iter().filter(is_told).map(look).collect()
}

const SET_IT: &str =
    "set it where aqueduct is started: in this shell, or in 'env' of the client's configuration";

/// What is wrong with credentials besides their absence.
fn credentials(name: &str, site: &Site, upstream: &Upstream) -> Option<Finding> {
    let error = upstream.check_credentials(site).err()?;
    let (message, hint) = match error {
        // Variables are told one by one, and tokens are not fetched here.
        CredentialError::Missing { .. } | CredentialError::Token { .. } => return None,
        CredentialError::NoAlternative { alternatives } => {
            (format!("no credentials are set: {}", in_words(&alternatives)), SET_IT)
        }
        CredentialError::Malformed { variable } => (
            format!("{variable} holds characters that cannot be sent"),
            "look for a line break or another stray character and set it again",
        ),
        CredentialError::Unencrypted { host } => {
            (format!("credentials are not sent over plain http to {host}"), "use an https base URL")
        }
        CredentialError::Place { name } => {
            (format!("'{name}' cannot carry a key"), "correct 'auth' in the adapter file")
        }
        CredentialError::OperatorHeader { header } => {
            (format!("the header '{header}' cannot be sent"), "correct it where you set it")
        }
    };
    Some(Finding::fix(name, message, Some(hint)))
}

fn reached(name: &str, site: &Site, answer: &Probed) -> Finding {
    let host = site.base_url.host_str().unwrap_or_default();
    let error = match answer {
        Ok(status @ 500..) => {
            let message = format!("{host} answers with status {status}");
            return Finding::note(name, message, Some("it may be out of order; try again later"));
        }
        Ok(status) => {
            return Finding::ok(name, format!("{host} answers (status {status} without credentials)"));
        }
        Err(error) => error,
    };
    let (message, hint) = match error {
        UpstreamError::Transport(error) => match error.trouble {
            Trouble::Dns => {
                (format!("{host} cannot be resolved"), "check the base URL, and this machine's network")
            }
            Trouble::Refused => (
                format!("{host} refuses connections on port {}", error.port),
                "start the API there, or correct the base URL",
            ),
            Trouble::Timeout { after } => (
                format!("{host} does not answer within {} s", after.as_secs_f32()),
                "check the base URL, and whether a firewall is in between",
            ),
            Trouble::Tls { detail } => {
                (format!("no secure connection to {host}: {detail}"), "check its certificate")
            }
            Trouble::Network { detail, .. } => (format!("{host}: {detail}"), "check the base URL"),
        },
        other => (other.to_string(), "name the API's own host in the base URL"),
    };
    Finding::fix(name, message, Some(hint))
}

//! HTTP clients, each with a resolver that hands the connector only addresses within its scope.
//!
//! A URL and its scope in; a client out, with its pool of connections, unless the host is refused as it is written. A client sends
//! with a permit only. No redirect is followed and no proxy asked. Pools are separate, so that a connection made for one scope
//! never serves the other.
//!
//! Invariant: every address that a connection is made to was checked, here or by the resolver (ruling S7).

mod plain;

pub use plain::PlainBody;

use crate::environment::{Environment, ProcessEnvironment};
use crate::resolver::{AddressLookup, GuardedResolver, SystemLookup};
use crate::response::{BoxError, Response};
use crate::tls;
use aqueduct_operations::address::{AddressKind, AddressScope, check_host};
use aqueduct_operations::credential_scope::is_same_origin;
use aqueduct_operations::gatekeeper::{ConnectPermit, SendPermit};
use plain::PlainClient;
use reqwest::header::HeaderMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use url::Url;

/// Why there is no client for a URL.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// Its host is an address that is not called.
    #[error("a {0} address is refused")]
    Refused(AddressKind),
    /// This machine has no way to talk HTTP.
    #[error(transparent)]
    Start(#[from] reqwest::Error),
}

/// A client that sends with a permit.
///
/// ```compile_fail,E0061
/// use aqueduct_egress::client::GuardedClient;
///
/// async fn without_permit(client: &GuardedClient, request: reqwest::Request) {
///     let _ = client.execute(request).await;
/// }
/// ```
///
/// ```compile_fail,E0616
/// use aqueduct_egress::client::GuardedClient;
///
/// fn opened(client: GuardedClient) -> reqwest::Client {
///     client.0
/// }
/// ```
#[derive(Debug, Clone)]
pub struct GuardedClient(Client);

#[derive(Debug, Clone)]
enum Client {
    /// Without encryption.
    Plain(PlainClient),
    /// With it, as the server knows it: HTTP/1.1 or HTTP/2.
    Encrypted(reqwest::Client),
}

/// Why there is no response.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// The request cannot be written.
    #[error("the request is not valid HTTP")]
    Request(#[from] http::Error),
    /// Its URL is neither of http nor of https.
    #[error("only http and https are spoken")]
    Scheme,
    /// There is no connection.
    #[error("no connection")]
    Connect(#[source] BoxError),
    /// The connection broke, or what came back is no response.
    #[error("no response")]
    Exchange(#[source] hyper::Error),
    /// The same with encryption.
    #[error("no response over an encrypted connection")]
    Encrypted(#[source] reqwest::Error),
    /// A response was to be decompressed twice.
    #[error("the response is gone")]
    Taken,
}

impl SendError {
    /// True where no connection came about.
    pub fn is_connect(&self) -> bool {
        match self {
            SendError::Connect(_) => true,
            SendError::Encrypted(error) => error.is_connect(),
            SendError::Request(_) | SendError::Scheme | SendError::Exchange(_) | SendError::Taken => false,
        }
    }
}

impl GuardedClient {
    /// Sends a request, by the permit for it.
    pub async fn execute(
        &self,
        _permit: &dyn SendPermit,
        request: reqwest::Request,
    ) -> Result<Response, SendError> {
        match &self.0 {
            Client::Plain(client) => client.execute(request).await,
            Client::Encrypted(client) => {
                client.execute(request).await.map(Response::from).map_err(SendError::Encrypted)
            }
        }
    }
}

/// Why nothing came back from the server of a client.
#[derive(Debug, thiserror::Error)]
pub enum ServerRequestError {
    /// The URL is not of the server that the client is for.
    #[error("its messages do not go to another server")]
    Elsewhere,
    /// The request failed.
    #[error(transparent)]
    Request(#[from] reqwest::Error),
}

/// A client with a pool of its own, for the one server that its permit is for. It holds the permit for as long as it sends.
///
/// ```compile_fail,E0616
/// use aqueduct_egress::client::ServerClient;
///
/// fn opened(client: ServerClient) -> reqwest::Client {
///     client.client
/// }
/// ```
#[derive(Debug, Clone)]
pub struct ServerClient {
    client: reqwest::Client,
    url: Url,
    _permit: Arc<ConnectPermit>,
}

impl ServerClient {
    /// A client for the address of the server.
    pub fn new(
        permit: &Arc<ConnectPermit>,
        url: &Url,
        scope: AddressScope,
        connect_timeout: Duration,
    ) -> Result<ServerClient, ClientError> {
        check_host(url, scope).map_err(ClientError::Refused)?;
        let resolver = GuardedResolver { lookup: Arc::new(SystemLookup), scope };
        let of_this_server = || settings(&resolver).connect_timeout(connect_timeout);
        let client = with_authorities(of_this_server, &ProcessEnvironment)?;
        Ok(ServerClient { client, url: url.clone(), _permit: Arc::clone(permit) })
    }

    /// Posts a message to the server. A name and a password in the URL are sent as a header.
    pub async fn post(
        &self,
        url: &str,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<reqwest::Response, ServerRequestError> {
        let request = self.client.post(url).headers(headers).body(body).build()?;
        if !is_same_origin(&self.url, request.url()) {
            return Err(ServerRequestError::Elsewhere);
        }
        Ok(self.client.execute(request).await?)
    }

    /// The client as the SDK takes it, for what the SDK sends itself: it opens the stream of events of a session, and ends the
    /// session.
    pub fn for_sdk(&self) -> &reqwest::Client {
        &self.client
    }
}

/// One pair of pools for each scope.
#[derive(Debug)]
pub struct GuardedClients {
    public: ConnectionPools,
    own: ConnectionPools,
}

/// The pools of one scope, each made when it is first needed.
///
/// Without encryption there is one for every thread that makes calls: a connection is then used by the thread that serves
/// it, and no other has to be woken. With encryption they would have to load the trusted certificates again and again,
/// which takes longer than waking a thread ever does.
#[derive(Debug)]
struct ConnectionPools {
    resolver: GuardedResolver,
    plain: Vec<OnceLock<GuardedClient>>,
    encrypted: OnceLock<GuardedClient>,
}

/// Threads that have called out so far.
static CALLING_THREADS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static THIS_THREAD: usize = CALLING_THREADS.fetch_add(1, Ordering::Relaxed);
}

impl GuardedClients {
    /// Pools that resolve names with this lookup.
    pub fn new(lookup: Arc<dyn AddressLookup>) -> GuardedClients {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let pools = |scope| ConnectionPools {
            resolver: GuardedResolver { lookup: Arc::clone(&lookup), scope },
            plain: (0..threads).map(|_| OnceLock::new()).collect(),
            encrypted: OnceLock::new(),
        };
        GuardedClients { public: pools(AddressScope::Public), own: pools(AddressScope::Own) }
    }

    /// The client for a URL.
    pub fn client_for(&self, url: &Url, scope: AddressScope) -> Result<&GuardedClient, ClientError> {
        check_host(url, scope).map_err(ClientError::Refused)?;
        let pools = match scope {
            AddressScope::Public => &self.public,
            AddressScope::Own => &self.own,
        };
        if url.scheme() != "https" {
            return Ok(plain_client(pools));
        }
        if let Some(client) = pools.encrypted.get() {
            return Ok(client);
        }
        let client = with_authorities(|| settings(&pools.resolver).https_only(true), &ProcessEnvironment)?;
        Ok(pools.encrypted.get_or_init(|| GuardedClient(Client::Encrypted(client))))
    }
}

fn plain_client(pools: &ConnectionPools) -> &GuardedClient {
    let pool = &pools.plain[THIS_THREAD.with(|number| number % pools.plain.len())];
    pool.get_or_init(|| GuardedClient(Client::Plain(PlainClient::new(pools.resolver.clone()))))
}

/// A client that trusts the authorities of this machine. Where there are none, as in an image with nothing but the program, it
/// trusts those of Mozilla; never where the operator has said which to trust.
fn with_authorities(
    settings: impl Fn() -> reqwest::ClientBuilder,
    environment: &dyn Environment,
) -> reqwest::Result<reqwest::Client> {
    let with_those_of_the_machine = settings().build();
    if with_those_of_the_machine.is_ok() || tls::is_set_by_operator(environment) {
        return with_those_of_the_machine;
    }
    settings().tls_certs_merge(tls::authorities_of_mozilla()?).build()
}

fn settings(resolver: &GuardedResolver) -> reqwest::ClientBuilder {
    tls::ready();
    reqwest::Client::builder()
        .dns_resolver(Arc::new(resolver.clone()))
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .referer(false)
        .tcp_nodelay(true)
        .pool_idle_timeout(Duration::from_secs(90))
        .pool_max_idle_per_host(32)
}

#[cfg(test)]
mod tests;

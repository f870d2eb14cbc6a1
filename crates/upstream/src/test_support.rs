//! What the tests of this crate share: an environment that changes, a site, a caller, and short ways to call.
//!
//! Addresses of a private network are allowed here: the fake API is on this machine.

use crate::cache::ReadOptions;
use crate::error::{StatusError, UnreadableError, UpstreamError};
use crate::prepared::PreparedRequest;
use crate::response::UpstreamResponse;
use crate::upstream::{Upstream, UpstreamSettings};
use aqueduct_egress::environment::Environment;
use aqueduct_egress::resolver::{AddressLookup, LookupFuture};
use aqueduct_operations::call::SessionId;
use aqueduct_operations::gatekeeper::{ProgramOperation, ProgramPermit};
use aqueduct_operations::operation::Operation;
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::source::Source;
use aqueduct_operations::target::Site;
use aqueduct_testkit::api::{self, FakeApi};
use aqueduct_testkit::clock::TestClock;
use aqueduct_testkit::environment::TestEnvironment;
use aqueduct_testkit::operation::get;
use aqueduct_testkit::permit::PermittedOperation;
use secrecy::SecretString;
use serde_json::{Map, Value, json};
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

/// One value for every variable, changed by the test.
#[derive(Debug, Default, Clone)]
pub(crate) struct ChangingClock(Arc<Mutex<String>>);

impl ChangingClock {
    pub(crate) fn set(&self, value: &str) {
        *self.0.lock().unwrap() = value.to_owned();
    }
}

impl Environment for ChangingClock {
    fn get(&self, _: &str) -> Option<SecretString> {
        Some(self.0.lock().unwrap().clone().into())
    }
}

/// A site without credentials whose base URL may be private.
pub(crate) fn site(base_url: &str) -> Site {
    aqueduct_testkit::operation::site(base_url)
}

/// A caller with these variables.
pub(crate) fn upstream(variables: &[(&str, &str)]) -> Upstream {
    Upstream::new(UpstreamSettings::default(), Arc::new(TestEnvironment::with(variables)))
}

/// Calls an operation as a program does that has read it itself.
pub(crate) async fn program_call(
    upstream: &Upstream,
    operation: &Operation,
    values: &Map<String, Value>,
) -> Result<UpstreamResponse, UpstreamError> {
    let loaded = LoadedSource { source: Source::built_in(), operations: vec![operation.clone()] };
    let (_, read) = ProgramOperation::of_source(loaded);
    upstream.call(ProgramPermit::own_call(&read[0], SessionId::new("test")), values).await
}

/// Calls an operation once, with these variables set.
pub(crate) async fn call(
    operation: &Operation,
    variables: &[(&str, &str)],
    values: Value,
) -> Result<UpstreamResponse, UpstreamError> {
    let values = values.as_object().cloned().unwrap_or_default();
    program_call(&upstream(variables), operation, &values).await
}

/// A caller with these variables and a clock.
pub(crate) fn upstream_at(clock: &TestClock, variables: &[(&str, &str)]) -> Upstream {
    let settings = UpstreamSettings { clock: Arc::new(clock.clone()), ..UpstreamSettings::default() };
    Upstream::new(settings, Arc::new(TestEnvironment::with(variables)))
}

/// The request that an operation makes of these values.
pub(crate) fn prepared(operation: &Operation, values: Value) -> PreparedRequest<'_> {
    Upstream::prepare(operation, &Arc::new(values.as_object().cloned().unwrap())).unwrap()
}

/// Sends what an operation makes of these values, on these terms.
pub(crate) async fn send(
    upstream: &Upstream,
    operation: &Operation,
    values: Value,
    reading: &ReadOptions,
) -> Result<UpstreamResponse, UpstreamError> {
    let values = Arc::new(values.as_object().cloned().unwrap_or_default());
    let permitted = PermittedOperation::new(operation);
    let prepared = Upstream::prepare(permitted.operation(), &values).unwrap();
    upstream.send(permitted.permit(&values), &prepared, reading).await
}

/// The outcome of one call that an API answers so.
pub(crate) async fn read(answer: api::Answer) -> Result<UpstreamResponse, UpstreamError> {
    let api = FakeApi::always(answer).await;
    call(&get("g", &api.base_url(), "/x"), &[], json!({})).await
}

/// The data of a response that is good.
pub(crate) async fn data(answer: api::Answer) -> String {
    read(answer).await.unwrap().data.as_str().to_owned()
}

/// The error of a response with a bad status.
pub(crate) async fn failed(answer: api::Answer) -> StatusError {
    match read(answer).await {
        Err(UpstreamError::Status(status)) => *status,
        other => panic!("{other:?}"),
    }
}

/// The error of a response that cannot be read.
pub(crate) async fn unreadable(answer: api::Answer) -> UnreadableError {
    match read(answer).await {
        Err(UpstreamError::Unreadable(unreadable)) => *unreadable,
        other => panic!("{other:?}"),
    }
}

/// Names and what they resolve to; the last list is given forever.
#[derive(Debug)]
pub(crate) struct TestNames(pub(crate) Mutex<Vec<Vec<IpAddr>>>);

impl TestNames {
    pub(crate) fn of(lists: &[&[&str]]) -> Arc<TestNames> {
        let parsed = |list: &&[&str]| list.iter().map(|text| text.parse().unwrap()).collect();
        Arc::new(TestNames(Mutex::new(lists.iter().map(parsed).collect())))
    }
}

impl AddressLookup for TestNames {
    fn lookup(&self, _: &str) -> LookupFuture {
        let mut lists = self.0.lock().unwrap();
        let list = if lists.len() > 1 { lists.remove(0) } else { lists[0].clone() };
        Box::pin(std::future::ready(Ok(list)))
    }
}

/// A caller that resolves names by this lookup.
pub(crate) fn upstream_with(lookup: Arc<dyn AddressLookup>, variables: &[(&str, &str)]) -> Upstream {
    let environment = Arc::new(TestEnvironment::with(variables));
    Upstream::with_lookup(UpstreamSettings::default(), environment, lookup)
}

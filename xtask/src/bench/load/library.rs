//! Direct calls by an HTTP client library, the one that the server itself calls with.
//!
//! The address of the upstream in, times and counts out.

use super::super::upstream::Body;
use super::{CALLERS, CONCURRENT, SEQUENTIAL, check};
use anyhow::Result;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// The library.
pub struct Library {
    runtime: Runtime,
    client: reqwest::Client,
    base_url: String,
}

impl Library {
    /// Asks the upstream at this URL.
    pub fn new(base_url: String) -> Result<Library> {
        // Another provider may be there already; either will do.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = reqwest::Client::builder().no_proxy().tls_certs_only([]).build()?;
        Ok(Library {
            runtime: tokio::runtime::Builder::new_current_thread().enable_all().build()?,
            client,
            base_url,
        })
    }

    fn url(&self, body: Body) -> String {
        format!("{}{}", self.base_url, body.path())
    }

    /// Calls of one caller.
    pub fn sequential(&self, body: Body, times: &mut Vec<Duration>, most: usize) -> Result<()> {
        let url = self.url(body);
        self.runtime.block_on(async {
            let started = Instant::now();
            while times.len() < most && started.elapsed() < SEQUENTIAL.0 {
                let asked = Instant::now();
                get(&self.client, &url).await?;
                times.push(asked.elapsed());
            }
            Ok(())
        })
    }

    /// Calls of all callers; how many, and in which time.
    pub fn concurrent(&self, body: Body) -> Result<(u64, Duration)> {
        let started = Instant::now();
        let done = self.runtime.block_on(async {
            let ask = || {
                let (client, url) = (self.client.clone(), self.url(body));
                tokio::spawn(async move {
                    let mut calls = 0;
                    while started.elapsed() < CONCURRENT {
                        get(&client, &url).await?;
                        calls += 1;
                    }
                    Ok::<u64, anyhow::Error>(calls)
                })
            };
            let callers: Vec<_> = (0..CALLERS).map(|_| ask()).collect();
            let mut total = 0;
            for caller in callers {
                total += caller.await??;
            }
            Ok::<u64, anyhow::Error>(total)
        })?;
        Ok((done, started.elapsed()))
    }
}

async fn get(client: &reqwest::Client, url: &str) -> Result<()> {
    check(&client.get(url).send().await?.bytes().await?)
}

//! The pages of an HTTP API: each is a request made of the call's own.
//!
//! A position in; the response out, with the link and the total that its headers give. Links are followed only where the
//! prepared request allows it: on the origin of the API.

use super::page_source::{FetchedPage, PageRequest, PageSource};
use crate::context::CallContext;
use crate::cursor::PageStart;
use crate::failure_map;
use crate::stages::gatekeep::Permitted;
use aqueduct_operations::failure::Failure;
use aqueduct_operations::gatekeeper::Permit;
use aqueduct_operations::gatekeeper::PushedParam;
use aqueduct_operations::handler::Boxed;
use aqueduct_operations::response::Paging;
use aqueduct_upstream::{PreparedRequest, UpstreamResponse};

/// Headers with the number of all items.
const TOTAL_HEADERS: [&str; 2] = ["x-total-count", "x-total"];

/// Pages of an HTTP API.
pub struct HttpPages<'a> {
    pub context: &'a CallContext<'a>,
    pub permitted: &'a Permitted<'a>,
    /// The request of the call, without what moves on.
    pub template: PreparedRequest<'a>,
}

impl<'a> HttpPages<'a> {
    /// The request for a page. The first one has no position.
    fn request(&self, wanted: &PageRequest, paging: Option<&Paging>) -> Result<PreparedRequest<'a>, Failure> {
        if let PageStart::Link(link) = &wanted.start {
            let followed = self.template.follow(link);
            return followed.map_err(|error| failure_map::link(&error, self.permitted.checked().entry));
        }
        let mut prepared = self.template.clone();
        let Some(paging) = paging else { return Ok(prepared) };
        if let Some(param) = &paging.size_param {
            prepared.set_query(param, &wanted.size.to_string());
        }
        if let (Some(param), Some(position)) = (&paging.param, wanted.position()) {
            prepared.set_query(param, position.as_str().unwrap_or(&position.to_string()));
        }
        Ok(prepared)
    }
}

impl PageSource for HttpPages<'_> {
    fn push(&mut self, param: &PushedParam) {
        self.template.set_query(&param.name, &param.value);
    }

    fn fetch<'s>(
        &'s self,
        wanted: &'s PageRequest,
        paging: Option<&'s Paging>,
        permit: Permit<'s>,
    ) -> Boxed<'s, Result<FetchedPage, Failure>> {
        Box::pin(async move {
            let prepared = self.request(wanted, paging)?;
            let sending = self.context.send_in_slot(permit, self.permitted.checked(), &prepared);
            sending.await.map(FetchedPage::from)
        })
    }

    fn can_follow(&self, link: &str) -> bool {
        self.template.follow(link).is_ok()
    }
}

impl From<UpstreamResponse> for FetchedPage {
    fn from(response: UpstreamResponse) -> FetchedPage {
        FetchedPage {
            is_text: false,
            next_link: response.next_link().or_else(|| response.header("next-page").map(str::to_owned)),
            total: TOTAL_HEADERS.iter().find_map(|name| response.header(name)?.trim().parse().ok()),
            etag: response.etag().map(str::to_owned),
            data: response.data,
        }
    }
}

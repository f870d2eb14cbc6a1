//! The pages of a handler: a tool of an MCP server, or a function of the program, run once for each page.
//!
//! A position in; the result of the run out. A handler without parameters for paging has one page. What an MCP tool
//! says in blocks of text, or of resources that are JSON, is read as JSON: one block with a list, or a block for each item.

use super::page_source::{FetchedPage, PageRequest, PageSource};
use crate::context::CallContext;
use crate::stages::gatekeep::Permitted;
use crate::{content_blocks, handler_call};
use aqueduct_operations::failure::Failure;
use aqueduct_operations::gatekeeper::Permit;
use aqueduct_operations::gatekeeper::PushedParam;
use aqueduct_operations::handler::{Boxed, HandlerValues};
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::response::{FieldPath, Paging};
use aqueduct_operations::target::{HandlerKind, HandlerTarget};
use aqueduct_query::peek;
use aqueduct_schema::work::Meter;
use serde_json::Value;

/// Pages of a handler.
pub struct HandlerPages<'a> {
    pub context: &'a CallContext<'a>,
    pub permitted: &'a Permitted<'a>,
    pub target: &'a HandlerTarget,
    /// Values by parameter that controls were turned into.
    pub pushed: Vec<PushedParam>,
}

impl HandlerPages<'_> {
    /// The values of the run for a page.
    fn values(&self, wanted: &PageRequest, paging: Option<&Paging>) -> HandlerValues {
        let size = paging.and_then(|paging| Some((paging.size_param.as_deref()?, wanted.size.into())));
        let position = paging.and_then(|paging| Some((paging.param.as_deref()?, wanted.position()?)));
        let pushed = self.pushed.iter().map(|param| (param.name.as_str(), Value::from(param.value.as_str())));
        let added = pushed.chain(size).chain(position).map(|(name, value)| self.argument(name, value));
        HandlerValues::of_page(&self.permitted.checked().values, added)
    }

    /// The public name of a parameter that is given by its own name, and the value as that parameter declares it.
    fn argument(&self, name: &str, value: Value) -> (String, Value) {
        let operation = &self.permitted.checked().entry.operation;
        let own = operation.params.iter().find(|param| param.upstream_name == name);
        let Some(param) = own.or_else(|| operation.param(name)) else { return (name.to_owned(), value) };
        let kind = &param.shape.kind;
        let fields = &operation.answers.fields;
        let typed = match &value {
            Value::String(names) if fields.param.as_deref() == Some(name) && !kind.takes_text() => {
                Some(names.split(&fields.join).collect())
            }
            Value::String(text) => kind.value_of(text),
            value if kind.accepts(value) => None,
            value => kind.value_of(&value.to_string()),
        };
        (param.name.clone(), typed.unwrap_or(value))
    }

    async fn read(&self, data: RawJson, paging: Option<&Paging>) -> Result<FetchedPage, Failure> {
        if self.target.kind == HandlerKind::Function || !data.as_str().starts_with('[') {
            return Ok(FetchedPage::of(data));
        }
        let size = data.as_str().len();
        let items_path = paging.and_then(|paging| paging.items_path.clone());
        let read = move |_: &Meter| from_blocks(data, items_path.as_ref());
        self.context.run_sized(size, read).await
    }
}

impl PageSource for HandlerPages<'_> {
    fn push(&mut self, param: &PushedParam) {
        self.pushed.push(param.clone());
    }

    fn fetch<'s>(
        &'s self,
        wanted: &'s PageRequest,
        paging: Option<&'s Paging>,
        permit: Permit<'s>,
    ) -> Boxed<'s, Result<FetchedPage, Failure>> {
        Box::pin(async move {
            let values = self.values(wanted, paging);
            let data = handler_call::run(self.context, permit, &values).await?;
            self.read(data, paging).await
        })
    }

    fn can_follow(&self, _link: &str) -> bool {
        false
    }
}

/// The page in the content blocks of an MCP tool. Data that is no list of blocks is a page as it is.
fn from_blocks(data: RawJson, items_path: Option<&FieldPath>) -> FetchedPage {
    if !content_blocks::are_all(data.as_str()) {
        return FetchedPage::of(data);
    }
    match list_in(data.as_str(), items_path) {
        Some(list) => FetchedPage::of(list),
        None => FetchedPage { is_text: true, ..FetchedPage::of(data) },
    }
}

/// The JSON of the only block, or a list of the JSON objects of several.
fn list_in(blocks: &str, items_path: Option<&FieldPath>) -> Option<RawJson> {
    let parsed = |block: &str| RawJson::structure_in(&content_blocks::json_of(block)?);
    let parsed: Vec<RawJson> = peek::elements(blocks).map(parsed).collect::<Option<_>>()?;
    match parsed.as_slice() {
        [only] => Some(only.clone()).filter(|only| peek::items(only.as_str(), items_path).is_some()),
        several => {
            let are_objects = several.iter().all(|each| each.as_str().starts_with('{'));
            let items: Vec<&str> = several.iter().map(RawJson::as_str).collect();
            are_objects.then(|| RawJson::spliced(format!("[{}]", items.join(","))))
        }
    }
}

#[cfg(test)]
mod tests;

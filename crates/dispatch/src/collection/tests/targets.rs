//! The same questions to every kind of target: an HTTP API, tools of MCP servers and functions of the program.
//!
//! One list behind each of them in; the same answers out, whichever way its pages are fetched.

use super::{ask, serve};
use crate::test_server::{Setup, TestServer};
use aqueduct_operations::category::Category;
use aqueduct_operations::handler::{Boxed, Envelope, Handler, HandlerCall, HandlerError};
use aqueduct_operations::params::{Param, ValueKind};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::source::Source;
use aqueduct_operations::target::{HandlerKind, HandlerTarget, Method, Target};
use aqueduct_testkit::api::FakeApi;
use aqueduct_testkit::clock::TestClock;
use aqueduct_testkit::list_questions::{COUNT, essence, questions, with_own_params};
use aqueduct_testkit::operation::{operation, site, target};
use aqueduct_testkit::paged_list;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is behind the operation, and how it gives its list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A function, or a tool with a list in its structured content.
    Whole(HandlerKind),
    /// A tool whose structured content is `{result: [...]}`.
    Result,
    /// A tool with the list as JSON in one text block.
    Text,
    /// A tool with a text block for each item.
    Blocks,
    /// A function with `offset` and `limit`.
    Offset,
    /// A tool with `cursor` and `page_size`, in structured content.
    Cursor(CursorList),
    /// A tool with `page` and `per_page`, as JSON in one text block.
    Page,
}

/// A list in pages that lead on by cursors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CursorList {
    /// Items of the largest page.
    pub(super) largest: usize,
    /// The parameter for the size of a page declares that as its maximum.
    pub(super) is_declared: bool,
    /// What the last page has where the others have their cursor.
    pub(super) end: CursorEnd,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CursorEnd {
    Null,
    Empty,
    Omitted,
    /// Nothing, and every page says whether there is more.
    HasMore,
}

impl CursorList {
    pub(super) const USUAL: CursorList =
        CursorList { largest: paged_list::LARGEST, is_declared: true, end: CursorEnd::Null };
    /// Twenty items fill a page, and no maximum is declared.
    const fn of_twenty(end: CursorEnd) -> CursorList {
        CursorList { largest: 20, is_declared: false, end }
    }

    fn page(self, items: &[Value], from: usize, size: usize) -> Value {
        let end = items.len().min(from + size.min(self.largest));
        let mut page = json!({"things": items[from.min(end)..end]});
        if end < items.len() {
            page["nextCursor"] = json!(format!("at-{end}"));
        }
        match self.end {
            CursorEnd::HasMore => page["has_more"] = json!(end < items.len()),
            CursorEnd::Null if end == items.len() => page["nextCursor"] = Value::Null,
            CursorEnd::Empty if end == items.len() => page["nextCursor"] = json!(""),
            CursorEnd::Null | CursorEnd::Empty | CursorEnd::Omitted => {}
        }
        page
    }
}

pub(super) const KINDS: [Kind; 11] = [
    Kind::Whole(HandlerKind::Function),
    Kind::Whole(HandlerKind::McpTool),
    Kind::Result,
    Kind::Text,
    Kind::Blocks,
    Kind::Offset,
    Kind::Cursor(CursorList::USUAL),
    Kind::Cursor(CursorList::of_twenty(CursorEnd::Null)),
    Kind::Cursor(CursorList::of_twenty(CursorEnd::Omitted)),
    Kind::Cursor(CursorList::of_twenty(CursorEnd::HasMore)),
    Kind::Page,
];

#[derive(Debug)]
struct ListHandler {
    kind: Kind,
    items: Vec<Value>,
    runs: Arc<AtomicUsize>,
}

impl ListHandler {
    fn data(&self, values: &Map<String, Value>) -> Value {
        let number = |name: &str| values.get(name).map(|value| value.as_u64().unwrap() as usize);
        let part = |from: usize, size: usize| -> Vec<Value> {
            self.items.iter().skip(from).take(size.min(paged_list::LARGEST)).cloned().collect()
        };
        let text = |value: Value| json!({"type": "text", "text": value.to_string()});
        match self.kind {
            Kind::Whole(_) => json!(self.items),
            Kind::Result => json!({"result": self.items}),
            Kind::Text => json!([text(json!(self.items))]),
            Kind::Blocks => self.items.iter().cloned().map(text).collect(),
            Kind::Offset => json!(part(number("offset").unwrap_or(0), number("limit").unwrap_or(10))),
            Kind::Cursor(list) => {
                let cursor = values.get("cursor").map(|cursor| cursor.as_str().unwrap());
                let from: usize =
                    cursor.map_or(0, |cursor| cursor.strip_prefix("at-").unwrap().parse().unwrap());
                list.page(&self.items, from, number("page_size").unwrap_or(10))
            }
            Kind::Page => {
                let size = number("per_page").unwrap_or(10).min(paged_list::LARGEST);
                let page = part((number("page").unwrap_or(1) - 1) * size, size);
                json!([text(json!({"items": page}))])
            }
        }
    }
}

impl Handler for ListHandler {
    fn run<'a>(&'a self, run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        self.runs.fetch_add(1, Ordering::Relaxed);
        let data = self.data(run.values);
        Box::pin(async move { Ok(Envelope::local("shelf.list_things", data)) })
    }

    fn preview(&self, _values: &Map<String, Value>) -> Value {
        Value::Null
    }
}

/// A server of one kind, and how often its handler ran.
fn serve_kind(kind: Kind, count: usize) -> (TestServer, Arc<AtomicUsize>) {
    serve_kind_with(Setup::default(), kind, count)
}

pub(super) fn serve_kind_with(setup: Setup, kind: Kind, count: usize) -> (TestServer, Arc<AtomicUsize>) {
    let (loaded, runs) = list_source(kind, count);
    (setup.serve_loaded(vec![loaded], TestClock::default()), runs)
}

/// The source of one kind, and how often its handler ran.
pub(super) fn list_source(kind: Kind, count: usize) -> (LoadedSource, Arc<AtomicUsize>) {
    let runs = Arc::new(AtomicUsize::new(0));
    let handler = Arc::new(ListHandler { kind, items: paged_list::items(count), runs: Arc::clone(&runs) });
    let http = target(site("http://localhost"), Method::Get, "/");
    let mut operation = operation("list_things", Category::Read, http);
    let number = |name: &str| {
        let mut param = Param::new(name, ValueKind::Integer);
        param.shape.minimum = Some(1.0);
        param
    };
    let mut size = number("limit");
    size.shape.maximum = Some(paged_list::LARGEST as f64);
    let (code, params) = match kind {
        Kind::Offset => (HandlerKind::Function, vec![Param::new("offset", ValueKind::Integer), size]),
        Kind::Cursor(list) => {
            size.shape.maximum = list.is_declared.then_some(list.largest as f64);
            (size.name, size.upstream_name) = ("page_size".to_owned(), "page_size".to_owned());
            (HandlerKind::McpTool, vec![Param::new("cursor", ValueKind::String), size])
        }
        Kind::Page => {
            (size.name, size.upstream_name) = ("per_page".to_owned(), "per_page".to_owned());
            (HandlerKind::McpTool, vec![number("page"), size])
        }
        Kind::Whole(code) => (code, Vec::new()),
        Kind::Result | Kind::Text | Kind::Blocks => (HandlerKind::McpTool, Vec::new()),
    };
    operation.params = params;
    operation.answers.collection = true;
    operation.target = Target::Handler(HandlerTarget::new(code, handler));
    let source = Source { name: "shelf".to_owned(), ..Source::built_in() };
    (LoadedSource { source, operations: vec![operation] }, runs)
}

/// The question with the names that the controls have on this kind.
fn named(kind: Kind, question: &Value) -> Value {
    let own: &[&str] = match kind {
        Kind::Offset => &["offset", "limit"],
        Kind::Cursor(_) => &["page_size"],
        Kind::Page => &["page"],
        _ => &[],
    };
    with_own_params(own, question)
}

/// Ruling W15: filter, sort, fields, search, counts, pages and budget are the same on all of them.
#[tokio::test]
async fn the_same_answers() {
    let (reference, _api) = http().await;
    let servers: Vec<_> = KINDS.into_iter().map(|kind| (kind, serve_kind(kind, COUNT).0)).collect();
    for question in questions() {
        let expected = essence(&reference.call(ask(question.clone())).await);
        for (kind, server) in &servers {
            let answer = server.call(ask(named(*kind, &question))).await;
            assert_eq!(essence(&answer), expected, "{kind:?} {question}\n{answer}");
        }
    }
}

async fn http() -> (TestServer, FakeApi) {
    serve("/page", COUNT).await
}

/// Cursors lead through all items once, forward and backward.
#[tokio::test]
async fn the_same_pages() {
    for kind in KINDS {
        let (server, _runs) = serve_kind(kind, COUNT);
        let (mut params, mut seen) = (json!({"first": 17}), Vec::new());
        loop {
            let page = server.data(ask(params.clone())).await;
            seen.extend(super::ids(&page));
            if page["pageInfo"]["hasNextPage"] == false {
                break;
            }
            params["after"] = page["pageInfo"]["endCursor"].clone();
        }
        assert_eq!(seen, (1..=COUNT as u64).collect::<Vec<_>>(), "{kind:?}");
        let last = server.data(ask(json!({"last": 5}))).await;
        assert_eq!(super::ids(&last), [56, 57, 58, 59, 60], "{kind:?}");
        let before = json!({"last": 2, "before": last["pageInfo"]["startCursor"]});
        assert_eq!(super::ids(&server.data(ask(before)).await), [54, 55], "{kind:?}");
    }
}

/// A list that fills its last page ends there, however its end is written and whatever is known of the size of a page.
#[tokio::test]
async fn full_last_pages() {
    for (end, is_declared) in [CursorEnd::Null, CursorEnd::Empty, CursorEnd::Omitted, CursorEnd::HasMore]
        .into_iter()
        .flat_map(|end| [(end, false), (end, true)])
    {
        let kind = Kind::Cursor(CursorList { largest: 20, is_declared, end });
        for count in [20, 57, 60] {
            // A single page without a word about a next one may be the first of several.
            if count == 20 && end == CursorEnd::Omitted {
                continue;
            }
            let (server, _runs) = serve_kind(kind, count);
            let all = server.call(ask(json!({"all": true, "fields": ["id"]}))).await;
            assert_eq!(super::ids(&all["data"]).len(), count, "{kind:?}");
            assert_eq!(all["data"]["pageInfo"]["hasNextPage"], false, "{kind:?} {count}\n{all}");
            assert_eq!(all["warnings"], Value::Null, "{kind:?} {count}");
            let counted = server.data(ask(json!({"aggregate": {"n": {"count": true}}}))).await;
            assert_eq!(counted["applied"]["complete"], true, "{kind:?} {count}");
        }
    }
}

/// Handlers that page run as often as an API is asked, which is once more where they do not say that there is no more.
#[tokio::test]
async fn how_often_it_runs() {
    let (server, api) = http().await;
    server.data(ask(json!({"first": 40}))).await;
    let for_a_page = api.requests().len();
    server.data(ask(json!({"sort": "score", "first": 1}))).await;
    let for_all = api.requests().len() - for_a_page;
    for (kind, page, all) in [
        (Kind::Result, 1, 1),
        (Kind::Text, 1, 1),
        (Kind::Cursor(CursorList::USUAL), 1, 2),
        (Kind::Offset, for_a_page, for_all),
        (Kind::Page, for_a_page, for_all),
    ] {
        let (server, runs) = serve_kind(kind, COUNT);
        server.data(ask(json!({"first": 40}))).await;
        assert_eq!(runs.swap(0, Ordering::Relaxed), page, "{kind:?}");
        server.data(ask(json!({"sort": "score", "first": 1}))).await;
        assert_eq!(runs.load(Ordering::Relaxed), all, "{kind:?}");
    }
}

/// What the caller tells the target itself stays as it is.
#[tokio::test]
async fn own_parameters() {
    let (server, _runs) = serve_kind(Kind::Offset, COUNT);
    let page = server.data(ask(json!({"offset": 10, "limit": 3}))).await;
    assert_eq!(super::ids(&page), [11, 12, 13]);
    let (server, _runs) = serve_kind(Kind::Cursor(CursorList::USUAL), COUNT);
    let page = server.data(ask(json!({"cursor": "at-50", "page_size": 4}))).await;
    assert_eq!(super::ids(&page), [51, 52, 53, 54]);
}

//! Whether an answer is a list of items, and how the API goes on to the next ones.
//!
//! Only what cannot be mistaken: a declared `Link` header, or a cursor that the answer gives and the request takes. The
//! parameters that the document declares stay as they are; paging only ever adds the step to the next page.

use crate::lower::context::{LoweringContext, SchemaMembers};
use crate::read::PartLocation;
use aqueduct_operations::naming::letters_of;
use aqueduct_operations::params::{Param, ParamLocation, ValueKind};
use aqueduct_operations::response::{FieldPath, Paging, PagingStyle};
use serde_json::Value;

/// What is seen of an answer.
pub(super) struct PagingEvidence<'s> {
    pub schema: &'s Value,
    pub node: &'s PartLocation,
    /// The answer itself is a list.
    pub is_list: bool,
    /// Its `Link` header is declared.
    pub has_link: bool,
    /// The operation's name.
    pub named: &'s str,
}

/// Names of parameters for paging, as far as letters go: `_limit`, `$top` and `page[size]` are some.
const PAGE_PARAMS: &[&str] = &[
    "page",
    "perpage",
    "pagesize",
    "limit",
    "offset",
    "cursor",
    "after",
    "startingafter",
    "pagetoken",
    "nexttoken",
    "maxresults",
    "skip",
    "top",
    "start",
    "count",
    "first",
    "marker",
];
/// Names of cursors: in the request, and in the answer.
const CURSORS: &[(&str, &[&str])] = &[
    ("cursor", &["next_cursor", "nextCursor"]),
    ("page_token", &["next_page_token", "nextPageToken"]),
    ("pageToken", &["nextPageToken", "next_page_token"]),
    ("next_token", &["next_token", "nextToken", "NextToken"]),
    ("nextToken", &["nextToken", "NextToken"]),
    ("NextToken", &["NextToken"]),
];

/// Whether the answer is a list of items, and how it is paged.
pub(super) fn recognise(
    context: &mut LoweringContext<'_>,
    seen: &PagingEvidence<'_>,
    params: &[Param],
) -> (bool, Option<Paging>) {
    let link = || seen.has_link.then(|| Paging::of(PagingStyle::LinkHeader));
    if seen.is_list {
        return (true, link());
    }
    let in_query = |names: &[&str]| {
        let is_named = |param: &Param| names.contains(&letters_of(&param.upstream_name).as_str());
        params.iter().any(|param| param.place == ParamLocation::Query && is_named(param))
    };
    let is_listing = ["list_", "search_", "query_"].iter().any(|verb| seen.named.starts_with(verb));
    if !is_listing && !in_query(PAGE_PARAMS) {
        return (false, None);
    }
    let members = context.members(seen.schema, seen.node);
    if members.has_alternatives() {
        return (false, None);
    }
    let mut arrays = members.list.iter().filter(|member| {
        matches!(context.outline(&member.schema, &member.location).shape.kind, ValueKind::Array(_))
    });
    let (Some(items), None) = (arrays.next(), arrays.next()) else { return (false, None) };
    let items_path = FieldPath::parse(&items.name).filter(|path| path.names().len() == 1);
    let mut paging = link().or_else(|| cursor(&members, params));
    if let Some(paging) = &mut paging {
        paging.items_path = items_path;
    }
    (true, paging)
}

fn cursor(members: &SchemaMembers, params: &[Param]) -> Option<Paging> {
    let has = |name: &str| {
        params.iter().any(|param| param.place == ParamLocation::Query && param.upstream_name == name)
    };
    let (param, answers) = CURSORS.iter().find(|(param, _)| has(param))?;
    let next = answers.iter().find(|name| members.list.iter().any(|member| member.name == **name))?;
    let mut paging = Paging::of(PagingStyle::Cursor);
    paging.param = Some((*param).to_owned());
    paging.next_path = FieldPath::parse(next);
    Some(paging)
}

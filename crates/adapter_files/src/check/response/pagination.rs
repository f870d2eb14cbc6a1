//! The `pagination` block: which way the API pages, and by which query parameters (runtime specification, section 10.4).
//!
//! The block and the parameters in; `Paging` out, and the parameters without those that the pager sends by itself,
//! unless callers may send them too.

use super::{ResponseContext, block};
use crate::check::path;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, shortened};
use aqueduct_operations::naming::snake_case;
use aqueduct_operations::params::{Param, ParamLocation};
use aqueduct_operations::response::{Paging, PagingStyle};
use serde_json::Value;

/// Declared parameters with these names set the size of a page, when the block names none.
pub(crate) const SIZES: &[&str] = &["per_page", "page_size", "limit", "max_results"];

pub(super) fn check(
    operation: &NodeCursor<'_>,
    context: &ResponseContext<'_>,
    params: &mut Vec<Param>,
    found: &mut Findings<'_>,
) -> Option<Paging> {
    let at = block(operation, "pagination")?;
    let style = at.text("style").and_then(PagingStyle::parse)?;
    let mut paging = Paging::of(style);
    let (own_word, usual) = words(style);
    // Callers may set them too where the file says so: then they are not taken out.
    let mut kept = (at.flag("keep_params") == Some(true)).then(|| params.clone());
    let params = kept.as_mut().unwrap_or(params);
    let moving = take(&at, "param_name", usual, params, found);
    let size = take(&at, "per_page_param", SIZES, params, found);
    paging.param = moving.name.or_else(|| own_word.map(str::to_owned));
    paging.size_param = size.name;
    if paging.param.is_some() && paging.param == paging.size_param {
        let place = at.get("per_page_param").unwrap_or_else(|| at.clone());
        let message = "The parameter that moves on cannot set the size of a page as well";
        place.error("CONTRADICTION", message).hint("name another one").add_to(found);
    }
    (paging.default_limit, paging.max_limit) = limits(&at, size.declared.as_ref(), found);
    paging.is_max_declared = at.whole("max_limit").is_some()
        || size.declared.as_ref().is_some_and(|param| param.shape.maximum.is_some());
    paging.items_path = path::of(&at, "items_path", found);
    paging.total_path = path::of(&at, "total_path", found);
    paging.has_more_path = path::of(&at, "has_more_path", found);
    let next_path = path::of(&at, "next_path", found);
    if belongs_to(&at, "next_path", PagingStyle::Cursor, style, found) {
        paging.next_path = next_path;
    }
    if belongs_to(&at, "first_page", PagingStyle::Page, style, found)
        && let Some(first) = at.whole("first_page").and_then(|first| u64::try_from(first).ok())
    {
        paging.first_page = first;
    }
    check_static_query(operation, context, &paging, found);
    Some(paging)
}

/// The parameter that moves on, when nothing names it, and the names by which a declared one is known.
fn words(style: PagingStyle) -> (Option<&'static str>, &'static [&'static str]) {
    match style {
        PagingStyle::LinkHeader => (None, &[]),
        PagingStyle::Cursor => (
            Some("cursor"),
            &[
                "cursor",
                "after",
                "page_token",
                "next_token",
                "starting_after",
                "continuation_token",
                "marker",
            ],
        ),
        PagingStyle::Offset => (Some("offset"), &["offset", "skip", "start"]),
        PagingStyle::Page => (Some("page"), &["page", "page_number"]),
    }
}

/// A paging parameter: its name upstream, and its declaration, if the operation had one.
#[derive(Default)]
struct PagingParam {
    name: Option<String>,
    declared: Option<Param>,
}

/// Finds a paging parameter by the name that the block gives it or by a usual one, and takes it from the operation's.
fn take(
    at: &NodeCursor<'_>,
    key: &str,
    usual: &[&str],
    params: &mut Vec<Param>,
    found: &mut Findings<'_>,
) -> PagingParam {
    if at.flag(key) == Some(true)
        && let Some(place) = at.get(key)
    {
        place.error("INVALID_VALUE", "A parameter has a name").expected("a name, or false").add_to(found);
    }
    if at.flag(key).is_some() {
        return PagingParam::default();
    }
    let Some(place) = at.get(key) else {
        let in_query = |name: &str| {
            params.iter().position(|param| {
                param.place == ParamLocation::Query
                    && (param.name == name || snake_case(&param.upstream_name) == name)
            })
        };
        let Some(index) = usual.iter().find_map(|name| in_query(name)) else { return PagingParam::default() };
        let declared = params.remove(index);
        return PagingParam { name: Some(declared.upstream_name.clone()), declared: Some(declared) };
    };
    let Some(name) = place.node.filled_text() else {
        return PagingParam::default();
    };
    let index = params
        .iter()
        .position(|param| param.upstream_name == name)
        .or_else(|| params.iter().position(|param| param.name == name));
    let Some(index) = index else { return PagingParam { name: Some(name.to_owned()), declared: None } };
    if params[index].place != ParamLocation::Query {
        let message = format!("'{}' is declared, but not in the query", shortened(name, 60));
        place
            .error("BAD_PLACE", message)
            .expected("a query parameter, which is where paging parameters go")
            .hint("add in: query to the parameter, or remove 'pagination'")
            .add_to(found);
        return PagingParam::default();
    }
    let declared = params.remove(index);
    PagingParam { name: Some(declared.upstream_name.clone()), declared: Some(declared) }
}

/// The size of a page and the largest one. What the block does not say, the declared parameter may.
fn limits(at: &NodeCursor<'_>, declared: Option<&Param>, found: &mut Findings<'_>) -> (u64, u64) {
    let number_of =
        |key| at.whole(key).and_then(|number| u64::try_from(number).ok()).filter(|number| *number > 0);
    let (default, most) = (number_of("default_limit"), number_of("max_limit"));
    if let (Some(default), Some(most), Some(place)) = (default, most, at.get("default_limit"))
        && default > most
    {
        let message = format!("default_limit {default} is greater than max_limit {most}");
        place.error("INVALID_VALUE", message).hint("change one of the two").add_to(found);
    }
    let above =
        ["max_limit", "default_limit"].into_iter().find(|key| number_of(key) > Some(Paging::HARD_LIMIT));
    if let Some(place) = above.and_then(|key| at.get(key)) {
        let message = format!("Pages of more than {} items are not asked for", Paging::HARD_LIMIT);
        place
            .warning("LIMIT_CLAMPED", message)
            .expected(format!("up to {}", Paging::HARD_LIMIT))
            .add_to(found);
    }
    let maximum = declared.and_then(|param| param.shape.maximum).filter(|maximum| *maximum >= 1.0);
    let most = most
        .or(maximum.map(|maximum| maximum as u64))
        .unwrap_or_else(|| Paging::MAX_LIMIT.max(default.unwrap_or_default()))
        .min(Paging::HARD_LIMIT);
    let usual = declared.and_then(|param| param.default.as_ref()).and_then(Value::as_u64);
    let default = default.or(usual.filter(|usual| *usual > 0)).unwrap_or(Paging::DEFAULT_LIMIT).min(most);
    (default, most)
}

/// True when a key is for this style; warns when it is there for nothing.
fn belongs_to(
    at: &NodeCursor<'_>,
    key: &str,
    owner: PagingStyle,
    style: PagingStyle,
    found: &mut Findings<'_>,
) -> bool {
    if style != owner
        && let Some(at) = at.get(key)
    {
        let message = format!("'{key}' belongs to the style '{}' and has no effect here", owner.name());
        at.warning("NO_EFFECT", message).hint("remove it, or change 'style'").add_to(found);
    }
    style == owner
}

/// Text in `maps_to` that would be sent beside the pager's own.
fn check_static_query(
    operation: &NodeCursor<'_>,
    context: &ResponseContext<'_>,
    paging: &Paging,
    found: &mut Findings<'_>,
) {
    let pairs = context.static_query.iter().flat_map(|query| query.split('&'));
    for name in pairs.filter_map(|pair| pair.split('=').next()) {
        let is_paging = [&paging.param, &paging.size_param].iter().any(|each| each.as_deref() == Some(name));
        if is_paging && let Some(at) = operation.get("maps_to") {
            let message = format!("'{}' is sent by paging, and by maps_to as well", shortened(name, 60));
            at.warning("CONTRADICTION", message).hint("remove it from maps_to").add_to(found);
        }
    }
}

//! `quota_status`: how far limits and quotas are used, of one source or of all that have some (companion document on rate limits,
//! section 6).

use crate::catalog_view::CatalogView;
use crate::failure_map;
use aqueduct_limiter::Limiters;
use aqueduct_operations::failure::Failure;
use aqueduct_operations::raw_json::RawJson;
use serde_json::{Value, json};

/// The status of the sources that the caller sees: one object when there is one, else `{adapters: […]}`.
pub async fn quota_status(
    view: &CatalogView<'_>,
    limiters: &Limiters,
    name: Option<&str>,
) -> Result<RawJson, Failure> {
    let mut shown: Vec<Value> = Vec::new();
    for source in view.sources().into_iter().filter(|source| name.is_none_or(|name| source.name == name)) {
        match limiters.status(source).await {
            Some(Ok(status)) => shown.push(status.introspected()),
            Some(Err(why)) => return Err(failure_map::limits_unknown(&why)),
            // Asked for by its name, a source without limits says so.
            None if name.is_some() => {
                shown.push(
                    json!({"adapter": source.name, "api_limits": {}, "quotas": [], "next_reset": null}),
                );
            }
            None => {}
        }
    }
    Ok(RawJson::of(&match <[Value; 1]>::try_from(shown) {
        Ok([only]) => only,
        Err(several) => json!({"adapters": several}),
    }))
}

//! Fields that a request names and no item has: a filter by one keeps nothing, an order by one is none.
//!
//! The items that are looked at in; out, a warning for each such field with the nearest one that there is. An empty list
//! tells nothing.

use super::ListQuery;
use aqueduct_operations::controls::Control;
use aqueduct_operations::failure::wording::echo;
use aqueduct_operations::reply::{Warning, WarningSeverity};
use aqueduct_operations::response::FieldPath;
use aqueduct_operations::suggest::{misspelt, nearest};
use aqueduct_query::aggregate::Aggregate;
use aqueduct_query::filter::Filter;
use aqueduct_query::item::ItemKey;
use aqueduct_query::peek;
use aqueduct_query::sort::Sort;
use serde_json::Value;
use std::collections::BTreeSet;

/// Items whose fields are remembered.
const LOOKED_AT: u64 = 20;
/// Fields that a warning names.
const NAMED: usize = 30;

/// What has not been found yet.
pub struct UnknownFields {
    missing: Vec<MissingField>,
    items: u64,
}

struct MissingField {
    control: String,
    key: ItemKey,
    /// An item certainly lacks it; of others it cannot be told.
    is_lacked: bool,
    /// Fields beside which it would be.
    beside: BTreeSet<String>,
}

impl UnknownFields {
    /// The fields that are looked for here. A filter may ask whether a field is there at all.
    pub fn of(list_query: &ListQuery<'_>) -> UnknownFields {
        let operation = &list_query.permitted.checked().entry.operation;
        let tests_existence = |key: &&ItemKey| {
            let condition =
                list_query.controls.bound.get(Control::Filter.name()).and_then(|all| all.get(key.text()));
            condition.and_then(Value::as_object).is_some_and(|operators| operators.contains_key("exists"))
        };
        let filtered = list_query.plan.items.filter.iter().flat_map(Filter::keys);
        let filtered = filtered.filter(|key| !tests_existence(key)).map(|key| (Control::Filter, key));
        let sorted = list_query.plan.sort.iter().map(|sort| (Control::Sort, Sort::key(sort)));
        let counted = list_query.controls.aggregate.iter().flat_map(Aggregate::keys);
        let counted = counted.map(|(_, key)| (Control::Aggregate, key));
        let mut missing: Vec<MissingField> = Vec::new();
        for (control, key) in filtered.chain(sorted).chain(counted) {
            let control = control.name_on(operation);
            let is_known = missing.iter().any(|each| each.control == control && each.key == *key);
            if key.path().is_some() && !is_known {
                missing.push(MissingField {
                    control,
                    key: key.clone(),
                    is_lacked: false,
                    beside: BTreeSet::new(),
                });
            }
        }
        UnknownFields { missing, items: 0 }
    }

    /// Looks at an item.
    pub fn look(&mut self, item: &str) {
        self.items += 1;
        if self.missing.is_empty() {
            return;
        }
        self.missing.retain_mut(|each| {
            let found = has(item, each.key.path().map_or(&[][..], FieldPath::names));
            each.is_lacked |= found == Some(false);
            found != Some(true)
        });
        if self.items <= LOOKED_AT {
            self.missing.iter_mut().for_each(|each| each.beside.extend(beside(item, &each.key)));
        }
    }

    /// What is to be said when the items are at an end.
    pub fn warnings(self) -> Vec<Warning> {
        let items = self.items;
        self.missing.into_iter().filter(|each| each.is_lacked).map(|each| warning(each, items)).collect()
    }
}

/// Whether a path leads to something. Of what is null or an empty list on the way it cannot be told: it may hold anything
/// elsewhere.
fn has(value: &str, names: &[String]) -> Option<bool> {
    let Some((name, rest)) = names.split_first() else { return Some(true) };
    match value.as_bytes().first() {
        Some(b'{') => match peek::members(value).find(|(each, _)| each == name) {
            Some((_, inner)) => has(inner, rest),
            None => Some(false),
        },
        Some(b'[') => {
            let found: Vec<Option<bool>> = peek::elements(value).map(|element| has(element, names)).collect();
            if found.contains(&Some(true)) { Some(true) } else { found.into_iter().flatten().next() }
        }
        Some(b'n') => None,
        _ => Some(false),
    }
}

/// The fields of an item among which a key would be: those of the object that its path leads to, else the outermost.
fn beside(item: &str, key: &ItemKey) -> Vec<String> {
    let names = key.path().map_or(&[][..], FieldPath::names);
    let parent = names.split_last().map(|(_, parent)| parent.join(".")).unwrap_or_default();
    let inner = FieldPath::parse(&parent).and_then(|path| peek::value_at(item, &path));
    match inner.filter(|inner| inner.starts_with('{')) {
        Some(inner) => peek::members(inner).map(|(name, _)| format!("{parent}.{name}")).collect(),
        None => peek::members(item).map(|(name, _)| name.into_owned()).collect(),
    }
}

fn warning(missing: MissingField, items: u64) -> Warning {
    let MissingField { control, key, beside, .. } = missing;
    let name = echo(key.text());
    let known = || beside.iter().map(String::as_str);
    let best = nearest(key.text(), known(), 1).first().copied().or_else(|| misspelt(key.text(), known()));
    let best = best.map(echo);
    let fields: Vec<String> = beside.iter().take(NAMED).map(|name| echo(name)).collect();
    let advice = match &best {
        Some(best) => format!("Did you mean '{best}'?"),
        None => format!("The fields are: {}.", fields.join(", ")),
    };
    let message = format!("None of the {items} items has the field '{name}' of '{control}'. {advice}");
    let warning = Warning::new("VALIDATION_UNKNOWN_FIELD_WARNING", message)
        .with("field", name)
        .with("control", control)
        .with("fields", fields)
        .rated(WarningSeverity::Medium);
    match best {
        Some(best) => warning.with("suggestion", best),
        None => warning,
    }
}

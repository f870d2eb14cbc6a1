//! What an operation declares about its answers: paging, choices of fields, what the API does by itself, computed fields.
//!
//! `ResponseRules` in; the keys of the operation out.

use super::param::number;
use super::yaml::{YamlEntries, YamlValue};
use crate::{SIZES, items};
use aqueduct_operations::naming::snake_case;
use aqueduct_operations::operation::{Operation, ReturnType};
use aqueduct_operations::params::{Param, ParamLocation};
use aqueduct_operations::response::{
    Comparison, ComputedExpression, ComputedField, FieldPath, FieldRules, Operand, Operator, Paging, Preset,
    PushRules, ResponseRules, Template, TemplatePiece,
};
use aqueduct_operations::types::TypeDef;
use serde_json::Value as Json;
use std::collections::HashMap;

/// Writes all of it. `by_itself` is whether the operation would be taken for a list without a word about it.
pub(super) fn put(
    operation: &Operation,
    types: &HashMap<&str, &TypeDef>,
    by_itself: bool,
    entries: &mut YamlEntries,
) {
    let (answers, returns) = (&operation.answers, &operation.returns);
    if let Some(paging) = &answers.paging {
        entries.put("pagination", YamlValue::Map(pagination(paging, &operation.params)));
    }
    entries.map("fields", fields(answers, returns, types));
    let collection = collection(&answers.push);
    if !collection.0.is_empty() {
        entries.put("collection", YamlValue::Map(collection));
    } else if answers.collection != (by_itself || answers.paging.is_some()) {
        entries.json("collection", answers.collection);
    }
    if !answers.computed.is_empty() {
        let computed = answers.computed.iter().map(|each| YamlValue::Map(computed(each)));
        entries.put("computed", YamlValue::List(computed.collect()));
    }
    let rule = &answers.aggregate;
    let mut aggregate = YamlEntries::default();
    if let Some(functions) = &rule.functions {
        list("functions", functions.iter().map(|function| function.name().into()), &mut aggregate);
    }
    for (key, fields) in
        [("groupable_fields", &rule.groupable_fields), ("numeric_fields", &rule.numeric_fields)]
    {
        if let Some(fields) = fields {
            list(key, fields.iter().map(|field| field.as_str().into()), &mut aggregate);
        }
    }
    entries.map("aggregate", aggregate);
}

/// A list that is written even when there is nothing in it.
fn list(key: &str, values: impl Iterator<Item = Json>, entries: &mut YamlEntries) {
    entries.put(key, YamlValue::List(values.map(YamlValue::Json).collect()));
}

fn pagination(paging: &Paging, params: &[Param]) -> YamlEntries {
    let mut entries = YamlEntries::default();
    entries.json("style", paging.style.name());
    for (key, param) in [("param_name", &paging.param), ("per_page_param", &paging.size_param)] {
        // A parameter of this name that goes elsewhere is another one: the pager's is then the usual one of its style.
        let is_elsewhere = |name: &str| {
            params.iter().any(|param| {
                param.place != ParamLocation::Query && (param.upstream_name == name || param.name == name)
            })
        };
        entries.maybe_json(key, param.as_deref().filter(|name| !is_elsewhere(name)));
    }
    let is_sent = |param: &Param| {
        param.place == ParamLocation::Query
            && [&paging.param, &paging.size_param].contains(&&Some(param.upstream_name.clone()))
    };
    entries.unless("keep_params", params.iter().any(is_sent), false);
    let is_size = |param: &Param| {
        let is_named = |name: &&str| param.name == **name || snake_case(&param.upstream_name) == **name;
        param.place == ParamLocation::Query && SIZES.iter().any(is_named)
    };
    if paging.size_param.is_none() && params.iter().any(is_size) {
        entries.json("per_page_param", false);
    }
    entries.unless("default_limit", paging.default_limit, Paging::DEFAULT_LIMIT.min(paging.max_limit));
    entries.maybe_json("max_limit", paging.is_max_declared.then_some(paging.max_limit));
    entries.unless("first_page", paging.first_page, 1);
    for (key, path) in [
        ("items_path", &paging.items_path),
        ("next_path", &paging.next_path),
        ("total_path", &paging.total_path),
        ("has_more_path", &paging.has_more_path),
    ] {
        entries.maybe_json(key, path.as_ref().map(FieldPath::to_string));
    }
    entries
}

fn fields(answers: &ResponseRules, returns: &ReturnType, types: &HashMap<&str, &TypeDef>) -> YamlEntries {
    let rules: &FieldRules = &answers.fields;
    let mut entries = YamlEntries::default();
    let name = returns.name.strip_suffix("[]").unwrap_or(&returns.name);
    let inherited = types.get(name).map_or(&[][..], |each| &each.presets);
    entries.map("presets", presets(own(&rules.presets, inherited)));
    entries.maybe_json("default", rules.default.as_deref());
    entries.maybe_json("param", rules.param.as_deref());
    let items_path = answers.paging.as_ref().and_then(|paging| paging.items_path.as_ref());
    let item = items::type_of(&returns.name, types, answers.collection, items_path);
    let usual: Option<Vec<&str>> = item.and_then(items::fields_of).map(Iterator::collect);
    match &rules.known {
        None if usual.is_some() => entries.json("known", false),
        Some(known) if Some(known.iter().map(String::as_str).collect()) != usual => {
            list("known", known.iter().map(|name| name.as_str().into()), &mut entries);
        }
        _ => {}
    }
    if !matches!(rules.join.as_str(), "" | ",") {
        entries.json("join", rules.join.as_str());
    }
    entries
}

/// The presets that do not come from the type by themselves.
fn own<'p>(presets: &'p [Preset], inherited: &[Preset]) -> &'p [Preset] {
    let is_rest = |count: usize| {
        let (own, rest) = presets.split_at(count);
        let is_new = |preset: &&Preset| !own.iter().any(|each| each.name == preset.name);
        rest.iter().eq(inherited.iter().filter(is_new))
    };
    let count = (0..=presets.len()).find(|count| is_rest(*count)).unwrap_or(presets.len());
    &presets[..count]
}

/// Named choices of fields.
pub(super) fn presets(presets: &[Preset]) -> YamlEntries {
    let mut entries = YamlEntries::default();
    for preset in presets {
        list(&preset.name, preset.paths.iter().map(|path| path.to_string().into()), &mut entries);
    }
    entries
}

fn collection(push: &PushRules) -> YamlEntries {
    let mut entries = YamlEntries::default();
    let mut filters = YamlEntries::default();
    for filter in &push.filters {
        let mut one = YamlEntries::default();
        one.json("param", filter.param.as_str());
        one.maybe_json("values", filter.values.clone());
        filters.put(&filter.key, YamlValue::Map(one));
    }
    entries.map("filter", filters);
    if let Some(sort) = &push.sort {
        let mut one = YamlEntries::default();
        one.json("param", sort.param.as_str());
        one.maybe_json("order_param", sort.order_param.as_deref());
        if sort.fields.iter().all(|(name, word)| name == word) {
            list("fields", sort.fields.iter().map(|(name, _)| name.as_str().into()), &mut one);
        } else {
            let mut fields = YamlEntries::default();
            sort.fields.iter().for_each(|(name, word)| fields.json(name, word.as_str()));
            one.map("fields", fields);
        }
        entries.put("sort", YamlValue::Map(one));
    }
    if let Some(query) = &push.query {
        let mut one = YamlEntries::default();
        one.json("param", query.param.as_str());
        entries.put("query", YamlValue::Map(one));
    }
    entries
}

fn computed(field: &ComputedField) -> YamlEntries {
    let mut entries = YamlEntries::default();
    entries.json("name", field.name.as_str());
    entries.json("type", field.type_name.as_str());
    entries.maybe_text("description", field.description.as_deref());
    entries.unless("filterable", field.filterable, true);
    entries.unless("sortable", field.sortable, true);
    let mut value = YamlEntries::default();
    match &field.value {
        ComputedExpression::AgeDays(path) => value.json("age_days", path.to_string()),
        ComputedExpression::AgeHours(path) => value.json("age_hours", path.to_string()),
        ComputedExpression::Count(path) => value.json("count", path.to_string()),
        ComputedExpression::Exists(path) => value.json("exists", path.to_string()),
        ComputedExpression::Template(template) => value.json("template", template_text(template)),
        ComputedExpression::Arithmetic(operator, operands) => {
            let key = match operator {
                Operator::Add => "add",
                Operator::Sub => "sub",
                Operator::Mul => "mul",
                Operator::Div => "div",
            };
            list(key, operands.iter().map(operand), &mut value);
        }
        ComputedExpression::Compare(comparison, left, right) => {
            let key = match comparison {
                Comparison::Equal => "eq",
                Comparison::Greater => "gt",
                Comparison::Less => "lt",
            };
            list(key, [left, right].into_iter().map(operand), &mut value);
        }
    }
    entries.put("value", YamlValue::Map(value));
    entries
}

fn operand(operand: &Operand) -> Json {
    match operand {
        Operand::Path(path) => path.to_string().into(),
        Operand::Number(value) => number(*value).unwrap_or(Json::from(0)),
    }
}

fn template_text(Template(pieces): &Template) -> String {
    let piece = |piece: &TemplatePiece| match piece {
        TemplatePiece::Literal(text) => text.replace('{', "{{").replace('}', "}}"),
        TemplatePiece::Value(path) => format!("{{{path}}}"),
    };
    pieces.iter().map(piece).collect()
}

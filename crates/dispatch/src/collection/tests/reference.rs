//! The right answers, worked out from the items alone by plain code that shares nothing with the product.
//!
//! A question and all items in, every page of its answer out. It knows the forms that the questions of these tests have,
//! and no others.

use serde_json::{Map, Value, json};
use std::cmp::Ordering;

/// An item that stays, with its place among all.
struct Kept<'a> {
    place: usize,
    item: &'a Value,
}

/// Every page of the answer: one, or as many as `first` leads through.
pub fn pages(question: &Value, items: &[Value]) -> Vec<Value> {
    let kept = kept(question, items);
    let size = size(question, kept.len());
    let mut from = start(question, size, kept.len());
    let mut pages = Vec::new();
    loop {
        pages.push(page(question, items, &kept, (from, size)));
        from += size;
        if question.get("first").is_none() || size == 0 || from >= kept.len() {
            return pages;
        }
    }
}

fn number(question: &Value, name: &str) -> Option<usize> {
    question.get(name).and_then(Value::as_u64).map(|number| number as usize)
}

/// How many items a page has.
fn size(question: &Value, all: usize) -> usize {
    let said = ["first", "last", "limit", "page_size"].iter().find_map(|name| number(question, name));
    said.unwrap_or(if question["all"] == true { all } else { 25 })
}

/// How many items are before the first page.
fn start(question: &Value, size: usize, all: usize) -> usize {
    match (number(question, "offset"), number(question, "page"), number(question, "last")) {
        (Some(offset), ..) => offset,
        (_, Some(page), _) => (page - 1) * size,
        (.., Some(last)) => all.saturating_sub(last),
        _ => 0,
    }
}

fn page(question: &Value, items: &[Value], kept: &[Kept<'_>], (from, size): (usize, usize)) -> Value {
    let end = (from + size).min(kept.len());
    let given = kept.get(from..end).unwrap_or_default();
    let looks_at_all = ["sort", "aggregate", "last"].iter().any(|name| question.get(name).is_some());
    let comes_to_the_end = size > 0 && end == kept.len();
    let mut answer = Map::new();
    if question.get("aggregate").is_none() || question["include_items"] == true {
        let chosen: Vec<Value> = given.iter().map(|kept| chosen(question, kept.item)).collect();
        let mut info = json!({"hasNextPage": !given.is_empty() && end < kept.len(),
                              "hasPreviousPage": !given.is_empty() && from > 0});
        if !given.is_empty() {
            info["startCursor"] = "a cursor".into();
            info["endCursor"] = "a cursor".into();
        }
        if looks_at_all || comes_to_the_end && (!given.is_empty() || from == 0) {
            info["totalCount"] = kept.len().into();
        }
        answer.insert("items".into(), chosen.into());
        answer.insert("pageInfo".into(), info);
    }
    if let Some(Value::Object(labels)) = question.get("aggregate") {
        let counted = labels.iter().map(|(label, what)| (label.clone(), counted(what, kept)));
        answer.insert("aggregations".into(), Value::Object(counted.collect()));
    }
    let done =
        ["filter", "sort", "query", "aggregate"].into_iter().filter(|name| question.get(name).is_some());
    let mut applied: Map<String, Value> = done.map(|name| (name.to_owned(), "here".into())).collect();
    if !applied.is_empty() {
        // A cursor goes on behind the last item given; the next one that stays is looked for, to know whether there is one.
        let is_behind_a_cursor = question.get("first").is_some() && from > 0;
        let begin = if is_behind_a_cursor { kept[from - 1].place + 1 } else { 0 };
        let stop = kept.get(end).map_or(items.len(), |next| next.place + 1);
        let seen = if looks_at_all { items.len() } else { stop - begin };
        applied.insert("items_seen".into(), seen.into());
        applied.insert("complete".into(), (looks_at_all || comes_to_the_end && from == 0).into());
        answer.insert("applied".into(), applied.into());
    }
    answer.into()
}

/// The items that stay, in their order.
fn kept<'a>(question: &Value, items: &'a [Value]) -> Vec<Kept<'a>> {
    let all = items.iter().enumerate().map(|(place, item)| Kept { place, item });
    let mut kept: Vec<Kept<'a>> = all
        .filter(|kept| {
            let conditions = question["filter"].as_object().into_iter().flatten();
            conditions.into_iter().all(|(path, wanted)| fits(&values(kept.item, path), wanted))
        })
        .filter(|kept| {
            // Of all texts, titles alone have the words that are asked for.
            let title = kept.item["title"].as_str().unwrap().to_lowercase();
            question["query"].as_str().is_none_or(|words| words.split(' ').any(|word| title.contains(word)))
        })
        .collect();
    if let Some(field) = question["sort"]["field"].as_str() {
        let is_down = question["sort"]["order"] == "desc";
        kept.sort_by(|left, right| match (left.item.get(field), right.item.get(field)) {
            (Some(left), Some(right)) if is_down => compare(right, left),
            (Some(left), Some(right)) => compare(left, right),
            (left, right) => right.is_some().cmp(&left.is_some()),
        });
    }
    kept
}

fn compare(left: &Value, right: &Value) -> Ordering {
    (left.as_u64(), left.as_str()).cmp(&(right.as_u64(), right.as_str()))
}

/// What is at a path, each element of a list by itself.
fn values<'a>(value: &'a Value, path: &str) -> Vec<&'a Value> {
    if let Value::Array(elements) = value {
        return elements.iter().flat_map(|element| values(element, path)).collect();
    }
    let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
    match (value.get(name), rest) {
        (Some(inner), Some(rest)) => values(inner, rest),
        (inner, _) => inner.into_iter().collect(),
    }
}

fn fits(found: &[&Value], wanted: &Value) -> bool {
    match wanted {
        Value::Array(any) => any.iter().any(|wanted| found.contains(&wanted)),
        Value::Object(operators) => operators.iter().all(|(operator, wanted)| match operator.as_str() {
            "exists" => *wanted != found.is_empty(),
            "gt" => found.iter().any(|value| compare(value, wanted).is_gt()),
            "gte" => found.iter().any(|value| compare(value, wanted).is_ge()),
            other => panic!("no question has {other}"),
        }),
        wanted => found.contains(&wanted),
    }
}

/// The fields that are asked for, no deeper than two names.
fn chosen(question: &Value, item: &Value) -> Value {
    let fields = match &question["fields"] {
        Value::Null => return item.clone(),
        Value::String(_) => json!(["id", "title"]),
        fields => fields.clone(),
    };
    let mut chosen = Map::new();
    for path in fields.as_array().unwrap() {
        match path.as_str().unwrap().split_once('.') {
            None => {
                let name = path.as_str().unwrap();
                chosen.insert(name.to_owned(), item[name].clone());
            }
            Some((name, inner)) => {
                let one = |value: &Value| json!({inner: value[inner]});
                let part = match &item[name] {
                    Value::Array(elements) => elements.iter().map(one).collect(),
                    value => one(value),
                };
                chosen.insert(name.to_owned(), part);
            }
        }
    }
    chosen.into()
}

/// One figure, or one for each group.
fn counted(what: &Value, kept: &[Kept<'_>]) -> Value {
    let Some(path) = what["group_by"].as_str() else {
        return figure(what, &kept.iter().map(|kept| kept.item).collect::<Vec<_>>());
    };
    let mut groups: Vec<(&str, Vec<&Value>)> = Vec::new();
    for kept in kept {
        let name = values(kept.item, path)[0].as_str().unwrap();
        match groups.iter_mut().find(|(group, _)| *group == name) {
            Some((_, members)) => members.push(kept.item),
            None => groups.push((name, vec![kept.item])),
        }
    }
    groups.into_iter().map(|(name, members)| (name.to_owned(), figure(what, &members))).collect()
}

fn figure(what: &Value, items: &[&Value]) -> Value {
    let numbers = |name: &str| -> Option<Vec<u64>> {
        let field = what[name].as_str()?;
        Some(items.iter().map(|item| item[field].as_u64().unwrap()).collect())
    };
    if let Some(numbers) = numbers("sum") {
        return numbers.iter().sum::<u64>().into();
    }
    if let Some(numbers) = numbers("max") {
        return numbers.into_iter().max().into();
    }
    if let Some(numbers) = numbers("avg") {
        let (sum, count) = (numbers.iter().sum::<u64>(), numbers.len() as u64);
        return if sum % count == 0 { (sum / count).into() } else { (sum as f64 / count as f64).into() };
    }
    assert_eq!(what["count"], true, "no question has another figure");
    items.len().into()
}

//! Circles that no value ever gets out of: a schema that, for the very same value, asks for itself.
//!
//! A base type whose `oneOf` lists types that are `allOf` the base is a usual way to write inheritance. Checking it would
//! never end, so the reference that closes such a circle accepts anything; the exclusivity of a `oneOf` on the circle
//! can then not be judged and becomes `anyOf`. Circles through properties or items end with the value and stay.

use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

const IN_PLACE_LISTS: [&str; 3] = ["allOf", "anyOf", "oneOf"];
const IN_PLACE: [&str; 4] = ["not", "if", "then", "else"];

/// Cuts every endless circle among the definitions. The schema around them may be a copy of one of them.
pub(super) fn cut(schema: &mut Value, definitions: &mut Map<String, Value>, remarks: &mut Vec<String>) {
    let edges: HashMap<String, Vec<String>> = definitions
        .iter()
        .map(|(name, schema)| {
            let mut to = Vec::new();
            in_place(schema, &mut |reference| to.push(reference.to_owned()));
            (name.clone(), to)
        })
        .collect();
    let names: Vec<String> = definitions.keys().cloned().collect();
    let mut search = Search { edges: &edges, done: HashSet::new(), cuts: Vec::new(), loose: HashSet::new() };
    for name in &names {
        search.from(name);
    }
    for (from, to) in &search.cuts {
        if let Some(schema) = definitions.get_mut(from) {
            release(schema, to);
        }
        remarks.push(format!(
            "'{from}' and '{to}' ask for each other without end: '{from}' is checked without '{to}'"
        ));
    }
    let mut is_on_circle = false;
    in_place(schema, &mut |name| is_on_circle |= search.loose.contains(name));
    if is_on_circle {
        loosen(schema);
    }
    for name in &search.loose {
        if let Some(schema) = definitions.get_mut(name) {
            loosen(schema);
        }
    }
}

struct Search<'e> {
    edges: &'e HashMap<String, Vec<String>>,
    done: HashSet<&'e str>,
    cuts: Vec<(String, String)>,
    loose: HashSet<String>,
}

impl<'e> Search<'e> {
    /// Goes through everything that a definition asks for, with a list instead of the stack: chains may be long.
    fn from(&mut self, start: &str) {
        let Some((start, _)) = self.edges.get_key_value(start) else { return };
        if self.done.contains(start.as_str()) {
            return;
        }
        let mut way: Vec<(&'e str, usize)> = vec![(start, 0)];
        let mut on_way: HashSet<&'e str> = HashSet::from([start.as_str()]);
        while let Some((here, next)) = way.last_mut() {
            let here = *here;
            let Some(to) = self.edges.get(here).and_then(|edges| edges.get(*next)) else {
                self.done.insert(here);
                on_way.remove(here);
                way.pop();
                continue;
            };
            *next += 1;
            if on_way.contains(to.as_str()) {
                self.cuts.push((here.to_owned(), to.clone()));
                let circle = way.iter().skip_while(|(name, _)| name != to);
                self.loose.extend(circle.map(|(name, _)| (*name).to_owned()));
            } else if !self.done.contains(to.as_str()) && self.edges.contains_key(to) {
                on_way.insert(to);
                way.push((to, 0));
            }
        }
    }
}

/// Calls with the name of every definition that the schema asks for on the same value.
fn in_place<'s>(schema: &'s Value, found: &mut impl FnMut(&'s str)) {
    let Some(members) = schema.as_object() else { return };
    if let Some(name) = members.get("$ref").and_then(Value::as_str).and_then(definition) {
        found(name);
    }
    for keyword in IN_PLACE_LISTS {
        for branch in members.get(keyword).and_then(Value::as_array).into_iter().flatten() {
            in_place(branch, found);
        }
    }
    for keyword in IN_PLACE {
        if let Some(branch) = members.get(keyword) {
            in_place(branch, found);
        }
    }
    for branch in members.get("dependentSchemas").and_then(Value::as_object).into_iter().flat_map(Map::values)
    {
        in_place(branch, found);
    }
}

fn definition(reference: &str) -> Option<&str> {
    reference.strip_prefix("#/$defs/")
}

/// Makes the references to a definition, on the same value, accept anything.
fn release(schema: &mut Value, name: &str) {
    let Some(members) = schema.as_object_mut() else { return };
    if members.get("$ref").and_then(Value::as_str).and_then(definition) == Some(name) {
        members.remove("$ref");
    }
    for (keyword, member) in members.iter_mut() {
        match member {
            Value::Array(branches) if IN_PLACE_LISTS.contains(&keyword.as_str()) => {
                branches.iter_mut().for_each(|branch| release(branch, name));
            }
            Value::Object(branches) if keyword == "dependentSchemas" => {
                branches.values_mut().for_each(|branch| release(branch, name));
            }
            branch if IN_PLACE.contains(&keyword.as_str()) => release(branch, name),
            _ => {}
        }
    }
}

/// `oneOf` becomes `anyOf`, on the same value.
fn loosen(schema: &mut Value) {
    let Some(members) = schema.as_object_mut() else { return };
    for keyword in IN_PLACE_LISTS {
        for branch in members.get_mut(keyword).and_then(Value::as_array_mut).into_iter().flatten() {
            loosen(branch);
        }
    }
    if !members.contains_key("anyOf")
        && let Some(branches) = members.remove("oneOf")
    {
        members.insert("anyOf".to_owned(), branches);
    }
}

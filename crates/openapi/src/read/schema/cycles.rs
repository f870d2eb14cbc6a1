//! Circles that no value ever gets out of: a schema that, for the very same value, asks for itself.
//!
//! A base type whose `oneOf` lists types that are `allOf` the base is a usual way to write inheritance. Checking it would
//! never end, so the reference that closes such a cycle accepts anything; the exclusivity of a `oneOf` on the cycle
//! can then not be judged and becomes `anyOf`. Circles through properties or items end with the value and stay. Where a
//! cycle is cut depends on the definitions that are on it alone, so a definition is cut the same wherever it is used.

use aqueduct_schema::definitions::LOCAL;
use aqueduct_schema::parts;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// The cycles among the definitions that were looked at so far.
#[derive(Debug, Default)]
pub(super) struct ReferenceCycles {
    numbers: HashMap<String, usize>,
    visited: Vec<Visited>,
    /// What each definition must not ask for any more.
    cuts: HashMap<String, Vec<String>>,
    /// Definitions on a cycle.
    loose: HashSet<String>,
}

/// A definition on the search for components of the graph (Tarjan): numbered in the order in which they are met.
#[derive(Debug)]
struct Visited {
    name: String,
    leads_to: Vec<String>,
    /// The first one that it is known to lead back to.
    first: usize,
    is_open: bool,
}

impl ReferenceCycles {
    /// True when the definition is on a cycle.
    pub(super) fn is_loose(&self, name: &str) -> bool {
        self.loose.contains(name)
    }

    /// Takes out of a definition what closes a cycle.
    pub(super) fn cut(&self, name: &str, schema: &mut Value, warnings: &mut Vec<String>) {
        for to in self.cuts.get(name).into_iter().flatten() {
            parts::remove_reference_in_place(schema, &format!("{LOCAL}{to}"));
            warnings.push(format!(
                "'{name}' and '{to}' ask for each other without end: '{name}' is checked without '{to}'"
            ));
        }
        if self.is_loose(name) {
            parts::any_for_one_of(schema);
        }
    }

    /// Finds the cycles among all that a definition asks for, with lists instead of the stack: chains may be long.
    pub(super) fn explore(&mut self, start: &str, leads_to: &mut dyn FnMut(&str) -> Vec<String>) {
        if self.numbers.contains_key(start) {
            return;
        }
        let (mut way, mut open) = (Vec::new(), Vec::new());
        way.push((self.visit(start, leads_to), 0));
        open.extend(way.iter().map(|(number, _)| *number));
        while let Some((here, next)) = way.last_mut() {
            let here = *here;
            if let Some(to) = self.visited[here].leads_to.get(*next) {
                *next += 1;
                match self.numbers.get(to).copied() {
                    Some(known) if self.visited[known].is_open => {
                        self.visited[here].first = self.visited[here].first.min(known);
                    }
                    Some(_) => {}
                    None => {
                        let to = to.clone();
                        let number = self.visit(&to, leads_to);
                        way.push((number, 0));
                        open.push(number);
                    }
                }
                continue;
            }
            way.pop();
            let first = self.visited[here].first;
            if let Some((before, _)) = way.last() {
                self.visited[*before].first = self.visited[*before].first.min(first);
            }
            if first == here {
                let start = open.iter().rposition(|number| *number == here).unwrap_or_default();
                self.component(&open.split_off(start));
            }
        }
    }

    fn visit(&mut self, name: &str, leads_to: &mut dyn FnMut(&str) -> Vec<String>) -> usize {
        let number = self.visited.len();
        self.numbers.insert(name.to_owned(), number);
        self.visited.push(Visited {
            name: name.to_owned(),
            leads_to: leads_to(name),
            first: number,
            is_open: true,
        });
        number
    }

    /// Cuts the cycles among definitions that all lead to each other, beginning with the first by name.
    fn component(&mut self, members: &[usize]) {
        for number in members {
            self.visited[*number].is_open = false;
        }
        let edges: HashMap<&str, Vec<&str>> = {
            let names: HashSet<&str> =
                members.iter().map(|number| self.visited[*number].name.as_str()).collect();
            let within = |number: &usize| {
                let Visited { name, leads_to, .. } = &self.visited[*number];
                let inside = leads_to.iter().map(String::as_str).filter(|to| names.contains(to));
                (name.as_str(), inside.collect())
            };
            members.iter().map(within).collect()
        };
        let Some(start) = edges.keys().min().copied() else { return };
        let mut way: Vec<(&str, usize)> = vec![(start, 0)];
        let (mut on_way, mut done) = (HashSet::from([start]), HashSet::new());
        while let Some((here, next)) = way.last_mut() {
            let here = *here;
            let Some(to) = edges.get(here).and_then(|edges| edges.get(*next)).copied() else {
                done.insert(here);
                on_way.remove(here);
                way.pop();
                continue;
            };
            *next += 1;
            if on_way.contains(to) {
                self.cuts.entry(here.to_owned()).or_default().push(to.to_owned());
                let cycle = way.iter().skip_while(|(name, _)| *name != to);
                self.loose.extend(cycle.map(|(name, _)| (*name).to_owned()));
            } else if !done.contains(to) {
                on_way.insert(to);
                way.push((to, 0));
            }
        }
    }
}

/// The definitions that a schema asks for on the same value.
pub(super) fn leads_to(schema: &Value) -> Vec<String> {
    let mut to = Vec::new();
    parts::each_reference_in_place(schema, &mut |reference| {
        to.extend(reference.strip_prefix(LOCAL).map(str::to_owned));
    });
    to
}

//! The part of a graph that is shown: links from one on, as many as are requested and have room in the budget, and the
//! elements that they lie between.
//!
//! A graph in, the closed shape of a response out (relationship-query document, section 3). Nothing is cut in the middle.

use super::graph::{GraphEdge, RelationshipGraph};
use super::query::{AnswerParts, RelationshipQuery};
use super::warnings;
use crate::context::CallContext;
use crate::cursor::{CursorPosition, Fingerprint};
use crate::failure_map;
use aqueduct_operations::failure::{Failure, wording};
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::reply::Warning;
use aqueduct_query::measure;
use serde_json::{Map, Value, json};
use std::collections::HashSet;

/// Tokens kept free for what is around the links: names of members, the warning with its cursor.
const AROUND: u64 = 250;

/// What is shown.
pub struct GraphPage {
    parts: AnswerParts,
    root: Value,
    relationships: Vec<Value>,
    nodes: Vec<Value>,
    edges: Vec<Value>,
    shown: HashSet<usize>,
    /// The first link that is shown.
    from: usize,
    given: usize,
    /// Links that were found from there on.
    found: usize,
    /// The budget that was spent, if it was.
    spent: Option<u64>,
}

impl GraphPage {
    /// The links from this one on.
    pub fn of(
        graph: &RelationshipGraph,
        query: &RelationshipQuery,
        from: usize,
        budget: u64,
    ) -> Result<GraphPage, Failure> {
        let edges = graph.edges.get(from..).unwrap_or_default();
        let root = graph.nodes[0].identity.value.clone();
        let mut left = budget.saturating_sub(AROUND.min(budget / 2)).saturating_sub(cost(&root));
        let mut page = GraphPage {
            parts: query.parts,
            root,
            relationships: Vec::new(),
            nodes: Vec::new(),
            edges: Vec::new(),
            shown: HashSet::new(),
            from,
            given: 0,
            found: edges.len(),
            spent: None,
        };
        left = left.saturating_sub(page.show_nodes(graph, &[0]));
        for edge in edges.iter().take(query.first.unwrap_or(usize::MAX)) {
            let cost = page.cost_of(graph, edge);
            if cost > left {
                if page.given == 0 {
                    return Err(failure_map::graph_over_budget(budget - left + cost, budget));
                }
                page.spent = Some(budget);
                break;
            }
            left -= cost;
            page.show(graph, edge);
        }
        Ok(page)
    }

    fn cost_of(&self, graph: &RelationshipGraph, edge: &GraphEdge) -> u64 {
        let record = if self.parts.relationships { cost(&record(graph, edge)) } else { 0 };
        let line = if self.parts.edges { cost(&line(graph, edge)) } else { 0 };
        let new = [edge.source, edge.target].into_iter().filter(|end| !self.shown.contains(end));
        let nodes: u64 = if self.parts.nodes { new.map(|end| cost(&node(graph, end))).sum() } else { 0 };
        record + line + nodes
    }

    fn show(&mut self, graph: &RelationshipGraph, edge: &GraphEdge) {
        self.given += 1;
        if self.parts.relationships {
            self.relationships.push(record(graph, edge));
        }
        if self.parts.edges {
            self.edges.push(line(graph, edge));
        }
        self.show_nodes(graph, &[edge.source, edge.target]);
    }

    /// Shows elements that are not shown yet; what that costs.
    fn show_nodes(&mut self, graph: &RelationshipGraph, ends: &[usize]) -> u64 {
        let mut spent = 0;
        for end in ends {
            if self.parts.nodes && self.shown.insert(*end) {
                let node = node(graph, *end);
                spent += cost(&node);
                self.nodes.push(node);
            }
        }
        spent
    }

    /// The warning that there are more links, with the cursor that leads to them.
    pub fn cut_warning(
        &self,
        context: &CallContext<'_>,
        fingerprint: &Fingerprint,
    ) -> Result<Option<Warning>, Failure> {
        if self.given == 0 || self.given >= self.found {
            return Ok(None);
        }
        let position = CursorPosition { number: (self.from + self.given - 1) as u64, resume: None };
        let after = context.cursor_key()?.seal(&position, fingerprint).map_err(wording::internal)?;
        Ok(Some(warnings::cut(self.found as u64, self.given as u64, self.spent, after)))
    }

    /// The response.
    pub fn into_json(self) -> RawJson {
        let mut response = Map::from_iter([("root".to_owned(), self.root)]);
        if self.parts.relationships {
            response.insert("relationships".to_owned(), self.relationships.into());
        }
        let mut graph = Map::new();
        if self.parts.nodes {
            graph.insert("nodes".to_owned(), self.nodes.into());
        }
        if self.parts.edges {
            graph.insert("edges".to_owned(), self.edges.into());
        }
        if !graph.is_empty() {
            response.insert("graph".to_owned(), graph.into());
        }
        RawJson::of(&Value::Object(response))
    }
}

/// A link as a record: what it leads to.
fn record(graph: &RelationshipGraph, edge: &GraphEdge) -> Value {
    json!({
        "type": edge.name,
        "direction": edge.direction.name(),
        "target": graph.nodes[edge.found()].identity.value,
        "depth": edge.depth,
    })
}

/// A link as a line between two elements.
fn line(graph: &RelationshipGraph, edge: &GraphEdge) -> Value {
    let id = |end: usize| graph.nodes[end].identity.id.as_str();
    json!({"source": id(edge.source), "target": id(edge.target), "type": edge.name})
}

fn node(graph: &RelationshipGraph, index: usize) -> Value {
    let identity = &graph.nodes[index].identity;
    json!({"id": identity.id, "element_type": identity.value["element_type"], "element_name": identity.name()})
}

/// Tokens of a value, and of the comma behind it.
fn cost(value: &Value) -> u64 {
    measure::tokens(&value.to_string()) + 1
}

//! Goes from link to link, nearest elements first, each element once.
//!
//! A query in, the graph of what was found out. A link that closes a circle is shown and not followed again. One call goes
//! to so many elements and sends so many requests, and no further than it needs for what is shown of it.

use super::graph::{GraphEdge, GraphNode, RelationshipGraph};
use super::hop::{HopItems, HopRefusal, HopStep, PermittedHop};
use super::index::{LinkDirection, LinkedType, RelationshipIndex, RelationshipLink};
use super::query::RelationshipQuery;
use super::reader::{LinkReader, MissingRequest, find};
use super::warnings;
use crate::context::CallContext;
use crate::failure_map;
use crate::stages::gatekeep::Admitted;
use aqueduct_operations::failure::{Code, Failure};
use aqueduct_operations::operation::RegistryEntry;
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

/// Elements that one call finds, the root included.
pub const MAX_NODES: usize = 200;

/// Requests that one call sends.
pub const MAX_REQUESTS: u64 = 100;

/// A walk from link to link.
struct RelationshipWalk<'e> {
    context: &'e CallContext<'e>,
    call: &'e RegistryEntry,
    index: &'e RelationshipIndex,
    query: &'e RelationshipQuery,
    graph: RelationshipGraph,
    known: HashMap<String, usize>,
    linked: HashSet<(String, usize, usize)>,
    requests: u64,
    /// Links after which nothing more is needed.
    wanted: usize,
}

/// Finds what is requested, as far as it takes to show the links from this one on.
pub async fn explore<'e>(
    context: &'e CallContext<'e>,
    call: &'e RegistryEntry,
    query: &'e RelationshipQuery,
    from: usize,
) -> Result<RelationshipGraph, Failure> {
    // One more than is shown tells whether there are more.
    let wanted = query.first.map_or(usize::MAX, |first| from.saturating_add(first).saturating_add(1));
    let mut explorer = RelationshipWalk {
        context,
        call,
        index: context.catalog.relationships(),
        query,
        graph: RelationshipGraph::default(),
        known: HashMap::new(),
        linked: HashSet::new(),
        requests: 0,
        wanted,
    };
    explorer.start().await?;
    if !query.parts.is_none() {
        explorer.follow_links().await?;
    }
    Ok(explorer.graph)
}

impl<'e> RelationshipWalk<'e> {
    /// Reads the root.
    async fn start(&mut self) -> Result<(), Failure> {
        let query = self.query;
        let element = self.index.element(query.element);
        let identity = element.identity_rule.identity_of_root(&element.name, &query.name, &query.root);
        self.known.insert(identity.id.clone(), 0);
        let mut data = query.root.clone();
        if let Some(fetch) = &element.fetch {
            let reads = self.context.catalog.placed(fetch.entry);
            let values = query
                .root_values(fetch, &reads.operation, self.call)
                .map_err(|rejection| failure_map::validate(&rejection, self.call))?;
            let planned = PermittedHop::plan(self.context, self.call, fetch, values).await;
            let Admitted { request: hop, permit } = planned.map_err(HopRefusal::into_failure)?;
            self.requests += 1;
            let HopStep::Item(found) = hop.items(permit, self.context, 1).await?.next().await? else {
                return Err(failure_map::no_root(self.call, &element.name, &query.name));
            };
            // Links that lead back may call it by another name than the client did.
            if let Some(other) = element.identity_rule.identity_of(&element.name, &found, hop.values()) {
                self.known.entry(other.id).or_insert(0);
            }
            data = found;
        }
        self.graph.nodes.push(GraphNode { identity, element: query.element, data, is_whole: true });
        Ok(())
    }

    /// Follows links, those of the root first, then those of what they lead to.
    async fn follow_links(&mut self) -> Result<(), Failure> {
        let mut level = 0..1;
        for depth in 1..=self.query.depth {
            let next_level = self.graph.nodes.len();
            for node in level {
                let element = self.index.element(self.graph.nodes[node].element);
                let links =
                    element.links.iter().filter(|link| self.query.follows(&link.name, link.direction));
                for link in links.collect::<Vec<_>>() {
                    if self.follow(node, element, link, depth).await?.is_break() {
                        return Ok(());
                    }
                }
            }
            level = next_level..self.graph.nodes.len();
        }
        Ok(())
    }

    async fn follow(
        &mut self,
        node: usize,
        element: &'e LinkedType,
        link: &'e RelationshipLink,
        depth: u64,
    ) -> Result<ControlFlow<()>, Failure> {
        let Some(reader) = &link.reader else {
            self.graph.warnings.push(warnings::no_way(link, element));
            return Ok(ControlFlow::Continue(()));
        };
        let requests = match self.requests_from(node, element, reader).await? {
            Ok(requests) => requests,
            // What is missing may only not have been read, and there is no request left to read it.
            Err(MissingRequest::Missing(_)) if self.is_left_unread(node, element) => return Ok(self.enough()),
            Err(missing) => {
                self.graph.warnings.push(warnings::missing(&missing, link, element));
                return Ok(ControlFlow::Continue(()));
            }
        };
        for values in requests {
            if self.requests >= MAX_REQUESTS {
                return Ok(self.enough());
            }
            let Admitted { request: hop, permit } =
                match PermittedHop::plan(self.context, self.call, reader, values).await {
                    Ok(planned) => planned,
                    Err(HopRefusal::Refused(failure)) => return Err(failure),
                    Err(HopRefusal::Unbuildable(_)) => {
                        self.graph.warnings.push(warnings::leads_nowhere(link, element));
                        continue;
                    }
                };
            match self.send(node, link, Admitted { request: &hop, permit }, depth).await {
                Ok(ControlFlow::Continue(())) => {}
                Err(failure) if failure.code == Code::NotFoundResource => {
                    self.graph.warnings.push(warnings::leads_nowhere(link, element));
                }
                ended => return ended,
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn is_left_unread(&self, node: usize, element: &LinkedType) -> bool {
        !self.graph.nodes[node].is_whole && element.fetch.is_some() && self.requests >= MAX_REQUESTS
    }

    /// The requests that follow a link from a node. Lists often give less of an element than there is, so it is read by itself
    /// when something is missing.
    async fn requests_from(
        &mut self,
        node: usize,
        element: &LinkedType,
        reader: &LinkReader,
    ) -> Result<Result<Vec<Map<String, Value>>, MissingRequest>, Failure> {
        let entry = self.context.catalog.placed(reader.entry);
        let first = reader.requests(&entry.operation, |path| self.graph.nodes[node].look(path));
        let Err(MissingRequest::Missing(_)) = first else { return Ok(first) };
        if self.graph.nodes[node].is_whole || self.requests >= MAX_REQUESTS {
            return Ok(first);
        }
        self.graph.nodes[node].is_whole = true;
        let Some(fetch) = &element.fetch else { return Ok(first) };
        match self.read_whole(node, fetch).await {
            Ok(Some(data)) => self.graph.nodes[node].data = data,
            Ok(None) => return Ok(first),
            Err(failure) if failure.code == Code::NotFoundResource => return Ok(first),
            Err(failure) => return Err(failure),
        }
        Ok(reader.requests(&entry.operation, |path| self.graph.nodes[node].look(path)))
    }

    async fn read_whole(&mut self, node: usize, fetch: &LinkReader) -> Result<Option<Value>, Failure> {
        let entry = self.context.catalog.placed(fetch.entry);
        let identity = &self.graph.nodes[node].identity;
        let Ok(requests) = fetch.requests(&entry.operation, |path| find(&identity.value, path)) else {
            return Ok(None);
        };
        let Ok([values]) = <[_; 1]>::try_from(requests) else { return Ok(None) };
        let Admitted { request: hop, permit } =
            match PermittedHop::plan(self.context, self.call, fetch, values).await {
                Ok(planned) => planned,
                Err(HopRefusal::Refused(failure)) => return Err(failure),
                Err(HopRefusal::Unbuildable(_)) => return Ok(None),
            };
        self.requests += 1;
        match hop.items(permit, self.context, 1).await?.next().await? {
            HopStep::Item(data) => Ok(Some(data)),
            HopStep::End | HopStep::Enough => Ok(None),
        }
    }

    /// Sends one request, and adds what it gives.
    async fn send(
        &mut self,
        node: usize,
        link: &RelationshipLink,
        Admitted { request: hop, permit }: Admitted<'e, &PermittedHop<'e>>,
        depth: u64,
    ) -> Result<ControlFlow<()>, Failure> {
        let max_pages = MAX_REQUESTS - self.requests;
        let mut items = match hop.items(permit, self.context, max_pages).await {
            Ok(items) => items,
            Err(failure) => {
                self.requests += 1;
                return Err(failure);
            }
        };
        let ended = self.add_items(node, link, &mut items, hop.values(), depth).await;
        self.requests += items.requests();
        match ended? {
            ExploredItems::All => Ok(ControlFlow::Continue(())),
            ExploredItems::Wanted => Ok(ControlFlow::Break(())),
            ExploredItems::Enough => Ok(self.enough()),
        }
    }

    /// Adds what a request with these values gave.
    async fn add_items(
        &mut self,
        node: usize,
        link: &RelationshipLink,
        items: &mut HopItems<'_>,
        values: &Map<String, Value>,
        depth: u64,
    ) -> Result<ExploredItems, Failure> {
        loop {
            let data = match items.next().await? {
                HopStep::Item(data) => data,
                HopStep::End => return Ok(ExploredItems::All),
                HopStep::Enough => return Ok(ExploredItems::Enough),
            };
            let other = self.index.element(link.other);
            let Some(identity) = other.identity_rule.identity_of(&other.name, &data, values) else {
                let here = self.index.element(self.graph.nodes[node].element);
                self.graph.warnings.push(warnings::nameless(link, here));
                continue;
            };
            let found = match self.known.get(&identity.id) {
                Some(known) => *known,
                None if self.graph.nodes.len() >= MAX_NODES => return Ok(ExploredItems::Enough),
                None => {
                    let index = self.graph.nodes.len();
                    self.known.insert(identity.id.clone(), index);
                    self.graph.nodes.push(GraphNode { identity, element: link.other, data, is_whole: false });
                    index
                }
            };
            let (source, target) = match link.direction {
                LinkDirection::Outgoing => (node, found),
                LinkDirection::Incoming => (found, node),
            };
            if self.linked.insert((link.name.clone(), source, target)) {
                let (name, direction) = (link.name.clone(), link.direction);
                self.graph.edges.push(GraphEdge { name, source, target, direction, depth });
                if self.graph.edges.len() >= self.wanted {
                    return Ok(ExploredItems::Wanted);
                }
            }
        }
    }

    fn enough(&mut self) -> ControlFlow<()> {
        self.graph.warnings.push(warnings::not_all(self.graph.nodes.len(), self.requests));
        ControlFlow::Break(())
    }
}

/// How much of a response was taken.
enum ExploredItems {
    /// All of it.
    All,
    /// As much as is wanted.
    Wanted,
    /// As much as one call may.
    Enough,
}

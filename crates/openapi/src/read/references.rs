//! Following references: within a document, into other documents, to names given by `$id` and `$anchor`.
//!
//! A value with a `$ref` in; what it refers to, where that stands and what it is called out. A chain that bites its tail
//! is a problem and not a hang.

use super::anchors::TextReference;
use super::library::{DocumentSet, PartLocation, PartRole, SpecVersion};
use super::outline::Span;
use super::pointer;
use aqueduct_schema::LocatedSchema;
use aqueduct_source_kind::document_location::DocumentLocation;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// A longer chain of references is taken for a circle.
const MAX_HOPS: usize = 64;
/// How a reference names a document of the library by its number, in values that were put together from several.
const BY_NUMBER: &str = "aqueduct-document:";
/// What may stand beside a `$ref` and then counts instead of what it refers to.
const BESIDE: [&str; 7] =
    ["summary", "description", "title", "deprecated", "readOnly", "writeOnly", "default"];

/// What a value stands for, after its references were followed, without its examples.
pub type ResolvedReference<'v> = LocatedSchema<'v, PartLocation>;

/// A reference that leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the reference '{reference}' {reason}")]
pub struct RefProblem {
    /// The reference as it is written.
    pub reference: String,
    /// What is wrong with it.
    pub reason: String,
}

/// Where a reference leads.
#[derive(Debug, Clone)]
pub(super) struct ReferenceTarget {
    pub(super) node: PartLocation,
    pub(super) name: Option<String>,
}

type TargetResult = Result<ReferenceTarget, RefProblem>;

/// The part of a document that gave itself a name with `$id`, to which references in it are relative.
#[derive(Debug, Clone)]
pub(super) struct IdentifiedSchema {
    pub(super) place: DocumentLocation,
    pub(super) node: Option<PartLocation>,
}

impl DocumentSet {
    /// Follows the references of a value that stands in the document of `from`.
    pub fn resolve<'v>(
        &self,
        value: &'v Value,
        from: &PartLocation,
    ) -> Result<ResolvedReference<'v>, RefProblem> {
        let Some(mut reference) = reference_of(value).map(str::to_owned) else {
            return Ok(ResolvedReference { value: Cow::Borrowed(value), location: *from, name: None });
        };
        let mut beside = beside(value);
        let (mut document, mut seen, mut name) = (from.document, Vec::new(), None);
        loop {
            let target = self.target(&reference, document, None)?;
            if seen.contains(&target.node) || seen.len() > MAX_HOPS {
                return Err(problem(&reference, "refers back to itself"));
            }
            seen.push(target.node);
            document = target.node.document;
            name = target.name.or(name);
            let found = self.lean(&target.node);
            if let Some(next) = reference_of(&found) {
                reference = next.to_owned();
                for (key, value) in self::beside(&found) {
                    beside.entry(key).or_insert(value);
                }
                continue;
            }
            let value = Cow::Owned(with_beside(found, beside));
            return Ok(ResolvedReference { value, location: target.node, name });
        }
    }

    /// A path item, with the one it refers to (if any) merged in; what it says itself counts first.
    pub fn path_item(&self, node: &PartLocation) -> Result<ResolvedReference<'static>, RefProblem> {
        let own = self.lean(node);
        let Some(reference) = reference_of(&own).map(str::to_owned) else {
            return Ok(ResolvedReference { value: Cow::Owned(own), location: *node, name: None });
        };
        let reference = serde_json::json!({ "$ref": reference });
        let found = self.resolve(&reference, node)?;
        let there = PartLocation { role: node.role, ..found.location };
        let mut value =
            if node.role == PartRole::SwaggerPath { self.value(&there) } else { found.value.into_owned() };
        if let (Value::Object(value), Value::Object(own)) = (&mut value, own) {
            for (key, mut member) in own.into_iter().filter(|(key, _)| key != "$ref") {
                if there.document != node.document {
                    anchor_references(&mut member, node.document);
                }
                value.insert(key, member);
            }
        }
        Ok(ResolvedReference { value: Cow::Owned(value), location: there, name: found.name })
    }

    /// Where a reference leads that stands in this document, below the resource if any.
    pub(super) fn target(
        &self,
        reference: &str,
        document: u32,
        resource: Option<&IdentifiedSchema>,
    ) -> TargetResult {
        let (address, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        if address.is_empty() {
            if let Some(node) = resource.and_then(|resource| resource.node) {
                let place = resource.map(|resource| &resource.place);
                if let Some(target) = self.below(&node, fragment, place) {
                    return Ok(target);
                }
            }
            return self.in_document(reference, document, fragment);
        }
        if let Some(number) = address.strip_prefix(BY_NUMBER) {
            return self.in_document(reference, number.parse().unwrap_or(u32::MAX), fragment);
        }
        let base = match resource {
            Some(resource) => Some(&resource.place),
            None => self.document(document).map(|document| &document.place),
        };
        let place = base.map_or_else(|| DocumentLocation::parse(address), |base| base.join(address));
        self.in_place(reference, &place, fragment)
    }

    /// Where a reference leads of which it is known what document, or part with an `$id`, it means.
    pub(super) fn mentioned(&self, mention: &TextReference, document: u32) -> TargetResult {
        let reference = mention.reference.as_str();
        let (address, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        match &mention.key {
            None => self.in_document(reference, document, fragment),
            Some(key) => {
                let found = self.in_place(reference, &DocumentLocation::parse(key), fragment);
                if found.is_err() && address.is_empty() {
                    return self.in_document(reference, document, fragment);
                }
                found
            }
        }
    }

    fn in_place(&self, reference: &str, place: &DocumentLocation, fragment: &str) -> TargetResult {
        let key = place.key();
        if let Some(node) = self.by_id(&key)
            && let Some(target) = self.below(&node, fragment, Some(place))
        {
            return Ok(target);
        }
        if let Some(number) = self.by_place.get(&key) {
            return self.in_document(reference, *number, fragment);
        }
        let reason = self.unread.get(&key).map_or("leads nowhere", String::as_str);
        Err(problem(reference, reason))
    }

    pub(super) fn by_id(&self, key: &str) -> Option<PartLocation> {
        self.documents.iter().enumerate().find_map(|(index, document)| {
            let tokens = document.anchors.ids.get(key)?;
            let (span, used) = pointer::descend(&document.text, &document.outline, tokens);
            let node = PartLocation { document: index as u32, span, role: PartRole::Plain };
            (used == tokens.len()).then_some(node)
        })
    }

    /// A fragment below a part that has its own name.
    fn below(
        &self,
        node: &PartLocation,
        fragment: &str,
        place: Option<&DocumentLocation>,
    ) -> Option<ReferenceTarget> {
        let document = self.document(node.document)?;
        if fragment.is_empty() {
            return Some(ReferenceTarget { node: *node, name: place.map(DocumentLocation::stem) });
        }
        if !fragment.starts_with('/') {
            let key = (place.map(DocumentLocation::key).unwrap_or_default(), fragment.to_owned());
            let tokens = document.anchors.names.get(&key)?;
            let (span, used) = pointer::descend(&document.text, &document.outline, tokens);
            let node = PartLocation { span, ..*node };
            return (used == tokens.len()).then(|| ReferenceTarget { node, name: Some(fragment.to_owned()) });
        }
        let tokens = pointer::tokens(fragment);
        let mut span = node.span;
        for token in &tokens {
            span = pointer::member(&document.text, span, token)?;
        }
        Some(ReferenceTarget { node: PartLocation { span, ..*node }, name: tokens.last().cloned() })
    }

    fn in_document(&self, reference: &str, number: u32, fragment: &str) -> TargetResult {
        let nowhere = || problem(reference, "leads nowhere");
        let document = self.document(number).ok_or_else(nowhere)?;
        let node = |span: Span| PartLocation { document: number, span, role: PartRole::Plain };
        if fragment.is_empty() {
            return Ok(ReferenceTarget {
                node: node(document.outline.whole),
                name: Some(document.place.stem()),
            });
        }
        if !fragment.starts_with('/') {
            let by_name = document.anchors.names.iter().find(|((_, name), _)| name == fragment);
            let (_, tokens) = by_name.ok_or_else(nowhere)?;
            let (span, used) = pointer::descend(&document.text, &document.outline, tokens);
            let target = ReferenceTarget { node: node(span), name: Some(fragment.to_owned()) };
            return if used == tokens.len() { Ok(target) } else { Err(nowhere()) };
        }
        self.by_pointer(reference, number, pointer::tokens(fragment))
    }

    /// Follows a pointer, and references that stand in its way.
    fn by_pointer(&self, reference: &str, number: u32, tokens: Vec<String>) -> TargetResult {
        let nowhere = || problem(reference, "leads nowhere");
        let (mut number, mut tokens) = (number, tokens);
        for _ in 0..MAX_HOPS {
            let document = self.document(number).ok_or_else(nowhere)?;
            let (span, used) = pointer::descend(&document.text, &document.outline, &tokens);
            if used == tokens.len() {
                let node = PartLocation { document: number, span, role: PartRole::Plain };
                return Ok(ReferenceTarget { node, name: component_name(&tokens) });
            }
            let on_the_way = pointer::member(&document.text, span, "$ref").ok_or_else(nowhere)?;
            let next: String = serde_json::from_str(on_the_way.of(&document.text)).map_err(|_| nowhere())?;
            let (address, fragment) = next.split_once('#').unwrap_or((&next, ""));
            if !address.is_empty() {
                let key = document.place.join(address).key();
                number = *self.by_place.get(&key).ok_or_else(nowhere)?;
            }
            let rest = tokens.split_off(used);
            tokens = pointer::tokens(fragment);
            tokens.extend(rest);
        }
        Err(problem(reference, "refers back to itself"))
    }

    pub(super) fn dialect(&self, document: u32) -> SpecVersion {
        self.document(document).map_or_else(|| self.version(), |document| document.version)
    }
}

/// `/components/schemas/Pet` and `/definitions/Pet` are called `Pet`.
fn component_name(tokens: &[String]) -> Option<String> {
    match tokens {
        [components, _, name] if components == "components" => Some(name.clone()),
        [section, name] if section != "paths" => Some(name.clone()),
        [name] => Some(name.clone()),
        _ => None,
    }
}

pub(super) fn reference_of(value: &Value) -> Option<&str> {
    value.as_object()?.get("$ref")?.as_str()
}

fn beside(value: &Value) -> Map<String, Value> {
    let members = value.as_object().into_iter().flatten();
    let kept = members.filter(|(key, _)| BESIDE.contains(&key.as_str()));
    kept.map(|(key, value)| (key.clone(), value.clone())).collect()
}

fn with_beside(mut value: Value, beside: Map<String, Value>) -> Value {
    if let Value::Object(members) = &mut value {
        members.extend(beside);
    }
    value
}

/// Makes every reference of a value say in which document it stood, so that the value can be moved to another.
pub(super) fn anchor_references(value: &mut Value, document: u32) {
    match value {
        Value::Object(members) => {
            for (key, member) in members.iter_mut() {
                match member {
                    Value::String(reference) if key == "$ref" && reference.starts_with('#') => {
                        *reference = format!("{BY_NUMBER}{document}{reference}");
                    }
                    member => anchor_references(member, document),
                }
            }
        }
        Value::Array(elements) => {
            for element in elements {
                anchor_references(element, document);
            }
        }
        _ => {}
    }
}

pub(super) fn problem(reference: &str, reason: &str) -> RefProblem {
    RefProblem { reference: reference.to_owned(), reason: reason.to_owned() }
}

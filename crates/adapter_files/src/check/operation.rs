//! One operation: its name, mapping, parameters, danger and examples.
//!
//! The five lists in; drafts out, in the order create, read, update, delete, execute. Names are unique and not reserved.

use super::body::{self, BodyRule};
use super::danger_patterns::DangerPatterns;
use super::mapping::{self, Mapping};
use super::params::{self, BrokenParams, SharedParams};
use super::{
    cache, category, check_auth, check_base_url, controls, danger, deprecation, examples, origin, response,
    returns,
};
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, quoted, shortened};
use aqueduct_operations::auth::Auth;
use aqueduct_operations::category::floor::CategoryFloor;
use aqueduct_operations::category::{Category, verbs};
use aqueduct_operations::danger::{Danger, undeclared};
use aqueduct_operations::naming::{MAX_OPERATION_NAME, RESERVED, is_snake_case, snake_case};
use aqueduct_operations::operation::{Declaration, Grouping, Operation};
use aqueduct_operations::params::{Param, ValueKind};
use aqueduct_operations::target::{AnswerKind, Segment};
use aqueduct_operations::types::TypeDef;
use std::collections::{HashMap, HashSet};
use url::Url;

/// An operation that was understood, without the API it belongs to.
pub(crate) struct DraftOperation<'a> {
    /// Where it is declared, for what refers to others and is looked at last.
    pub at: NodeCursor<'a>,
    /// Parameters that could not be understood.
    pub(super) broken: BrokenParams,
    pub operation: Operation<DraftTarget>,
}

/// What an operation calls, before it is known where.
pub(crate) struct DraftTarget {
    pub mapping: Mapping,
    pub body: BodyRule,
    pub answer: AnswerKind,
    pub base_url: Option<Url>,
    pub auth: Option<Auth>,
}

/// What all operations of a file share.
pub(super) struct OperationContext<'c, 'a> {
    pub shared: &'c SharedParams<'a>,
    pub types: &'c [TypeDef],
    pub flat_update: bool,
    pub patterns: &'c DangerPatterns<'a>,
}

/// All operations of all lists, in the order create, read, update, delete, execute.
pub(super) fn all<'a>(
    root: &NodeCursor<'a>,
    context: &OperationContext<'_, 'a>,
    found: &mut Findings<'_>,
) -> Vec<DraftOperation<'a>> {
    let Some(block) = root.get("operations") else { return Vec::new() };
    let types: HashMap<&str, &TypeDef> =
        context.types.iter().map(|each| (each.name.as_str(), each)).collect();
    let mut names: HashSet<&str> = HashSet::new();
    let mut drafts = Vec::new();
    for category in Category::ALL {
        let Some(list) = block.get(category.lower()) else { continue };
        for at in list.elements() {
            let name = match name(&at, category, found) {
                NamedOperation::Good(name) => Some(name),
                NamedOperation::Ignored => continue,
                NamedOperation::Bad => None,
            };
            if let Some(name) = name
                && !names.insert(name)
            {
                let place = at.get("name").unwrap_or_else(|| at.clone());
                place
                    .error("DUPLICATE_NAME", format!("Duplicate operation name: {name}"))
                    .hint("operation names are unique across all five lists")
                    .add_to(found);
            }
            drafts.extend(one(&at, name, category, context, &types, found));
        }
    }
    if drafts.is_empty() && !found.has_errors() {
        block.warning("NO_OPERATIONS", "The adapter declares no operation").add_to(found);
    }
    drafts
}

enum NamedOperation<'a> {
    Good(&'a str),
    /// A declaration of what this server does by itself.
    Ignored,
    Bad,
}

fn name<'a>(operation: &NodeCursor<'a>, category: Category, found: &mut Findings<'_>) -> NamedOperation<'a> {
    let Some(at) = operation.get("name") else { return NamedOperation::Bad };
    let Some(name) = at.node.text() else { return NamedOperation::Bad };
    if name.trim().is_empty() {
        at.error("MISSING_KEY", "Operation name is required")
            .expected("non-empty string")
            .received("\"\"")
            .add_to(found);
        return NamedOperation::Bad;
    }
    if !is_snake_case(name) || name.len() > MAX_OPERATION_NAME {
        let suggestion = snake_case(name).replace(['-', '.', ' '], "_");
        let hint =
            (is_snake_case(&suggestion) && suggestion.len() <= MAX_OPERATION_NAME && suggestion != name)
                .then(|| format!("name it {suggestion}"));
        at.error("INVALID_NAME", "Operation names are snake_case")
            .expected("up to 64 lower-case letters, digits and underscores, starting with a letter")
            .received(quoted(name))
            .maybe_hint(hint)
            .add_to(found);
        return NamedOperation::Bad;
    }
    if RESERVED.contains(&name) {
        let internal = operation.text("maps_to").is_some_and(|text| text.eq_ignore_ascii_case("internal"));
        if name == "introspect" && category == Category::Read && internal {
            at.notice("BUILT_IN", "'introspect' is always there, so this entry is ignored")
                .hint("remove it")
                .add_to(found);
            return NamedOperation::Ignored;
        }
        at.error("RESERVED_NAME", format!("The name '{name}' is reserved for the protocol"))
            .expected(format!("a name other than {}", RESERVED.join(", ")))
            .add_to(found);
        return NamedOperation::Bad;
    }
    warn_of_verb(name, category, &at, found);
    NamedOperation::Good(name)
}

fn warn_of_verb(name: &str, category: Category, at: &NodeCursor<'_>, found: &mut Findings<'_>) {
    if let Some(usual) = verbs::category_of(name).filter(|usual| *usual != category) {
        let message =
            format!("Names like '{name}' usually mean {}, this is in {}", usual.upper(), category.lower());
        at.notice("UNUSUAL_VERB", message)
            .hint("move it, rename it, or say why in the description")
            .add_to(found);
    } else if let Some(canonical) = verbs::canonical_name(name) {
        at.notice("UNUSUAL_VERB", format!("'{canonical}' is the usual name for '{name}'")).add_to(found);
    }
}

/// Raises the danger to the least that method and name allow. What is listed in another category was declared for that one.
fn raise_to_floor(danger: &mut Danger, name: &str, listed: Category, floor: Option<&CategoryFloor>) {
    let Some(floor) = floor else { return };
    danger.raise_to_floor(floor.level);
    if floor.category != listed {
        danger.raise_to_floor(undeclared(name, floor.category).0);
    }
}

fn one<'a>(
    at: &NodeCursor<'a>,
    name: Option<&str>,
    listed: Category,
    context: &OperationContext<'_, 'a>,
    types: &HashMap<&str, &TypeDef>,
    found: &mut Findings<'_>,
) -> Option<DraftOperation<'a>> {
    check_category(at, listed, found);
    mapping::advise(at, found);
    let declared = params::list(at, context.shared, found);
    let broken = declared.broken.clone();
    let mut mapping = at.get("maps_to").and_then(|at| mapping::check(&at, found))?;
    let mut params = params::settle(at, &mut mapping, declared, found);
    let name = name?;
    let written = origin::of(at);
    let floor = category::floor_of(name, listed, &mapping, written.as_ref());
    let claim = category::CategoryClaim { listed, mapping: &mapping, floor: floor.as_ref() };
    category::warn(at, name, &claim, found);
    let origin = category::origin(written, name, &claim);
    // Whatever the list says, it is served as what it is.
    let category = floor.as_ref().map_or(listed, |floor| floor.category);
    let returns = returns::of(at, name, types);
    check_type_names(at, &params, types, found);
    let answer = returns::answer(at);
    let output = at.get("response").and_then(|at| context.shared.context.schemas.of(&at, "schema", found));
    let subject = response::ResponseContext {
        name,
        category,
        static_query: mapping.static_query.as_deref(),
        returns: &returns,
        is_text: answer != AnswerKind::Json,
        types,
        budget: &context.shared.context.budget,
    };
    let answers = response::check(at, &subject, &mut params, found);
    let body = body::check(at, &params, found);
    let is_flat = context.flat_update || mapping.tool.is_some();
    let subject = GroupingContext { category, params: &params, whole: body.whole.as_deref(), is_flat };
    let grouping = grouping(at, &subject, found);
    let subject = controls::ControlContext {
        category,
        is_collection: answers.collection,
        is_tool: mapping.tool.is_some(),
        params: &params,
        grouping,
    };
    controls::check(at, &subject, found);
    let subject = danger::DangerContext { name, category, params: &params, broken: &broken };
    let mut danger = danger::check(at, &subject, found);
    context.patterns.raise(at, &subject, &mut danger, found);
    danger.raise_to_word(category::final_word(name, category, &mapping, origin.as_ref()));
    raise_to_floor(&mut danger, name, listed, floor.as_ref());
    returns::warn_of_type(at, types, found);
    let subject = examples::ExampleContext { name, params: &params, grouping, category, answers: &answers };
    // Without one of its parameters, a good example would look like a bad one.
    let examples = if broken.is_empty() { examples::check(at, &subject, found) } else { Vec::new() };
    let description = description(at, name, &mapping, found);
    let cache = cache::of_operation(at, mapping.method, found);
    let deprecated = deprecation::of(at, found);
    let base_url = at.get("base_url").and_then(|at| check_base_url(&at, found));
    let auth = at.get("auth").and_then(|at| check_auth(&at, found));
    let target = DraftTarget { mapping, body, answer, base_url, auth };
    let declaration = Declaration {
        grouping,
        danger,
        non_idempotent: at.flag("non_idempotent").unwrap_or(false),
        returns,
        examples,
        tags: at.texts("tags"),
        triggers: at.texts("triggers"),
        when_to_use: at.owned_text("when_to_use"),
        answers,
        cache,
        deprecated,
        required_scopes: at.texts("required_scopes"),
        output,
        origin,
        ..Declaration::new(name.to_owned(), description, category, params)
    };
    Some(DraftOperation { at: at.clone(), broken, operation: Operation { declaration, target } })
}

/// Parameters are of declared types only.
fn check_type_names(
    operation: &NodeCursor<'_>,
    params: &[Param],
    types: &HashMap<&str, &TypeDef>,
    found: &mut Findings<'_>,
) {
    for param in params {
        let Some(name) = param.shape.reference.as_deref().filter(|name| !types.contains_key(name)) else {
            continue;
        };
        let hint = found.nearest(name, types.keys().copied());
        let message = format!("There is no type '{}' among 'types'", shortened(name, 60));
        let at = params::place_of(operation, &param.name);
        at.error("UNKNOWN_REFERENCE", message).maybe_hint(hint).add_to(found);
    }
}

fn check_category(operation: &NodeCursor<'_>, category: Category, found: &mut Findings<'_>) {
    for key in ["semantic_category", "endpoint"] {
        let Some(at) = operation.get(key) else { continue };
        let Some(text) = at.node.filled_text() else { continue };
        if Category::parse(text) != Some(category) {
            at.error("CATEGORY_MISMATCH", format!("'{key}' disagrees with the list the operation is in"))
                .expected(category.upper())
                .received(quoted(text))
                .hint("move the operation to the other list, or change the key")
                .add_to(found);
        }
    }
}

/// What decides how parameters are grouped.
struct GroupingContext<'c> {
    category: Category,
    params: &'c [Param],
    /// The parameter that is the whole body.
    whole: Option<&'c str>,
    is_flat: bool,
}

fn grouping(operation: &NodeCursor<'_>, subject: &GroupingContext<'_>, found: &mut Findings<'_>) -> Grouping {
    let GroupingContext { category, params, whole, is_flat } = *subject;
    if let Some(named) = operation.text("grouping").and_then(Grouping::parse) {
        return named;
    }
    let mut body = params.iter().filter(|param| param.is_body());
    let first = body.next();
    let alone = body.next().is_none();
    if category != Category::Update || first.is_none() || is_flat {
        return Grouping::Flat;
    }
    let is_whole = |only: &Param| only.shape.kind == ValueKind::Object || whole == Some("input");
    if alone && first.is_some_and(|only| only.name == "input" && is_whole(only)) {
        return Grouping::WholeInput;
    }
    if let Some(input) = params.iter().find(|param| param.name == "input") {
        let at = params::place_of(operation, "input");
        at.error("RESERVED_NAME", "In an UPDATE 'input' is the word for the fields to change")
            .expected("another name, or the only body parameter, an object")
            .hint(format!("choose another name and add mapTo: {}", input.upstream_name))
            .add_to(found);
    }
    Grouping::Input
}

fn description(
    operation: &NodeCursor<'_>,
    name: &str,
    mapping: &Mapping,
    found: &mut Findings<'_>,
) -> String {
    if let Some(text) = operation.text("description").map(str::trim).filter(|text| !text.is_empty()) {
        return text.to_owned();
    }
    if operation.get("description").is_none_or(|at| at.node.text().is_some()) {
        operation
            .warning(
                "MISSING_DESCRIPTION",
                format!("'{name}' has no description: a model will have to guess"),
            )
            .hint("say in one sentence what it does")
            .add_to(found);
    }
    let words = name.replace('_', " ");
    let path: String = mapping
        .path
        .iter()
        .map(|segment| match segment {
            Segment::Literal(text) => text.clone(),
            Segment::Placeholder(name) => format!("{{{name}}}"),
        })
        .collect();
    let mut sentence = words.clone();
    if let Some(first) = words.get(..1) {
        sentence.replace_range(..1, &first.to_ascii_uppercase());
    }
    match &mapping.tool {
        Some(tool) => format!("{sentence} (TOOL {tool})"),
        None => format!("{sentence} ({} {path})", mapping.method),
    }
}

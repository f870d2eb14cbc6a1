//! The texts that a model reads before its first call: the description templates of the MCP document (section 2.1),
//! led by what this server covers, of the same size however many operations there are.

mod quick_start;

use aqueduct_dispatch::Catalog;
use aqueduct_operations::category::Category;
use aqueduct_operations::exposure::Family;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::sanitize::is_disguise;
use aqueduct_operations::source::Source;
use serde_json::Value;

/// Characters of names in a line, before it says how many more there are: of a family's tool, and of the single one,
/// which has the room of five.
const FAMILY_NAMES: usize = 80;
/// The operation that tells of all others.
const INTROSPECT: &str = "introspect";
const SINGLE_NAMES: usize = 110;

/// A last name of so many characters costs little more than "and 1 more".
const SHORT_NAME: usize = 24;

/// Operations of the EXECUTE tool whose line shows what such an operation is.
const MOST_BULLETS: usize = 1;

/// Characters that say what is behind the server.
const COVERAGE: usize = 120;

/// The description of a family's tool.
pub fn family(catalog: &Catalog, family: &Family, members: &[&RegistryEntry]) -> String {
    if catalog.exposure().profile.is_crude()
        && let Some(category) = family.categories.first()
    {
        return crude(catalog, *category, members);
    }
    custom(catalog, family, members)
}

/// The five standard templates.
fn crude(catalog: &Catalog, category: Category, members: &[&RegistryEntry]) -> String {
    let domain = domain(catalog);
    let (opening, statement) = match category {
        Category::Create => (
            format!("Create operations for {domain}."),
            "These operations add new data without removing or overwriting existing content.".to_owned(),
        ),
        Category::Read => (
            format!("Safe, read-only operations. Covers {}", coverage(catalog)),
            "These queries only read data and never modify server state.".to_owned(),
        ),
        Category::Update => (
            "Modifying operations that overwrite data.".to_owned(),
            "These operations modify existing data, potentially overwriting previous values.".to_owned(),
        ),
        Category::Delete => (
            "Destructive operations that remove data.".to_owned(),
            "These operations remove data. Use with caution.".to_owned(),
        ),
        Category::Execute => (
            format!("Execution lifecycle operations for {domain}."),
            format!(
                "These operations manage runtime execution state, unlike CRUD operations, which manage \
                 definitions:{}\nIMPORTANT: Execute operations are potentially destructive and non-idempotent.",
                bullets(members)
            ),
        ),
    };
    let mut parts = vec![opening, supported(members)];
    parts.extend(element_types(members));
    parts.push(statement);
    let heading = if category == Category::Update { "Quick start example" } else { "Quick start examples" };
    let shown = match category {
        Category::Read => quick_start::of_reads(members),
        _ => quick_start::of_family(members),
    };
    parts.extend(shown.map(|shown| format!("{heading}:\n{shown}")));
    parts.push(match category {
        Category::Read => discover_all(catalog, true),
        _ => discover_one(catalog, members),
    });
    parts.join("\n")
}

/// The template of families that are not the five standard ones.
fn custom(catalog: &Catalog, family: &Family, members: &[&RegistryEntry]) -> String {
    let held = |category: &Category| members.iter().any(|entry| entry.operation.category == *category);
    let is_primary = |category: &Category| family.categories.contains(category) || held(category);
    let mut categories: Vec<&str> =
        Category::ALL.into_iter().filter(is_primary).map(Category::upper).collect();
    if categories.is_empty() {
        categories.push("none");
    }
    let takes_introspect = catalog.exposure().profile.takes_introspect(family);
    let mut parts = vec![
        format!("{} ({}).", family.purpose, domain(catalog)),
        format!("Primary semantic categories: {}", categories.join(", ")),
        supported_by(members, takes_introspect),
    ];
    parts.extend(element_types(members));
    if family.holds_introspect {
        parts.push(format!("Covers {}", coverage(catalog)));
    }
    parts.extend(when_to_use(catalog));
    parts.extend(quick_start::of_family(members).map(|shown| format!("Quick start example:\n{shown}")));
    parts.push(discover_all(catalog, takes_introspect));
    parts.join("\n")
}

/// The description of the one tool of single mode.
pub fn single(catalog: &Catalog) -> String {
    let mut parts = vec![
        format!(
            "MCP-AQL {} adapter. All operations through unified entry point. Covers {}",
            domain(catalog),
            coverage(catalog)
        ),
        "Operations are automatically routed based on their documented semantic category and endpoint-family mapping."
            .to_owned(),
        "Supported operation categories:".to_owned(),
    ];
    for (category, label) in Category::ALL.into_iter().zip(["Create", "Read", "Update", "Delete", "Execute"])
    {
        let members: Vec<&RegistryEntry> = catalog
            .visible()
            .map(|(entry, _)| entry)
            .filter(|entry| entry.operation.category == category && entry.public_name != INTROSPECT)
            .collect();
        parts.push(format!("- {label}: {}", names(&members, SINGLE_NAMES)));
    }
    parts.push(format!("Quick start:\n{}", introspect_call(None)));
    parts.push("Use introspection to discover all available operations and their parameters.".to_owned());
    parts.join("\n")
}

/// What a client may put into its system prompt.
pub fn instructions(catalog: &Catalog) -> String {
    let tool = catalog.exposure().introspect_tool();
    format!(
        "Covers {} Call {tool} with {} to list the operations, add name for the parameters of one, then call it. \
         Errors say what to send instead.",
        coverage(catalog),
        introspect_call(None)
    )
}

/// The sources by name.
fn domain(catalog: &Catalog) -> String {
    let sources = catalog.registry().sources();
    let names: Vec<&str> = sources.iter().take(5).map(|source| source.name.as_str()).collect();
    match sources.len() {
        0 => "this server".to_owned(),
        1..=5 => names.join(", "),
        more => format!("{} and {} more", names.join(", "), more - 5),
    }
}

/// One line on what is behind the server, ending in a period.
fn coverage(catalog: &Catalog) -> String {
    let sources = catalog.registry().sources();
    let each = COVERAGE / sources.len().clamp(1, 5);
    let lines: Vec<String> = sources
        .iter()
        .take(5)
        .map(|source| format!("{}: {}", source.name, what_it_does(catalog, source, each)))
        .collect();
    let more = if sources.len() > 5 { format!("; {} more", sources.len() - 5) } else { String::new() };
    match lines.is_empty() {
        true => "nothing yet.".to_owned(),
        false => format!("{}{more}.", lines.join("; ")),
    }
}

/// What a source does: in its words, or, where another server has none for itself, by the names of its operations.
fn what_it_does(catalog: &Catalog, source: &Source, most: usize) -> String {
    let is_wordless = source.info.get("server").is_some_and(|server| server.get("description").is_none());
    let entries = catalog.visible().map(|(entry, _)| entry);
    let names: Vec<&str> = entries
        .filter(|entry| is_wordless && entry.source.name == source.name)
        .map(|entry| entry.operation.name.as_str())
        .collect();
    let Some((first, others)) = names.split_first() else { return shortened(&source.description, most) };
    let mut shown = (*first).to_owned();
    for (index, name) in others.iter().enumerate() {
        if shown.len() + name.len() > most {
            return format!("{shown}, +{}", others.len() - index);
        }
        shown = format!("{shown}, {name}");
    }
    shown
}

/// The first sentence, or as much of it as fits.
fn shortened(text: &str, most: usize) -> String {
    let line = text.split(['\n', '\r']).next().unwrap_or_default();
    let sentence = line.split(". ").next().unwrap_or_default().trim().trim_end_matches('.');
    let sentence: String = sentence.chars().filter(|c| !is_disguise(*c)).collect();
    match sentence.char_indices().nth(most) {
        Some((cut, _)) => format!("{}...", sentence[..cut].trim_end()),
        None => sentence,
    }
}

/// When to use the API, as the author of the first file that says so has it.
fn when_to_use(catalog: &Catalog) -> Option<String> {
    let said = |source: &Source| source.info.get("when_to_use").and_then(Value::as_str).map(str::to_owned);
    let said = catalog.registry().sources().iter().find_map(|source| said(source))?;
    Some(format!("{}.", shortened(&said, COVERAGE)))
}

fn supported(members: &[&RegistryEntry]) -> String {
    format!("Supported operations: {}", names(members, FAMILY_NAMES))
}

/// The same for a family of a profile's own, with `introspect` where it is taken.
fn supported_by(members: &[&RegistryEntry], takes_introspect: bool) -> String {
    let is_listed = members.iter().any(|entry| entry.public_name == INTROSPECT);
    match supported(members) {
        text if !takes_introspect || is_listed => text,
        _ if members.is_empty() => format!("Supported operations: {INTROSPECT}"),
        text => format!("{text}, {INTROSPECT}"),
    }
}

/// The first names, as many as fit, and how many more there are.
fn names(members: &[&RegistryEntry], most: usize) -> String {
    let Some((first, others)) = members.split_first() else { return "none".to_owned() };
    let mut shown = first.public_name.clone();
    for (index, name) in others.iter().map(|entry| &entry.public_name).enumerate() {
        let left = others.len() - index;
        let is_cheap = left == 1 && name.len() <= SHORT_NAME;
        if shown.len() + name.len() > most && !is_cheap {
            return format!("{shown} and {left} more");
        }
        shown.push_str(", ");
        shown.push_str(name);
    }
    shown
}

fn bullets(members: &[&RegistryEntry]) -> String {
    members
        .iter()
        .take(MOST_BULLETS)
        .map(|entry| format!("\n- {}: {}", entry.public_name, shortened(&entry.operation.description, 60)))
        .collect()
}

/// Element types, for adapters that declare such a parameter.
fn element_types(members: &[&RegistryEntry]) -> Option<String> {
    let allowed =
        members.iter().find_map(|entry| entry.operation.param("element_type")?.shape.allowed.clone())?;
    let names: Vec<&str> = allowed.iter().filter_map(Value::as_str).collect();
    Some(format!("Element types: {}", names.join(", ")))
}

fn introspect_call(name: Option<&str>) -> String {
    match name {
        None => "{ operation: \"introspect\", params: { query: \"operations\" } }".to_owned(),
        Some(name) => {
            format!("{{ operation: \"introspect\", params: {{ query: \"operations\", name: \"{name}\" }} }}")
        }
    }
}

/// How to find everything, with the tool to ask where it is another one.
fn discover_all(catalog: &Catalog, here: bool) -> String {
    let call = introspect_call(None);
    let tool = if here { String::new() } else { format!(" on {}", catalog.exposure().introspect_tool()) };
    format!("Discover all operations and parameters:\n{call}{tool}")
}

/// How to find the parameters of an operation; the tool that is asked is another one.
fn discover_one(catalog: &Catalog, members: &[&RegistryEntry]) -> String {
    let shortest = members.iter().map(|entry| entry.public_name.as_str()).min_by_key(|name| name.len());
    let name = shortest.unwrap_or("<operation_name>");
    let call = introspect_call(Some(name));
    format!("Discover required parameters:\n{call} on {}", catalog.exposure().introspect_tool())
}

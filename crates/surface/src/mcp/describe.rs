//! The texts that a model reads before its first call: the description templates of the MCP document (section 2.1), in as few
//! words as they can be said, of the same size however many operations there are.
//!
//! A catalog in; the description of each tool, and the instructions for the whole server, out. Every text names the search,
//! with a request in the words of this server.

mod coverage;
mod quick_start;

use aqueduct_dispatch::CatalogView;
use aqueduct_operations::autonomy::SafetyMode;
use aqueduct_operations::category::Category;
use aqueduct_operations::exposure::Family;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::short_text::first_sentence;
use aqueduct_operations::source::Source;
use coverage::{CoverageBudget, MOST_SOURCES, coverage, domain, names_the_reader, nouns_of};
use serde_json::Value;

/// The operation that describes all others.
const INTROSPECT: &str = "introspect";
/// How all operations are listed.
const LIST_CALL: &str = "{ operation: \"introspect\", params: { query: \"operations\" } }";
/// The same in the fewest signs.
const LIST_CALL_SHORT: &str = "{operation:\"introspect\",params:{query:\"operations\"}}";
/// Characters of names in a line, before it says how many more there are: of one of the five tools, of a family of a profile's
/// own, and of a category of the single tool.
const CRUDE_NAMES: usize = 12;
const FAMILY_NAMES: usize = 70;
const SINGLE_NAMES: usize = 36;
/// Characters of the nouns that stand for names which have no room.
const NOUNS: usize = 14;
/// Characters of names that a tool which is not registered leaves to the others, and the most that one of them takes.
const ROOM_OF_A_TOOL: usize = 300;
const MOST_CRUDE_NAMES: usize = 160;
/// Characters of element types: of one of the five tools where all of them are there, and elsewhere.
const CRUDE_ELEMENT_TYPES: usize = 16;
const ELEMENT_TYPES: usize = 72;
/// A last name of so many characters costs little more than "1 more".
const SHORT_NAME: usize = 16;
/// Characters that say what is behind the server: in the description of one of five tools, where there are fewer or only one,
/// and in the instructions.
const COVERAGE: usize = 36;
const SINGLE_COVERAGE: usize = 80;
const LONG_COVERAGE: usize = 240;
/// Characters of a note of when to use an API.
const NOTE: usize = 120;

/// How much the texts say. Names of tools, sources and things are as long as they are: where all of it costs too much, less is said
/// of what is behind the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextLength {
    /// All of it.
    Full,
    /// Fewer things of each source.
    Short,
    /// The same, and requests are written shorter where another tool takes them.
    Shorter,
    /// The names of some sources, and no things.
    Names,
    /// The name of one source.
    Least,
}

impl TextLength {
    /// All, the longest first.
    pub const ALL: [TextLength; 5] =
        [TextLength::Full, TextLength::Short, TextLength::Shorter, TextLength::Names, TextLength::Least];

    /// Characters of what is told in so many where all of it is.
    fn of(self, most: usize) -> usize {
        match self {
            TextLength::Full => most,
            TextLength::Short | TextLength::Shorter => most / 2,
            TextLength::Names | TextLength::Least => 0,
        }
    }

    /// How many sources are named.
    fn sources(self) -> usize {
        match self {
            TextLength::Full | TextLength::Short | TextLength::Shorter => MOST_SOURCES,
            TextLength::Names => 3,
            TextLength::Least => 1,
        }
    }
}

/// The description of a family's tool.
pub fn family(
    view: &CatalogView<'_>,
    family: &Family,
    members: &[&RegistryEntry],
    length: TextLength,
) -> String {
    if view.catalog().exposure().profile.is_crude()
        && let Some(category) = family.categories.first()
    {
        return crude(view, *category, members, length);
    }
    custom(view, family, members)
}

/// The five standard templates. Each shows one whole request, a search, because its answer has the name, the required parameters
/// and an example of what is meant; where another tool takes it, behind the name of that tool.
fn crude(
    view: &CatalogView<'_>,
    category: Category,
    members: &[&RegistryEntry],
    length: TextLength,
) -> String {
    let CrudeBudget { names: name_budget, coverage: coverage_budget, element_types: type_budget } =
        crude_budget(view);
    let (opening, statement) = match category {
        Category::Create => ("Creates data.".to_owned(), "Only adds."),
        Category::Read => (
            format!(
                "Safe, read-only operations. Covers {}",
                coverage(
                    view,
                    CoverageBudget { characters: length.of(coverage_budget), sources: length.sources() }
                )
            ),
            "Never changes state.",
        ),
        Category::Update => ("Modifies data.".to_owned(), "Overwrites values."),
        Category::Delete => ("Removes data.".to_owned(), "Use with caution."),
        Category::Execute => {
            ("Execution lifecycle operations.".to_owned(), "IMPORTANT: destructive, non-idempotent.")
        }
    };
    let mut parts = vec![
        opening,
        format!(
            "Supported operations: {}.",
            names(members, name_budget).unwrap_or_else(|| members.len().to_string())
        ),
    ];
    parts.extend(element_types(members, type_budget));
    parts.push(statement.to_owned());
    let several = if category == Category::Update { "" } else { "s" };
    let sample = sample_of(view, category);
    let search = search_call(&sample);
    parts.push(match category {
        Category::Read => format!(
            "Quick start example{several}: {search} Discover all operations and parameters: {LIST_CALL_SHORT}"
        ),
        _ => {
            let quick_start = match members.is_empty() {
                true => "Discover".to_owned(),
                false => format!("Quick start example{several}, discover"),
            };
            let search = match length {
                TextLength::Full | TextLength::Short => search,
                TextLength::Shorter | TextLength::Names | TextLength::Least => {
                    format!("{INTROSPECT} {{search:\"{sample}\"}}")
                }
            };
            format!(
                "{quick_start} required parameters: {} {search}",
                view.catalog().exposure().introspect_tool()
            )
        }
    });
    // A line break costs a token.
    parts.join(" ")
}

/// Characters of each of the five tools.
struct CrudeBudget {
    names: usize,
    /// Of what is behind the server.
    coverage: usize,
    element_types: usize,
}

/// The room of each of the five tools: little where all of them are there, because they share one budget.
fn crude_budget(view: &CatalogView<'_>) -> CrudeBudget {
    let is_registered = |category: &Category| {
        view.catalog().exposure().register_empty_families
            || view.visible().any(|entry| entry.operation.category == *category)
    };
    let all = Category::ALL.len();
    let tools = Category::ALL.iter().filter(|category| is_registered(category)).count().clamp(1, all);
    let names = (CRUDE_NAMES + ROOM_OF_A_TOOL * (all - tools) / tools).min(MOST_CRUDE_NAMES);
    let (coverage, element_types) =
        if tools == all { (COVERAGE, CRUDE_ELEMENT_TYPES) } else { (SINGLE_COVERAGE, ELEMENT_TYPES) };
    CrudeBudget { names, coverage, element_types }
}

/// The template of families that are not the five standard ones.
fn custom(view: &CatalogView<'_>, family: &Family, members: &[&RegistryEntry]) -> String {
    let catalog = view.catalog();
    let is_member = |category: &Category| members.iter().any(|entry| entry.operation.category == *category);
    let is_primary = |category: &Category| family.categories.contains(category) || is_member(category);
    let mut categories: Vec<&str> =
        Category::ALL.into_iter().filter(is_primary).map(Category::upper).collect();
    if categories.is_empty() {
        categories.push("none");
    }
    let takes_introspect = catalog.exposure().profile.takes_introspect(family);
    let mut parts = vec![
        format!("{} ({}).", family.purpose, domain(view, MOST_SOURCES)),
        format!("Primary semantic categories: {}", categories.join(", ")),
        supported_by(view, members, takes_introspect),
    ];
    parts.extend(element_types(members, ELEMENT_TYPES));
    if family.holds_introspect {
        parts.push(format!("Covers {}", coverage(view, CoverageBudget::of(SINGLE_COVERAGE))));
    }
    parts.extend(when_to_use(view));
    parts.extend(quick_start::of_family(members).map(|shown| format!("Quick start example:\n{shown}")));
    let tool = match takes_introspect {
        true => String::new(),
        false => format!("{} ", catalog.exposure().introspect_tool()),
    };
    let sample = search_call(catalog.sample_request());
    parts.push(format!("Discover all operations and parameters:\n{tool}{LIST_CALL}\n{tool}{sample}"));
    parts.join("\n")
}

/// The description of the one tool of single mode.
pub fn single(view: &CatalogView<'_>, length: TextLength) -> String {
    let catalog = view.catalog();
    let mut parts = vec![
        format!(
            "MCP-AQL {} adapter. All operations through unified entry point. Covers {}",
            counted_domain(view, length.sources()),
            coverage(
                view,
                CoverageBudget { characters: length.of(SINGLE_COVERAGE), sources: length.sources() }
            )
        ),
        "Operations are automatically routed by semantic category and endpoint-family mapping.".to_owned(),
        "Supported operation categories:".to_owned(),
    ];
    for (category, label) in Category::ALL.into_iter().zip(["Create", "Read", "Update", "Delete", "Execute"])
    {
        let members: Vec<&RegistryEntry> = view
            .visible()
            .filter(|entry| entry.operation.category == category && entry.public_name != INTROSPECT)
            .collect();
        parts.push(format!("- {label}: {}", names_or_nouns(view, &members, length.of(SINGLE_NAMES))));
    }
    parts.push(format!("Quick start:\n{}\n{}", LIST_CALL, search_call(catalog.sample_request())));
    parts.push("Use introspection to discover operations and their parameters.".to_owned());
    parts.join("\n")
}

/// The sources by name, or how many they are where the names of only some would stand there twice.
fn counted_domain(view: &CatalogView<'_>, most: usize) -> String {
    match view.sources().len() {
        count if count > most => format!("{count}-source"),
        _ => domain(view, most),
    }
}

/// What agents are told where they are watched.
const WATCHED: &str = " Before you work on your own, call execute_agent. Then report every action, with any tool of any server, before you \
                       take it: record_execution_step with next_action_hint naming the tool, its target and the purpose. Take the action \
                       only if the directive says continue: true. If stopped is true, do nothing more; if continue is false, tell the user \
                       and wait. End with complete_execution or abort_execution.";

/// What a client may put into its system prompt.
pub fn instructions(view: &CatalogView<'_>) -> String {
    let catalog = view.catalog();
    let watched = match catalog.registry().safety().mode {
        SafetyMode::Disabled => "",
        _ => WATCHED,
    };
    if view.sources().is_empty() && !watched.is_empty() {
        return watched.trim_start().to_owned();
    }
    format!(
        "Covers {} To find an operation call {} with {}: it answers with the name, the tool, the parameters and an example \
         request. {} lists all of them. Errors say what to send instead.{watched}",
        coverage(view, CoverageBudget::of(LONG_COVERAGE)),
        catalog.exposure().introspect_tool(),
        search_call(catalog.sample_request()),
        LIST_CALL,
    )
}

/// When to use the API, as the author of the first file that says so has it.
fn when_to_use(view: &CatalogView<'_>) -> Option<String> {
    let hint = |source: &Source| source.info.get("when_to_use").and_then(Value::as_str).map(str::to_owned);
    let hint = view
        .sources()
        .into_iter()
        .filter_map(|source| hint(source))
        .find(|text| !names_the_reader(&first_sentence(text, NOTE)))?;
    Some(format!("{}.", first_sentence(&hint, NOTE)))
}

/// The operations of a family of a profile's own, with `introspect` where it is taken.
fn supported_by(view: &CatalogView<'_>, members: &[&RegistryEntry], takes_introspect: bool) -> String {
    let is_listed = members.iter().any(|entry| entry.public_name == INTROSPECT);
    let named = format!("Supported operations: {}", names_or_nouns(view, members, FAMILY_NAMES));
    match named {
        text if !takes_introspect || is_listed => text,
        _ if members.is_empty() => format!("Supported operations: {INTROSPECT}"),
        text => format!("{text}, {INTROSPECT}"),
    }
}

/// The names, or where these have no room how many there are and of which things.
fn names_or_nouns(view: &CatalogView<'_>, members: &[&RegistryEntry], most: usize) -> String {
    let nouns = if most == 0 { 0 } else { NOUNS };
    names(members, most).unwrap_or_else(|| match nouns_of(view, members, nouns) {
        nouns if nouns.is_empty() => members.len().to_string(),
        nouns => format!("{} ({nouns})", members.len()),
    })
}

/// The first names, as many as fit, and how many more there are; nothing where two do not fit.
fn names(members: &[&RegistryEntry], most: usize) -> Option<String> {
    let names: Vec<&str> = members.iter().map(|entry| entry.public_name.as_str()).collect();
    first_of(&names, most)
}

fn first_of(names: &[&str], most: usize) -> Option<String> {
    let mut shown = String::new();
    for (index, name) in names.iter().enumerate() {
        let left = names.len() - index;
        let is_cheap = left == 1 && name.len() <= SHORT_NAME;
        if shown.len() + name.len() > most && !is_cheap {
            return (index > 1).then(|| format!("{shown}, {left} more"));
        }
        if !shown.is_empty() {
            shown.push_str(", ");
        }
        shown.push_str(name);
    }
    Some(if shown.is_empty() { "none".to_owned() } else { shown })
}

/// Element types, for adapters that declare such a parameter: the first ones, or how many there are.
fn element_types(members: &[&RegistryEntry], most: usize) -> Option<String> {
    let allowed =
        members.iter().find_map(|entry| entry.operation.param("element_type")?.shape.allowed.clone())?;
    let names: Vec<&str> = allowed.iter().filter_map(Value::as_str).collect();
    let shown = first_of(&names, most).unwrap_or_else(|| names.len().to_string());
    Some(format!("Element types: {shown}."))
}

/// How an operation is searched for: a search needs no other word for what is wanted.
pub fn search_call(request: &str) -> String {
    format!("{{operation:\"{INTROSPECT}\",params:{{search:\"{request}\"}}}}")
}

/// A request in the words of this server: one that creates for the tool that creates, else one that reads. No one is led to
/// what changes or removes something.
fn sample_of(view: &CatalogView<'_>, category: Category) -> String {
    let creates = |entry: &RegistryEntry| entry.operation.category == Category::Create;
    let own = (category == Category::Create).then(|| view.sample_request_for(creates)).flatten();
    own.unwrap_or_else(|| view.catalog().sample_request().to_owned())
}

//! Profiles: the families of a server, each holding semantic categories, single operations or both.
//!
//! A name, or families of one's own, in; a profile out. Every category is in exactly one family, and exactly one family
//! takes `introspect` (section 3.3). A family that names an operation has it, whatever its category.

use super::glob::Glob;
use crate::category::Category;
use crate::naming::is_snake_case;

/// Longest name of a family: it is part of a tool's name.
const LONGEST_FAMILY: usize = 32;
const INTROSPECT: &str = "introspect";

/// A named set of families that covers every category.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// Its name, published by introspection.
    pub name: String,
    /// Its families; never empty.
    pub families: Vec<Family>,
}

/// One family: one tool in semantic mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Family {
    /// The short name: `read`, `query`.
    pub name: String,
    /// What it is for, as the opening sentence of its tool description.
    pub purpose: String,
    /// The categories it holds.
    pub categories: Vec<Category>,
    /// The operations it takes out of the families of their categories.
    pub operations: Vec<Glob>,
    /// True for the one family that `introspect` belongs to.
    pub holds_introspect: bool,
}

/// A family as someone wants it; the profile decides which one takes `introspect`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilyRequest {
    /// The short name.
    pub name: String,
    /// What it is for; made from the name when absent.
    pub purpose: Option<String>,
    /// The categories it holds.
    pub categories: Vec<Category>,
    /// The operations it takes out of the families of their categories.
    pub operations: Vec<Glob>,
}

/// What keeps families from being a profile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProfileProblem {
    /// The name belongs to a profile that is built in.
    #[error("the profile '{0}' is built in")]
    BuiltIn(String),
    /// The name of a profile cannot be written on a command line as it is.
    #[error("'{0}' is not a valid name of a profile")]
    Name(String),
    /// The name of a family cannot be part of a tool's name.
    #[error("'{0}' is not a valid name of a family")]
    Family(String),
    /// The same family twice.
    #[error("the family '{0}' is there twice")]
    Twice(String),
    /// A family that would never hold anything.
    #[error("the family '{0}' holds neither a category nor an operation")]
    Empty(String),
    /// A category in two families.
    #[error("{category} is in the family '{first}' already", category = category.upper())]
    Shared {
        /// The category.
        category: Category,
        /// The family that has it.
        first: String,
        /// The family that wants it too.
        second: String,
    },
    /// Categories in no family.
    #[error("no family holds {}", .0.iter().map(|category| category.upper()).collect::<Vec<_>>().join(", "))]
    Missing(Vec<Category>),
    /// `introspect` in two families.
    #[error("the family '{first}' takes introspect already")]
    IntrospectTwice {
        /// The family that has it.
        first: String,
        /// The family that wants it too.
        second: String,
    },
}

impl Default for Profile {
    fn default() -> Profile {
        Profile::crude()
    }
}

impl Profile {
    /// The names of the built-in profiles.
    pub const BUILT_IN: [&str; 2] = ["crude", "discover"];

    /// One family a category (core specification, section 3.3).
    pub fn crude() -> Profile {
        let family = |category: Category, purpose: &str| Family {
            name: category.lower().to_owned(),
            purpose: purpose.to_owned(),
            categories: vec![category],
            operations: Vec::new(),
            holds_introspect: category == Category::Read,
        };
        Profile {
            name: "crude".to_owned(),
            families: vec![
                family(Category::Create, "Additive operations that create data"),
                family(Category::Read, "Safe, read-only operations"),
                family(Category::Update, "Modifying operations that overwrite data"),
                family(Category::Delete, "Destructive operations that remove data"),
                family(Category::Execute, "Execution lifecycle operations"),
            ],
        }
    }

    /// Four families by intent (core specification, section 3.3).
    pub fn discover() -> Profile {
        let family = |name: &str, purpose: &str, categories: &[Category]| Family {
            name: name.to_owned(),
            purpose: purpose.to_owned(),
            categories: categories.to_vec(),
            operations: Vec::new(),
            holds_introspect: name == "discover",
        };
        Profile {
            name: "discover".to_owned(),
            families: vec![
                family("discover", "Discovery and inspection of what this server can do", &[]),
                family("query", "Retrieval and filtering of existing data", &[Category::Read]),
                family(
                    "manage",
                    "Mutation and administration of data",
                    &[Category::Create, Category::Update, Category::Delete],
                ),
                family("operate", "Runtime and lifecycle actions", &[Category::Execute]),
            ],
        }
    }

    /// The built-in profile with this name.
    pub fn built_in(name: &str) -> Option<Profile> {
        match name {
            "crude" => Some(Profile::crude()),
            "discover" => Some(Profile::discover()),
            _ => None,
        }
    }

    /// A profile of one's own, or everything that keeps it from being one. `introspect` goes to the family that names
    /// it, else to the one that holds READ.
    pub fn custom(name: &str, wanted: Vec<FamilyRequest>) -> Result<Profile, Vec<ProfileProblem>> {
        let mut problems = Vec::new();
        if Profile::built_in(name).is_some() {
            problems.push(ProfileProblem::BuiltIn(name.to_owned()));
        } else if !is_snake_case(&name.replace('-', "_")) {
            problems.push(ProfileProblem::Name(name.to_owned()));
        }
        for (index, family) in wanted.iter().enumerate() {
            let name = &family.name;
            if !is_snake_case(name) || name.len() > LONGEST_FAMILY {
                problems.push(ProfileProblem::Family(name.clone()));
            }
            if wanted[..index].iter().any(|other| other.name == *name) {
                problems.push(ProfileProblem::Twice(name.clone()));
            }
            if family.categories.is_empty() && family.operations.is_empty() {
                problems.push(ProfileProblem::Empty(name.clone()));
            }
        }
        problems.extend(misplaced(&wanted));
        let names_it =
            |family: &&FamilyRequest| family.operations.iter().any(|each| each.as_str() == INTROSPECT);
        let mut naming = wanted.iter().filter(names_it);
        let named = naming.next();
        if let (Some(first), Some(second)) = (named, naming.next()) {
            let (first, second) = (first.name.clone(), second.name.clone());
            problems.push(ProfileProblem::IntrospectTwice { first, second });
        }
        let reads = wanted.iter().find(|family| family.categories.contains(&Category::Read));
        let introspects = named.or(reads).map(|family| family.name.clone());
        if !problems.is_empty() {
            return Err(problems);
        }
        let family = |wanted: FamilyRequest| Family {
            purpose: wanted.purpose.unwrap_or_else(|| purpose_of(&wanted.name)),
            holds_introspect: introspects.as_deref() == Some(wanted.name.as_str()),
            name: wanted.name,
            categories: wanted.categories,
            operations: wanted.operations,
        };
        Ok(Profile { name: name.to_owned(), families: wanted.into_iter().map(family).collect() })
    }

    /// True when `introspect` can be called by the tool of this family: it belongs here; or READ operations do, of which it is
    /// one (ruling W9), and no family was given it by name.
    pub fn takes_introspect(&self, family: &Family) -> bool {
        let names_it = |each: &Family| each.operations.iter().any(|glob| glob.matches(INTROSPECT));
        family.holds_introspect
            || family.categories.contains(&Category::Read) && !self.families.iter().any(names_it)
    }

    /// True for the standard profile, whose families follow the five standard templates.
    pub fn is_crude(&self) -> bool {
        self.name == "crude"
    }

    /// The family that holds a category.
    pub fn family_of_category(&self, category: Category) -> Option<&Family> {
        self.families.iter().find(|f| f.categories.contains(&category))
    }
}

impl Family {
    /// True when the family names an operation by its public name or its name in the source.
    pub fn names(&self, public_name: &str, name: &str) -> bool {
        self.operations.iter().any(|glob| glob.matches(public_name) || glob.matches(name))
    }
}

/// Every way in which categories are not in exactly one family.
fn misplaced(wanted: &[FamilyRequest]) -> Vec<ProfileProblem> {
    let mut problems = Vec::new();
    let mut missing = Vec::new();
    for category in Category::ALL {
        let mut holders = wanted.iter().filter(|family| family.categories.contains(&category));
        let Some(first) = holders.next() else {
            missing.push(category);
            continue;
        };
        problems.extend(holders.map(|second| ProfileProblem::Shared {
            category,
            first: first.name.clone(),
            second: second.name.clone(),
        }));
    }
    if !missing.is_empty() {
        problems.push(ProfileProblem::Missing(missing));
    }
    problems
}

/// `query` is for `Query operations`.
fn purpose_of(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    format!("{}{} operations", first.unwrap_or_default(), letters.as_str())
}

#[cfg(test)]
mod tests;

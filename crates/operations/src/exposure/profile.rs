//! Profiles: the families of a server, each holding one or more semantic categories.
//!
//! A name in, families out. Every category is in one family, and one family takes `introspect` (section 3.3).

use crate::category::Category;

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
    /// True for the one family that takes `introspect`.
    pub holds_introspect: bool,
}

impl Default for Profile {
    fn default() -> Profile {
        Profile::crude()
    }
}

impl Profile {
    /// One family a category (core specification, section 3.3).
    pub fn crude() -> Profile {
        let family = |category: Category, purpose: &str| Family {
            name: category.lower().to_owned(),
            purpose: purpose.to_owned(),
            categories: vec![category],
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

    /// True for the standard profile, whose families follow the five standard templates.
    pub fn is_crude(&self) -> bool {
        self.name == "crude"
    }

    /// The family that holds a category.
    pub fn family_of_category(&self, category: Category) -> Option<&Family> {
        self.families.iter().find(|f| f.categories.contains(&category))
    }
}

#[cfg(test)]
mod tests {
    use super::Profile;
    use crate::category::Category;

    /// C3.3-2 O6.1-10 X-modes-10 C6.2-2: four families, each category in exactly one.
    #[test]
    fn every_category_has_one_family() {
        for name in ["crude", "discover"] {
            let profile = Profile::built_in(name).unwrap();
            for category in Category::ALL {
                let holders = profile.families.iter().filter(|f| f.categories.contains(&category)).count();
                assert_eq!(holders, 1, "{name} {category:?}");
            }
            assert_eq!(profile.families.iter().filter(|f| f.holds_introspect).count(), 1);
        }
        let names: Vec<_> = Profile::discover().families.into_iter().map(|f| f.name).collect();
        assert_eq!(names, ["discover", "query", "manage", "operate"]);
        assert_eq!(Profile::built_in("other"), None);
    }
}

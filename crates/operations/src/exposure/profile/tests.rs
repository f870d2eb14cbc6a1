//! Built-in profiles and profiles of one's own: each category in exactly one family, `introspect` in exactly one, and
//! every problem of what is no profile.
//!
//! Core specification, sections 3.3 and 6.2.

use super::{FamilyRequest, Profile, ProfileProblem};
use crate::category::Category;
use crate::category::Category::{Create, Delete, Execute, Read, Update};
use crate::exposure::glob::Glob;
use proptest::prelude::{prop_assert_eq, proptest};

fn wanted(name: &str, categories: &[Category], operations: &[&str]) -> FamilyRequest {
    FamilyRequest {
        name: name.to_owned(),
        purpose: None,
        categories: categories.to_vec(),
        operations: operations.iter().map(|glob| Glob::parse(glob).unwrap()).collect(),
    }
}

fn introspecting(profile: &Profile) -> Vec<&str> {
    profile.families.iter().filter(|f| f.holds_introspect).map(|f| f.name.as_str()).collect()
}

/// C3.3-2 O6.1-10 X-modes-10: four families, each category in exactly one.
#[test]
fn every_category_has_one_family() {
    for name in Profile::BUILT_IN {
        let profile = Profile::built_in(name).unwrap();
        for category in Category::ALL {
            let holders = profile.families.iter().filter(|f| f.categories.contains(&category)).count();
            assert_eq!(holders, 1, "{name} {category:?}");
        }
        assert_eq!(introspecting(&profile).len(), 1);
    }
    let names: Vec<_> = Profile::discover().families.into_iter().map(|f| f.name).collect();
    assert_eq!(names, ["discover", "query", "manage", "operate"]);
    assert_eq!(Profile::built_in("other"), None);
}

/// C3.3-3 X-modes-9: the families that the documents name, each a profile of one's own.
#[test]
fn profiles_of_the_documents() {
    let database = Profile::custom(
        "database",
        vec![
            wanted("inspect", &[], &["introspect", "describe_*"]),
            wanted("query", &[Read], &[]),
            wanted("mutate", &[Create, Update, Delete], &[]),
            wanted("administer", &[Execute], &[]),
        ],
    )
    .unwrap();
    assert_eq!(introspecting(&database), ["inspect"]);
    assert_eq!(database.families[1].purpose, "Query operations");
    let hardware = Profile::custom(
        "hardware-lab",
        vec![
            wanted("discover", &[], &["introspect"]),
            wanted("observe", &[Read], &[]),
            wanted("control", &[Execute], &[]),
            wanted("maintain", &[Create, Update, Delete], &[]),
        ],
    );
    assert_eq!(hardware.unwrap().families.len(), 4);
    let library = Profile::custom(
        "library",
        vec![
            wanted("curate", &[Create, Update, Delete], &[]),
            wanted("search", &[Read], &[]),
            wanted("publish", &[Execute], &[]),
        ],
    );
    assert_eq!(introspecting(&library.unwrap()), ["search"]);
}

#[test]
fn every_problem_is_told() {
    let problems = Profile::custom(
        "crude",
        vec![
            wanted("Look", &[Read], &["introspect"]),
            wanted("act", &[Create, Update, Read], &["introspect"]),
            wanted("rest", &[], &[]),
            wanted("act", &[Execute], &[]),
        ],
    )
    .unwrap_err();
    assert_eq!(
        problems,
        [
            ProfileProblem::BuiltIn("crude".to_owned()),
            ProfileProblem::Family("Look".to_owned()),
            ProfileProblem::Empty("rest".to_owned()),
            ProfileProblem::Twice("act".to_owned()),
            ProfileProblem::Shared { category: Read, first: "Look".to_owned(), second: "act".to_owned() },
            ProfileProblem::Missing(vec![Delete]),
            ProfileProblem::IntrospectTwice { first: "Look".to_owned(), second: "act".to_owned() },
        ]
    );
    assert_eq!(Profile::custom("My profile", Vec::new()).unwrap_err().len(), 2);
}

proptest! {
    /// However the five categories are spread over families, each is found in its own, and one family introspects.
    #[test]
    fn any_partition_is_a_profile(homes in proptest::collection::vec(0_usize..3, 5), named in 0_usize..4) {
        let mut families: Vec<FamilyRequest> = (0..3).map(|index| wanted(&format!("f{index}"), &[], &["x_*"])).collect();
        for (category, home) in Category::ALL.into_iter().zip(&homes) {
            families[*home].categories.push(category);
        }
        if let Some(family) = families.get_mut(named) {
            family.operations.push(Glob::parse("introspect").unwrap());
        }
        let profile = Profile::custom("mine", families).unwrap();
        for (category, home) in Category::ALL.into_iter().zip(&homes) {
            prop_assert_eq!(&profile.family_of_category(category).unwrap().name, &format!("f{home}"));
        }
        let expected = if named < 3 { named } else { homes[1] };
        prop_assert_eq!(introspecting(&profile), vec![format!("f{expected}")]);
    }
}

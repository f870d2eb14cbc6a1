//! What the tools cost a model, counted with the o200k vocabulary over the compact JSON of the `tools` array.
//! Twenty operations stay inside the budget, and a thousand cost the same.

use super::{adapter, catalog, listed, mode, prefixed, profile, tracker};
use aqueduct_dispatch::Catalog;
use aqueduct_operations::exposure::{Exposure, Mode};

fn tokens(catalog: &Catalog) -> usize {
    let text = serde_json::to_string(&listed(catalog)).unwrap();
    aqueduct_vocabulary::count(text.as_str())
}

/// A server with this many operations, evenly over the categories.
fn even(operations: usize, exposure: Exposure) -> Catalog {
    catalog(&[("sample-adapter.md", &text_of(operations, ""))], exposure)
}

/// Several sources with this many operations each.
fn several(sources: usize, operations: usize, exposure: Exposure) -> Catalog {
    let names = ["storefront", "warehouse", "newsletter", "helpdesk", "bookkeeping", "calendar"];
    let texts: Vec<String> = names[..sources]
        .iter()
        .map(|name| text_of(operations, "").replace("name: sample", &format!("name: {name}")))
        .collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|text| ("sample-adapter.md", text.as_str())).collect();
    catalog(&files, exposure)
}

/// An adapter file with this many operations, evenly over the categories, and more parameters.
fn text_of(operations: usize, more: &str) -> String {
    let kinds = [
        ("create", "create", "POST"),
        ("read", "list", "GET"),
        ("update", "update", "PATCH"),
        ("delete", "delete", "DELETE"),
        ("execute", "run", "POST"),
    ];
    let nouns =
        ["invoice", "customer", "payment_method", "subscription", "refund", "credit_note", "shipment"];
    let made: Vec<(&str, String, String)> = (0..operations)
        .map(|number| {
            let (category, verb, method) = kinds[number % kinds.len()];
            let index = number / kinds.len();
            let noun = match nouns.get(index) {
                Some(noun) => (*noun).to_owned(),
                None => format!("{}_{index}", nouns[index % nouns.len()]),
            };
            (category, format!("{verb}_{noun}"), format!("{method} /accounts/{{account_id}}/{noun}"))
        })
        .collect();
    let params = format!(
        "params: {{ account_id: {{ type: integer, required: true }}, note: {{ type: string }}{more} }}"
    );
    let rows: Vec<_> = made
        .iter()
        .map(|(category, name, path)| (*category, name.as_str(), path.as_str(), &*params))
        .collect();
    adapter(&rows)
}

/// What the tools may cost, by mode.
const BUDGETS: [(Mode, usize); 2] = [(Mode::Semantic, 600), (Mode::Single, 250)];

#[test]
fn twenty_operations_fit_the_budget() {
    for (setting, budget) in BUDGETS {
        for catalog in [tracker(mode(setting)), even(20, mode(setting))] {
            let found = tokens(&catalog);
            assert!(found <= budget, "{found} tokens");
        }
    }
}

/// Names are listed as long as there is room for them, so a few more tokens are well spent, but only up to the budget.
#[test]
fn the_size_does_not_depend_on_the_number_of_operations() {
    for exposure in [Exposure::default(), profile("discover"), mode(Mode::Single)] {
        let (few, many) = (tokens(&even(20, exposure.clone())), tokens(&even(1000, exposure)));
        assert!(many <= few + 64, "{few} tokens for 20 operations, {many} for 1000");
    }
    for (setting, budget) in BUDGETS {
        for operations in [1000, 20_000] {
            let found = tokens(&even(operations, mode(setting)));
            assert!(found <= budget, "{found} tokens for {operations} operations");
        }
    }
}

/// Many sources cost no more than one or two.
#[test]
fn several_sources_fit_the_budget() {
    for (setting, budget) in BUDGETS {
        let sizes = [(2, 20), (5, 20), (5, 200), (6, 20)];
        let cost = |(sources, operations)| tokens(&several(sources, operations, mode(setting)));
        let found = sizes.map(cost);
        assert!(found.iter().all(|found| *found <= budget), "{found:?} tokens for {sizes:?}");
    }
}

/// A parameter that every tool names costs no more with many values than with two.
#[test]
fn many_element_types_cost_no_more_than_two() {
    let types: Vec<String> = (0..40).map(|number| format!("kind_of_element_{number}")).collect();
    let cost = |types: &str, setting: Mode| {
        let more = format!(", element_type: {{ type: string, enum: [{types}] }}");
        tokens(&catalog(&[("sample-adapter.md", &text_of(20, &more))], mode(setting)))
    };
    for (setting, _) in BUDGETS {
        let (two, many) = (cost("skills, agents", setting), cost(&types.join(", "), setting));
        assert!(many <= two, "{two} tokens for two types, {many} for 40");
    }
}

/// Long names of tools and sources, and many sources, take the room of what is told of the things behind them.
#[test]
fn long_names_fit_the_budget() {
    let long = "my-companys-very-own-and-very-long-name-of-a-source";
    let named = |name: &str, setting: Mode| {
        let text = text_of(20, "").replace("name: sample", &format!("name: {name}"));
        catalog(&[("sample-adapter.md", &text)], mode(setting))
    };
    let real = [
        "github",
        "stripe",
        "asana",
        "digitalocean",
        "netlify",
        "discourse",
        "youneedabudget",
        "spotify",
        "traccar",
        "zoom-us",
        "twilio-com-api",
        "xero-accounting",
    ];
    let of_several = |names: &[&str], setting: Mode| {
        let texts: Vec<String> = names
            .iter()
            .map(|name| text_of(20, "").replace("name: sample", &format!("name: {name}")))
            .collect();
        let files: Vec<(&str, &str)> = texts.iter().map(|text| ("x-adapter.md", text.as_str())).collect();
        catalog(&files, mode(setting))
    };
    for (setting, budget) in BUDGETS {
        let found = [
            tokens(&named(long, setting)),
            tokens(&of_several(&real[..4], setting)),
            tokens(&of_several(&real, setting)),
        ];
        assert!(found.iter().all(|found| *found <= budget), "{found:?} tokens");
    }
    let prefix = "my_company_github_";
    let found = tokens(&even(1000, prefixed(prefix)));
    assert!(found <= 600, "{found} tokens");
    let tools = listed(&even(1000, prefixed(prefix)));
    assert!(
        tools.iter().all(|tool| tool["description"].as_str().unwrap().contains("search:\"")),
        "{tools:?}"
    );
}

//! What the tools cost a model, counted with the o200k vocabulary over the compact JSON of the `tools` array.
//! Twenty operations stay inside the budget, and a thousand cost the same.

use super::{listed, mode, profile, sample, tracker};
use aqueduct_dispatch::Catalog;
use aqueduct_operations::exposure::{Exposure, Mode};

fn tokens(catalog: &Catalog) -> usize {
    let text = serde_json::to_string(&listed(catalog)).unwrap();
    aqueduct_vocabulary::count(text.as_str())
}

/// A server with this many operations, evenly over the categories.
fn even(operations: usize, exposure: Exposure) -> Catalog {
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
    let params = "params: { account_id: { type: integer, required: true }, note: { type: string } }";
    let rows: Vec<_> =
        made.iter().map(|(category, name, path)| (*category, name.as_str(), path.as_str(), params)).collect();
    sample(&rows, exposure)
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
        let found = tokens(&even(1000, mode(setting)));
        assert!(found <= budget, "{found} tokens");
    }
}

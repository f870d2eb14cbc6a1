//! Adapter files of any size, with names like those of real APIs.
//! A number of operations in, the text of a file out.

const KINDS: [(&str, &str, &str); 5] = [
    ("create", "create", "POST"),
    ("read", "list", "GET"),
    ("update", "update", "PATCH"),
    ("delete", "delete", "DELETE"),
    ("execute", "run", "POST"),
];

const NOUNS: [&str; 8] = [
    "invoice",
    "customer",
    "payment_method",
    "subscription",
    "refund",
    "credit_note",
    "shipment",
    "product_review",
];

/// A file with this many operations, evenly over the categories.
pub fn text(operations: usize) -> String {
    let mut text = "---\nname: billing\ntype: adapter\nversion: \"1.0.0\"\ndescription: \"Invoices, customers, payments and \
                    shipments of a shop\"\ntarget:\n  base_url: \"https://api.example.com/v2\"\n  transport: http\n  \
                    protocol: rest\n  serialization: json\nauth:\n  type: bearer\n  token_env: BILLING_TOKEN\noperations:\n"
        .to_owned();
    for (kind, (category, verb, method)) in KINDS.into_iter().enumerate() {
        text.push_str(&format!("  {category}:\n"));
        for number in (kind..operations).step_by(KINDS.len()) {
            let index = number / KINDS.len();
            let noun = NOUNS[index % NOUNS.len()];
            let round = index / NOUNS.len();
            let noun = if round == 0 { noun.to_owned() } else { format!("{noun}_{round}") };
            text.push_str(&operation(verb, method, &noun));
        }
    }
    text + "---\n\nMade for measuring.\n"
}

fn operation(verb: &str, method: &str, noun: &str) -> String {
    let words = noun.replace('_', " ");
    format!(
        "    - name: {verb}_{noun}\n      maps_to: \"{method} /accounts/{{account_id}}/{noun}\"\n      description: \
         \"{verb} a {words} of an account\"\n      params:\n        account_id: {{ type: string, required: true, \
         description: \"The account\" }}\n        note: {{ type: string, maxLength: 200, description: \"A note\" }}\n        \
         amount: {{ type: integer, minimum: 0, default: 0 }}\n"
    )
}

#[cfg(test)]
mod tests;

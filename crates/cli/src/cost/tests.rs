//! Tests of `cost`.

use super::ToolCost;
use aqueduct::{Aqueduct, SourceSettings};

fn cost(params: &str) -> ToolCost {
    let text = format!(
        "---\nname: notes\ntype: adapter\nversion: \"1.0.0\"\ndescription: \"Notes of mine\"\ntarget: {{ base_url: \
             \"https://api.example.com\", transport: http, protocol: rest, serialization: json }}\noperations:\n  read:\n    - \
             name: get_note\n      maps_to: \"GET /notes\"\n      description: \"One note\"\n{params}---\n"
    );
    let settings = SourceSettings::default();
    let built = Aqueduct::builder().adapter_text("notes-adapter.md", text, settings).build().unwrap();
    ToolCost::of(&built.catalog())
}

/// One tool for an operation is paid with its parameters; the tools that are offered cost the same with them.
#[test]
fn parameters_are_paid_for() {
    let bare = cost("");
    let more = cost(
        "      params:\n        order: { type: string, required: false, description: \"In which order the notes come\" }\n",
    );
    assert_eq!((bare.operations(), bare.sources.len()), (1, 1));
    assert_eq!(bare.sources[0].source, "notes");
    let added = more.one_per_operation() - bare.one_per_operation();
    assert!((10..40).contains(&added), "{added}");
    assert_eq!(more.tools, bare.tools);
}

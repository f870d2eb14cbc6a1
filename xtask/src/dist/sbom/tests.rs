//! A tree of dependencies as an SBOM.

use super::{checksums, document, parse};
use serde_json::json;

const TREE: &str = "0\tshop v0.1.0 (/srv/shop)\tMIT\t\n\
                    1\tserde v1.0.2\tMIT OR Apache-2.0\t\n\
                    2\titoa v1.0.1\tMIT/Apache-2.0\t\n\
                    1\titoa v1.0.1\tMIT/Apache-2.0\t (*)\n";

const LOCK: &str = "[[package]]\nname = \"itoa\"\nversion = \"1.0.1\"\nchecksum = \"ab12\"\n\n\
                    [[package]]\nname = \"shop\"\nversion = \"0.1.0\"\n";

#[test]
fn a_tree_becomes_components_and_what_each_needs() {
    let (main, components) = parse(TREE).unwrap();
    let found = document(&main, &components, &checksums(LOCK).unwrap()).unwrap();
    assert_eq!(found["metadata"]["component"]["name"], "shop");
    assert_eq!(
        found["components"],
        json!([
            {
                "type": "library", "bom-ref": "pkg:cargo/itoa@1.0.1", "name": "itoa", "version": "1.0.1",
                "purl": "pkg:cargo/itoa@1.0.1", "licenses": [{ "expression": "MIT OR Apache-2.0" }],
                "hashes": [{ "alg": "SHA-256", "content": "ab12" }],
            },
            {
                "type": "library", "bom-ref": "pkg:cargo/serde@1.0.2", "name": "serde", "version": "1.0.2",
                "purl": "pkg:cargo/serde@1.0.2", "licenses": [{ "expression": "MIT OR Apache-2.0" }],
            },
        ])
    );
    assert_eq!(
        found["dependencies"],
        json!([
            { "ref": "pkg:cargo/itoa@1.0.1", "dependsOn": [] },
            { "ref": "pkg:cargo/serde@1.0.2", "dependsOn": ["pkg:cargo/itoa@1.0.1"] },
            { "ref": "pkg:cargo/shop@0.1.0", "dependsOn": ["pkg:cargo/itoa@1.0.1", "pkg:cargo/serde@1.0.2"] },
        ])
    );
}

#[test]
fn no_path_of_a_machine_is_in_it() {
    let (main, components) = parse(TREE).unwrap();
    let text = document(&main, &components, &checksums(LOCK).unwrap()).unwrap().to_string();
    assert!(!text.contains("/srv"), "{text}");
}

#[test]
fn what_is_no_tree_is_told() {
    assert!(parse("error: no such package").is_err());
    assert!(parse("").is_err());
}

//! Tests of `allow`.

use super::AllowRefs;
use crate::document_location::DocumentLocation;
use aqueduct_operations::exposure::glob::Glob;

fn allowed(root: &str, target: &str, patterns: &[&str]) -> bool {
    let allow = AllowRefs::new(patterns.iter().map(ToString::to_string));
    let root = DocumentLocation::parse(root);
    allow.allows(&root, &root.join(target))
}

/// Documents may refer to their own folder or origin; the rest needs a pattern.
#[test]
fn only_the_own_folder_or_origin_without_a_pattern() {
    assert!(allowed("/api/v1/openapi.yaml", "schemas/pet.yaml", &[]));
    assert!(allowed("openapi.yaml", "./schemas/../pet.yaml", &[]));
    assert!(allowed("https://a.example/v1/openapi.json", "/shared/pet.json", &[]));
    for (root, target) in [
        ("/api/v1/openapi.yaml", "../v2/pet.yaml"),
        ("/api/v1/openapi.yaml", "/api/v10/pet.yaml"),
        ("/api/v1/openapi.yaml", "/etc/passwd"),
        ("/api/v1/openapi.yaml", "..%2f..%2fetc/passwd"),
        ("/api/v1/openapi.yaml", "file:///etc/passwd"),
        ("openapi.yaml", "../pet.yaml"),
        ("openapi.yaml", "a/../../pet.yaml"),
        ("openapi.yaml", "/pet.yaml"),
        ("openapi.yaml", "https://a.example/pet.yaml"),
        ("https://a.example/openapi.json", "https://b.example/pet.json"),
        ("https://a.example/openapi.json", "http://a.example/pet.json"),
        ("https://a.example/openapi.json", "https://a.example:8443/pet.json"),
        ("https://a.example/openapi.json", "https://user@a.example/pet.json"),
        ("https://a.example/openapi.json", "file:///etc/passwd"),
    ] {
        assert!(!allowed(root, target, &[]), "{root} {target}");
    }
    assert!(allowed("/api/v1/openapi.yaml", "../common/pet.yaml", &["/api/common/*"]));
    assert!(allowed("openapi.yaml", "https://b.example/s/pet.json", &["https://b.example/*"]));
    assert!(!allowed("openapi.yaml", "https://b.example@c.example/s", &["https://b.example*"]));
}

#[test]
fn stars_stand_for_any_text() {
    let matches = |pattern: &str, text: &str| Glob::of_text(pattern).matches(text);
    assert!(matches("a*c*e", "abcde") && matches("*", "") && matches("a*", "a") && matches("ab", "ab"));
    assert!(!matches("a*c", "ab") && !matches("ab", "abc") && !matches("a*b*b", "ab"));
}

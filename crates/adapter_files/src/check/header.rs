//! The adapter's own name, version and description.
//!
//! The root in; a source that knows what the adapter says of itself out, with what `adapter_info` shows.

use aqueduct_documents::NodeValue;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, quoted, shortened};
use aqueduct_operations::naming::is_adapter_name;
use aqueduct_operations::source::Source;
use aqueduct_operations::trust::TrustLevel;

const SHOWN: &[&str] =
    &["author", "created", "modified", "tags", "triggers", "when_to_use", "trust", "danger_patterns"];

pub(super) fn check(root: &NodeCursor<'_>, prefix: Option<&str>, found: &mut Findings<'_>) -> Option<Source> {
    if !matches!(root.node.value, NodeValue::Map(_)) {
        return None;
    }
    let name = name(root, prefix, found);
    let version = version(root, found);
    let description = root.text("description").map(str::trim).filter(|text| !text.is_empty());
    if let (Some(text), Some(at)) = (description, root.get("description")) {
        let length = text.chars().count();
        if !(10..=200).contains(&length) {
            at.warning("DESCRIPTION_LENGTH", "A description of 10 to 200 characters works best")
                .expected("10 to 200 characters")
                .received(format!("{length} characters"))
                .add_to(found);
        }
    }
    let info = root
        .entries()
        .filter(|(entry, _)| SHOWN.contains(&entry.key.as_str()))
        .map(|(entry, value)| (entry.key.clone(), value.node.to_json()))
        .collect();
    let (version, description, tags) = (version?, description?.to_owned(), root.texts("tags"));
    Some(Source { version, description, tags, info, ..Source::new(name?, TrustLevel::Validated) })
}

fn name(root: &NodeCursor<'_>, prefix: Option<&str>, found: &mut Findings<'_>) -> Option<String> {
    let at = root.get("name")?;
    let name = at.node.text()?;
    if !is_adapter_name(name) {
        at.error("INVALID_VALUE", "This is not a valid adapter name")
            .expected(
                "2 to 64 lower-case letters, digits and hyphens, starting with a letter, such as github-api",
            )
            .received(quoted(name))
            .add_to(found);
        return None;
    }
    if let Some(prefix) = prefix.filter(|prefix| *prefix != name) {
        at.warning("NAME_MISMATCH", "The name differs from the file's")
            .expected(shortened(prefix, 80))
            .received(name)
            .hint(format!("rename the file to {name}-adapter.md, or change the name"))
            .add_to(found);
    }
    Some(name.to_owned())
}

fn version(root: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<String> {
    let at = root.get("version")?;
    let version = at.node.text()?;
    if semver::Version::parse(version).is_err() {
        at.error("INVALID_VALUE", "This is not a semantic version")
            .expected("MAJOR.MINOR.PATCH, such as \"1.0.0\"")
            .received(quoted(version))
            .add_to(found);
        return None;
    }
    Some(version.to_owned())
}

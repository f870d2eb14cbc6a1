//! How elements of a type are identified: what their `element_name` is.
//!
//! An element as the API gave it in, its root form out: `{element_type, element_name}` and whatever else its `fetch` takes
//! from a root, so that every target can be the next root. `IdentityRule` has the rule, and docs/adapter-files.md describes it.

use super::reader::find;
use aqueduct_operations::response::{FieldPath, RelationshipFetch, RelationshipOperation};
use serde_json::{Map, Value};

/// Fields by which elements are usually known, those that no two elements share first.
const USUAL: [&str; 11] =
    ["id", "key", "slug", "full_name", "name", "login", "username", "number", "title", "uid", "uuid"];

/// How elements of one type are identified. The name is the text or number in the first of these places:
/// 1. where a link by an operation that lists takes the parameter which `fetch` takes from `element_name` (`fetch` says
///    `reader_id: element_name` and the link `reader_id: id`: it is `id`);
/// 2. the field with that parameter's name, or the end of it (`reader_id`, `id`);
/// 3. the usual names.
///
/// A plain text or number is its own name. What else `fetch` takes comes from such places too, or from the request that
/// gave the element: issues that were listed by `owner` and `repo` have both.
#[derive(Debug, Default)]
pub struct IdentityRule {
    /// Where the name is, most likely place first.
    name: Vec<FieldPath>,
    others: Vec<OtherIdentity>,
}

/// Something else that an element is read by.
#[derive(Debug)]
struct OtherIdentity {
    param: String,
    in_root: FieldPath,
    in_data: Vec<FieldPath>,
}

impl IdentityRule {
    /// For a type that is read like this, and whose links are listed like this.
    pub fn of<'w>(
        fetch: Option<&RelationshipFetch>,
        links: impl Iterator<Item = &'w RelationshipOperation>,
    ) -> IdentityRule {
        let known: Vec<&(String, FieldPath)> = links.flat_map(|link| &link.params).collect();
        let by_links = |param: &str| {
            let same = known.iter().filter(|(other, path)| other == param && path.first() != "element_name");
            same.map(|(_, path)| path.clone()).collect::<Vec<FieldPath>>()
        };
        let mut identity_rule = IdentityRule::default();
        for (param, in_root) in fetch.iter().flat_map(|fetch| &fetch.params) {
            let mut places = by_links(param);
            match in_root.first() {
                "element_type" => {}
                "element_name" => {
                    let end = param.rsplit('_').next().unwrap_or(param);
                    places.extend([param, end].iter().filter_map(|name| FieldPath::parse(name)));
                    identity_rule.name.extend(places);
                }
                _ => {
                    places.push(in_root.clone());
                    places.extend(FieldPath::parse(param));
                    identity_rule.others.push(OtherIdentity {
                        param: param.clone(),
                        in_root: in_root.clone(),
                        in_data: places,
                    });
                }
            }
        }
        identity_rule.name.extend(USUAL.iter().filter_map(|name| FieldPath::parse(name)));
        identity_rule
    }

    /// The root form of an element that a request with these values gave. Nothing when it has no name.
    pub fn identity_of(
        &self,
        element_type: &str,
        data: &Value,
        given: &Map<String, Value>,
    ) -> Option<IdentityForm> {
        let name = plain_text(data).or_else(|| self.name.iter().find_map(|path| text_at(data, path)))?;
        let mut form = IdentityForm::new(element_type, name);
        for other in &self.others {
            let in_data = other.in_data.iter().find_map(|path| text_at(data, path));
            let text = in_data.or_else(|| given.get(&other.param).and_then(plain_text));
            form.add(&other.in_root, text);
        }
        Some(form)
    }

    /// The root form of an element that a client names.
    pub fn identity_of_root(&self, element_type: &str, name: &str, root: &Value) -> IdentityForm {
        let mut form = IdentityForm::new(element_type, name.to_owned());
        for other in &self.others {
            form.add(&other.in_root, text_at(root, &other.in_root));
        }
        form
    }
}

/// What an element is known by.
#[derive(Debug, Clone, PartialEq)]
pub struct IdentityForm {
    /// Type, name, and what else it is read by.
    pub value: Value,
    /// The same as one text, such as `Agent:code_reviewer`; other values come before the name.
    pub id: String,
    name: String,
}

impl IdentityForm {
    fn new(element_type: &str, name: String) -> IdentityForm {
        let id = format!("{element_type}:{name}");
        IdentityForm {
            value: serde_json::json!({"element_type": element_type, "element_name": name}),
            id,
            name,
        }
    }

    fn add(&mut self, place: &FieldPath, text: Option<String>) {
        let (Some(text), Value::Object(members)) = (text, &mut self.value) else { return };
        self.id.truncate(self.id.len() - self.name.len());
        self.id.push_str(&format!("{text}/{}", self.name));
        place.put(members, text.into());
    }

    /// The element's name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

fn text_at(value: &Value, path: &FieldPath) -> Option<String> {
    match find(value, path)?[..] {
        [only] => plain_text(only),
        _ => None,
    }
}

fn plain_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;

//! What is wrong with a document as JSON Schema of the 2020-12 draft.

use serde_json::Value;

/// A keyword that is not written as JSON Schema wants it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// Where, as a JSON pointer into the document; empty for the document itself.
    pub place: String,
    /// What was expected there.
    pub problem: String,
}

/// The first mistake of a document, if there is one.
pub fn first_mistake(document: &Value) -> Option<Mistake> {
    let error = jsonschema::draft202012::meta::validate(document).err()?;
    Some(Mistake { place: error.instance_path().to_string(), problem: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::first_mistake;
    use serde_json::json;

    #[test]
    fn the_first_mistake_has_its_place() {
        let mistake = first_mistake(&json!({"properties": {"a": {"minimum": "1"}}})).unwrap();
        assert_eq!(mistake.place, "/properties/a/minimum");
        assert!(mistake.problem.contains("\"1\""), "{}", mistake.problem);
        assert_eq!(first_mistake(&json!({"minimum": 1, "x-own": true})), None);
    }
}

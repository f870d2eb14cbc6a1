//! JSON text for people: one member a line, indented by two spaces.
//!
//! JSON text in, the same JSON out. No tree is built, so that numbers keep every digit; strings lose escapes they do not
//! need.

use aqueduct_operations::raw_json::end_of_string;
use serde_json::Value;

/// The indented form of valid JSON text.
pub(super) fn indented(json: &str) -> Result<String, serde_json::Error> {
    let mut out = String::with_capacity(json.len() * 2);
    let mut depth = 0_usize;
    let mut rest = json.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = token_length(rest);
        let token = &rest[..length];
        rest = rest[length..].trim_start();
        match first {
            '{' | '[' => {
                out.push(first);
                if rest.starts_with(['}', ']']) {
                    out.push_str(&rest[..1]);
                    rest = rest[1..].trim_start();
                } else {
                    depth += 1;
                    new_line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
                out.push(first);
            }
            ',' => {
                out.push(',');
                new_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            '"' => out.push_str(&Value::String(serde_json::from_str(token)?).to_string()),
            _ => out.push_str(token),
        }
    }
    Ok(out)
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

/// The length of the first token: a string, a mark, or everything up to the next mark or space.
fn token_length(text: &str) -> usize {
    if text.starts_with('"') {
        return end_of_string(text.as_bytes(), 0).min(text.len());
    }
    let is_mark = |c: char| matches!(c, '{' | '}' | '[' | ']' | ',' | ':') || c.is_ascii_whitespace();
    if text.starts_with(is_mark) { 1 } else { text.find(is_mark).unwrap_or(text.len()) }
}

#[cfg(test)]
mod tests {
    use super::indented;
    use aqueduct_testkit::json::any_json;
    use proptest::{prop_assert_eq, proptest};

    /// Numbers come out as they went in, whatever a parser would make of them.
    #[test]
    fn digits_are_kept() {
        let text =
            r#"{"a":123456789012345678901234567890,"b":[1.10,0.1000000000000000055511151231257827,-1E5]}"#;
        let expected = "{\n  \"a\": 123456789012345678901234567890,\n  \"b\": [\n    1.10,\n    \
            0.1000000000000000055511151231257827,\n    -1E5\n  ]\n}";
        assert_eq!(indented(text).unwrap(), expected);
    }

    #[test]
    fn needless_escapes_are_dropped() {
        assert_eq!(
            indented(r#"["caf\u00e9 \/ \u001b \\\""]"#).unwrap(),
            "[\n  \"café / \\u001b \\\\\\\"\"\n]"
        );
    }

    proptest! {
        #[test]
        fn agrees_with_the_usual_form(value in any_json()) {
            prop_assert_eq!(indented(&value.to_string()).unwrap(), format!("{value:#}"));
            prop_assert_eq!(indented(&format!("{value:#}")).unwrap(), format!("{value:#}"));
        }
    }
}

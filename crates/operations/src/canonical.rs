//! One text for the same JSON in any key order, to be hashed and compared. It is no JSON itself.

use serde_json::{Map, Value};

/// The canonical text of an object.
pub fn canonical(object: &Map<String, Value>) -> String {
    let mut out = String::new();
    write_object(object, &mut out);
    out
}

fn write_object(object: &Map<String, Value>, out: &mut String) {
    let mut keys: Vec<&String> = object.keys().collect();
    keys.sort_unstable();
    out.push('{');
    for key in keys {
        out.push_str(&Value::from(key.as_str()).to_string());
        out.push(':');
        write_value(&object[key.as_str()], out);
        out.push(',');
    }
    out.push('}');
}

fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Object(object) => write_object(object, out),
        Value::Array(values) => {
            out.push('[');
            for value in values {
                write_value(value, out);
                out.push(',');
            }
            out.push(']');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}

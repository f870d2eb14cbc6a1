//! References to earlier results of a batch: a whole string such as `$results[0].data.id` stands for the value there
//! (ruling W6). `$$results…` is the text `$results…` itself.
//!
//! Parameters and the results so far in, parameters with values in the place of references out.

use aqueduct_operations::failure::wording::echo;
use serde_json::Value;

/// A reference that leads to nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DanglingReference {
    /// As it was written.
    pub reference: String,
    /// Why.
    pub why: String,
}

/// A step of a reference.
#[derive(Debug, PartialEq, Eq)]
enum ReferenceStep<'a> {
    Name(&'a str),
    Index(usize),
}

const PREFIX: &str = "$results[";

/// The operations that a value refers to.
pub fn referred(value: &Value) -> Vec<usize> {
    let mut found = Vec::new();
    visit(value, &mut |text| {
        if let Some((index, _)) = parse(text) {
            found.push(index);
        }
    });
    found
}

fn visit(value: &Value, seen: &mut dyn FnMut(&str)) {
    match value {
        Value::String(text) => seen(text),
        Value::Array(values) => values.iter().for_each(|each| visit(each, seen)),
        Value::Object(object) => object.values().for_each(|each| visit(each, seen)),
        _ => {}
    }
}

/// Puts values in the place of references. `earlier` gives the whole result of an operation that has run, as the client
/// will see it. `room` is how many bytes they may take: one is named in a few bytes, and stands
/// for as many as a response has.
pub fn resolve<'a>(
    value: &mut Value,
    earlier: &dyn Fn(usize) -> Option<&'a Value>,
    room: &mut u64,
) -> Result<(), DanglingReference> {
    match value {
        Value::Array(values) => values.iter_mut().try_for_each(|each| resolve(each, earlier, room)),
        Value::Object(object) => object.values_mut().try_for_each(|each| resolve(each, earlier, room)),
        Value::String(text) => {
            if let Some(plain) = unescaped(text) {
                *value = plain.into();
                return Ok(());
            }
            let Some((index, steps)) = parse(text) else { return check_form(text) };
            let dangling = |why: String| DanglingReference { reference: echo(text), why };
            let found = follow(index, &steps, earlier).map_err(dangling)?;
            let Some(left) = room.checked_sub(size(found)) else {
                return Err(dangling(
                    "what the references stand for is larger than a request may be".to_owned(),
                ));
            };
            *room = left;
            *value = found.clone();
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Puts values in the place of references that can be followed; the others count from `first` on, as they will in a batch
/// that begins there. Escapes stay, because the parameters are to be sent again.
pub fn carry_over<'a>(value: &mut Value, first: usize, earlier: &dyn Fn(usize) -> Option<&'a Value>) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(|each| carry_over(each, first, earlier)),
        Value::Object(object) => object.values_mut().for_each(|each| carry_over(each, first, earlier)),
        Value::String(text) => {
            let Some((index, steps)) = parse(text) else { return };
            if let Ok(found) = follow(index, &steps, earlier) {
                let mut found = found.clone();
                escape(&mut found);
                *value = found;
            } else if index >= first {
                let rest = text.split_once(']').map_or("", |(_, rest)| rest);
                *value = format!("{PREFIX}{}]{rest}", index - first).into();
            }
        }
        _ => {}
    }
}

/// A value that looks like a reference is none when it is sent again.
fn escape(value: &mut Value) {
    match value {
        Value::String(text)
            if text.trim_start_matches('$').starts_with(&PREFIX[1..]) && text.starts_with('$') =>
        {
            text.insert(0, '$');
        }
        Value::Array(values) => values.iter_mut().for_each(escape),
        Value::Object(object) => object.values_mut().for_each(escape),
        _ => {}
    }
}

/// The text behind an escape.
fn unescaped(text: &str) -> Option<String> {
    let plain = text.strip_prefix('$')?;
    (plain.starts_with('$') && plain.trim_start_matches('$').starts_with(&PREFIX[1..]))
        .then(|| plain.to_owned())
}

/// Something that begins like a reference and is none.
fn check_form(text: &str) -> Result<(), DanglingReference> {
    if !["$results[", "$results.", "$result[", "$result."].iter().any(|start| text.starts_with(start)) {
        return Ok(());
    }
    let why = "it must look like $results[0].data.id; to send it as text, write $$ in front".to_owned();
    Err(DanglingReference { reference: echo(text), why })
}

fn follow<'a>(
    index: usize,
    steps: &[ReferenceStep<'_>],
    earlier: &dyn Fn(usize) -> Option<&'a Value>,
) -> Result<&'a Value, String> {
    let mut value = earlier(index).ok_or_else(|| format!("operation {index} is not an earlier one"))?;
    // What a failure holds is for the client to read: a token in it, for one, is for a person to agree to.
    if value["success"] == Value::Bool(false) {
        return Err(format!("operation {index} failed"));
    }
    for step in steps {
        let next = match step {
            ReferenceStep::Name(name) => value.get(*name),
            ReferenceStep::Index(index) => value.get(*index),
        };
        value = next.ok_or_else(|| match step {
            ReferenceStep::Name(name) => format!("there is no '{}' in the result", echo(name)),
            ReferenceStep::Index(index) => format!("there is no element {index} in the result"),
        })?;
    }
    Ok(value)
}

/// The bytes of a value as JSON text, about.
fn size(value: &Value) -> u64 {
    match value {
        Value::Array(values) => 2 + values.iter().map(size).sum::<u64>(),
        Value::Object(object) => {
            2 + object.iter().map(|(name, value)| name.len() as u64 + 4 + size(value)).sum::<u64>()
        }
        Value::String(text) => text.len() as u64 + 3,
        _ => 5,
    }
}

/// Reads a reference: the operation, and the way to the value.
fn parse(text: &str) -> Option<(usize, Vec<ReferenceStep<'_>>)> {
    let (index, mut rest) = text.strip_prefix(PREFIX)?.split_once(']')?;
    let index = number(index)?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            let (name, after) = after.split_at(end);
            if name.is_empty() {
                return None;
            }
            steps.push(ReferenceStep::Name(name));
            rest = after;
        } else {
            let (inside, after) = rest.strip_prefix('[')?.split_once(']')?;
            steps.push(ReferenceStep::Index(number(inside)?));
            rest = after;
        }
    }
    Some((index, steps))
}

fn number(text: &str) -> Option<usize> {
    (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests;

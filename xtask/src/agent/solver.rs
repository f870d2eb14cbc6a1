//! The agent: it searches, takes the match that its values fit, and calls it.
//!
//! A wish in; what its discovery took out. It knows the words and the values of a task, never which operation is right. The
//! values have the names of that operation's parameters, as if a model had read the documentation; what does not fit by name
//! does not fit. One that has nothing but words sends the examples that it is shown, as they are.

use anyhow::Result;
use serde_json::{Map, Value, json};

use super::server::Served;

/// The tool by which one finds out.
const TOOL: &str = "mcp_aql_read";

/// What somebody wants.
pub struct Wish<'w> {
    /// What to look for, and what else when that leads nowhere.
    pub searches: [&'w str; 2],
    /// By the name of the parameter.
    pub values: &'w Map<String, Value>,
}

/// What discovery took.
#[derive(Debug, Default)]
pub struct Spent {
    /// Calls of `introspect`.
    pub discoveries: usize,
    /// Tokens of these calls and of their answers, and of calls that were refused.
    pub tokens: usize,
    /// Calls that were refused, and why.
    pub refusals: Vec<String>,
}

/// An agent with one task.
pub struct Agent<'s> {
    served: &'s mut Served,
    spent: Spent,
}

impl<'s> Agent<'s> {
    pub fn new(served: &'s mut Served) -> Agent<'s> {
        Agent { served, spent: Spent::default() }
    }

    /// Searches and calls until a call goes through, or there is nothing left to try: first in some words, then in other
    /// ones, then for more matches. No match is tried twice.
    pub fn solve(mut self, wish: &Wish<'_>) -> Result<Spent> {
        let [first, second] = wish.searches;
        let longer = json!({"query": "search", "search": first, "first": 10, "budget": 1400});
        let requests = [first, second].map(|words| json!({"query": "search", "search": words}));
        let mut tried: Vec<Value> = Vec::new();
        for params in requests.into_iter().chain([longer]) {
            let mut matches = self.discover(params)?;
            matches.retain(|found| !tried.contains(&found["name"]));
            for mut found in fitting(matches, wish.values) {
                let mut refusal = self.call(&found, wish.values)?;
                if refusal.as_deref().is_some_and(|refusal| takes_body(&found, refusal)) {
                    found["more_optional"] = json!(["body"]);
                    refusal = self.call(&found, wish.values)?;
                }
                if refusal.is_none() {
                    return Ok(self.spent);
                }
                tried.push(found["name"].clone());
            }
        }
        Ok(self.spent)
    }

    /// Searches for some words and sends the example of the first match, which has what the server found in them; if that is
    /// refused, that of the next one.
    pub fn solve_by_examples(mut self, words: &str) -> Result<Spent> {
        for found in self.discover(json!({"query": "search", "search": words}))? {
            let params = found["example"]["params"].clone();
            if params.is_object() && self.send(&found, params)?.is_none() {
                break;
            }
        }
        Ok(self.spent)
    }

    /// The matches of one discovery.
    fn discover(&mut self, params: Value) -> Result<Vec<Value>> {
        let arguments = json!({"operation": "introspect", "params": params});
        let text = self.served.call(TOOL, &arguments)?;
        self.spent.discoveries += 1;
        self.pay(&arguments, &text);
        let answer: Value = serde_json::from_str(&text)?;
        Ok(answer["data"]["matches"].as_array().cloned().unwrap_or_default())
    }

    /// Calls a match with values.
    fn call(&mut self, found: &Value, values: &Map<String, Value>) -> Result<Option<String>> {
        self.send(found, filled(found, values))
    }

    /// Why a call was refused; nothing when it went through. One that was refused is paid for: it was a wrong guess.
    fn send(&mut self, found: &Value, params: Value) -> Result<Option<String>> {
        let tool = found["tool"].as_str().unwrap_or_default();
        let mut arguments = json!({"operation": found["name"], "params": params});
        let mut text = self.served.call(tool, &arguments)?;
        let mut answer: Value = serde_json::from_str(&text)?;
        if answer["error"]["code"] == "CONFIRMATION_REQUIRED" {
            arguments["params"]["confirmation_token"] =
                answer["error"]["details"]["confirmation_token"].clone();
            text = self.served.call(tool, &arguments)?;
            answer = serde_json::from_str(&text)?;
        }
        if answer["success"] == true {
            return Ok(None);
        }
        self.pay(&arguments, &text);
        let refusal = answer["error"]["message"].as_str().unwrap_or_default().to_owned();
        self.spent.refusals.push(format!("{}: {refusal}", found["name"]));
        Ok(Some(refusal))
    }

    fn pay(&mut self, asked: &Value, answered: &str) {
        self.spent.tokens +=
            aqueduct_vocabulary::count(&asked.to_string()) + aqueduct_vocabulary::count(answered);
    }
}

/// The matches that a sensible caller would try, in the order of the answer: those whose required parameters the values fill
/// and that show a place for the most of them.
fn fitting(matches: Vec<Value>, values: &Map<String, Value>) -> Vec<Value> {
    let placed = |found: &Value| values.keys().filter(|name| shown_place(found, name).is_some()).count();
    let mut fitting = matches;
    fitting.retain(|found| is_filled(found, values));
    let most = fitting.iter().map(&placed).max().unwrap_or_default();
    fitting.retain(|found| placed(found) == most);
    fitting
}

/// Whether the values have everything that a match requires. A whole body is filled by what has no other place.
fn is_filled(found: &Value, values: &Map<String, Value>) -> bool {
    let has = |key: &String| match key.strip_prefix("input.").unwrap_or(key) {
        "body" => values.contains_key("body") || values.keys().any(|name| shown_place(found, name).is_none()),
        name => values.contains_key(name),
    };
    found["required"].as_object().is_none_or(|required| required.keys().all(has))
}

/// Where a value goes: beside the others, or into one that holds several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Beside,
    Inside(&'static str),
}

/// Where a match shows a value.
fn shown_place(found: &Value, name: &str) -> Option<Place> {
    let example = &found["example"]["params"];
    if shows(found, name) || !example[name].is_null() {
        Some(Place::Beside)
    } else if shows(found, &format!("input.{name}")) || !example["input"][name].is_null() {
        Some(Place::Inside("input"))
    } else {
        None
    }
}

/// Whether a refusal tells of a whole body that the match did not show.
fn takes_body(found: &Value, refusal: &str) -> bool {
    let valid = refusal.split_once("Valid parameters: ").map_or("", |(_, valid)| valid);
    !shows(found, "body") && valid.split(", ").any(|name| name == "body")
}

/// Whether a match names a parameter.
fn shows(found: &Value, key: &str) -> bool {
    let more = found["more_optional"].as_array();
    !found["required"][key].is_null()
        || !found["optional"][key].is_null()
        || more.is_some_and(|more| more.iter().any(|each| each == key))
}

/// The values where they belong. What a match does not show belongs to `input` or to `body` when it has one.
fn filled(found: &Value, values: &Map<String, Value>) -> Value {
    let mut params = json!({});
    let usual = if found["example"]["params"]["input"].is_object() {
        params["input"] = json!({});
        Place::Inside("input")
    } else if shows(found, "body") && !values.contains_key("body") {
        Place::Inside("body")
    } else {
        Place::Beside
    };
    for (name, value) in values {
        match shown_place(found, name).unwrap_or(usual) {
            Place::Beside => params[name] = value.clone(),
            Place::Inside(place) => params[place][name] = value.clone(),
        }
    }
    params
}

#[cfg(test)]
mod tests;

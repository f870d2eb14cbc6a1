//! The agent: it searches, takes the match that its values fit, and calls it.
//!
//! A wish in; what its discovery took out. It knows the words and the values of a task, never which operation is right. The
//! values have the names of that operation's parameters, as if a model had read the documentation; what does not fit by name
//! does not fit.

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

    /// Searches and calls until a call goes through, or there is nothing left to try: first in few words, then in other
    /// ones, then for more matches.
    pub fn solve(mut self, wish: &Wish<'_>) -> Result<Spent> {
        let [first, second] = wish.searches;
        let longer = json!({"query": "search", "search": first, "first": 10, "budget": 1400});
        let requests = [first, second].map(|words| json!({"query": "search", "search": words}));
        for params in requests.into_iter().chain([longer]) {
            for found in fitting(&self.discover(params)?, wish.values) {
                if self.call(&found, wish.values)? {
                    return Ok(self.spent);
                }
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

    /// Whether a call went through. One that was refused is paid for: it was a wrong guess.
    fn call(&mut self, found: &Value, values: &Map<String, Value>) -> Result<bool> {
        let tool = found["tool"].as_str().unwrap_or_default();
        let mut arguments = json!({"operation": found["name"], "params": filled(found, values)});
        let mut text = self.served.call(tool, &arguments)?;
        let mut answer: Value = serde_json::from_str(&text)?;
        if answer["error"]["code"] == "CONFIRMATION_REQUIRED" {
            arguments["params"]["confirmation_token"] =
                answer["error"]["details"]["confirmation_token"].clone();
            text = self.served.call(tool, &arguments)?;
            answer = serde_json::from_str(&text)?;
        }
        let is_done = answer["success"] == true;
        if !is_done {
            self.pay(&arguments, &text);
            self.spent.refusals.push(format!("{}: {}", found["name"], answer["error"]["message"]));
        }
        Ok(is_done)
    }

    fn pay(&mut self, asked: &Value, answered: &str) {
        self.spent.tokens +=
            aqueduct_vocabulary::count(&asked.to_string()) + aqueduct_vocabulary::count(answered);
    }
}

/// The matches whose required parameters the values fill: those first that show a place for more of the values, then in the
/// order of the answer.
fn fitting(matches: &[Value], values: &Map<String, Value>) -> Vec<Value> {
    let bare = |key: &str| key.strip_prefix("input.").unwrap_or(key).to_owned();
    let is_filled = |found: &&Value| {
        found["required"]
            .as_object()
            .is_none_or(|required| required.keys().all(|key| values.contains_key(&bare(key))))
    };
    let places = |found: &Value| values.keys().filter(|name| place(found, name).is_some()).count();
    let mut fitting: Vec<Value> = matches.iter().filter(is_filled).cloned().collect();
    fitting.sort_by_key(|found| std::cmp::Reverse(places(found)));
    fitting
}

/// Where a match shows a value: beside the others, or in `input`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Beside,
    Input,
}

fn place(found: &Value, name: &str) -> Option<Place> {
    let inside = format!("input.{name}");
    let more = |name: &str| {
        found["more_optional"].as_array().is_some_and(|more| more.iter().any(|each| each == name))
    };
    let shows =
        |key: &str| !found["required"][key].is_null() || !found["optional"][key].is_null() || more(key);
    let example = &found["example"]["params"];
    if shows(name) || !example[name].is_null() {
        Some(Place::Beside)
    } else if shows(&inside) || !example["input"][name].is_null() {
        Some(Place::Input)
    } else {
        None
    }
}

/// The values where they belong: what a match does not show belongs to `input` when its example has one.
fn filled(found: &Value, values: &Map<String, Value>) -> Value {
    let usual = if found["example"]["params"]["input"].is_object() { Place::Input } else { Place::Beside };
    let mut params = json!({});
    for (name, value) in values {
        match place(found, name).unwrap_or(usual) {
            Place::Beside => params[name] = value.clone(),
            Place::Input => params["input"][name] = value.clone(),
        }
    }
    params
}

#[cfg(test)]
mod tests;

//! What a server answered to the requests, and what MiniLM found, as `cargo xtask bench discovery` writes them.
//!
//! Files of JSON in; for one request the places of the right operations out.

use serde_json::{Map, Value};

use crate::queries::{Query, QueryFile};
use crate::tally::{Rank, Served};

/// By the names of the files of requests, a list in the order of the requests.
#[derive(Debug, Default)]
pub struct Others {
    /// Answers of a server with one document.
    pub alone: Map<String, Value>,
    /// Answers of servers with several documents, by how many.
    pub together: Map<String, Value>,
    /// The first operations by MiniLM.
    pub minilm: Map<String, Value>,
}

impl Others {
    /// What `xtask` wrote of servers: `{"alone": {FILE: [...]}, "together": {COUNT: {FILE: [...]}}}`.
    pub fn read_served(&mut self, text: &str) {
        let mut served: Map<String, Value> = serde_json::from_str(text).unwrap();
        let mut take = |key: &str| match served.remove(key) {
            Some(Value::Object(map)) => map,
            _ => Map::new(),
        };
        (self.alone, self.together) = (take("alone"), take("together"));
    }

    /// The answer to a request about one document.
    pub fn alone(&self, file: &QueryFile, number: usize) -> Option<Served> {
        served(self.alone.get(&file.title)?.get(number)?, file, &file.queries[number])
    }

    /// The answer of a server that has so many documents.
    pub fn together(&self, count: usize, file: &QueryFile, number: usize) -> Option<Served> {
        let answers = self.together.get(&count.to_string())?;
        served(answers.get(&file.title)?.get(number)?, file, &file.queries[number])
    }

    /// Where MiniLM has the first right operation; positions in the document were written.
    pub fn minilm(&self, file: &QueryFile, number: usize, is_gold: impl Fn(usize) -> bool) -> Option<Rank> {
        let found = self.minilm.get(&file.title)?.get(number)?.as_array()?;
        Some(found.iter().position(|at| is_gold(at.as_u64().unwrap() as usize)))
    }
}

fn served(answer: &Value, file: &QueryFile, query: &Query) -> Option<Served> {
    let gold: Vec<String> = query
        .gold
        .iter()
        .map(|(method, path)| format!("{} {method} {}", file.document, open(path)))
        .collect();
    let rank =
        answer["operations"].as_array()?.iter().position(|found| gold.iter().any(|gold| found == gold));
    let shown = answer["shown"].as_u64()? as usize;
    Some(Served {
        rank,
        is_shown: rank.is_some_and(|rank| rank < shown),
        confidence: answer["confidence"].as_str()?.to_owned(),
        tokens: answer["tokens"].as_u64()?,
        micros: answer["micros"].as_u64()?,
    })
}

/// A path whose parameters have no names: those of a served operation may be renamed.
fn open(path: &str) -> String {
    let mut open = String::new();
    let mut is_name = false;
    for char in path.chars() {
        is_name &= char != '}';
        if !is_name {
            open.push(char);
        }
        is_name |= char == '{';
    }
    open
}

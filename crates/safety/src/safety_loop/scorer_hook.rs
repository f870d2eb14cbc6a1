//! A command of the operator's that scores actions instead of the rules.
//!
//! The hint goes to its standard input as JSON; it prints a number from 0 to 100, or `{"score": N, "factors": [...]}`. Whatever goes
//! wrong counts as 100: a failure, a wait that is too long, or an answer that is no score.

use crate::agents::risk::RiskScore;
use crate::command_group::CommandGroup;
use serde_json::{Value, json};
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;

/// How long a score may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// Bytes that are read of an answer, and factors that are kept of it.
const LONGEST_ANSWER: u64 = 16 * 1024;
const MOST_FACTORS: usize = 10;

/// The command: a program and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScorerHook {
    program: String,
    arguments: Vec<String>,
    patience: Duration,
}

impl ScorerHook {
    /// A command from a list of words; nothing of an empty one.
    pub fn new(words: &[String]) -> Option<ScorerHook> {
        let (program, arguments) = words.split_first()?;
        Some(ScorerHook { program: program.clone(), arguments: arguments.to_vec(), patience: PATIENCE })
    }

    /// The same with another wait.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> ScorerHook {
        ScorerHook { patience, ..self }
    }

    /// The score of a hint.
    pub async fn score(&self, agent: &str, hint: &str) -> RiskScore {
        let answer = tokio::time::timeout(self.patience, self.ask(agent, hint)).await;
        let failed = |why: &str| {
            tracing::warn!(target: "aqueduct::agents", why, "the scorer gave no score");
            RiskScore::unknown("The operator's scorer gave no score, which counts as the worst")
        };
        match answer {
            Ok(Ok(answer)) => parse(&answer).unwrap_or_else(|| failed("its answer is no score")),
            Ok(Err(error)) => failed(&error.to_string()),
            Err(_) => failed("it took too long"),
        }
    }

    async fn ask(&self, agent: &str, hint: &str) -> std::io::Result<String> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let (mut child, mut group) = CommandGroup::spawn(&mut command)?;
        if let Some(mut input) = child.stdin.take() {
            let question = json!({"element_name": agent, "next_action_hint": hint}).to_string();
            // A scorer may answer without reading.
            input.write_all(question.as_bytes()).await.ok();
        }
        let mut answer = String::new();
        if let Some(output) = child.stdout.take() {
            output.take(LONGEST_ANSWER).read_to_string(&mut answer).await?;
        }
        if child.wait().await?.success() {
            group.has_ended();
            return Ok(answer);
        }
        Err(std::io::Error::other("it ended with a failure"))
    }
}

/// Fractions are rounded up, and what is out of range is the nearest end of it.
fn parse(answer: &str) -> Option<RiskScore> {
    let value: Value = serde_json::from_str(answer.trim()).ok()?;
    let number = value.as_f64().or_else(|| value["score"].as_f64())?;
    let factors = value["factors"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut factors: Vec<String> = factors.map(str::to_owned).take(MOST_FACTORS).collect();
    if factors.is_empty() {
        factors.push("The operator's scorer says so".to_owned());
    }
    let score = (0..=100_u8).find(|score| f64::from(*score) >= number).unwrap_or(100);
    Some(RiskScore { score, factors })
}

#[cfg(test)]
mod tests;

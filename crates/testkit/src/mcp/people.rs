//! People around a run: one who hears how far it is, one who answers questions.
//!
//! Both remember everything they were told or asked, for a test to compare.

use aqueduct_operations::handler::{Boxed, ElicitRequest, ElicitResponse, Elicitor, HandlerProgress};
use std::sync::{Mutex, PoisonError};

/// How far a run was said to be: done, of how much, in words.
pub type Told = (f64, Option<f64>, Option<String>);

/// Remembers what it is told.
#[derive(Debug, Default)]
pub struct ProgressRecorder {
    heard: Mutex<Vec<Told>>,
}

impl ProgressRecorder {
    /// Everything so far.
    pub fn heard(&self) -> Vec<Told> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl HandlerProgress for ProgressRecorder {
    fn on_progress(&self, done: f64, total: Option<f64>, message: Option<String>) {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).push((done, total, message));
    }
}

/// Gives the same answer to every question, and remembers them.
#[derive(Debug)]
pub struct Person {
    answer: ElicitResponse,
    asked: Mutex<Vec<ElicitRequest>>,
}

impl Person {
    /// Somebody who says this.
    pub fn who_says(answer: ElicitResponse) -> Person {
        Person { answer, asked: Mutex::default() }
    }

    /// Every question so far.
    pub fn asked(&self) -> Vec<ElicitRequest> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Elicitor for Person {
    fn ask<'a>(&'a self, question: ElicitRequest) -> Boxed<'a, ElicitResponse> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(question);
        let answer = self.answer.clone();
        Box::pin(async move { answer })
    }
}

//! Metrics that others bring: families of samples, each with a name, a type and a help text.
//!
//! Code that counts something gives families; `text` writes them. Labels are words of closed sets or names that the operator gave.

use aqueduct_operations::handler::Boxed;
use aqueduct_operations::histogram::Histogram;
use std::fmt::Debug;

/// Somebody who counts something.
pub trait MetricsSource: Debug + Send + Sync {
    /// What was counted. It takes a second at most, whatever is behind it.
    fn collect(&self) -> Boxed<'_, Vec<MetricFamily>>;
}

/// The samples of one name.
#[derive(Debug, Clone)]
pub struct MetricFamily {
    /// The name.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Its values.
    pub samples: Samples,
}

/// Labels, by name.
pub type Labels = Vec<(&'static str, String)>;

/// The values of a family, each with its labels.
#[derive(Debug, Clone)]
pub enum Samples {
    /// They only grow.
    Counter(Vec<(Labels, u64)>),
    /// They rise and fall.
    Gauge(Vec<(Labels, i64)>),
    /// Durations.
    Histogram(Vec<(Labels, Histogram)>),
}

impl Samples {
    /// The type as the format names it.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Samples::Counter(_) => "counter",
            Samples::Gauge(_) => "gauge",
            Samples::Histogram(_) => "histogram",
        }
    }
}

//! Executions against a fake API of jobs.

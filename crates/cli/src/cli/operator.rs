//! What an operator types: `operator` and `store`. No behaviour here.
//!
//! Everything of `operator` that decides or reveals something asks for the passphrase, on the terminal or on standard input.

use super::OutputFormat;
use clap::{Args, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;

/// Which store is meant.
#[derive(Debug, Clone, Args)]
pub struct StoreArgs {
    /// The configuration file; aqueduct.toml of this folder when there is one.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Where state is kept between runs.
    #[arg(long, value_name = "DIR", env = "AQUEDUCT_STATE_DIR")]
    pub state_dir: Option<OsString>,
}

/// Which store is meant, and how the passphrase is given.
#[derive(Debug, Clone, Args)]
pub struct OperatorArgs {
    /// Read the passphrase from standard input, one line, instead of asking on the terminal.
    #[arg(long)]
    pub passphrase_stdin: bool,
    #[command(flatten)]
    pub store: StoreArgs,
}

/// What to do with the store.
#[derive(Debug, Subcommand)]
pub enum StoreRequest {
    /// Say where the store is, and how much is in it.
    Status(StatusArgs),
    /// Bring its tables up to date with this program. Servers do so by themselves.
    Migrate(StoreArgs),
    /// Write everything that is in it to a file, to be imported elsewhere. Stop the servers first.
    Export {
        /// The file, which must not be there yet.
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Fill an empty store from a file that was exported; with the same key of the audit.
    Import {
        /// The file.
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        store: StoreArgs,
    },
}

/// How a state is shown.
#[derive(Debug, Args)]
pub struct StatusArgs {
    /// How to print.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub format: OutputFormat,
    #[command(flatten)]
    pub store: StoreArgs,
}

/// What an operator does.
#[derive(Debug, Subcommand)]
pub enum OperatorRequest {
    /// Set the passphrase, or replace it: the one that is set is asked for first.
    Init(OperatorArgs),
    /// Say whether a passphrase is set, how much waits, and how far limits and quotas are used.
    Status(StatusArgs),
    /// Show the calls that wait for an answer.
    Approvals(ApprovalsArgs),
    /// Let a call that waits run, once.
    Approve(ApproveArgs),
    /// Refuse a call that waits.
    Deny(DenyArgs),
    /// Take back a token or an approval that was not used yet. Calls that run already go on.
    Revoke(RevokeArgs),
    /// Show agents that work on their own: what they do, who is blocked, which challenges wait.
    Agents(AgentsArgs),
    /// Show work that goes on after its call, of all callers.
    Executions(ExecutionsArgs),
    /// End work that goes on after its call. Its API is told by the server that follows it.
    Cancel(CancelArgs),
    /// Make the code of a challenge and show it, here alone. Whoever is to let the agent go on enters it with verify_challenge.
    Challenge(ChallengeArgs),
    /// Let a paused agent go on, or hand out a token for confirm_operation.
    Release(ReleaseArgs),
    /// Lift the block of an agent without a code.
    Unblock(UnblockArgs),
    /// Give callers over HTTP tokens, and take them back. Servers that run learn of it within a second or so.
    Token {
        /// What to do.
        #[command(subcommand)]
        what: TokenRequest,
    },
    /// Let paused quotas of a source go on until they start again.
    Continue(ContinueArgs),
    /// Show what was decided, by whom and why; check that nobody has changed it.
    Audit(AuditArgs),
}

/// How agents are shown.
#[derive(Debug, Args)]
pub struct AgentsArgs {
    /// How to print.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub format: OutputFormat,
    #[command(flatten)]
    pub operator: OperatorArgs,
}

/// How executions are shown.
#[derive(Debug, Args)]
pub struct ExecutionsArgs {
    /// How to print.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub format: OutputFormat,
    #[command(flatten)]
    pub operator: OperatorArgs,
}

/// Which execution is ended.
#[derive(Debug, Args)]
pub struct CancelArgs {
    /// The execution, as 'operator executions' shows it.
    #[arg(value_name = "ID")]
    pub id: String,
    #[command(flatten)]
    pub operator: OperatorArgs,
}

/// Which challenge is opened.
#[derive(Debug, Args)]
pub struct ChallengeArgs {
    /// The challenge, or the name of its agent.
    #[arg(value_name = "ID|AGENT")]
    pub which: String,
    #[command(flatten)]
    pub operator: OperatorArgs,
}

/// Which agent goes on.
#[derive(Debug, Args)]
pub struct ReleaseArgs {
    /// The name of the agent.
    #[arg(value_name = "AGENT")]
    pub agent: String,
    /// Show a token for confirm_operation instead, which another session or caller sends.
    #[arg(long)]
    pub token: bool,
    #[command(flatten)]
    pub operator: OperatorArgs,
}

/// Whose block is lifted.
#[derive(Debug, Args)]
pub struct UnblockArgs {
    /// The name of the agent.
    #[arg(value_name = "AGENT")]
    pub agent: String,
    #[command(flatten)]
    pub operator: OperatorArgs,
}

/// What to do with tokens of callers.
#[derive(Debug, Subcommand)]
pub enum TokenRequest {
    /// Print a new token for a caller, once. Only its hash is kept.
    Add(TokenAddArgs),
    /// Show who has tokens, and until when they work.
    List(TokenListArgs),
    /// Take all tokens of a caller back, and end its sessions.
    Revoke(TokenRevokeArgs),
}

/// Who gets a token.
#[derive(Debug, Args)]
pub struct TokenAddArgs {
    /// Who calls with it, as logs, metrics, policy rules and the audit say it.
    #[arg(value_name = "NAME", value_parser = caller_name)]
    pub name: String,
    /// What it may do where operations need scopes; several times for several.
    #[arg(long, value_name = "S")]
    pub scope: Vec<String>,
    /// In how many days it stops working; it works until it is revoked when absent.
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub expires: Option<u32>,
    /// How many hours the tokens that the caller has go on working beside the new one.
    #[arg(long, value_name = "HOURS", default_value_t = 24, value_parser = clap::value_parser!(u32).range(0..=8_760))]
    pub overlap: u32,
    #[command(flatten)]
    pub operator: OperatorArgs,
}

/// How the callers are shown.
#[derive(Debug, Args)]
pub struct TokenListArgs {
    /// How to print.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub format: OutputFormat,
    #[command(flatten)]
    pub operator: OperatorArgs,
}

/// Whose tokens are taken back.
#[derive(Debug, Args)]
pub struct TokenRevokeArgs {
    /// The caller, as 'operator token list' shows it.
    #[arg(value_name = "NAME")]
    pub name: String,
    #[command(flatten)]
    pub operator: OperatorArgs,
}

/// A name that reads well wherever it is written; whoever runs the server is called `local`.
fn caller_name(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._@-".contains(c);
    if text == "local" {
        return Err("'local' is the one who runs the server".to_owned());
    }
    if text.is_empty() || text.len() > 64 || !text.chars().all(is_plain) || text.starts_with('-') {
        return Err("a name has up to 64 letters, digits and . _ @ -".to_owned());
    }
    Ok(text.to_owned())
}

/// Which approvals are shown, and how.
#[derive(Debug, Args)]
pub struct ApprovalsArgs {
    /// Show those that were answered or have expired, too; newest first.
    #[arg(long)]
    pub all: bool,
    /// How to print.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub format: OutputFormat,
    #[command(flatten)]
    pub operator: OperatorArgs,
}

/// What is approved.
#[derive(Debug, Args)]
pub struct ApproveArgs {
    /// The id, as 'operator approvals' shows it; its first 8 characters will do.
    #[arg(value_name = "ID")]
    pub id: String,
    #[command(flatten)]
    pub operator: OperatorArgs,
}

/// What is refused.
#[derive(Debug, Args)]
pub struct DenyArgs {
    /// The id, as 'operator approvals' shows it; its first 8 characters will do.
    #[arg(value_name = "ID")]
    pub id: String,
    /// Why, for whoever asked.
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    #[command(flatten)]
    pub operator: OperatorArgs,
}

/// What is taken back.
#[derive(Debug, Args)]
pub struct RevokeArgs {
    /// The token or the approval, as 'operator audit' names it (token=...); its first 8 characters will do.
    #[arg(value_name = "ID", conflicts_with_all = ["session", "caller"], required_unless_present_any = ["session", "caller"])]
    pub id: Option<String>,
    /// Everything of this session instead.
    #[arg(long, value_name = "SESSION", conflicts_with = "caller")]
    pub session: Option<String>,
    /// Everything of this caller instead.
    #[arg(long, value_name = "NAME")]
    pub caller: Option<String>,
    /// Why, for whoever asked.
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    #[command(flatten)]
    pub operator: OperatorArgs,
}

/// Which quotas go on.
#[derive(Debug, Args)]
pub struct ContinueArgs {
    /// The source, as 'operator status' shows it.
    #[arg(value_name = "SOURCE")]
    pub source: String,
    /// Only the quota with this metric, such as requests_per_day.
    #[arg(long, value_name = "M")]
    pub metric: Option<String>,
    #[command(flatten)]
    pub operator: OperatorArgs,
}

/// What of the audit is shown, and how.
#[derive(Debug, Args)]
pub struct AuditArgs {
    /// Check every line and seal instead; 1 when something was changed.
    #[arg(long, conflicts_with_all = ["search", "export"])]
    pub verify: bool,
    /// Only lines that contain this text.
    #[arg(long, value_name = "TEXT")]
    pub search: Option<String>,
    /// Write the lines to this file, one JSON object each; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub export: Option<PathBuf>,
    /// The most lines that are shown: the last ones.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub last: u32,
    /// How to print.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub format: OutputFormat,
    #[command(flatten)]
    pub operator: OperatorArgs,
}

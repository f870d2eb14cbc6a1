//! The command line: what may be typed, and the help that goes with it. No behaviour here.
//!
//! The names here are the product's contract with its users; `commands` says what each one does. What operators type is in
//! `operator`.

mod operator;

pub use operator::{
    AgentsArgs, ApprovalsArgs, ApproveArgs, AuditArgs, CancelArgs, ChallengeArgs, ContinueArgs, DenyArgs,
    ExecutionsArgs, OperatorArgs, OperatorRequest, ReleaseArgs, RevokeArgs, StatusArgs, StoreArgs,
    StoreRequest, TokenAddArgs, TokenListArgs, TokenRequest, TokenRevokeArgs, UnblockArgs,
};

use crate::commands::client_config::Client;
use aqueduct_source_kind::kind::ImportInfo;
use aqueduct_sources::kind_table::KindTable;
use clap::builder::ValueRange;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
#[cfg(feature = "mcp-servers")]
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// The arguments of an import that its kind decides on.
const SOURCE: &str = "source";
const BUNDLE: &str = "bundle";

/// What is said on standard error besides.
const ABOUT_LOGS: &str = "Environment:\n  AQUEDUCT_LOG         what is logged: off, error, warn, info, debug or trace, or target=level pairs\n  \
                          AQUEDUCT_LOG_FORMAT  how: text or json, one object a line";

/// What `conformance` never does, and how it ends.
#[cfg(feature = "mcp-servers")]
const ABOUT_CONFORMANCE: &str = "Nothing is changed without --allow-writes. With it, only what the run itself created is changed and deleted, also when it \
                                 is stopped; nothing else is ever confirmed.\n\nExit: 0 passed, 1 failed, 2 warned, 3 could not run";

/// How sources are given, as the kinds say.
fn sources_help() -> String {
    format!("Any of: {}, demo", KindTable::default().given_as())
}

/// Aqueduct carries any API to any agent: adapter files, OpenAPI documents and MCP servers, through five MCP tools or one.
#[derive(Debug, Parser)]
#[command(name = "aqueduct", version, about, propagate_version = true, after_help = ABOUT_LOGS)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve sources to MCP clients, over standard input and output or over HTTP.
    #[command(after_help = ABOUT_LOGS)]
    Serve(ServeArgs),
    /// Serve the embedded sample, a bookshop, over HTTP, and say what to try with it.
    Demo {
        /// Serve on this address, path /mcp; with port 0 on a free one.
        #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:7300")]
        http: String,
        /// Only run the API of the to-do list that the samples call, on this address.
        #[arg(long, value_name = "ADDR", num_args = 0..=1, default_missing_value = "127.0.0.1:3000", conflicts_with = "http")]
        todos: Option<String>,
    },
    /// Call one operation and print the whole result.
    Call {
        /// Sources, then the operation, then its parameters as key=value or key:=JSON.
        #[arg(value_name = "SOURCE... OPERATION [key=value | key:=JSON]", required = true)]
        words: Vec<String>,
        /// All parameters as one JSON object; `-` reads it from standard input.
        #[arg(long, value_name = "JSON")]
        json: Option<String>,
        #[command(flatten)]
        shared: SourceArgs,
    },
    /// Show what a model can find out: operations, one operation, or types.
    Introspect(IntrospectArgs),
    /// Check adapter files and print every problem.
    Validate {
        /// The files, or directories of them.
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// How to print.
        #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
        format: OutputFormat,
    },
    /// Check the configuration, sources, variables and APIs, and say what to fix.
    Doctor(ReportArgs),
    /// Print what a client needs to start this program, or write it into its file.
    ClientConfig(ClientConfigArgs),
    /// Write an adapter file from a source of another kind, and say what became of every operation.
    Import {
        /// What to import.
        #[command(subcommand)]
        what: ImportRequest,
    },
    /// Show what a model pays for the tools, a discovery and a task, against one tool for every operation.
    Tokens {
        /// The sources.
        #[arg(value_name = "SOURCE", help = sources_help())]
        sources: Vec<PathBuf>,
        /// How to print.
        #[arg(long, value_enum, default_value_t = ChartFormat::Text)]
        format: ChartFormat,
        #[command(flatten)]
        shared: SourceArgs,
    },
    /// Judge a live MCP-AQL server, this one or any other, by the specification.
    #[cfg(feature = "mcp-servers")]
    #[command(after_help = ABOUT_CONFORMANCE)]
    Conformance(ConformanceArgs),
    /// Show what MCP servers have changed since they were first seen, and approve it.
    #[cfg(feature = "mcp-servers")]
    Pins {
        /// Approve the changes of this server, or of one tool; with the mark that was shown, exactly what was shown.
        #[arg(long, value_name = "SERVER[/TOOL[@MARK]]")]
        approve: Vec<String>,
        /// Where state is kept between runs.
        #[arg(long, value_name = "DIR", env = "AQUEDUCT_STATE_DIR")]
        state_dir: Option<OsString>,
    },
    /// Show what adapter files that somebody else wrote ask for (variables to send, programs to start), and allow it.
    Grants {
        /// Names of sources that have asked, or sources to look into; all that have asked when none is named.
        #[arg(value_name = "SOURCE")]
        sources: Vec<PathBuf>,
        /// Allow everything that these sources ask for, for their files and origins as shown.
        #[arg(long, requires = "sources", conflicts_with = "revoke")]
        allow: bool,
        /// Take back what was allowed to these sources.
        #[arg(long, requires = "sources")]
        revoke: bool,
        /// How to print.
        #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
        format: OutputFormat,
        #[command(flatten)]
        shared: SourceArgs,
    },
    /// Try the rules of the operator, without calling anything.
    Policy {
        /// What to do.
        #[command(subcommand)]
        what: PolicyRequest,
    },
    /// Decide on calls that wait for a person's yes, and look at what was decided.
    Operator {
        /// What to do.
        #[command(subcommand)]
        what: OperatorRequest,
    },
    /// Look after what outlives a process: confirmations, approvals, callers and the audit.
    Store {
        /// What to do.
        #[command(subcommand)]
        what: StoreRequest,
    },
    /// Print the JSON Schema of adapter files, for editors.
    Schema,
    /// Print completions for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page, of the program or of one command, or write all of them.
    Man {
        /// The command, such as serve, or operator approve; without it the program.
        #[arg(value_name = "COMMAND", conflicts_with = "output_dir")]
        words: Vec<String>,
        /// Write the pages of the program and of all its commands into this directory.
        #[arg(long, value_name = "DIR")]
        output_dir: Option<PathBuf>,
    },
}

/// What to judge, and how.
#[cfg(feature = "mcp-servers")]
#[derive(Debug, Args)]
pub struct ConformanceArgs {
    /// The server: a URL, mcp:COMMAND, or a command in one string, such as 'aqueduct serve demo'.
    #[arg(value_name = "SERVER")]
    pub server: String,
    /// The level to judge by: 1 (basic) or 2 (full).
    #[arg(short, long, value_name = "LEVEL", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    pub level: u8,
    /// Report this category alone, by its exact name.
    #[arg(short, long, value_name = "CATEGORY")]
    pub category: Option<String>,
    /// Also create, change and delete things, to judge round trips and confirmations. For servers that hold nothing of value.
    #[arg(long)]
    pub allow_writes: bool,
    /// Write the answers as an evidence bundle, for the specification's own test runner.
    #[arg(long, value_name = "FILE")]
    pub evidence: Option<PathBuf>,
    /// Write the report to this file.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How to print.
    #[arg(short, long, value_enum, default_value_t = ReportFormat::Text)]
    pub format: ReportFormat,
    /// The most operations that are examined, one or more; of those that a server has beyond that, a sample of all categories is.
    #[arg(long, value_name = "N", default_value = "40")]
    pub operations: NonZeroUsize,
    /// Send the value of this environment variable as a bearer token, to a server with a URL.
    #[arg(long, value_name = "VAR")]
    pub token_env: Option<String>,
}

/// How to print a report.
#[cfg(feature = "mcp-servers")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// For a page.
    Markdown,
}

/// What to do with the rules of the operator.
#[derive(Debug, Subcommand)]
pub enum PolicyRequest {
    /// Run a table of calls against trust, danger and [[policy]], and say which are not decided as expected.
    Test(PolicyTestArgs),
}

/// The calls to try, and on what.
#[derive(Debug, Args)]
pub struct PolicyTestArgs {
    /// The calls: `calls: [{source, operation, caller, params, expect: allow|confirm|deny}]`.
    #[arg(value_name = "FILE.yaml")]
    pub file: PathBuf,
    #[command(flatten)]
    pub report: ReportArgs,
}

/// What to serve, and how.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// The sources.
    #[arg(value_name = "SOURCE", help = sources_help())]
    pub sources: Vec<PathBuf>,
    /// Serve over HTTP on this address, path /mcp, such as 127.0.0.1:7300.
    #[arg(long, value_name = "ADDR")]
    pub http: Option<String>,
    /// Do not load files again when they change.
    #[arg(long)]
    pub no_watch: bool,
    /// Serve the operator's page on this loopback address; 'none' for no page. 127.0.0.1:7433 when 'aqueduct operator init' has set
    /// a passphrase.
    #[arg(long, value_name = "ADDR")]
    pub operator: Option<String>,
    #[command(flatten)]
    pub shared: SourceArgs,
}

/// What to report on, and how.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The sources.
    #[arg(value_name = "SOURCE", help = sources_help())]
    pub sources: Vec<PathBuf>,
    /// How to print.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub format: OutputFormat,
    #[command(flatten)]
    pub shared: SourceArgs,
}

/// What is asked about sources.
#[derive(Debug, Args)]
pub struct IntrospectArgs {
    /// The sources.
    #[arg(value_name = "SOURCE", help = sources_help())]
    pub sources: Vec<PathBuf>,
    /// Show this operation (or, with --types, this type) in detail.
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Show types instead of operations.
    #[arg(long)]
    pub types: bool,
    /// Find operations for a task, said in your own words.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["name", "types"])]
    pub search: Option<String>,
    /// Only operations of this category: create, read, update, delete or execute.
    #[arg(long, value_name = "CATEGORY", conflicts_with_all = ["name", "types"])]
    pub category: Option<String>,
    /// The most operations.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub first: Option<u64>,
    /// Say which rule decides whether each operation may run; hidden operations are shown too. With --search: what each part of
    /// the score came from.
    #[arg(long)]
    pub why: bool,
    /// With --why: for this caller, a name of a token or local; for everybody if absent.
    #[arg(long, value_name = "NAME", requires = "why", conflicts_with = "search")]
    pub caller: Option<String>,
    /// How to print.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub format: OutputFormat,
    #[command(flatten)]
    pub shared: SourceArgs,
}

/// What a client is to have.
#[derive(Debug, Args)]
pub struct ClientConfigArgs {
    /// The client.
    #[arg(value_enum)]
    pub client: Client,
    /// The sources.
    #[arg(value_name = "SOURCE", help = sources_help())]
    pub sources: Vec<PathBuf>,
    /// The server's name in the client; the source's own when there is only one.
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Merge it into the client's file, with a backup beside it.
    #[arg(long)]
    pub write: bool,
    /// Move the servers in the client's file behind this program, with a backup beside it.
    #[arg(long)]
    pub migrate: bool,
    /// With --migrate: move them back.
    #[arg(long, requires = "migrate")]
    pub undo: bool,
    /// Connect the client to the server that runs there, such as http://127.0.0.1:7300/mcp.
    #[arg(long, value_name = "URL", conflicts_with = "migrate")]
    pub http: Option<String>,
    /// With --http: the client sends the token that is in this environment variable.
    #[arg(long, value_name = "VAR", requires = "http")]
    pub token_env: Option<String>,
    /// Another file than the client's own.
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Flags for 'aqueduct serve', or more sources.
    #[arg(last = true, value_name = "FLAGS OF SERVE")]
    pub flags: Vec<String>,
}

/// An import, whatever is imported.
#[derive(Debug)]
pub struct ImportRequest {
    /// The subcommand.
    pub import: ImportInfo,
    /// What was given.
    pub given: Vec<PathBuf>,
    /// Where the discovery bundle goes.
    pub bundle: Option<PathBuf>,
    /// How to import.
    pub args: ImportArgs,
}

impl ImportRequest {
    /// A subcommand for every kind that can be imported.
    pub fn subcommands(kinds: &KindTable, command: clap::Command) -> clap::Command {
        let subcommand = |import: ImportInfo| {
            let source =
                Arg::new(SOURCE).value_name(import.value_name).help(import.value_help).required(true);
            let action = if import.takes_several { ArgAction::Append } else { ArgAction::Set };
            let count = if import.takes_several { ValueRange::from(1..) } else { ValueRange::SINGLE };
            let source = source.num_args(count).action(action).value_parser(clap::value_parser!(PathBuf));
            let bundle =
                Arg::new(BUNDLE).long(BUNDLE).value_name("FILE").value_parser(clap::value_parser!(PathBuf));
            let bundle =
                bundle.help("Also write the discovery bundle: what was captured and how it was understood");
            let command = clap::Command::new(import.command).arg(source);
            ImportArgs::augment_args(command.args(import.has_bundle.then_some(bundle))).about(import.about)
        };
        command.subcommands(kinds.imports().into_iter().map(subcommand))
    }

    /// What was typed after the subcommand of a kind.
    pub fn read(kinds: &KindTable, matches: &ArgMatches) -> Result<ImportRequest, clap::Error> {
        let found = matches.subcommand().and_then(|(word, matches)| {
            Some((kinds.imports().into_iter().find(|import| import.command == word)?, matches))
        });
        let (import, matches) = found.ok_or_else(|| clap::Error::new(ErrorKind::MissingSubcommand))?;
        let given = matches.get_many::<PathBuf>(SOURCE).into_iter().flatten().cloned().collect();
        let bundle = if import.has_bundle { matches.get_one::<PathBuf>(BUNDLE).cloned() } else { None };
        Ok(ImportRequest { import, given, bundle, args: ImportArgs::from_arg_matches(matches)? })
    }
}

impl Subcommand for ImportRequest {
    fn augment_subcommands(command: clap::Command) -> clap::Command {
        ImportRequest::subcommands(&KindTable::default(), command)
    }

    fn augment_subcommands_for_update(command: clap::Command) -> clap::Command {
        ImportRequest::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        KindTable::default().imported_by(name).is_some()
    }
}

impl FromArgMatches for ImportRequest {
    fn from_arg_matches(matches: &ArgMatches) -> Result<ImportRequest, clap::Error> {
        ImportRequest::read(&KindTable::default(), matches)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = ImportRequest::from_arg_matches(matches)?;
        Ok(())
    }
}

/// How to import.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// The adapter file to write, named *-adapter.md; `-` writes to standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace the file if it is there.
    #[arg(long)]
    pub force: bool,
    /// Write nothing but the report.
    #[arg(long)]
    pub report_only: bool,
    /// How to print the report.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub format: OutputFormat,
    #[command(flatten)]
    pub shared: SourceArgs,
}

/// How to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// How to print what can be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ChartFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// For a page.
    Svg,
}

/// Options that every command with sources has. Flag, then environment, then file, then default.
#[derive(Debug, Clone, Default, Args)]
pub struct SourceArgs {
    /// The configuration file; `aqueduct.toml` in this directory when there is one.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Which tools to offer: semantic (one a family), single (one for all) or all. [env: MCP_AQL_ENDPOINT_MODE]
    #[arg(long, value_name = "MODE")]
    pub mode: Option<String>,
    /// Which families semantic mode has: crude, discover or one of the file. [env: MCP_AQL_ENDPOINT_PROFILE]
    #[arg(long, value_name = "PROFILE")]
    pub profile: Option<String>,
    /// What every tool name starts with, such as github_. [env: MCP_AQL_TOOL_PREFIX]
    #[arg(long, value_name = "PREFIX_")]
    pub prefix: Option<String>,
    /// Another name for the source.
    #[arg(long, value_name = "NAME")]
    pub source_name: Option<String>,
    /// Another base URL. With several sources: SOURCE=URL.
    #[arg(long, value_name = "URL")]
    pub base_url: Vec<String>,
    /// The trust level, replacing the file's own claim. With several sources: SOURCE=LEVEL, or '*=LEVEL' for all.
    #[arg(long, value_name = "LEVEL")]
    pub trust: Vec<String>,
    /// Send the value of this environment variable as a bearer token, with calls and to fetch a document. With several
    /// sources: SOURCE=VAR.
    #[arg(long, value_name = "VAR")]
    pub auth_env: Vec<String>,
    /// Send this header with every call, and to fetch a document. With several sources: SOURCE=K: V.
    #[arg(long, value_name = "K: V")]
    pub header: Vec<String>,
    /// Keep only operations with this tag (tag:X), path (path:GLOB) or name (name:GLOB); several of a kind are alternatives.
    #[arg(long, value_name = "tag:X|path:GLOB|name:GLOB")]
    pub filter: Vec<String>,
    /// Corrections of imported operations: category, danger_level, hide, rename.
    #[arg(long, value_name = "FILE")]
    pub overrides: Option<PathBuf>,
    /// Who confirms dangerous calls: ask (the person behind the client, who is asked through it; a client that cannot ask gets a
    /// token; the default), client (the token goes to the client) or operator (a person outside of the client, with 'aqueduct
    /// operator').
    #[arg(long, value_name = "WHO")]
    pub confirmation: Option<String>,
    /// Watch agents that work on their own: enforcing, monitoring, logging or disabled (the default). Serves without a source, too.
    #[arg(long, value_name = "MODE")]
    pub safety: Option<String>,
    /// Where state is kept between runs.
    #[arg(long, value_name = "DIR", env = "AQUEDUCT_STATE_DIR")]
    pub state_dir: Option<OsString>,
}

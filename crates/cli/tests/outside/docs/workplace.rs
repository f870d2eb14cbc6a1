//! Where the blocks of one page are tried: a folder with the example adapters, the binary, one session.
//!
//! The documents say `127.0.0.1:3000` for the sample server and `/srv/adapters/` for the folder; both are replaced on the
//! way in, and the address is put back on the way out. Every method gives back what is wrong, or nothing.

use super::compare::{json_matches, text_matches};
use super::session::Session;
use aqueduct_testkit::postgres;
use serde_json::{Value, json};
use std::cell::OnceCell;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const SAMPLE: &str = "http://127.0.0.1:3000";
const FOLDER: &str = "/srv/adapters/";

/// What an adapter block gets for the keys it does not show.
const BASE: &[(&str, &str)] = &[
    ("name", "name: fragment\n"),
    ("type", "type: adapter\n"),
    ("version", "version: \"1.0.0\"\n"),
    ("description", "description: \"A part of an adapter file\"\n"),
    (
        "target",
        "target: { base_url: \"https://api.example.com\", transport: http, protocol: rest, serialization: json }\n",
    ),
    (
        "operations",
        "operations:\n  read:\n    - { name: get_x, maps_to: \"GET /x\", description: \"Get x\" }\n",
    ),
];

/// One page's folder and session.
pub struct Workplace {
    folder: TempDir,
    api: String,
    served: String,
    session: Option<Session>,
    answer: Option<Value>,
    /// A database of the page's own, once a file of it names the variable with its address.
    database: OnceCell<String>,
}

impl Workplace {
    /// A folder with copies of the examples, which call the server with this base URL.
    pub fn new(examples: &Path, api: &str) -> Workplace {
        let folder = TempDir::new().unwrap();
        let served = "todo-adapter.md".to_owned();
        let (session, answer, database) = (None, None, OnceCell::new());
        let place = Workplace { folder, api: api.to_owned(), served, session, answer, database };
        for file in fs::read_dir(examples).unwrap().map(|file| file.unwrap()) {
            place.save(file.file_name().to_str().unwrap(), &text_of(&file.path()));
        }
        place
    }

    /// The adapter files in the folder.
    pub fn adapters(&self) -> Vec<String> {
        let files = fs::read_dir(self.folder.path()).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.ends_with("-adapter.md")).collect()
    }

    fn save(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text.replace(SAMPLE, &self.api)).unwrap();
    }

    /// What a shell command shows on both streams, in this folder.
    pub fn shell(&self, command: &str) -> String {
        let binary = Path::new(env!("CARGO_BIN_EXE_aqueduct"));
        // Both streams in one, so that lines come in the order in which a person sees them.
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &format!("exec 2>&1; {command}")])
            .current_dir(self.folder.path())
            .env_clear()
            .env("PATH", format!("{}:/usr/bin:/bin", binary.parent().unwrap().display()));
        // A person has a home, where a server keeps its state.
        if ["aqueduct serve", "aqueduct doctor"].iter().any(|start| command.starts_with(start)) {
            shell.env("AQUEDUCT_STATE_DIR", self.folder.path().join("state-of-serve"));
        }
        if let Some(url) = self.database.get() {
            shell.env("DATABASE_URL", url).env("AQUEDUCT_AUDIT_KEY", "0f".repeat(32));
        }
        let output = shell.stdin(Stdio::null()).output().unwrap();
        let shown = String::from_utf8(output.stdout).unwrap();
        shown.replace(&self.api, SAMPLE).replace(self.api.trim_start_matches("http://"), "127.0.0.1:3000")
    }

    /// A whole adapter file, or some of its top-level keys: it loads, without warnings unless it is marked. A whole one
    /// is what later calls of the page are sent to.
    pub fn load(&mut self, text: &str, may_warn: bool) -> Option<String> {
        let is_whole = text.starts_with("---\n");
        let whole = if is_whole { text.to_owned() } else { completed(text) };
        let name = whole.lines().find_map(|line| line.strip_prefix("name: ")).unwrap_or("nameless");
        let file = format!("{name}-adapter.md");
        self.save(&file, &whole);
        let shown = self.shell(&format!("aqueduct validate {file}"));
        let is_valid =
            shown.contains(&format!("\n{file}: valid")) || shown.starts_with(&format!("{file}: valid"));
        let warns = shown.contains("warning[");
        if is_whole {
            self.serve(&file);
        }
        (!is_valid || warns != may_warn).then_some(shown)
    }

    /// A file that later commands of the page use.
    pub fn keep(&self, name: &str, text: &str) -> Option<String> {
        self.save(name, text);
        if text.contains("url_env = \"DATABASE_URL\"") {
            self.database.get_or_init(|| postgres::shared().database());
        }
        let parsed = name.ends_with(".json").then(|| serde_json::from_str::<Value>(text));
        parsed?.err().map(|error| error.to_string())
    }

    /// A configuration: it is read without a warning, with the sources it names or with the to-do list.
    pub fn configure(&self, text: &str) -> Option<String> {
        self.save("shown.toml", text);
        let source = if text.contains("from =") { "" } else { "todo-adapter.md" };
        let command =
            format!("aqueduct introspect --config shown.toml --state-dir shown-state {source} && echo done");
        let shown = self.shell(&command);
        let is_clean = shown.ends_with("done\n") && !shown.contains("warning");
        (!is_clean).then_some(shown)
    }

    /// What calls from here on are sent to.
    fn serve(&mut self, source: &str) {
        (self.served, self.session, self.answer) = (source.to_owned(), None, None);
    }

    /// Commands with what they show. One that serves one source and shows nothing says what later calls of the page are
    /// sent to.
    pub fn run(&mut self, text: &str) -> Option<String> {
        let mut commands: Vec<(String, String)> = Vec::new();
        for line in text.lines() {
            match (line.strip_prefix("$ "), commands.last_mut()) {
                (Some(command), _) => commands.push((command.to_owned(), String::new())),
                (None, Some((_, shown))) => *shown += &format!("{line}\n"),
                (None, None) => return Some("a console block starts with '$ '".to_owned()),
            }
        }
        let silent = commands.iter().filter(|(_, shown)| shown.is_empty());
        let mut served = silent.filter_map(|(command, _)| command.strip_prefix("aqueduct serve "));
        if let Some(source) = served.find(|source| !source.contains(' ')) {
            self.serve(source);
        }
        commands.iter().find_map(|(command, expected)| {
            // The binary is built already; how it was built makes no difference to what it shows.
            let actual = self.shell(&command.replace("cargo run --release --", "aqueduct"));
            let is_same = text_matches(expected, &actual);
            (!is_same).then(|| format!("$ {command}\nshown:\n{expected}\nreally:\n{actual}"))
        })
    }

    fn session(&mut self) -> Result<&mut Session, String> {
        if self.session.is_none() {
            let mut command = Command::new(env!("CARGO_BIN_EXE_aqueduct"));
            command.current_dir(self.folder.path()).args(["serve", &self.served]);
            // Not the home of anyone who runs the tests, which other versions use too.
            command.env("AQUEDUCT_STATE_DIR", self.folder.path().join("state-of-serve"));
            self.session = Some(Session::open(&mut command)?);
        }
        self.session.as_mut().ok_or_else(|| "no session".to_owned())
    }

    /// A tool call. A token that is shown as `conf_...` is the one that the last answer gave; so are cursors and versions
    /// that are shown as `...`.
    pub fn call(&mut self, tool: &str, text: &str) -> Option<String> {
        let given = self.answer.clone().unwrap_or_default();
        let halted = &given["halted_at"]["result"]["confirmation"]["token"];
        let token = given["confirmation"]["token"].as_str().or(halted.as_str());
        let text = text.replace("conf_...", token.unwrap_or_default());
        let called = serde_json::from_str(&text)
            .map_err(|error| error.to_string())
            .map(|arguments| with_what_was_given(arguments, &given))
            .and_then(|arguments| self.session()?.call(tool, &arguments));
        match called {
            Ok(answer) => {
                self.answer = Some(answer);
                None
            }
            Err(problem) => Some(problem),
        }
    }

    /// The answer to the last call.
    pub fn compare_answer(&self, text: &str) -> Option<String> {
        let Some(actual) = &self.answer else { return Some("no call was made before".to_owned()) };
        match serde_json::from_str(text) {
            Err(error) => Some(error.to_string()),
            Ok(shown) => (!json_matches(&shown, actual)).then(|| format!("really: {actual:#}")),
        }
    }

    /// The description of a tool.
    pub fn describe(&mut self, tool: &str, text: &str) -> Option<String> {
        let listed = match self.session().and_then(|session| session.request("tools/list", json!({}))) {
            Ok(listed) => listed,
            Err(problem) => return Some(problem),
        };
        let mut tools = listed["tools"].as_array().into_iter().flatten();
        let found = tools.find(|each| each["name"] == tool).and_then(|each| each["description"].as_str());
        let actual = found.unwrap_or("no such tool");
        (!text_matches(text, actual)).then(|| format!("really:\n{actual}"))
    }

    /// JSON that is no call: it parses, and the servers of a client's configuration start and list tools.
    pub fn start_servers_of(&self, text: &str) -> Option<String> {
        let parsed: Value = match serde_json::from_str(text) {
            Ok(parsed) => parsed,
            Err(error) => return Some(error.to_string()),
        };
        let servers = parsed.get("mcpServers").or(parsed.get("servers")).and_then(Value::as_object);
        let folder = format!("{}/", self.folder.path().display());
        servers.into_iter().flatten().find_map(|(name, server)| {
            let arguments = server["args"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let mut command = Command::new(env!("CARGO_BIN_EXE_aqueduct"));
            command.env("AQUEDUCT_STATE_DIR", self.folder.path().join("state-of-serve"));
            command.args(arguments.map(|argument| argument.replace(FOLDER, &folder)));
            let environment = server["env"].as_object().into_iter().flatten();
            command.envs(environment.filter_map(|(name, value)| Some((name, value.as_str()?))));
            let listed =
                Session::open(&mut command).and_then(|mut session| session.request("tools/list", json!({})));
            match listed {
                Ok(listed) if listed["tools"].as_array().is_some_and(|tools| !tools.is_empty()) => None,
                other => Some(format!("{name}: {other:?}")),
            }
        })
    }
}

/// The arguments with the cursors and the version of the last answer in the place of `...`.
fn with_what_was_given(mut arguments: Value, given: &Value) -> Value {
    let known = [("after", "pageInfo/endCursor"), ("before", "pageInfo/startCursor"), ("if_match", "_etag")];
    for (param, place) in known {
        if arguments["params"].get(param).is_some_and(|value| value == "...") {
            arguments["params"][param] =
                given.pointer(&format!("/data/{place}")).cloned().unwrap_or_default();
        }
    }
    arguments
}

#[expect(clippy::disallowed_methods, reason = "a test reads the examples of its own checkout")]
fn text_of(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// A whole adapter file around some top-level keys.
fn completed(keys: &str) -> String {
    let shows = |key: &str| keys.lines().any(|line| line.starts_with(&format!("{key}:")));
    let missing = BASE.iter().filter(|(key, _)| !shows(key)).map(|(_, text)| *text);
    format!("---\n{}{keys}---\n", missing.collect::<String>())
}

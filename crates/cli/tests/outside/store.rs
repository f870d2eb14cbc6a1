//! `aqueduct store` and `aqueduct operator init`, on both engines: what they print, and their exit codes.

use super::harness::{Place, Ran, Server, TOKEN, shop};
use super::http::server::token_in;
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::postgres;
use serde_json::json;

const KEY: &str = "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f";
const PASSPHRASE: &str = "correct horse battery\n";

/// A store of one test.
struct Kept {
    place: Place,
    url: Option<String>,
}

impl Kept {
    fn sqlite() -> Kept {
        Kept { place: Place::new(), url: None }
    }

    fn postgres() -> Kept {
        Kept { place: Place::new(), url: Some(postgres::shared().database()) }
    }

    async fn run(&self, arguments: &[&str], input: &str) -> Ran {
        let state = self.place.path().join("state").display().to_string();
        let mut all = arguments.to_vec();
        all.extend(["--state-dir", state.as_str()]);
        let mut variables = vec![("AQUEDUCT_AUDIT_KEY", KEY)];
        variables.extend(self.url.as_deref().map(|url| ("AQUEDUCT_STORE_URL", url)));
        self.place.run(&all, &variables, input).await
    }
}

async fn made_and_counted(kept: Kept, engine: &str) {
    let made = kept.run(&["store", "migrate"], "").await;
    assert_eq!((made.code, made.stderr.as_str()), (0, "the store is made, with version 8\n"), "{made:?}");
    let again = kept.run(&["store", "migrate"], "").await;
    assert_eq!((again.code, again.stderr.as_str()), (0, "the store has version 8 already\n"), "{again:?}");
    let set = kept.run(&["operator", "init", "--passphrase-stdin"], PASSPHRASE).await;
    assert_eq!((set.code, set.stderr.as_str()), (0, "the passphrase is set\n"), "{set:?}");
    let status = kept.run(&["store", "status", "--format", "json"], "").await.json();
    assert_eq!(
        (&status["engine"], &status["has_passphrase"], &status["audit_lines"]),
        (&engine.into(), &true.into(), &1.into()),
        "{status}"
    );
    let status = kept.run(&["store", "status"], "").await;
    assert!(status.stdout.contains(&format!("engine               {engine}, version 8")), "{status:?}");
    let status = kept.run(&["operator", "status"], "").await;
    assert_eq!(
        status.stdout, "passphrase         set\nwaiting approvals  0\npage               not served\n",
        "{status:?}"
    );
}

#[tokio::test]
async fn made_and_counted_in_sqlite() {
    made_and_counted(Kept::sqlite(), "sqlite").await;
}

#[tokio::test]
async fn made_and_counted_in_postgres() {
    made_and_counted(Kept::postgres(), "postgres").await;
}

/// From SQLite to PostgreSQL and back: the passphrase and the audit come along, and the audit is whole in both.
#[tokio::test]
async fn moved_there_and_back() {
    let (home, database, back) = (Kept::sqlite(), Kept::postgres(), Kept::sqlite());
    // The audit keeps its key wherever it goes.
    for kept in [&home, &back] {
        kept.place.write("state/audit.key", KEY);
    }
    home.run(&["operator", "init", "--passphrase-stdin"], PASSPHRASE).await;
    let file = home.place.path().join("kept.jsonl").display().to_string();
    let out = home.run(&["store", "export", &file], "").await;
    assert!(out.code == 0 && out.stderr.contains("written to"), "{out:?}");
    let again = home.run(&["store", "export", &file], "").await;
    assert!(again.code == 2 && again.stderr.contains("is there already"), "{again:?}");
    let taken = database.run(&["store", "import", &file], "").await;
    assert!(taken.code == 0 && taken.stderr.contains("read from"), "{taken:?}");
    let twice = database.run(&["store", "import", &file], "").await;
    assert!(twice.code == 3 && twice.stderr.contains("not empty"), "{twice:?}");
    let further = home.place.path().join("further.jsonl").display().to_string();
    assert_eq!(database.run(&["store", "export", &further], "").await.code, 0);
    assert_eq!(back.run(&["store", "import", &further], "").await.code, 0);
    for kept in [&database, &back] {
        let whole = kept.run(&["operator", "audit", "--verify", "--passphrase-stdin"], PASSPHRASE).await;
        assert!(whole.code == 0 && whole.stdout.starts_with("nothing was changed"), "{whole:?}");
    }
    let text = std::fs::read_to_string(&further).unwrap();
    let changed = home.place.write("changed.jsonl", text.replace("PASSPHRASE_SET", "PASSPHRASE_CUT"));
    let refused = Kept::sqlite();
    refused.place.write("state/audit.key", KEY);
    let refused = refused.run(&["store", "import", &changed], "").await;
    assert!(refused.code == 2 && refused.stderr.contains("not what was written"), "{refused:?}");
    let other = Kept::sqlite().run(&["store", "import", &file], "").await;
    assert!(other.code == 3 && other.stderr.contains("another key"), "{other:?}");
    let missing = Kept::sqlite().run(&["store", "import", "nothing.jsonl"], "").await;
    assert_eq!(missing.code, 4, "{missing:?}");
}

/// The last seal of a database is remembered in the state directory, which is made for it.
#[tokio::test]
async fn the_last_seal_is_remembered() {
    let kept = Kept::postgres();
    assert_eq!(kept.run(&["operator", "init", "--passphrase-stdin"], PASSPHRASE).await.code, 0);
    let verify = ["operator", "audit", "--verify", "--passphrase-stdin"];
    assert_eq!(kept.run(&verify, PASSPHRASE).await.code, 0);
    assert!(kept.place.path().join("state/audit.postgres.seal").is_file());
    let again = kept.run(&verify, PASSPHRASE).await;
    assert!(again.code == 0 && again.stdout.contains("compared with seal"), "{again:?}");
    kept.place.write("file", "");
    let variables =
        [("AQUEDUCT_AUDIT_KEY", KEY), ("AQUEDUCT_STORE_URL", kept.url.as_deref().unwrap_or_default())];
    let all = [&verify[..], &["--state-dir", "file/state"]].concat();
    let nowhere = kept.place.run(&all, &variables, PASSPHRASE).await;
    assert!(nowhere.code == 0 && nowhere.stderr.contains("is not remembered"), "{nowhere:?}");
}

#[tokio::test]
async fn set_wrongly_or_not_there() {
    let place = Place::new();
    place.write("both.toml", "[store]\nurl = \"postgres://a\"\nurl_env = \"B\"\n");
    place.write("absent.toml", "[store]\nurl_env = \"ABSENT\"\n");
    place.write("file", "");
    let (key, url) = (("AQUEDUCT_AUDIT_KEY", KEY), ("AQUEDUCT_STORE_URL", "postgres://127.0.0.1:1/none"));
    let cases = [
        (vec!["--config", "both.toml"], vec![], 3, "'url' and 'url_env'"),
        (vec!["--config", "absent.toml"], vec![], 3, "ABSENT is not set"),
        (vec![], vec![("AQUEDUCT_STORE_URL", "mysql://x")], 3, "not postgres://"),
        (vec![], vec![url], 3, "AQUEDUCT_AUDIT_KEY is not set"),
        (vec![], vec![url, ("AQUEDUCT_AUDIT_KEY", "short")], 3, "64 hexadecimal digits"),
        (vec![], vec![url, key], 4, "the store cannot be reached"),
        (vec!["--state-dir", "file"], vec![], 4, "the store"),
    ];
    for (arguments, variables, code, said) in cases {
        let mut all = vec!["store", "status"];
        all.extend(&arguments);
        let ran = place.run(&all, &variables, "").await;
        assert!(ran.code == code && ran.stderr.contains(said), "{arguments:?}: {ran:?}");
        assert!(!ran.stderr.contains(KEY) && ran.stdout.is_empty(), "{ran:?}");
    }
}

/// What needs the passphrase does nothing without it; too many wrong ones, and the right one waits too.
#[tokio::test]
async fn passphrases() {
    let kept = Kept::sqlite();
    let unset = kept.run(&["operator", "approvals", "--passphrase-stdin"], PASSPHRASE).await;
    assert!(unset.code == 3 && unset.stderr.contains("operator init"), "{unset:?}");
    let short = kept.run(&["operator", "init", "--passphrase-stdin"], "short\n").await;
    assert!(short.code == 2 && short.stderr.contains("12 characters"), "{short:?}");
    let terminal = kept.run(&["operator", "init"], PASSPHRASE).await;
    assert!(terminal.code == 2 && terminal.stderr.contains("--passphrase-stdin"), "{terminal:?}");
    assert_eq!(kept.run(&["operator", "init", "--passphrase-stdin"], PASSPHRASE).await.code, 0);
    let listed = kept.run(&["operator", "approvals", "--passphrase-stdin"], PASSPHRASE).await;
    assert_eq!((listed.code, listed.stderr.as_str()), (0, "nothing waits\n"), "{listed:?}");
    let unknown = kept.run(&["operator", "approve", "abc", "--passphrase-stdin"], PASSPHRASE).await;
    assert!(unknown.code == 2 && unknown.stderr.contains("'abc'"), "{unknown:?}");
    let replaced = "correct horse battery\nanother long passphrase\n";
    let replaced = kept.run(&["operator", "init", "--passphrase-stdin"], replaced).await;
    assert_eq!(replaced.stderr, "the passphrase is replaced\n");
    for command in [
        &["operator", "approvals"] as &[&str],
        &["operator", "approve", "x"],
        &["operator", "deny", "x"],
        &["operator", "audit"],
        &["operator", "audit", "--verify"],
    ] {
        let mut all = command.to_vec();
        all.push("--passphrase-stdin");
        let wrong = kept.run(&all, PASSPHRASE).await;
        assert!(wrong.code == 1 && wrong.stdout.is_empty(), "{command:?}: {wrong:?}");
    }
    let limited = kept.run(&["operator", "audit", "--passphrase-stdin"], "another long passphrase\n").await;
    assert!(limited.code == 1 && limited.stderr.contains("wait a minute"), "{limited:?}");
}

/// A store that a newer program has added to: a running server goes on, and a server that starts is told which program to run.
#[tokio::test]
async fn changed_by_a_newer_program() {
    let api = FakeApi::always(Answer::json(200, json!({"ok": true}))).await;
    let kept = Kept::sqlite();
    let state = kept.place.path().join("state").display().to_string();
    let (shop, base_url) = (shop(), api.base_url());
    let arguments =
        [shop.as_str(), "--base-url", &base_url, "--confirmation", "client", "--state-dir", &state];
    let mut running = Server::start(&arguments, &[("SHOP_TOKEN", TOKEN)]);
    running.open().await;
    let order = json!({"order_id": "7"});
    let token = token_in(&running.call("mcp_aql_delete", "delete_order", order.clone()).await);
    let path = kept.place.path().join("state/store.sqlite");
    let newer = "CREATE TABLE of_later (id INTEGER); INSERT INTO schema_versions (version, applied_at) VALUES (99, 0)";
    rusqlite::Connection::open(path).unwrap().execute_batch(newer).unwrap();
    let confirmed = json!({"order_id": "7", "confirmation_token": token});
    let done = running.call("mcp_aql_delete", "delete_order", confirmed).await;
    assert_eq!(done["success"], true, "{done}");
    for words in [&["store", "status"] as &[&str], &["store", "migrate"], &["operator", "status"]] {
        let ran = kept.run(words, "").await;
        assert!(ran.code == 3 && ran.stderr.contains("run the newer program"), "{words:?}: {ran:?}");
    }
    // As without a store: what needs none goes on, and what needs one is refused.
    let mut started = Server::start(&arguments, &[("SHOP_TOKEN", TOKEN)]);
    started.open().await;
    started.until_errors_have("run the newer program").await;
    let refused = started.call("mcp_aql_delete", "delete_order", order.clone()).await;
    assert_eq!(refused["error"]["details"]["reason"], "store_unavailable", "{refused}");
    let read = started.call("mcp_aql_read", "list_products", json!({})).await;
    assert_eq!(read["success"], true, "{read}");
    started.finish().await;
    let again = running.call("mcp_aql_delete", "delete_order", order).await;
    token_in(&again);
    running.finish().await;
}

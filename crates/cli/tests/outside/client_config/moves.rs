//! `--migrate`: a client's own servers behind this program, and back.

use crate::outside::harness::{Place, Ran, fake_server};
use serde_json::{Value, json};
use std::fs;

const PROGRAM: &str = env!("CARGO_BIN_EXE_aqueduct");

async fn migrate(place: &Place, words: &[&str]) -> Ran {
    let home = place.path().display().to_string();
    let arguments = [&["client-config"], words].concat();
    place.run(&arguments, &[("HOME", &home), ("PATH", "/usr/bin:/bin")], "").await
}

fn text_of(place: &Place, file: &str) -> String {
    fs::read_to_string(place.path().join(file)).unwrap()
}

fn json_of(place: &Place, file: &str) -> Value {
    serde_json::from_str(&text_of(place, file)).unwrap()
}

/// Servers move with their variables and all else that stands there, what would not work stays, the rest of the file is not
/// touched; what is written is served; a second time does nothing; the way back gives every byte again.
#[tokio::test]
async fn there_and_back() {
    let place = Place::new();
    let old = json!({
        "zoom": 1.5,
        "mcpServers": {
            "good": {"command": fake_server(), "env": {"A_KEY": "value-1", "B_KEY": "${B_KEY}"}, "autoApprove": ["x"]},
            "web": {"url": "http://127.0.0.1:1/mcp", "headers": {"Authorization": "Bearer ${env:WEB_TOKEN}"}},
            "off": {"command": "x", "disabled": true},
            "tied": {"command": "x", "args": ["${workspaceFolder}"]},
            "limited": {"command": "x", "disabledTools": ["drop"]},
            "own": {"command": PROGRAM, "args": ["serve", "demo"]},
        },
        "last": [12_345_678_901_234_567_890_u64],
    });
    let old = format!("{old:#}");
    place.write(".cursor/mcp.json", &old);
    let ran = migrate(&place, &["cursor", "--migrate"]).await;
    assert_eq!(ran.code, 0, "{ran:?}");
    let new = json_of(&place, ".cursor/mcp.json");
    assert_eq!((&new["zoom"], &new["last"]), (&json!(1.5), &json!([12_345_678_901_234_567_890_u64])));
    let names: Vec<&String> = new["mcpServers"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["off", "tied", "limited", "own", "aqueduct"]);
    let moved = place.path().join(".cursor/aqueduct-servers.json");
    let entry = &new["mcpServers"]["aqueduct"];
    assert_eq!(entry["args"], json!(["serve", moved.display().to_string()]));
    assert_eq!(entry["env"], json!({"B_KEY": "${env:B_KEY}", "WEB_TOKEN": "${env:WEB_TOKEN}"}));
    let servers = json_of(&place, ".cursor/aqueduct-servers.json");
    let before: Value = serde_json::from_str(&old).unwrap();
    for name in ["good", "web"] {
        assert_eq!(servers["mcpServers"][name], before["mcpServers"][name], "as it was written");
    }
    for (name, why) in [("off", "switched off"), ("tied", "workspaceFolder"), ("limited", "disabledTools")] {
        let told = ran.stderr.lines().find(|line| line.contains(&format!("'{name}' stays"))).unwrap();
        assert!(told.contains(why), "{told}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&moved).unwrap().permissions().mode() & 0o077, 0, "values are for the owner");
    }
    assert!(!ran.stderr.contains("value-1"), "{ran:?}");

    let served = place
        .run(
            &["introspect", ".cursor/aqueduct-servers.json"],
            &[("PATH", "/usr/bin:/bin"), ("B_KEY", "b"), ("WEB_TOKEN", "t")],
            "",
        )
        .await;
    assert!(served.stdout.contains("good__echo"), "{served:?}");

    let again = migrate(&place, &["cursor", "--migrate"]).await;
    assert!(again.code == 0 && again.stderr.contains("nothing was written"), "{again:?}");
    assert_eq!(json_of(&place, ".cursor/mcp.json"), new);

    let way_back = ran
        .stderr
        .lines()
        .find_map(|line| line.strip_prefix("the way back: aqueduct client-config "))
        .unwrap();
    let words: Vec<&str> = way_back.split(' ').collect();
    let back = migrate(&place, &words).await;
    assert_eq!(back.code, 0, "{back:?}");
    assert_eq!(text_of(&place, ".cursor/mcp.json"), old);
    assert!(!moved.exists());
    let twice = migrate(&place, &words).await;
    assert_eq!(twice.code, 2, "{twice:?}");
}

/// Servers that are added later move to the others; the way back goes one step at a time, and never over changes.
#[tokio::test]
async fn step_by_step() {
    let place = Place::new();
    place.write(".mcp.json", json!({"mcpServers": {"one": {"command": "x"}}}).to_string());
    assert_eq!(migrate(&place, &["claude-code", "--migrate", "--", "--trust", "*=validated"]).await.code, 0);
    let first = json_of(&place, ".mcp.json");
    let args = first["mcpServers"]["aqueduct"]["args"].as_array().unwrap().clone();
    assert_eq!(args[2..], ["--trust", "*=validated"], "flags of serve go along");
    let mut more = first.clone();
    more["mcpServers"]["two"] = json!({"command": "y"});
    more["mcpServers"]["one"] = json!({"command": "another"});
    place.write(".mcp.json", more.to_string());
    assert_eq!(migrate(&place, &["claude-code", "--migrate"]).await.code, 0);
    assert_eq!(json_of(&place, ".mcp.json"), first, "the entry is there already");
    let servers = json_of(&place, "aqueduct-servers.json")["mcpServers"].clone();
    assert_eq!(
        servers,
        json!({"one": {"command": "x"}, "two": {"command": "y"}, "one-2": {"command": "another"}})
    );
    let edited = text_of(&place, ".mcp.json").replace("*=validated", "*=certified");
    place.write(".mcp.json", &edited);
    let refused = migrate(&place, &["claude-code", "--migrate", "--undo"]).await;
    assert!(refused.code == 1 && refused.stderr.contains("has changed since"), "{refused:?}");
    assert_eq!(text_of(&place, ".mcp.json"), edited);
    place.write(".mcp.json", edited.replace("*=certified", "*=validated"));
    assert_eq!(migrate(&place, &["claude-code", "--migrate", "--undo"]).await.code, 0);
    assert_eq!(json_of(&place, ".mcp.json"), more);
    assert_eq!(json_of(&place, "aqueduct-servers.json")["mcpServers"], json!({"one": {"command": "x"}}));
}

/// Codex: its words for variables become ours, comments stay, and the way back gives every byte again.
#[tokio::test]
async fn out_of_toml() {
    let place = Place::new();
    let old = "# mine\nmodel = \"o5\"\n\n[mcp_servers.good]\ncommand = \"x\" # theirs\nenv = { A = \"1\" }\nenv_vars = [\"B\"]\n\n\
               [mcp_servers.web]\nurl = \"http://127.0.0.1:1/mcp\"\nbearer_token_env_var = \"T\"\n\n[tui]\ntheme = \"dark\" # night\n";
    place.write(".codex/config.toml", old);
    let ran = migrate(&place, &["codex", "--migrate"]).await;
    assert_eq!(ran.code, 0, "{ran:?}");
    let new = text_of(&place, ".codex/config.toml");
    assert!(new.contains("# mine\nmodel = \"o5\"") && new.contains("theme = \"dark\" # night"), "{new}");
    assert!(new.contains("[mcp_servers.aqueduct]") && !new.contains("mcp_servers.good"), "{new}");
    let servers = json_of(&place, ".codex/aqueduct-servers.json")["mcpServers"].clone();
    assert_eq!(
        servers,
        json!({
            "good": {"command": "x", "env": {"A": "1", "B": "${B}"}},
            "web": {"url": "http://127.0.0.1:1/mcp", "headers": {"Authorization": "Bearer ${T}"}},
        })
    );
    assert_eq!(migrate(&place, &["codex", "--migrate", "--undo"]).await.code, 0);
    assert_eq!(text_of(&place, ".codex/config.toml"), old);
}

/// Comments stay in the client's file, and numbers keep their digits on the way.
#[tokio::test]
async fn out_of_json_with_comments() {
    let place = Place::new();
    let old = "{\n  // mine\n  \"servers\": {\n    \"good\": {\"command\": \"x\", \"rank\": 1.10, /* theirs */},\n  },\n}\n";
    place.write(".config/Code/User/mcp.json", old);
    let ran = migrate(&place, &["vscode", "--migrate"]).await;
    assert_eq!(ran.code, 0, "{ran:?}");
    let new = text_of(&place, ".config/Code/User/mcp.json");
    assert!(new.contains("// mine") && new.contains("\"aqueduct\"") && !new.contains("good"), "{new}");
    let servers = text_of(&place, ".config/Code/User/aqueduct-servers.json");
    assert!(servers.contains("\"rank\": 1.10"), "{servers}");
    assert_eq!(migrate(&place, &["vscode", "--migrate", "--undo"]).await.code, 0);
    assert_eq!(text_of(&place, ".config/Code/User/mcp.json"), old);
}

/// Files that cannot be kept whole are not touched.
#[tokio::test]
async fn refused() {
    for (client, file, old, code, said) in [
        ("cursor", ".cursor/mcp.json", "{\"mcpServers\": ", 2, "is not valid JSON"),
        ("vscode", ".config/Code/User/mcp.json", "{\"servers\" {}} // mine", 2, "is not valid JSON"),
        ("codex", ".codex/config.toml", "a = ", 2, "is not valid TOML"),
        ("windsurf", ".codeium/windsurf/mcp_config.json", "{\"mcpServers\": []}", 2, "other than an object"),
    ] {
        let place = Place::new();
        place.write(file, old);
        let ran = migrate(&place, &[client, "--migrate"]).await;
        assert_eq!(ran.code, code, "{ran:?}");
        assert!(ran.stderr.contains(said) && ran.stderr.contains("nothing was written"), "{ran:?}");
        assert_eq!(text_of(&place, file), old);
        let folder = place.path().join(file).parent().unwrap().to_owned();
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
    }
    let place = Place::new();
    let missing = migrate(&place, &["cursor", "--migrate"]).await;
    assert!(missing.code == 4 && missing.stderr.contains("is not there"), "{missing:?}");
    let sources = migrate(&place, &["cursor", "demo", "--migrate"]).await;
    assert!(sources.code == 2 && sources.stderr.contains("name no sources"), "{sources:?}");
    assert_eq!(migrate(&place, &["cursor", "--undo"]).await.code, 2);
}

/// A server that is added later brings its variables along, into the entry that is there; what was filled in stays. This program
/// is known by its path too, whatever it is called.
#[tokio::test]
async fn variables_of_later_ones() {
    let place = Place::new();
    for (client, file) in [("claude-desktop", "a.json"), ("codex", "c/config.toml")] {
        let file = place.path().join(file).display().to_string();
        let first = if client == "codex" {
            "[mcp_servers.one]\ncommand = \"x\"\nenv_vars = [\"ONE_KEY\"]\n".to_owned()
        } else {
            json!({"mcpServers": {"one": {"command": "x", "env": {"K": "${ONE_KEY}"}}}}).to_string()
        };
        fs::create_dir_all(std::path::Path::new(&file).parent().unwrap()).unwrap();
        fs::write(&file, first).unwrap();
        let words = [client, "--migrate", "--file", &file];
        assert_eq!(migrate(&place, &[&words[..], &["--", "--trust", "*=validated"]].concat()).await.code, 0);
        let text = fs::read_to_string(&file).unwrap();
        let text = if client == "codex" {
            text + "[mcp_servers.two]\ncommand = \"y\"\nenv_vars = [\"TWO_KEY\"]\n"
        } else {
            let mut value: Value = serde_json::from_str(&text).unwrap();
            value["mcpServers"]["aqueduct"]["env"]["ONE_KEY"] = json!("filled in");
            value["mcpServers"]["two"] = json!({"command": "y", "env": {"K": "${TWO_KEY}"}});
            value.to_string()
        };
        fs::write(&file, text).unwrap();
        let ran = migrate(&place, &words).await;
        assert!(ran.code == 0 && ran.stderr.contains(": two"), "{ran:?}");
        assert!(!ran.stderr.contains("only what reads"), "it is trusted already: {ran:?}");
        let text = fs::read_to_string(&file).unwrap();
        assert!(
            text.contains("ONE_KEY") && text.contains("TWO_KEY") && text.contains("*=validated"),
            "{text}"
        );
        assert_eq!(text.contains("filled in"), client != "codex", "{text}");
        assert!(!text.contains("two]") && !text.contains("\"two\""), "{text}");
    }
}

//! Tests of `leaks`.

use super::{ADDRESSES, ALWAYS, remove_leaks};

#[test]
fn every_pattern_compiles() {
    assert_eq!(ALWAYS.len(), 15);
    assert_eq!(ADDRESSES.len(), 2);
}

fn assert_gone(text: &str, leak: &str) {
    let clean = remove_leaks(text);
    assert!(!clean.contains(leak), "{clean}");
}

/// R11.3-4 R11.2-1: tokens by their shape.
#[test]
fn tokens() {
    for (text, leak) in [
        ("bad token ghp_16C7e42F292c6912E7710c838347Ae178B4a", "16C7e42F"),
        ("key sk_live_4eC39HqLyjWDarjtT1zdp7dc is revoked", "4eC39Hq"),
        ("header Bearer abc123def456 rejected", "abc123def456"),
        ("jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc expired", "eyJzdWIi"),
        ("api_key=hunter2 is wrong", "hunter2"),
        ("{\"access_token\": \"a1b2c3d4e5\"}", "a1b2c3d4e5"),
        ("digest 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "9f86d081884c"),
    ] {
        assert_gone(text, leak);
    }
}

/// R11.3-2: connection strings and queries.
#[test]
fn databases() {
    for (text, leak) in [
        ("cannot reach postgres://admin:pw@db:5432/users now", "admin"),
        ("jdbc:oracle:thin:@host:1521:sid", "1521"),
        ("Server=db1;Database=x;User Id=sa;Password=pw;", "sa;"),
        ("https://user:pass@example.com/x", "user:pass"),
        ("syntax error in SELECT * FROM users WHERE id = 1", "users"),
        ("near: insert: INSERT INTO accounts VALUES (1)", "accounts"),
    ] {
        assert_gone(text, leak);
    }
}

/// R11.3-3: stack traces of the usual languages.
#[test]
fn stack_traces() {
    for text in [
        "boom\n    at Object.run (/app/index.js:10:5)\n    at Module._compile (node:internal:1)",
        "boom\n\tat com.acme.Secret.run(Secret.java:12)\n\t... 3 more",
        "Traceback (most recent call last):\n  File \"/srv/secret.py\", line 3, in run\n    Secret()\nboom",
        "boom\n#0 /var/www/Secret.php(12): run()\n#1 {main}",
        "boom at Object.run (/app/Secret.js:1:2)",
        "boom at /opt/Secret:12",
    ] {
        let clean = remove_leaks(text);
        for leak in ["Object.run", "Secret", "/app", "Module", "com.acme", ".php", "more"] {
            assert!(!clean.contains(leak), "{text} gave {clean}");
        }
        assert!(clean.contains("boom"), "{clean}");
    }
}

/// R11.3-1: file paths.
#[test]
fn file_paths() {
    for (text, leak) in [
        ("cannot open /etc/shadow", "shadow"),
        ("cannot open '/srv/deploy/app.conf'", "deploy"),
        ("in C:\\inetpub\\wwwroot\\x.aspx", "inetpub"),
        ("on \\\\fileserver\\share\\x", "fileserver"),
        ("thrown by lib/node_modules/pg/index", "pg/index"),
        ("src/handlers/user.ts:42:7", "handlers"),
    ] {
        assert_gone(text, leak);
    }
}

/// R11.3-5: private addresses and host names.
#[test]
fn private_hosts() {
    for (text, leak) in [
        ("connect to 10.1.2.3:5432 failed", "10.1.2.3"),
        ("dial [fd00::12]:80", "fd00"),
        ("link fe80::1 down", "fe80"),
        ("no route to db-3.prod.internal:5432", "db-3"),
        ("users.default.svc.cluster.local is down", "default"),
    ] {
        assert_gone(text, leak);
    }
}

#[test]
fn ordinary_words_stay() {
    for text in [
        "Not Found",
        "Validation Failed: title can't be blank",
        "No such customer: 'cus_123'; see https://docs.example.com/errors#missing",
        "Invalid token: expired",
        "password: must have 8 characters",
        "Resource 123e4567-e89b-12d3-a456-426614174000 does not exist",
        "Only 8.8.8.8 is allowed, time 10:30:00",
        "Please select a value from the list",
        "No route matches GET /repos/octocat/hello-world",
        "basic authentication is needed",
    ] {
        assert_eq!(remove_leaks(text), text);
    }
}

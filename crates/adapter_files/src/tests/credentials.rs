//! Credentials that do not belong in a file, and that what is shown never holds them.
//!
//! Runtime specification, section 11.2.

use super::{SHOP, changed, load_text, shown, with_operation};

/// Loads a text that holds this secret; gives the paths of the credential errors.
fn refused(text: &str, secret: &str) -> Vec<String> {
    let outcome = load_text(text);
    assert!(outcome.loaded.is_none(), "{text}");
    let printed = shown(&outcome.diagnostics) + &serde_json::to_string(&outcome.diagnostics).unwrap();
    assert!(!printed.contains(secret), "{printed}");
    let paths: Vec<String> =
        outcome.errors().filter(|d| d.code == "EMBEDDED_CREDENTIAL").map(|d| d.path.clone()).collect();
    assert!(!paths.is_empty(), "{printed}");
    paths
}

fn auth(block: &str) -> String {
    changed("operations:", &format!("auth: {block}\noperations:"))
}

/// R11.2-3 X-adapter-13: credentials in `auth`, in headers and in the base URL are errors.
#[test]
fn in_the_usual_places() {
    for (block, secret, path) in [
        ("{type: bearer, token: hunter2hunter2}", "hunter2hunter2", "auth.token"),
        ("{type: basic, username: me, password: 'correct horse'}", "correct horse", "auth.password"),
        ("{type: bearer, token_env: 'abc def ghi'}", "abc def ghi", "auth.token_env"),
        ("{type: bearer, token_env: a1b2c3d4e5f6a7b8c9d0}", "a1b2c3d4e5f6a7b8c9d0", "auth.token_env"),
        ("{type: bearer, token_env: ghp_abcdefghijklmnopqrstuvwxyz012345}", "ghp_abcdef", "auth.token_env"),
        ("{type: api_key, key_env: 'x-y-z-secret', header_name: X-Key}", "x-y-z-secret", "auth.key_env"),
    ] {
        assert!(refused(&auth(block), secret).contains(&path.to_owned()), "{block}");
    }
    for (header, secret) in [
        ("Authorization: Bearer abcdefgh12345678901234", "abcdefgh12345678901234"),
        ("Authorization: whatever", "whatever"),
        ("Cookie: session=qwertz", "qwertz"),
        ("X-API-Key: qwertz", "qwertz"),
        ("X-Auth-Token: qwertz", "qwertz"),
        ("PRIVATE-TOKEN: qwertz", "qwertz"),
        ("Ocp-Apim-Subscription-Key: qwertz", "qwertz"),
        ("Api-Key: qwertz", "qwertz"),
        ("x-functions-key: qwertz", "qwertz"),
        ("X-Client-Secret: qwertz", "qwertz"),
        ("X_Session_Token: qwertz", "qwertz"),
        ("X-Auth: qwertz", "qwertz"),
    ] {
        let text = changed("  transport:", &format!("  headers:\n    {header}\n  transport:"));
        let name = header.split_once(':').unwrap().0;
        assert!(refused(&text, secret).contains(&format!("target.headers.{name}")), "{header}");
    }
    for (from, to, secret) in [
        ("/items/{id}", "/items/{id}?api_key=qwertz", "qwertz"),
        ("/items/{id}", "/items/{id}?a=b&access_token=qwertz", "qwertz"),
        ("required: true}", "required: true}\n        token: {type: string, default: qwertz}", "qwertz"),
        (
            "required: true}",
            "required: true}\n        pin: {type: integer, sensitive: true, default: 47110815}",
            "47110815",
        ),
    ] {
        refused(&changed(from, to), secret);
    }
    let url = changed("https://api.example.com/v1", "https://me:hunter2@api.example.com");
    assert!(refused(&url, "hunter2").contains(&"target.base_url".to_owned()));
    let user = changed("https://api.example.com/v1", "https://onlyuser@api.example.com");
    refused(&user, "onlyuser");
}

/// R11.2-3 X-adapter-13: token shapes are found anywhere, prose included.
#[test]
fn anywhere_else() {
    let token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    for text in [
        changed("A shop that sells things", &format!("Use {token} to call")),
        changed("required: true", &format!("required: true, default: {token}")),
        changed("# Shop", &format!("# Shop\nToken: {token}\n")),
        changed("name: shop", &format!("name: shop\n{token}: 1")),
        changed("/items/{id}", &format!("/items/{{id}}?key={token}")),
    ] {
        refused(&text, token);
    }
    let key =
        "description: |\n  -----BEGIN PRIVATE KEY-----\n  MIIEsecretsecret\n  -----END PRIVATE KEY-----";
    refused(&changed("description: \"A shop that sells things\"", key), "BEGIN PRIVATE");
}

/// R11.2-3: a comment is part of the file; it is reported once, and not shown.
#[test]
fn in_comments() {
    let token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    let text = changed("type: adapter", &format!("type: adapter # {token}"));
    assert_eq!(refused(&text, token), [""]);
    let line = load_text(&text).diagnostics[0].position.clone();
    assert_eq!((line.line, line.column), (3, 15));
    let alone = changed("type: adapter", &format!("type: adapter\n# old: {token}"));
    assert_eq!(refused(&alone, token), [""]);
    let value = changed("A shop that sells things", &format!("A shop: #{token}"));
    assert_eq!(refused(&value, token), ["description"], "a value is reported once");
    for harmless in ["export SHOP_TOKEN=...", "ghp_xxxxxxxxxxxxxxxxxxxxxxxx", "set YOUR_TOKEN here"] {
        let text = changed("type: adapter", &format!("type: adapter # {harmless}"));
        assert!(load_text(&text).diagnostics.is_empty(), "{harmless}");
    }
}

/// A file that is not even YAML may hold a secret too.
#[test]
fn in_broken_files() {
    for text in [
        "---\nauth: {token: hunter2 : x: [\n---\n".to_owned(),
        format!("---\nx: [ghp_abcdefghijklmnopqrstuvwxyz0123456789 : {{\n{SHOP}"),
    ] {
        let printed = shown(&load_text(&text).diagnostics);
        assert!(!printed.contains("hunter2") && !printed.contains("ghp_"), "{printed}");
    }
}

/// Words about credentials are no credentials.
#[test]
fn plain_words_pass() {
    let text =
        changed("A shop that sells things", "Needs a Bearer token in SHOP_TOKEN; see basic authentication");
    let text = text.replace(
        "operations:",
        "auth: {type: bearer, token_env: SHOP_TOKEN, prefix: \"Bearer \"}\noperations:",
    );
    let text = text.replace("# Shop", "# Shop\nSend `Authorization: Bearer ghp_xxxxxxxxxxxxxxxxxxxx1234`.");
    let text = text.replace("/items/{id}", "/items/{id}?page_token=&key_type=api");
    let text = text.replace(
        "  transport:",
        "  headers: {X-Atlassian-Token: no-check, Idempotency-Key-Name: id, X-Author: me, X-Cache-Key: a}\n  transport:",
    );
    let outcome = load_text(&text);
    assert!(outcome.diagnostics.is_empty(), "{}", shown(&outcome.diagnostics));
}

/// R11.2-3: whatever else is wrong with it, no value that looks like a credential is shown back.
#[test]
fn never_shown_beside_other_mistakes() {
    let secret = "S3cr3tS3cr3t";
    let param = |definition: &str| {
        with_operation("read", "get_x", &format!("maps_to: GET /x\nparams:\n  pin: {definition}"))
    };
    for text in [
        changed("https://api.example.com/v1", &format!("https://api.example.com/?access_token={secret}")),
        with_operation("read", "get_x", &format!("maps_to: \"GETT /x?api_key={secret}\"")),
        changed("name: shop\n", &format!("name: shop\napi_token: {secret}\n")),
        param(&format!("{{type: string, sensitive: true, maxLength: 3, default: {secret}}}")),
        param(&format!(
            "{{type: string, sensitive: true, maxLength: 3}}\nexamples: [{{params: {{pin: {secret}}}}}]"
        )),
    ] {
        let outcome = load_text(&text);
        assert!(outcome.loaded.is_none());
        let shown: Vec<String> = outcome.diagnostics.iter().map(|each| format!("{each} {each:?}")).collect();
        assert!(!shown.join("\n").contains(secret), "{}", shown.join("\n"));
    }
}

//! Tests of `http`.

use super::super::file::parse;
use aqueduct_operations::call::Scopes;
use aqueduct_surface::http::TlsFiles;

const HASH: &str = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed";

/// What is found in a file, each with its line and column.
fn found(text: &str) -> Vec<(u32, u32, String)> {
    let (_, found) = parse("f", text);
    found.into_iter().map(|each| (each.position.line, each.position.column, each.message)).collect()
}

#[test]
fn addresses_to_listen_on() {
    for good in ["127.0.0.1:7300", "[::1]:0", "localhost:80", "0.0.0.0:65535"] {
        assert_eq!(found(&format!("[http]\nlisten = \"{good}\"\n")), [], "{good}");
    }
    for bad in ["here", "127.0.0.1", "127.0.0.1:65536", ":80", "http://localhost:80", "::1:x", "a:+1", "a:"] {
        let expected = (2, 10, "This is no address to listen on".to_owned());
        assert_eq!(found(&format!("[http]\nlisten = \"{bad}\"\n")), [expected], "{bad}");
    }
}

#[test]
fn a_certificate_with_its_key() {
    let alone = "A certificate and its key go together".to_owned();
    assert_eq!(found("[http]\ntls_cert = \"a.crt\"\n"), [(2, 12, alone.clone())]);
    assert_eq!(found("[http]\ntls_key = \"a.key\"\n"), [(2, 11, alone)]);
    let (config, found) = parse("etc/f.toml", "[http]\ntls_cert = \"a.crt\"\ntls_key = \"/b/a.key\"\n");
    assert_eq!(found, []);
    let files = config.unwrap().http.tls.unwrap();
    assert_eq!(files, TlsFiles { certificate: "etc/a.crt".into(), key: "/b/a.key".into() });
}

#[test]
fn hosts_as_requests_name_them() {
    for good in ["tools.example.com", "Tools.example:8080", "192.0.2.7", "[::1]", "[::1]:80", "my_host"] {
        assert_eq!(found(&format!("[http]\nallowed_hosts = [\"{good}\"]\n")), [], "{good}");
    }
    for bad in ["*", "*.example.com", "https://a.example", "a.example/", "a b", "a.example:x", "[::1"] {
        let expected = (2, 18, "This is not a host as requests name it".to_owned());
        assert_eq!(found(&format!("[http]\nallowed_hosts = [\"{bad}\"]\n")), [expected], "{bad}");
    }
}

#[test]
fn tokens_that_are_no_tokens_of_their_own() {
    let token = |name: &str, hash: &str| format!("[[http.tokens]]\nname = \"{name}\"\nsha256 = \"{hash}\"\n");
    assert_eq!(found(&token("ann", HASH)), []);
    let expected = "'local' is the one who runs the server".to_owned();
    assert_eq!(found(&token("local", HASH)), [(2, 8, expected)]);
    let twice = token("ann", HASH) + &token("bob", &HASH.to_uppercase());
    let same = (6, 10, "Two tokens have this SHA-256, so they are the same token".to_owned());
    assert_eq!(found(&twice), [same]);
    let empty = (3, 10, "This is the SHA-256 of an empty text".to_owned());
    assert_eq!(found(&token("ann", &super::HASH_OF_NOTHING.to_uppercase())), [empty]);
}

/// S-registry-3: a token has the scopes that are written down; texts alone are scopes.
#[test]
fn scopes_of_tokens() {
    let token = |more: &str| format!("[[http.tokens]]\nname = \"ann\"\nsha256 = \"{HASH}\"\n{more}");
    let scopes = |more: &str| {
        let (config, found) = parse("f", &token(more));
        assert_eq!(found.len(), 0, "{more}");
        config.unwrap().http.tokens[0].scopes()
    };
    let only =
        |scopes: &[&str]| Scopes::only(scopes.iter().map(|scope| (*scope).to_owned()).collect::<Vec<_>>());
    assert_eq!(scopes(""), only(&[]));
    assert_eq!(scopes("scopes = []\n"), only(&[]));
    assert_eq!(scopes("scopes = [\"stock:read\", \"b\"]\n"), only(&["stock:read", "b"]));
    for bad in ["scopes = \"a\"\n", "scopes = [1]\n", "scopes = [\"\"]\n"] {
        assert_eq!(found(&token(bad)).len(), 1, "{bad}");
    }
}

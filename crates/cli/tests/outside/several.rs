//! Several sources in one server: one that fails never hides the others, and says what is wrong with it.

use super::harness::{DEADLINE, Place, Server};
use aqueduct::{Aqueduct, SourceSettings};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use tokio::time::timeout;

/// An adapter with one operation, `list_<things>`.
pub fn adapter(name: &str, base_url: &str, things: &str) -> String {
    format!(
        "---\nname: {name}\ntype: adapter\nversion: \"1.0.0\"\ndescription: \"Serves {things} to tests\"\ntarget: {{ \
         base_url: \"{base_url}\", transport: http, protocol: rest, serialization: json }}\noperations:\n  read:\n    - \
         {{ name: get_{things}, maps_to: \"GET /{things}\", description: \"Show {things}\" }}\n---\n"
    )
}

const BROKEN: &str = "---\nname: [\n---\n";

/// Two good adapters and a broken one between them.
fn three(base_url: &str) -> Place {
    let place = Place::new();
    place.write("apis/ants-adapter.md", adapter("ants", base_url, "ants"));
    place.write("apis/bees-adapter.md", BROKEN);
    place.write("apis/cats-adapter.md", adapter("cats", base_url, "cats"));
    place
}

async fn info(server: &mut Server, name: Option<&str>) -> Value {
    let mut params = json!({"query": "adapter_info"});
    if let Some(name) = name {
        params["name"] = name.into();
    }
    server.call("mcp_aql_read", "introspect", params).await["data"].take()
}

/// R1.3-16 R10.6-1 R10.6-2 R10.6-3: all adapters of a directory are loaded, their operations are namespaced and go to the
/// API of their own adapter.
#[tokio::test]
async fn each_to_its_own() {
    let [ants, cats] = [
        FakeApi::always(Answer::json(200, json!("ants"))).await,
        FakeApi::always(Answer::json(200, json!("cats"))).await,
    ];
    let place = Place::new();
    place.write("apis/ants-adapter.md", adapter("ants", &ants.base_url(), "things"));
    place.write("apis/cats-adapter.md", adapter("cats", &cats.base_url(), "things"));
    let mut server = Server::start(&[&place.path().join("apis").display().to_string()], &[]);
    server.open().await;
    for name in ["ants", "cats"] {
        let answer = server.call("mcp_aql_read", &format!("{name}__get_things"), json!({})).await;
        assert_eq!(answer["data"], name, "{answer}");
    }
    assert_eq!((ants.requests().len(), cats.requests().len()), (1, 1));
}

/// R10.6-1 S-scanner-6: a file with errors does not keep the others from being served; its diagnostics are on standard error, its state
/// in `adapter_info`, without a folder's name.
#[tokio::test]
async fn a_failing_source_hides_no_other() {
    let api = FakeApi::always(Answer::json(200, json!([]))).await;
    let place = three(&api.base_url());
    let folder = place.path().join("apis").display().to_string();
    let files = ["ants", "bees", "cats"].map(|name| format!("{folder}/{name}-adapter.md"));
    for sources in [vec![folder.as_str()], files.iter().map(String::as_str).collect()] {
        let mut server = Server::start(&sources, &[]);
        server.open().await;
        for operation in ["ants__get_ants", "cats__get_cats"] {
            assert_eq!(server.call("mcp_aql_read", operation, json!({})).await["success"], true);
        }
        let all = info(&mut server, None).await;
        let states: Vec<_> =
            all["adapters"].as_array().unwrap().iter().map(|each| (&each["name"], &each["state"])).collect();
        let (ok, failed) = (json!("ok"), json!("failed"));
        let (ants, bees, cats) = (json!("ants"), json!("bees"), json!("cats"));
        assert_eq!(states, [(&ants, &ok), (&cats, &ok), (&bees, &failed)]);
        let one = info(&mut server, Some("bees")).await;
        let problem = one["problems"][0].as_str().unwrap();
        assert!(problem.starts_with("bees-adapter.md:") && problem.contains("YAML_SYNTAX"), "{problem}");
        assert!(!all.to_string().contains(&folder), "{all}");
        let (exit, errors) = server.finish().await;
        assert_eq!(exit, 0);
        assert!(errors.contains("bees-adapter.md:") && errors.contains("error[YAML_SYNTAX]"), "{errors}");
    }
}

/// When nothing can be served at all, nothing is: one broken file, or only broken files, is exit code 2; a file that was
/// named and is not there is 4, whatever else there is.
#[tokio::test]
async fn nothing_to_serve() {
    let place = three("http://127.0.0.1:9");
    place.write("broken/x-adapter.md", BROKEN);
    place.write("broken/y-adapter.md", "");
    for (sources, exit) in [
        (vec!["apis/bees-adapter.md"], 2),
        (vec!["broken"], 2),
        (vec!["broken/x-adapter.md", "broken/y-adapter.md"], 2),
        (vec!["apis", "missing-adapter.md"], 4),
    ] {
        let ran = place.run(&[&["serve"], sources.as_slice()].concat(), &[], "").await;
        assert_eq!(ran.code, exit, "{ran:?}");
    }
    let clash = adapter("ants", "http://127.0.0.1:9", "ants");
    place.write("apis/more-adapter.md", clash);
    let ran = place.run(&["serve", "apis"], &[], "").await;
    assert!(ran.code == 3 && ran.stderr.contains("two sources are named 'ants'"), "{ran:?}");
}

/// Settings for a source that failed wait for it; settings for one that is unknown are still refused.
#[tokio::test]
async fn settings_for_a_failing_source() {
    let place = three("http://127.0.0.1:9");
    let ran = place.run(&["introspect", "apis", "--trust", "bees=generated"], &[], "").await;
    assert!(ran.code == 0 && ran.stdout.contains("cats__get_cats"), "{ran:?}");
    let ran = place.run(&["introspect", "apis", "--trust", "wasps=generated"], &[], "").await;
    assert!(ran.code == 2 && ran.stderr.contains("no source named 'wasps'"), "{ran:?}");
}

fn names(aqueduct: &Aqueduct) -> impl Future<Output = Vec<String>> {
    let params = json!({"query": "operations"}).as_object().unwrap().clone();
    async move {
        let reply = aqueduct.call_operation("introspect", params).await.to_json();
        let answer: Value = serde_json::from_str(&reply).unwrap();
        let list = answer["data"]["operations"].as_array().unwrap().clone();
        let names = list.iter().map(|each| each["name"].as_str().unwrap().to_owned());
        names.filter(|name| name != "introspect").collect()
    }
}

async fn states(aqueduct: &Aqueduct) -> Vec<(String, String)> {
    let params = json!({"query": "adapter_info"}).as_object().unwrap().clone();
    let reply = aqueduct.call_operation("introspect", params).await.to_json();
    let answer: Value = serde_json::from_str(&reply).unwrap();
    let data = &answer["data"];
    let all = data.get("adapters").and_then(Value::as_array).cloned().unwrap_or_else(|| vec![data.clone()]);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    all.iter().map(|each| (text(&each["name"]), text(&each["state"]))).collect()
}

fn state(name: &str, state: &str) -> (String, String) {
    (name.to_owned(), state.to_owned())
}

/// R10.1-2, ruling S8: each file has its own last good version: one that breaks keeps it, while others change, come and go.
#[tokio::test]
async fn each_file_has_its_own_last_good_version() {
    let place = three("http://127.0.0.1:9");
    let write = |name: &str, text: String| place.write(&format!("apis/{name}-adapter.md"), text);
    let good = |name: &str, things: &str| adapter(name, "http://127.0.0.1:9", things);
    let aqueduct =
        Aqueduct::builder().source(place.path().join("apis"), SourceSettings::default()).build().unwrap();
    write("ants", BROKEN.to_owned());
    write("bees", good("bees", "bees"));
    let reloaded = aqueduct.reload();
    assert!(reloaded.is_new && reloaded.diagnostics.len() == 1, "{reloaded:?}");
    assert_eq!(names(&aqueduct).await, ["ants__get_ants", "bees__get_bees", "cats__get_cats"]);
    assert_eq!(states(&aqueduct).await, [state("ants", "stale"), state("bees", "ok"), state("cats", "ok")]);
    // Gone from a directory is gone, broken or not; what comes is there.
    std::fs::remove_file(place.path().join("apis/ants-adapter.md")).unwrap();
    std::fs::remove_file(place.path().join("apis/bees-adapter.md")).unwrap();
    write("dogs", good("dogs", "dogs"));
    assert!(aqueduct.reload().is_new);
    assert_eq!(names(&aqueduct).await, ["cats__get_cats", "dogs__get_dogs"]);
    assert_eq!(states(&aqueduct).await, [state("cats", "ok"), state("dogs", "ok")]);
    // A file that goes back to what it was is no news for clients.
    write("dogs", BROKEN.to_owned());
    assert!(!aqueduct.reload().is_new);
    write("dogs", good("dogs", "dogs"));
    assert!(!aqueduct.reload().is_new);
    assert_eq!(states(&aqueduct).await, [state("cats", "ok"), state("dogs", "ok")]);
}

/// Two files that come to claim the same name keep their last good versions, until they no longer do; a third goes on.
#[tokio::test]
async fn clashes_after_the_start() {
    let place = three("http://127.0.0.1:9");
    let write = |name: &str, text: String| place.write(&format!("apis/{name}-adapter.md"), text);
    let good = |name: &str, things: &str| adapter(name, "http://127.0.0.1:9", things);
    write("bees", good("bees", "bees"));
    let aqueduct =
        Aqueduct::builder().source(place.path().join("apis"), SourceSettings::default()).build().unwrap();
    write("ants", good("cats", "ants"));
    write("bees", good("bees", "hives"));
    let reloaded = aqueduct.reload();
    assert!(reloaded.is_new, "{reloaded:?}");
    assert_eq!(
        reloaded.diagnostics.iter().map(|each| each.code).collect::<Vec<_>>(),
        ["NAME_MISMATCH", "SOURCE_CLASH"]
    );
    assert_eq!(names(&aqueduct).await, ["ants__get_ants", "bees__get_hives", "cats__get_cats"]);
    assert_eq!(states(&aqueduct).await, [state("ants", "stale"), state("bees", "ok"), state("cats", "ok")]);
    assert_eq!(aqueduct.reload(), aqueduct::Reloaded::default(), "told once");
    // As soon as the other one is gone, nothing is in the way.
    std::fs::remove_file(place.path().join("apis/cats-adapter.md")).unwrap();
    assert!(aqueduct.reload().is_new);
    assert_eq!(names(&aqueduct).await, ["cats__get_ants", "bees__get_hives"]);
}

/// The operator's settings go on to hold: a file cannot step out of them by calling itself something else.
#[tokio::test]
async fn settings_by_name_are_not_shaken_off() {
    let place = three("http://127.0.0.1:9");
    let restricted = SourceSettings {
        trust: aqueduct_operations::trust::TrustLevel::parse("generated"),
        ..SourceSettings::default()
    };
    let build = Aqueduct::builder()
        .source(place.path().join("apis"), SourceSettings::default())
        .settings_for("cats", restricted);
    let aqueduct = build.build().unwrap();
    place.write("apis/cats-adapter.md", adapter("tigers", "http://127.0.0.1:9", "tigers"));
    assert!(!aqueduct.reload().is_new);
    assert_eq!(names(&aqueduct).await, ["ants__get_ants", "cats__get_cats"]);
}

/// A file that was named and is deleted stays in service as it was; so do the files of a directory that is gone.
#[tokio::test]
async fn what_is_gone_but_was_named() {
    let place = three("http://127.0.0.1:9");
    let apis = place.path().join("apis");
    let named = place.write("dogs-adapter.md", adapter("dogs", "http://127.0.0.1:9", "dogs"));
    let aqueduct = Aqueduct::builder()
        .source(&apis, SourceSettings::default())
        .source(&named, SourceSettings::default())
        .build()
        .unwrap();
    std::fs::remove_file(&named).unwrap();
    std::fs::rename(&apis, place.path().join("elsewhere")).unwrap();
    let reloaded = aqueduct.reload();
    assert!(!reloaded.is_new && reloaded.diagnostics.iter().all(|each| each.code == "FILE_UNREADABLE"));
    assert_eq!(names(&aqueduct).await, ["ants__get_ants", "cats__get_cats", "dogs__get_dogs"]);
    let stale = ["ants", "cats", "dogs"].map(|name| state(name, "stale"));
    assert_eq!(states(&aqueduct).await, [stale.as_slice(), &[state("bees", "failed")]].concat());
    std::fs::rename(place.path().join("elsewhere"), &apis).unwrap();
    assert!(!aqueduct.reload().is_new, "all is as it was");
    assert_eq!(states(&aqueduct).await[0], state("ants", "ok"));
}

/// R10.1-4: reloads from several threads at once end with what the files say.
#[tokio::test(flavor = "multi_thread")]
async fn reloads_at_once() {
    let place = three("http://127.0.0.1:9");
    let aqueduct =
        Aqueduct::builder().source(place.path().join("apis"), SourceSettings::default()).build().unwrap();
    for round in 0..20 {
        place.write("apis/ants-adapter.md", adapter("ants", "http://127.0.0.1:9", &format!("round_{round}")));
        let tasks = (0..4).map(|_| {
            let aqueduct = aqueduct.clone();
            tokio::task::spawn_blocking(move || aqueduct.reload().is_new)
        });
        let mut swaps = 0;
        for task in tasks.collect::<Vec<_>>() {
            swaps += usize::from(timeout(DEADLINE, task).await.unwrap().unwrap());
        }
        assert_eq!(swaps, 1, "one of them swaps, the others find nothing new");
        assert_eq!(names(&aqueduct).await[0], format!("ants__get_round_{round}"));
    }
}

//! A kind of a program's own whose content comes over a connection: opened, named, asked again, and closed with its list.

use super::names;
use crate::source_kind::{
    Candidate, Connection, ConnectionOffer, ContentLocation, KindInfo, ListedSource, ListedSources,
    LoadServices, LoadedContent, LocationKind, PreparedConnection, Recognition, SourceContent, SourceKind,
    SourceLocation, native,
};
use crate::{Aqueduct, Diagnostic, Envelope, OperationKind, OperationSpec, SourceSettings};
use aqueduct_operations::digest::Digest;
use aqueduct_operations::handler::{Boxed, Handler, HandlerCall, HandlerError, SealedHandler};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// The other side: which rooms are open, and what everybody offers.
#[derive(Debug)]
struct House {
    open: Mutex<BTreeSet<String>>,
    offers: Mutex<Result<String, String>>,
}

/// `room:NAME`, or a file of such names.
#[derive(Debug, Clone)]
struct RoomKind(Arc<House>);

impl RoomKind {
    fn location(&self, name: &str) -> ContentLocation {
        ContentLocation::Connection(Arc::new(Room { name: name.to_owned(), house: Arc::clone(&self.0) }))
    }
}

impl SourceKind for RoomKind {
    fn explain(&self) -> KindInfo {
        KindInfo {
            noun: "a room",
            given_as: "room:NAME",
            recognised_by: None,
            import: None,
            validate_hint: None,
            needs_consent: false,
        }
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Option<Recognition> {
        let is_list = candidate.place == LocationKind::File && candidate.has_extension(&["rooms"]);
        (is_list || candidate.given.starts_with("room:")).then_some(Recognition::Prefix)
    }

    fn locate(&self, given: &str) -> Result<SourceLocation, String> {
        Ok(match given.strip_prefix("room:") {
            Some(name) => SourceLocation::Content(self.location(name)),
            None => SourceLocation::List(given.into()),
        })
    }

    fn list(&self, _path: &Path, content: Option<&[u8]>) -> ListedSources {
        let names = String::from_utf8_lossy(content.unwrap_or_default()).into_owned();
        let source =
            |name: &str| ListedSource { kind: Arc::new(self.clone()), location: self.location(name) };
        ListedSources { sources: names.lines().map(source).collect(), ..ListedSources::default() }
    }

    fn load(&self, content: SourceContent<'_>, services: &dyn LoadServices) -> LoadedContent {
        let connection = services.connection().unwrap();
        let offered = String::from_utf8_lossy(&content.bytes).into_owned();
        let settings = services.settings(connection.name());
        let name = settings.source_name.as_deref().unwrap_or(connection.name());
        let operation = |line: &str| {
            let spec = OperationSpec::new(name, line, OperationKind::Query, "Look around");
            (spec, connection.handler(line))
        };
        let loaded = native(offered.lines().map(operation).collect(), &SourceSettings::default()).pop();
        LoadedContent { loaded, ..LoadedContent::default() }
    }
}

#[derive(Debug)]
struct Room {
    name: String,
    house: Arc<House>,
}

impl Connection for Room {
    fn name(&self) -> &str {
        &self.name
    }

    fn identity(&self) -> Digest {
        Digest::of_text(&self.name)
    }

    fn prepare(&self, settings: &SourceSettings) -> Result<PreparedConnection, Diagnostic> {
        let name = settings.source_name.clone().unwrap_or_else(|| self.name.clone());
        let room = Room { name, house: Arc::clone(&self.house) };
        Ok(PreparedConnection { connection: Arc::new(room), warning: None })
    }

    fn open(&self) {
        self.house.open.lock().unwrap().insert(self.name.clone());
    }

    fn close(&self) {
        self.house.open.lock().unwrap().remove(&self.name);
    }

    fn offer(&self) -> Result<ConnectionOffer, Option<String>> {
        let content = self.house.offers.lock().unwrap().clone().map_err(Some)?.into_bytes();
        Ok(ConnectionOffer { content, own_name: None, withheld: Vec::new() })
    }

    fn handler(&self, name: &str) -> SealedHandler {
        SealedHandler::new(View(format!("{name} of {}", self.name)))
    }
}

#[derive(Debug)]
struct View(String);

impl Handler for View {
    fn run<'a>(&'a self, _run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        Box::pin(async { Ok(Envelope::local("room", json!(self.0))) })
    }

    fn preview(&self, _values: &Map<String, Value>) -> Value {
        json!(self.0)
    }
}

fn house(offers: &str) -> Arc<House> {
    Arc::new(House { open: Mutex::default(), offers: Mutex::new(Ok(offers.to_owned())) })
}

fn build(house: &Arc<House>, given: impl AsRef<Path>, settings: SourceSettings) -> Aqueduct {
    let kind = Arc::new(RoomKind(Arc::clone(house)));
    Aqueduct::builder().source_kind(kind).source(given.as_ref(), settings).build().unwrap()
}

/// What is offered is called, another offer is taken over, and none at all takes nothing out of service.
#[tokio::test]
async fn asked_again_and_again() {
    let house = house("get_door");
    let settings = SourceSettings { source_name: Some("hall".to_owned()), ..SourceSettings::default() };
    let aqueduct = build(&house, "room:first", settings);
    assert_eq!(*house.open.lock().unwrap(), BTreeSet::from(["hall".to_owned()]));
    let seen: String = aqueduct.call_operation("get_door", Map::new()).await.read().unwrap();
    assert_eq!(seen, "get_door of hall");
    assert!(!aqueduct.reload().is_new);
    *house.offers.lock().unwrap() = Ok("get_door\nget_window".to_owned());
    assert!(aqueduct.reload().is_new);
    *house.offers.lock().unwrap() = Err("the lights are out".to_owned());
    assert!(!aqueduct.reload().is_new);
    assert_eq!(names(&aqueduct), "get_door get_window introspect");
    assert_eq!(aqueduct.connection().unwrap().name(), "hall");
}

/// A connection that is gone from its list is closed, and one that is new is opened.
#[test]
fn opened_and_closed_with_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.rooms");
    std::fs::write(&path, "attic\ncellar\n").unwrap();
    let house = house("get_door");
    let aqueduct = build(&house, &path, SourceSettings::default());
    assert_eq!(names(&aqueduct), "attic__get_door cellar__get_door introspect");
    std::fs::write(&path, "cellar\nkitchen\n").unwrap();
    assert!(aqueduct.reload().is_new);
    assert_eq!(names(&aqueduct), "cellar__get_door kitchen__get_door introspect");
    assert_eq!(*house.open.lock().unwrap(), BTreeSet::from(["cellar".to_owned(), "kitchen".to_owned()]));
}

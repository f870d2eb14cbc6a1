//! Words, stems, typing errors, classes and markup.

use super::operation;
use crate::language::translate;
use crate::text::{clean, first_sentence, stem, words};
use crate::typos::Spellings;
use crate::verbs::{OperationClass, class_of};

#[test]
fn texts_become_words() {
    assert_eq!(
        words("listPullRequests for HTTPServer_2"),
        ["list", "pull", "requests", "for", "http", "server", "2"]
    );
    assert_eq!(
        words("I don't want Anna's, they've left"),
        ["i", "do", "not", "want", "anna", "they", "left"]
    );
    assert_eq!(words("Ｆｕｌｌ ’s Größe"), ["full", "größe"]);
    assert_eq!(words(" '' _ "), Vec::<String>::new());
}

#[test]
fn forms_share_a_stem() {
    for forms in [
        ["create", "created", "creating"],
        ["repository", "repositories", "repos"],
        ["organise", "organize", "organizing"],
        ["plan", "planned", "planning"],
        ["status", "statuses", "status"],
        ["setting", "settings", "setting"],
    ] {
        assert!(forms.iter().all(|form| stem(form) == stem(forms[0])), "{forms:?}");
    }
    assert_ne!(stem("payment"), stem("pay"));
}

#[test]
fn errors_are_corrected() {
    let spellings = Spellings::of([("customer", 3.0), ("custom", 9.0), ("order", 1.0), ("border", 1.0)]);
    let correct = |word: &str| spellings.correct(word).map(|correction| correction.word);
    assert_eq!(correct("custmer"), Some("customer"));
    assert_eq!(correct("ordre"), Some("order"));
    assert_eq!(correct("rodre"), None);
    assert_eq!(correct("xx"), None);
    assert!(spellings.contains("border") && !spellings.contains("bord"));
    // Swapped neighbours are the commonest slip, even where another word is more frequent.
    let spellings = Spellings::of([("open", 1.0), ("one", 9.0)]);
    assert_eq!(spellings.correct("opne").map(|correction| correction.word), Some("open"));
}

#[test]
fn operations_have_classes() {
    let class = |method, path, summary| class_of(&operation(method, path, summary));
    assert_eq!(class("GET", "/things", "Things"), Some(OperationClass::List));
    assert_eq!(class("GET", "/things/{id}", "Get a thing"), Some(OperationClass::Get));
    assert_eq!(class("POST", "/things", "Add a thing"), Some(OperationClass::Create));
    assert_eq!(class("POST", "/things/{id}", ""), Some(OperationClass::Update));
    assert_eq!(class("POST", "/things/{id}/paint", "Paint"), Some(OperationClass::Act));
    assert_eq!(class("PUT", "/things/{id}", "Replace a thing"), Some(OperationClass::Update));
    assert_eq!(class("DELETE", "/things/{id}", ""), Some(OperationClass::Delete));
    assert_eq!(class("", "", "anything"), None);
}

#[test]
fn markup_is_taken_out() {
    assert_eq!(clean("<p>See [the guide](https://x.example/y) &amp; go</p>").trim(), "See [the guide  & go");
    assert_eq!(first_sentence("One. Two.\nThree."), ("One.", "Two.\nThree."));
    assert_eq!(clean("a < b"), "a < b");
}

/// English stays as it is, also where its words look like those of other languages.
#[test]
fn languages_are_told_apart() {
    for english in
        ["list video reports", "import a contact form", "de-activate the plan", "pause la campaign"]
    {
        assert_eq!(translate(english), None, "{english}");
    }
    for (request, translated) in [
        ("crear una factura para el cliente", "create invoice customer"),
        ("удалить сертификат", "delete remove certificate"),
        ("請求書を作成", "create invoice"),
    ] {
        assert_eq!(translate(request).as_deref(), Some(translated), "{request}");
    }
}

//! Tests of `guarded_body`.

use super::{BodyGuard, guarded_body};
use axum::body::Body;
use hyper::body::Body as HttpBody;
use std::sync::mpsc;

struct Noted(mpsc::Sender<&'static str>);

impl BodyGuard for Noted {
    fn ended(&mut self) {
        self.0.send("ended").unwrap();
    }
}

impl Drop for Noted {
    fn drop(&mut self) {
        self.0.send("dropped").unwrap();
    }
}

/// The end is told before the drop, and not at all when the body is given up; the length stays known.
#[tokio::test]
async fn the_end_is_told() {
    let (told, heard) = mpsc::channel();
    let body = guarded_body(Body::from("abc"), Noted(told.clone()));
    assert_eq!(body.size_hint().exact(), Some(3));
    assert_eq!(axum::body::to_bytes(body, 10).await.unwrap(), "abc");
    drop(guarded_body(Body::from("abc"), Some(Noted(told.clone()))));
    drop(guarded_body(Body::empty(), Some(Noted(told.clone()))));
    drop(told);
    let heard: Vec<&str> = heard.iter().collect();
    assert_eq!(heard.first(), Some(&"ended"));
    let after_the_first = heard.iter().skip_while(|word| **word == "ended").copied().collect::<Vec<_>>();
    assert_eq!(after_the_first, ["dropped", "dropped", "ended", "dropped"]);
}

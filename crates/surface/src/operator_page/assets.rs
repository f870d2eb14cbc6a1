//! The files of the page that are the same for everybody, built into the program.
//!
//! A path in; the file with its type out. Nothing of the page comes from elsewhere.

use axum::response::{IntoResponse, Response};
use http::header;

/// Where the style is.
pub const STYLE: &str = "/page.css";
/// Where the script is.
pub const SCRIPT: &str = "/page.js";
/// Where the icon is.
pub const ICON: &str = "/icon.svg";

/// The style.
pub async fn style() -> Response {
    file("text/css; charset=utf-8", include_str!("assets/page.css"))
}

/// The script.
pub async fn script() -> Response {
    file("text/javascript; charset=utf-8", include_str!("assets/page.js"))
}

/// The icon.
pub async fn icon() -> Response {
    file("image/svg+xml", include_str!("assets/icon.svg"))
}

fn file(kind: &'static str, content: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind)], content).into_response()
}

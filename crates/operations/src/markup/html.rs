//! Tags of HTML taken out. A text in; the same with lines where blocks ended, and items of lists as items of Markdown, out.
//!
//! Only what is a tag of HTML is one: `<id>` and `List<int>` are words.

#[rustfmt::skip]
const INLINE: &[&str] = &[
    "a", "abbr", "b", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd", "label", "mark", "q",
    "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var", "wbr", "nobr", "img", "button",
];
#[rustfmt::skip]
const BLOCKS: &[&str] = &[
    "p", "div", "ul", "ol", "dl", "table", "thead", "tbody", "tfoot", "pre", "blockquote", "section", "article",
    "aside", "details", "figure", "figcaption", "header", "footer", "center", "caption", "hr", "body", "html",
    "iframe", "video", "form", "main", "nav",
    // Of the language that large vendors write their manuals in.
    "note", "important", "caution", "warning", "tip", "fullname", "para", "simplesect",
];
/// Each of their contents is a line of its own.
const LINES: &[&str] = &["tr", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "summary"];
/// What they hold is not for reading.
const UNREAD: &[&str] = &["script", "style", "head", "title", "svg", "template"];

struct Tag<'t> {
    name: String,
    is_end: bool,
    rest: &'t str,
}

pub(super) fn without_tags(text: &str) -> String {
    if !text.contains('<') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
            continue;
        }
        if let Some((link, after)) = link(rest) {
            out.push_str(link);
            rest = after;
            continue;
        }
        let Some(tag) = tag(rest) else {
            out.push('<');
            rest = &rest[1..];
            continue;
        };
        rest = tag.rest;
        let name = tag.name.as_str();
        if UNREAD.contains(&name) {
            if !tag.is_end {
                let end = format!("</{name}");
                let found = rest.to_ascii_lowercase().find(&end).filter(|at| rest.is_char_boundary(*at));
                rest = found.map_or(rest, |at| rest[at..].split_once('>').map_or("", |(_, after)| after));
            }
        } else if name == "br" {
            out.push('\n');
        } else if BLOCKS.contains(&name) {
            out.push_str("\n\n");
        } else if name == "li" {
            out.push_str(if tag.is_end { "\n" } else { "\n- " });
        } else if LINES.contains(&name) {
            // A heading is a sentence of its own.
            if tag.is_end && !out.trim_end().ends_with(['.', ':', '!', '?']) && !out.trim_end().is_empty() {
                out.truncate(out.trim_end().len());
                out.push('.');
            }
            out.push('\n');
        } else if matches!(name, "td" | "th") && tag.is_end {
            out.push_str(", ");
        }
    }
    out.push_str(rest);
    out
}

/// `<https://example.com>`.
fn link(text: &str) -> Option<(&str, &str)> {
    let (inner, after) = text.get(1..)?.split_once('>')?;
    let is_link = ["https://", "http://", "mailto:"].iter().any(|start| inner.starts_with(start));
    (is_link && !inner.contains(char::is_whitespace)).then_some((inner, after))
}

fn tag(text: &str) -> Option<Tag<'_>> {
    let inner = text.strip_prefix('<')?;
    let (is_end, inner) = inner.strip_prefix('/').map_or((false, inner), |inner| (true, inner));
    let length = inner.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let name = inner[..length].to_ascii_lowercase();
    let known = |list: &[&str]| list.contains(&name.as_str());
    let is_known = known(INLINE) || known(BLOCKS) || known(LINES) || known(UNREAD);
    if !is_known && !matches!(name.as_str(), "br" | "li" | "td" | "th") {
        return None;
    }
    let after = &inner[length..];
    let is_whole = after.starts_with(['>', '/']) || after.starts_with(char::is_whitespace);
    // In `a <b and c> d` nothing is a tag: an attribute has a value, or there is none.
    let (attributes, rest) = after.split_once('>').filter(|_| is_whole)?;
    let attributes = attributes.trim().trim_end_matches('/').trim();
    let is_tag = attributes.is_empty() || (attributes.contains('=') && !attributes.contains('<') && !is_end);
    is_tag.then_some(Tag { name, is_end, rest })
}

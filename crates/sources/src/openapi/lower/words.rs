//! Words: any spelling of a name to snake_case and PascalCase, and long texts to short ones.
//!
//! Text in, text out; the same text always gives the same, whatever the machine.

use crate::markup::unmarked;
use aqueduct_operations::naming::words;

/// The snake_case form of any name; empty when it has no ASCII letter or digit.
pub(super) fn snake(name: &str) -> String {
    words(name).join("_")
}

/// The PascalCase form of any name, which never begins with a digit; empty when nothing is left of it.
pub(super) fn pascal(name: &str) -> String {
    let joined: String = words(name)
        .iter()
        .map(|word| {
            let (first, rest) = word.split_at(1);
            first.to_ascii_uppercase() + rest
        })
        .collect();
    if joined.starts_with(|c: char| c.is_ascii_digit()) { format!("T{joined}") } else { joined }
}

/// Eight hexadecimal digits that stand for a text (FNV-1a).
pub(super) fn mark_of(text: &str) -> String {
    let hash =
        text.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    format!("{hash:08x}")
}

/// The first paragraph of a text on one line and without markup, cut at a word with an ellipsis when longer than this.
pub(super) fn brief(text: &str, most: usize) -> String {
    let text = unmarked(text);
    let text = text.trim();
    let paragraph =
        ["\n\n", "\r\n\r\n"].iter().filter_map(|gap| text.find(gap)).min().map_or(text, |end| &text[..end]);
    let mut line = String::with_capacity(paragraph.len().min(most + 1));
    let mut length = 0;
    for word in paragraph.split_whitespace() {
        let size = word.chars().count();
        if length + usize::from(length > 0) + size > most {
            if length == 0 {
                line.extend(word.chars().take(most.saturating_sub(1)));
            }
            line.push('…');
            return line;
        }
        if length > 0 {
            line.push(' ');
            length += 1;
        }
        line.push_str(word);
        length += size;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::{brief, mark_of, pascal, snake};

    /// N1: any spelling becomes snake_case.
    #[test]
    fn snake_case() {
        for (from, to) in [
            ("repos/list-for-org", "repos_list_for_org"),
            ("getPetByID", "get_pet_by_id"),
            ("HTTPServer", "http_server"),
            ("getHTTPServerURLs2Go", "get_http_server_urls2_go"),
            ("listUserIDs", "list_user_ids"),
            ("APIsByName", "apis_by_name"),
            ("HTTPSsl", "http_ssl"),
            ("users.list", "users_list"),
            ("filter[name]", "filter_name"),
            ("X-Request-Id", "x_request_id"),
            ("$top", "top"),
            ("listV2Users", "list_v2_users"),
            ("already_fine", "already_fine"),
            ("__x__y__", "x_y"),
            ("Größe", "gr_e"),
            ("顧客", ""),
            ("", ""),
        ] {
            assert_eq!(snake(from), to, "{from}");
        }
    }

    #[test]
    fn pascal_case() {
        for (from, to) in [
            ("simple-user", "SimpleUser"),
            ("Pet", "Pet"),
            ("v1.PodList", "V1PodList"),
            ("3d_model", "T3dModel"),
            ("顧客", ""),
        ] {
            assert_eq!(pascal(from), to, "{from}");
        }
    }

    #[test]
    fn marks_never_change() {
        assert_eq!(mark_of("a"), "e40c292c");
        assert_ne!(mark_of("ab"), mark_of("ba"));
    }

    #[test]
    fn long_texts_are_cut_between_words() {
        assert_eq!(brief("  One\n line.\n\nAnother paragraph", 100), "One line.");
        assert_eq!(brief("one two three", 9), "one two…");
        assert_eq!(brief("abcdefgh", 4), "abc…");
        assert_eq!(brief("", 4), "");
        assert_eq!(brief("äöü äöü", 7), "äöü äöü");
    }
}

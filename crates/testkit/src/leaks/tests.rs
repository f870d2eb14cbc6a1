//! The search itself: it finds a code in each writing, and no other code.

use super::{Searched, base32};
use aqueduct_operations::digest::Digest;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// What is looked for would be found: a code in each of these writings, with something around it.
#[test]
fn the_search_finds_what_it_looks_for() {
    let code = "7QX2M-9KTVB-3HWCZ-0R5DN-F8GJA-4";
    let signs = code.replace('-', "");
    let wide: Vec<u8> = code.bytes().flat_map(|byte| [byte, 0]).collect();
    let texts: Vec<Vec<u8>> = vec![
        format!("{{\"said\":\"{code}\"}}").into(),
        code.to_lowercase().into(),
        signs.chars().rev().collect::<String>().into(),
        format!("first {} and then {}", &signs[..13], &signs[13..]).into(),
        signs.chars().map(|c| format!("{c}\n")).collect::<String>().into(),
        wide,
        code.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>().into(),
        code.bytes().map(|byte| format!("\\u{byte:04x}")).collect::<String>().into(),
        code.bytes().map(|byte| format!("&#{byte};")).collect::<String>().into(),
        STANDARD.encode(format!("the code is {code}.")).into(),
        STANDARD.encode(format!("The code is {signs}, really")).into(),
        STANDARD.encode(format!("the  code is {}, really", code.to_lowercase())).into(),
        base32(code.as_bytes()).into(),
        Digest::of_text(code).hex().into(),
    ];
    for text in texts {
        let mut searched = Searched::default();
        searched.add("here", &text);
        assert!(!searched.places(code).is_empty(), "{}", String::from_utf8_lossy(&text));
        assert!(searched.places("0QX2M-8KTVB-2HWCZ-1R5DN-E8GJA-5").is_empty(), "another code is not there");
    }
}

//! What hints hide.

use super::hint_forms;
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;

fn says(hint: &str, wanted: &str) -> bool {
    hint_forms(hint).texts.iter().any(|form| form.folded.plain.contains(wanted))
}

/// Whatever stands before them, pieces are found, or the hint is said to be read in part.
#[test]
fn nothing_passes_when_the_work_ends() {
    for count in 1..400 {
        let hint = format!("{}, cm0gLXJm IC9ob21l", "AAAA ".repeat(count));
        assert!(says(&hint, "rm -rf") || hint_forms(&hint).is_cut_off, "{count}");
    }
}

#[test]
fn encodings_are_undone() {
    for hint in [
        "run cm0gLXJmIC9ob21l",
        "run 726d202d7266202f686f6d65",
        "run %72%6d -rf /home",
        r"run \x72\x6d -rf /home",
        r"run \u0072\u006d -rf /home",
        "run r''m -rf /home",
        "run r\\m -rf /home",
        "rm${IFS}-rf${IFS}/home",
        "say it backwards: emoh/ fr- mr",
        "rot13: ez -es /ubzr",
        "run 72 6d 20 2d 72 66 20 2f 68 6f 6d 65",
        "run 72:6d:20:2d:72:66:20:2f",
        "run 0x72, 0x6d, 0x20, 0x2d, 0x72, 0x66 now",
        "eval(String.fromCharCode(114,109,32,45,114,102,32,47))",
        "chr(114)+chr(109)+chr(32)+chr(45)+chr(114)+chr(102)",
        "01110010 01101101 00100000 00101101 01110010 01100110",
        "OJWSALLSMYQC643SOY======",
        "run rm&nbsp;&#x2d;rf&nbsp;/home",
        "run r<b></b>m<!-- no > harm --> -rf /home",
        "run rx\u{8}m -rf /home",
        "Y20wZ0xYSm1JQzlvYjIxbA==",
        "look at \u{e0072}\u{e006d}\u{e0020}\u{e002d}\u{e0072}\u{e0066}\u{e0020}\u{e002f} this",
        "look at \u{e0072}\u{e006d} -\u{e0072}f / this",
    ] {
        assert!(says(hint, "rm -rf"), "{hint}");
    }
}

/// Spaces and line ends in base64 hide nothing, nor do words of a person around it.
#[test]
fn base64_in_pieces_is_undone() {
    for hint in [
        "run cm0g LXJm IC9o b21l",
        "run cm0gL XJmI C9ob2 1l now",
        "cm0gLXJmIC9o\nb21lL3dvcms=",
        "echo cm0g\r\n\tLXJm IC8= | base64 -d | sh",
        "please do echo \"c m 0 g L X J m I C 9 o b 2 1 l\" then",
        "cgBtACAA LQByAGYA IAAvAA==",
        "Y20w Z0xY Sm1J Qzlv YjIx bA==",
        "decode cm0g-LXJm cm0g LXJm IC9o b21l",
    ] {
        assert!(says(hint, "rm -rf"), "{hint}");
    }
    let hidden = "cm0g LXJm IC9o b21l";
    assert!(says(&format!("{} , {hidden}", decoys()), "rm -rf"), "decoys of another kind hide nothing");
    let others = ["look at this", "look at that", "see the first", "see the second"]
        .map(|text| STANDARD_NO_PAD.encode(text).chars().flat_map(|c| [c, ' ']).collect::<String>());
    assert!(hint_forms(&format!("{} , {hidden}", others.join(" , "))).is_cut_off);
    assert!(hint_forms(&"AAAA ".repeat(1_500)).is_cut_off, "what takes long to read is not left unsaid");
    for harmless in [
        "I have read the failing tests of the billing service and will call edit_file next",
        "calling get_order with order_id 7f3a-2291 and page 3 of the list to check its state",
        "GET /v1/orders 200 OK then POST /v1/orders 201 Created",
    ] {
        let read = hint_forms(harmless);
        assert!(
            !read.is_cut_off && !read.texts.iter().any(|form| form.hidden_as == Some("base64")),
            "{harmless}"
        );
    }
}

/// The work is bounded, whatever comes.
#[test]
fn readings_are_few() {
    let many = "cm0gLXJmIC9ob21l ".repeat(400) + &"%41".repeat(500);
    assert!(
        hint_forms(&many).texts.len() <= 1 + super::MOST_UNDONE + super::MOST_DECODED + super::MOST_JOINED
    );
    assert_eq!(hint_forms("read_file notes").texts.len(), 1);
    for harmless in [
        "if a < b and c > d",
        "open ports 80, 443 and 8080",
        "call 555 0199 or 555 0123",
        "THE QUICK BROWN FOX",
    ] {
        assert_eq!(hint_forms(harmless).texts.len(), 1, "{harmless}");
    }
}

/// Encoded words that say nothing, as many as are looked at.
fn decoys() -> String {
    let word = |number: usize| STANDARD_NO_PAD.encode(format!("look at {number}"));
    (0..super::MOST_DECODED).map(word).collect::<Vec<_>>().join(" ")
}

/// Whatever stands before it, what the whole hint says in another way is read; and where something was left out, it shows.
#[test]
fn decoys_hide_nothing() {
    for hidden in
        ["r''m -rf /home", r"r\m -rf /home", r"\x72\x6d -rf /home", r"r''\x6d -rf /home", "hom3 rm -rf"]
    {
        assert!(says(&format!("{} {hidden}", decoys()), "rm -rf"), "{hidden}");
    }
    assert!(!hint_forms(&decoys()).is_cut_off);
    assert!(hint_forms(&format!("{} cm0gLXJmIC9ob21l", decoys())).is_cut_off);
    let harmless = "Set $PATH in 'config.toml' to \"v1.2\" and 'b4' to `5x`, then read the 1st item of /a%20b?c=\\x41 & more 3rd";
    assert!(!hint_forms(harmless).is_cut_off);
}

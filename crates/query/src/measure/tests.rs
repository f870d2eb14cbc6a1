//! The estimate beside the real count, over all kinds of text that the tests make up themselves: never much too low,
//! and not much too high where it matters.

use super::{tokens, usual};
use aqueduct_vocabulary::count;
use proptest::prelude::ProptestConfig;
use proptest::{prop_assert, proptest};
use serde_json::{Value, json};

fn counted(text: &str) -> u64 {
    count(text) as u64
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides
    }

    fn pick<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.roll(all.len())]
    }

    /// So many characters out of these.
    fn text(&mut self, alphabet: &str, length: usize) -> String {
        let alphabet: Vec<char> = alphabet.chars().collect();
        (0..length).map(|_| alphabet[self.roll(alphabet.len())]).collect()
    }

    /// Words of random letters.
    fn words(&mut self, alphabet: &str, count: usize, between: &str) -> String {
        let word = |dice: &mut Dice| {
            let length = 1 + dice.roll(10);
            dice.text(alphabet, length)
        };
        (0..count).map(|_| word(self)).collect::<Vec<_>>().join(between)
    }

    /// Words that no one has seen but could pronounce.
    fn invented(&mut self, count: usize) -> String {
        let syllable = |dice: &mut Dice| {
            let first = dice
                .pick(&["b", "cr", "d", "f", "g", "k", "l", "m", "n", "p", "r", "st", "t", "v", "qu", "sh"]);
            let rest = dice
                .pick(&["a", "e", "i", "o", "u", "an", "er", "in", "os", "ur", "ea", "ould", "est", "ick"]);
            format!("{first}{rest}")
        };
        let word = |dice: &mut Dice| (0..=dice.roll(4)).map(|_| syllable(dice)).collect::<String>();
        (0..count).map(|_| word(self)).collect::<Vec<_>>().join(" ")
    }

    fn range(&mut self, first: u32, last: u32, length: usize) -> String {
        let any = |dice: &mut Dice| char::from_u32(first + dice.roll((last - first + 1) as usize) as u32);
        (0..length).filter_map(|_| any(self)).collect()
    }
}

const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const ENGLISH: &str = "The engineers who built the first bridges over this river did not have steel, and they did not need it. \
    They cut oak from the forest behind the village, let it season for two winters, and drove the posts into the mud with a \
    weight that twelve men could barely lift. When the floods came in spring, people stood on the bank and watched. Some said \
    that nothing made by hands could hold against so much water; others had already put their savings into the toll house. \
    \"It will stand,\" said the carpenter, \"or I'll swim.\" It stood for ninety years. Nobody knows exactly how many carts, \
    cattle and soldiers crossed it, but the records of the toll house, which are kept in the city's library, suggest \
    something like four million. Maintenance was cheap: a handful of planks every year, and tar. What finally destroyed it \
    wasn't the river but a railway company, whose managers wanted the shortest possible route between two factories.";

const OTHER_LATIN: &str = "Die Brücke wurde im neunzehnten Jahrhundert gebaut und überstand mehrere Hochwasser. Les habitants du \
    village se souviennent encore de la grande crue, quand l'eau montait jusqu'aux fenêtres. Kylän asukkaat muistavat yhä suuren \
    tulvan, jolloin vesi nousi ikkunoihin asti. Los vecinos todavía recuerdan aquella noche de invierno. Mieszkańcy wsi wciąż \
    pamiętają wielką powódź sprzed lat. Köylüler o büyük seli hâlâ hatırlıyor. Dân làng vẫn còn nhớ trận lũ lớn năm ấy.";

const OTHER_SCRIPTS: &str = "Жители деревни до сих пор помнят большое наводнение. Οι κάτοικοι του χωριού θυμούνται ακόμη τη μεγάλη πλημμύρα. \
    لا يزال سكان القرية يتذكرون الفيضان الكبير. תושבי הכפר עדיין זוכרים את השיטפון הגדול. गाँव के लोग आज भी बड़ी बाढ़ को याद करते हैं। \
    村民们至今还记得那场大洪水。村の人々は今でもあの大洪水を覚えている。마을 사람들은 아직도 그 큰 홍수를 기억한다. ชาวบ้านยังจำน้ำท่วมใหญ่ได้ \
    😀 🎉🎉 👍🏽 🇫🇮 👩‍👩‍👧 ❤️ naïve café “quotes” – and… • €100";

/// Items as APIs answer them.
fn api_answer(dice: &mut Dice) -> String {
    let words: Vec<&str> = ENGLISH.split_whitespace().collect();
    let item = |dice: &mut Dice| {
        let (id, login) =
            (dice.roll(10_000_000), dice.pick(&["octavia", "j-smith", "deploy-bot", "maria.k", "tanaka"]));
        let start = dice.roll(words.len() - 12);
        json!({
            "id": id,
            "node_id": dice.text(BASE64, 20),
            "uuid": uuid(dice),
            "url": format!("https://api.example.com/v1/repositories/{login}/issues/{id}"),
            "number": dice.roll(5_000),
            "title": words[start..start + 7].join(" "),
            "body": words[start..start + 12].join(" "),
            "state": dice.pick(&["open", "closed", "in_progress"]),
            "locked": dice.roll(2) == 0,
            "assignee": Value::Null,
            "user": {"login": login, "avatar_url": format!("https://avatars.example.com/u/{id}?v=4"), "site_admin": false},
            "labels": [{"name": dice.pick(&["bug", "help wanted", "good first issue"]), "color": dice.text("0123456789abcdef", 6)}],
            "comments_count": dice.roll(40),
            "price": {"amount": dice.roll(100_000) as f64 / 100.0, "currency": "EUR"},
            "created_at": timestamp(dice),
            "updated_at": timestamp(dice),
            "sha": dice.text("0123456789abcdef", 40),
        })
    };
    Value::from((0..60).map(|_| item(dice)).collect::<Vec<_>>()).to_string()
}

fn uuid(dice: &mut Dice) -> String {
    [8, 4, 4, 4, 12].map(|length| dice.text("0123456789abcdef", length)).join("-")
}

fn timestamp(dice: &mut Dice) -> String {
    format!(
        "20{:02}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
        dice.roll(30),
        1 + dice.roll(12),
        1 + dice.roll(28),
        dice.roll(24),
        dice.roll(60),
        dice.roll(60)
    )
}

/// All kinds of text, each with its name.
fn corpus() -> Vec<(&'static str, String)> {
    let dice = &mut Dice(0x2545_f491_4f6c_dd1d);
    let list = |texts: Vec<String>| json!(texts).to_string();
    let visible: String = (b'!'..=b'~').map(char::from).collect();
    let signs: String = visible.chars().filter(char::is_ascii_punctuation).collect();
    let mut all = vec![
        ("answer of an api", api_answer(dice)),
        ("answer within a text", json!(api_answer(dice)).to_string()),
        ("english", ENGLISH.to_owned()),
        ("english in capitals", ENGLISH.to_uppercase()),
        ("latin scripts", OTHER_LATIN.to_owned()),
        ("other scripts", OTHER_SCRIPTS.to_owned()),
        ("source code", include_str!("../measure.rs").to_owned()),
        ("source code in json", json!(include_str!("../aggregate.rs")).to_string()),
        ("invented words", dice.invented(1_500)),
        (
            "invented names",
            json!(dice.invented(500).split(' ').map(|word| json!({"name": word})).collect::<Vec<_>>())
                .to_string(),
        ),
        ("random words", dice.words(LOWER, 1_500, " ")),
        ("random words in capitals", dice.words(UPPER, 1_500, " ")),
        ("snake case", dice.words(LOWER, 1_500, "_")),
        ("paths", dice.words(LOWER, 1_500, "/")),
        ("domains", dice.words(LOWER, 1_500, ".")),
        ("long keys", list((0..200).map(|_| dice.text("abcdefghijklmnopqrstuvwxyz_", 40)).collect())),
        ("random letters", dice.text(LOWER, 6_000)),
        ("random capitals", dice.text(UPPER, 6_000)),
        ("base64", dice.text(BASE64, 6_000)),
        ("hex", list((0..150).map(|_| dice.text("0123456789abcdef", 40)).collect())),
        ("capital hex", dice.text("0123456789ABCDEF", 6_000)),
        ("uuids", list((0..150).map(|_| uuid(dice)).collect())),
        ("timestamps", list((0..300).map(|_| timestamp(dice)).collect())),
        ("digits", dice.text("0123456789", 6_000)),
        ("small numbers", json!((0..3_000).map(|_| dice.roll(12)).collect::<Vec<_>>()).to_string()),
        (
            "fractions",
            json!((0..500).map(|_| dice.roll(1_000_000_000) as f64 / 65_537.0).collect::<Vec<_>>())
                .to_string(),
        ),
        ("booleans", format!("[{}null]", "true,false,null,".repeat(500))),
        ("random ascii", dice.text(&visible, 6_000)),
        ("random signs", dice.text(&signs, 6_000)),
        ("random structure", dice.text("{}[]:,\"", 6_000)),
        ("structure and digits", dice.text("{}[]:,\"7", 6_000)),
        ("deep brackets", format!("{}{}", "[".repeat(2_000), "]".repeat(2_000))),
        ("deep objects", "{\"a\":".repeat(1_000)),
        ("empty things", format!("[{}0]", "{},[],\"\",".repeat(500))),
        ("escapes", (0..1_000).map(|_| format!("\\u{:04x}\\n", dice.roll(0xffff))).collect()),
        ("white space", dice.text(" \t\n\r", 4_000)),
        ("spaces", " ".repeat(4_000)),
        ("controls", dice.range(1, 31, 3_000)),
    ];
    let scripts = [
        ("latin-1", 0xa0, 0xff),
        ("latin extended", 0x100, 0x24f),
        ("greek", 0x370, 0x3ff),
        ("cyrillic", 0x400, 0x45f),
        ("small cyrillic", 0x430, 0x44f),
        ("hebrew", 0x590, 0x5ff),
        ("arabic", 0x600, 0x6ff),
        ("devanagari", 0x900, 0x97f),
        ("thai", 0xe00, 0xe7f),
        ("ethiopic", 0x1200, 0x137f),
        ("punctuation", 0x2000, 0x206f),
        ("symbols", 0x2100, 0x27bf),
        ("kana", 0x3040, 0x30ff),
        ("han", 0x4e00, 0x9fff),
        ("hangul", 0xac00, 0xd7a3),
        ("private use", 0xe000, 0xf8ff),
        ("emoji", 0x1f300, 0x1f64f),
        ("rare han", 0x20000, 0x2a6df),
        ("anything", 0x80, 0x10ffff),
    ];
    all.extend(scripts.map(|(name, first, last)| (name, dice.range(first, last, 3_000))));
    all
}

/// Ruling W16: nothing is under-counted by more than a tenth.
#[test]
fn never_much_too_low() {
    for (name, text) in corpus() {
        let (estimate, actual) = (tokens(&text), counted(&text));
        assert!(estimate * 10 >= actual * 9, "{name}: {estimate} for {actual}");
    }
}

/// The price of that, where it matters most.
#[test]
fn answers_and_prose_are_not_much_too_high() {
    for (name, text) in corpus() {
        let most_percent = match name {
            "answer of an api" | "english" | "source code in json" | "uuids" | "timestamps" => 125,
            "source code" | "hex" | "base64" | "digits" => 150,
            "latin scripts" | "answer within a text" => 175,
            "other scripts" => 300,
            _ => continue,
        };
        let (estimate, actual) = (tokens(&text), counted(&text));
        assert!(estimate * 100 <= actual * most_percent, "{name}: {estimate} for {actual}");
    }
}

/// The table of usual words and signs is true.
#[test]
fn what_is_usual_is_one_token() {
    for word in usual::USUAL.split_ascii_whitespace() {
        assert_eq!((counted(word), counted(&format!(" {word}"))), (1, 1), "{word}");
        assert!(
            usual::is_usual_word(word.as_bytes()) && usual::is_usual_word(word.to_uppercase().as_bytes()),
            "{word}"
        );
        assert_eq!(tokens(word), 1, "{word}");
    }
    for signs in [
        r#"":""#, r#"",""#, r#"":"#, r#",""#, r#"{""#, r#"":{""#, r#"":[""#, r#"},{""#, r#""},{""#, r#"},""#,
        r#""}"#, r#""]"#, r#"[""#, r#"{}"#, r#"[]"#, r#"://"#,
    ] {
        assert!(usual::are_usual_signs(signs.as_bytes()), "{signs}");
        assert_eq!((tokens(signs), counted(signs)), (1, 1), "{signs}");
    }
    for word in ["", "a", "zyzzy", "abcdefghijklmnop", "nameid"] {
        assert!(!usual::is_usual_word(word.as_bytes()), "{word}");
    }
}

#[test]
fn nothing_costs_nothing() {
    assert_eq!(tokens(""), 0);
    assert_eq!(tokens("{}"), 1);
}

/// What chance allows for in short texts.
const SLACK: u64 = 2;

fn assert_not_too_low(text: &str) -> Result<(), proptest::test_runner::TestCaseError> {
    let (estimate, actual) = (tokens(text), counted(text));
    prop_assert!((estimate + SLACK) * 10 >= actual * 9, "{} for {}: {:?}", estimate, actual, text);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Ruling W16: for any text.
    #[test]
    fn any_text_is_not_too_low(text in ".{0,200}") {
        assert_not_too_low(&text)?;
    }

    /// Ruling W16: for any visible ASCII.
    #[test]
    fn any_ascii_is_not_too_low(text in "[ -~]{0,300}") {
        assert_not_too_low(&text)?;
    }

    /// Ruling W16: for letters that make no words.
    #[test]
    fn random_words_are_not_too_low(text in "([a-z]{1,9} ){40,60}") {
        assert_not_too_low(&text)?;
    }

    /// Ruling W16: for any JSON.
    #[test]
    fn any_json_is_not_too_low(value in aqueduct_testkit::json::any_json()) {
        assert_not_too_low(&value.to_string())?;
    }
}

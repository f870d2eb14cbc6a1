//! Texts of real documents, and texts that only look like markup.
//! What goes in and what a model reads, side by side.

use super::{first_paragraph, unmarked, until_empty_line};
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

#[test]
fn markup_goes() {
    for (text, plain) in [
        ("<p>Lists <b>all</b> users.</p>", "Lists all users."),
        ("Get a <code>user_id</code> &amp; more&nbsp;&lt;here&gt;", "Get a user_id & more <here>"),
        ("See <a href=\"https://x.example/a\">the guide</a>.", "See the guide."),
        ("See [the guide](https://x.example/a_(b)) and ![a picture](p.png).", "See the guide and a picture."),
        ("See [the guide][1].", "See the guide."),
        (
            "**Note:** _all_ of *these* and __Those Two__ are ~~not~~ set",
            "Note: all of these and Those Two are not set",
        ),
        ("***Both***", "Both"),
        ("Use `snake_case` and ``a`b``", "Use snake_case and a`b"),
        ("# Users\n\nLists them", "Users.\nLists them"),
        ("Supports:\n\n- one\n- two.\n* three", "Supports:\none.\ntwo.\nthree."),
        ("1. First\n2. Second", "First.\nSecond."),
        ("<ul><li>one</li><li>two</li></ul>", "one.\ntwo."),
        ("A<br/>B<BR>C", "A\nB\nC"),
        ("<h2>Title</h2>Text", "Title.\nText"),
        ("a <!-- hidden --> b", "a  b"),
        ("<script>alert(1)</script>Text", "Text"),
        ("> quoted\n> words", "quoted\nwords"),
        ("> [!NOTE]\n> This is new.", "Note: This is new."),
        ("Lists.\n\n> [!warning]\n> Slow.\n\nMore", "Lists.\n\nWarning: Slow.\n\nMore"),
        ("> [!IMPORTANT] Read this", "Important: Read this"),
        ("<fullname>The Service</fullname><important> <p>Read</p> </important>", "The Service\n\nRead"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "a, b.\n\n1, 2."),
        ("```json\n{\"a_b\": \"*x*\"}\n```", "{\"a_b\": \"*x*\"}"),
        ("<https://x.example>", "https://x.example"),
        ("escaped \\*stars\\* and \\_lines\\_", "escaped *stars* and _lines_"),
        ("it&#39;s &quot;fine&quot; &#x2014; yes", "it's \"fine\" \u{2014} yes"),
        ("[**bold** link](/x)", "bold link"),
        ("`<b>` and `[a](b)`", "<b> and [a](b)"),
    ] {
        assert_eq!(unmarked(text), plain, "{text}");
    }
}

#[test]
fn what_only_looks_like_markup_stays() {
    for text in [
        "a < b and c > d",
        "a <b and c> d",
        "if x<y then",
        "snake_case_names and __init__ and _id",
        "files like *.json, src/*, **/*.rs and *",
        "2 * 3 * 4",
        "list_*_items or get_*",
        "/users/{id}/items/{item_id}",
        "List<int> and Map<string, T>",
        "<id> or <your token>",
        "[!x] and a[!NOTE]",
        "array[0] and a[i](x)",
        "R&D, AT&T; x && y",
        "5 > 3",
        "# of items",
        "- 5 degrees is cold".trim_start_matches("- "),
        "a|b|c",
        "use ~ or ~/x",
        "C:\\path\\file",
        "10% - 20%",
        "a lone ` tick",
        "price: 5 *",
        "plain words",
    ] {
        assert_eq!(unmarked(text), text);
    }
}

proptest! {
    /// Nothing breaks it, and it ends.
    #[test]
    fn any_text(text in any::<String>()) {
        let plain = unmarked(&text);
        prop_assert!(plain.len() <= text.len() * 3 + 8);
    }

    #[test]
    fn any_signs(text in "[<>a_*`#\\[\\]()|~&; \n!/-]{0,60}") {
        let _ = unmarked(&text);
    }

    /// A first paragraph says the same whether or not what follows it is looked at.
    #[test]
    fn first_paragraphs(
        first in "[ab ][ab<>_*`#\\[\\]()|~&;:. !/-]{0,24}",
        rest in "[ab<>_*`#\\[\\]()|~&;:. \n!/-]{0,40}",
    ) {
        let text = format!("{first}\n\n{rest}");
        let whole = unmarked(&text);
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        prop_assert_eq!(words(&first_paragraph(&text)), words(until_empty_line(&whole)));
    }
}

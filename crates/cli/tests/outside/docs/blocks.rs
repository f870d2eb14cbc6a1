//! The fenced blocks of a page: Markdown in, blocks with their info string and line out.

/// One fenced block.
#[derive(Debug, PartialEq, Eq)]
pub struct Block {
    /// What stands after the opening fence.
    pub info: String,
    /// The line of the opening fence, counted from 1.
    pub line: usize,
    /// What is inside, each line with its end.
    pub text: String,
}

/// Every block of a page, in order.
pub fn of(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_open = false;
    for (index, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), is_open) {
            (Some(info), false) => {
                blocks.push(Block { info: info.trim().to_owned(), line: index + 1, text: String::new() });
                is_open = true;
            }
            (Some(_), true) => is_open = false,
            (None, true) => {
                let text = &mut blocks.last_mut().unwrap().text;
                text.push_str(line);
                text.push('\n');
            }
            (None, false) => {}
        }
    }
    assert!(!is_open, "the last block is not closed");
    blocks
}

#[test]
fn blocks_keep_their_info_and_place() {
    let found = of("a\n```json call x\n{}\n```\nb\n```\nplain\n\n```\n");
    let block = |info: &str, line, text: &str| Block { info: info.into(), line, text: text.into() };
    assert_eq!(found, [block("json call x", 2, "{}\n"), block("", 6, "plain\n\n")]);
}

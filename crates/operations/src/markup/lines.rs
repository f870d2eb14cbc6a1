//! What stands at the beginning of lines: headings, items of lists, quotes, rules and rows of tables become sentences.
//!
//! A text in; paragraphs of plain lines, an empty line between them, out.

/// The text of an item of a list, if the line is one.
pub(super) fn item(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let bullet = ["- ", "* ", "+ ", "\u{2022} "].iter().find_map(|bullet| line.strip_prefix(bullet));
    bullet.or_else(|| {
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let rest = &line[digits..];
        (1..=3).contains(&digits).then(|| rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")))?
    })
}

pub(super) fn as_sentences(text: &str) -> String {
    let is_single = !text.trim().contains('\n');
    let mut out = String::with_capacity(text.len());
    let mut is_item = false;
    let mut is_heading = false;
    for line in text.lines() {
        let line = line.trim();
        if line.is_empty() {
            // A heading belongs to what it stands above; items of one list belong together.
            if !is_heading {
                paragraph(&mut out);
            }
            continue;
        }
        if is_rule(line) {
            is_heading = false;
            paragraph(&mut out);
            continue;
        }
        let line = if is_single { line } else { unquoted(line) };
        if let Some((kind, text)) = alert(line) {
            paragraph(&mut out);
            out.push_str(&format!("{kind}: {text}"));
            (is_item, is_heading) = (false, false);
            continue;
        }
        if let Some(text) = heading(line).filter(|text| !is_single || !text.starts_with("of ")) {
            paragraph(&mut out);
            sentence(&mut out, text);
            (is_item, is_heading) = (false, true);
            continue;
        }
        is_heading = false;
        match item(line).filter(|_| !is_single || out.is_empty()) {
            Some(text) => {
                // `Supports:` and its items are one paragraph.
                if is_item || out.trim_end().ends_with(':') {
                    out.truncate(out.trim_end().len());
                    out.push('\n');
                }
                sentence(&mut out, text);
                is_item = true;
            }
            None => {
                let text = cells(line);
                out.push_str(text.as_deref().unwrap_or(line));
                out.push('\n');
                is_item = false;
            }
        }
    }
    out.truncate(out.trim_end().len());
    out
}

fn paragraph(out: &mut String) {
    out.truncate(out.trim_end().len());
    if !out.is_empty() {
        out.push_str("\n\n");
    }
}

/// A line that ends as a sentence does.
fn sentence(out: &mut String, text: &str) {
    let text = text.trim().trim_end_matches(['#', ',']).trim_end();
    out.push_str(text);
    if !text.is_empty() && !text.ends_with(['.', ':', ';', '!', '?']) {
        out.push('.');
    }
    out.push('\n');
}

fn heading(line: &str) -> Option<&str> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    (1..=6).contains(&level).then(|| line[level..].strip_prefix(' '))?.map(str::trim)
}

/// A line of signs that separates.
fn is_rule(line: &str) -> bool {
    let is_made_of = |signs: &[char]| line.chars().all(|c| signs.contains(&c));
    line.len() >= 3
        && (is_made_of(&['-', ' ']) || is_made_of(&['*', ' ']) || is_made_of(&['=']) || is_made_of(&['_']))
        || line.contains('-') && is_made_of(&['|', '-', ':', ' ']) && line.contains('|')
}

/// `[!NOTE]` before words that matter more than others: its kind as people write it, and what stands behind it.
fn alert(line: &str) -> Option<(&'static str, &str)> {
    const KINDS: [(&str, &str); 5] = [
        ("NOTE", "Note"),
        ("TIP", "Tip"),
        ("IMPORTANT", "Important"),
        ("WARNING", "Warning"),
        ("CAUTION", "Caution"),
    ];
    let (name, text) = line.trim_start_matches(['>', ' ']).strip_prefix("[!")?.split_once(']')?;
    let (_, kind) = KINDS.iter().find(|(known, _)| name.eq_ignore_ascii_case(known))?;
    Some((kind, text.trim_start()))
}

fn unquoted(line: &str) -> &str {
    let inner = line.strip_prefix('>').map(str::trim_start);
    inner.filter(|inner| !inner.starts_with(|c: char| c.is_ascii_digit() || c == '=')).unwrap_or(line)
}

/// The cells of a row: `| a | b |` is `a, b.`
fn cells(line: &str) -> Option<String> {
    let inner = line.strip_prefix('|')?.strip_suffix('|')?;
    let cells: Vec<&str> = inner.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect();
    (inner.contains('|') || cells.len() == 1).then(|| format!("{}.", cells.join(", ").trim_end_matches('.')))
}

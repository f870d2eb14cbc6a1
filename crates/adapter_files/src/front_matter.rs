//! Splits an adapter file into its YAML front matter and its prose (runtime specification, section 3.2).
//!
//! Bytes in; two slices of the text out, both with the line numbers of the whole file: the YAML slice starts with the
//! opening delimiter, which YAML reads as the start of a document.

use aqueduct_documents::SyntaxProblem;
use aqueduct_documents::disk::MAX_ADAPTER_FILE;

/// Blocks that every file has: below the front matter they are found by people only.
const BLOCKS: [&str; 2] = ["target", "operations"];

/// The two parts of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct AdapterFileParts<'t> {
    /// The front matter with its opening delimiter, without the closing one.
    pub yaml: &'t str,
    /// Everything after the closing delimiter.
    pub prose: &'t str,
    /// The line on which the prose starts.
    pub prose_line: u32,
}

/// The bytes as text, without a byte order mark.
pub(super) fn decode(bytes: &[u8]) -> Result<&str, SyntaxProblem> {
    if bytes.len() as u64 > MAX_ADAPTER_FILE {
        let most = MAX_ADAPTER_FILE / (1024 * 1024);
        return Err(problem("", &format!("The file is larger than {most} MiB, the most that is read")));
    }
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        problem(&before, "The file is not UTF-8 text: save it with UTF-8 encoding")
    })?;
    match text.find(|c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r')) {
        Some(offset) => Err(problem(&text[..offset], "The file holds a control character")),
        None => Ok(text),
    }
}

/// A problem right after this text.
fn problem(before: &str, message: &str) -> SyntaxProblem {
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    SyntaxProblem { message: message.to_owned(), hint: None, line: narrow(line), column: narrow(column) }
}

/// Finds the two delimiters.
pub(super) fn split(text: &str) -> Result<AdapterFileParts<'_>, SyntaxProblem> {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    if !is_delimiter(first) {
        let message = "The first line must be '---', the start of the YAML front matter";
        return Err(problem("", message));
    }
    let mut offset = first.len();
    for (line, number) in lines.zip(2_u32..) {
        if is_delimiter(line) {
            let yaml = &text[..offset];
            if yaml[first.len()..].lines().all(|line| line.trim().is_empty() || line.trim().starts_with('#'))
            {
                return Err(problem(yaml, "The front matter is empty"));
            }
            let prose = &text[offset + line.len()..];
            if let Some(key) = BLOCKS.into_iter().find(|key| !has_key(yaml, key) && has_key(prose, key)) {
                let message = format!("The front matter ends here, but '{key}' stands below");
                let hint = Some("remove this line, or move the key above it".to_owned());
                return Err(SyntaxProblem { hint, ..problem(yaml, &message) });
            }
            return Ok(AdapterFileParts { yaml, prose, prose_line: number + 1 });
        }
        offset += line.len();
    }
    Err(problem(text.trim_end(), "The front matter has no end: close it with '---' alone on a line"))
}

/// True when a line begins with the key.
fn has_key(text: &str, key: &str) -> bool {
    text.lines().any(|line| line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':')))
}

fn is_delimiter(line: &str) -> bool {
    line.trim_end() == "---"
}

#[cfg(test)]
mod tests;

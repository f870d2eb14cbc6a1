//! A file that names this program as a server of itself: started, it would start itself without end.
//!
//! A command line and the file it stands in come in; why it must not be started, when it must not, goes out.

use std::path::{Component, Path, PathBuf};

const OUR_NAME: &str = "aqueduct";

/// Why this command would lead back to this file.
pub(super) fn would_start(command: &str, args: &[String], file: &str) -> Option<String> {
    // In one text, as `sh -c` has it, the words count too.
    let words: Vec<&str> = std::iter::once(command)
        .chain(args.iter().map(String::as_str))
        .flat_map(|word| {
            std::iter::once(word).chain(word.split_whitespace().filter(move |part| *part != word))
        })
        .collect();
    let ours = words.iter().position(|word| is_ours(word))?;
    let after = &words[ours + 1..];
    if after.iter().any(|word| is_same_file(word.rsplit('=').next().unwrap_or(word), file)) {
        return Some("it is this program, serving this same file".to_owned());
    }
    let is_source = |word: &&str| {
        let ends = [".md", ".json", ".yaml", ".yml"].iter().any(|end| word.ends_with(end));
        !word.starts_with('-')
            && (ends || word.contains("://") || word.starts_with("mcp:") || word.contains('/'))
    };
    let serves = after.is_empty() || after.contains(&"serve");
    let names_a_source = after.iter().any(is_source) || has_source(args);
    (serves && !names_a_source).then(|| {
        "it is this program, serving what its configuration says, which may be this same file".to_owned()
    })
}

/// True when a word that belongs to no flag follows `serve`: `demo`, or a directory. Of the words of a shell no one knows.
fn has_source(args: &[String]) -> bool {
    const WITHOUT_VALUE: &str = "--no-watch";
    let Some(serve) = args.iter().position(|word| word == "serve") else { return false };
    let takes_value =
        |word: &String| word.starts_with('-') && !word.contains('=') && word.as_str() != WITHOUT_VALUE;
    args[serve..].windows(2).any(|pair| !pair[1].starts_with('-') && !takes_value(&pair[0]))
}

fn is_ours(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    name.strip_suffix(".exe").unwrap_or(name).eq_ignore_ascii_case(OUR_NAME)
}

/// The same path when both are absolute; else the same file name, because it is unknown where the other starts.
fn is_same_file(word: &str, file: &str) -> bool {
    let (word, file) = (Path::new(word), Path::new(file));
    if word.is_absolute() && file.is_absolute() {
        return plain(word) == plain(file);
    }
    word.file_name().is_some() && word.file_name() == file.file_name()
}

/// The path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut out, part| {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
        out
    })
}

#[cfg(test)]
mod tests;

//! References to variables as the popular clients write them, into the one form that we look up: `${VAR}`.
//!
//! A text in; the same text with our form, or why a reference means nothing outside the program that wrote it, out.

/// A reference that cannot be looked up here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum VariableProblem {
    /// `${input:x}`: the editor asks a person.
    #[error("'${{input:{0}}}' is asked for by the editor, which is not here")]
    Input(String),
    /// `${workspaceFolder}` and the like.
    #[error("'${{{0}}}' is known to the editor alone")]
    Editor(String),
}

impl VariableProblem {
    /// What to do instead.
    pub(crate) fn advice(&self) -> String {
        match self {
            VariableProblem::Input(name) => {
                let variable: String = aqueduct_source_kind::public_names::snake(name).to_uppercase();
                let variable = if variable.is_empty() { "NAME".to_owned() } else { variable };
                format!("use an environment variable: write ${{{variable}}} and set it before the start")
            }
            VariableProblem::Editor(_) => {
                "write the path out, or name an environment variable: ${VAR}".to_owned()
            }
        }
    }
}

/// Rewrites every reference of a text.
pub(crate) fn translated(text: &str) -> Result<String, VariableProblem> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        out.push_str(&rest[..start]);
        let after = &rest[start + 2..];
        let Some(end) = after.find('}') else {
            rest = &rest[start..];
            break;
        };
        out.push_str(&reference(&after[..end])?);
        rest = &after[end + 1..];
    }
    out.push_str(rest);
    Ok(out)
}

fn reference(inside: &str) -> Result<String, VariableProblem> {
    if let Some(name) = inside.strip_prefix("input:") {
        return Err(VariableProblem::Input(name.to_owned()));
    }
    if let Some(name) = inside.strip_prefix("env:").or_else(|| inside.strip_prefix("env.")) {
        return Ok(format!("${{{name}}}"));
    }
    match inside {
        "userHome" => Ok("${HOME}".to_owned()),
        "/" | "pathSeparator" => Ok(std::path::MAIN_SEPARATOR.to_string()),
        "workspaceFolder" | "workspaceFolderBasename" | "workspaceRoot" | "cwd" | "file" => {
            Err(VariableProblem::Editor(inside.to_owned()))
        }
        _ if ["config:", "command:", "workspaceFolder:"].iter().any(|kind| inside.starts_with(kind)) => {
            Err(VariableProblem::Editor(inside.to_owned()))
        }
        _ => Ok(format!("${{{inside}}}")),
    }
}

/// The home folder in place of a leading `~`.
pub(crate) fn at_home(path: &str) -> String {
    match path.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with(['/', '\\']) => format!("${{HOME}}{rest}"),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests;

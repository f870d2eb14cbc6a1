//! References to variables as the popular clients write them, into the one form that we look up: `${VAR}`.
//!
//! A text in; the same text with our form, or why a reference means nothing outside the program that wrote it, out.

use aqueduct_operations::variable_reference::{TextPart, parts};

/// A reference that cannot be looked up here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum VariableProblem {
    /// `${input:x}`: the editor asks a person.
    #[error("'${{input:{0}}}' is asked for by the editor, which is not here")]
    Input(String),
    /// `${workspaceFolder}` and the like.
    #[error("'${{{0}}}' is known to the editor alone")]
    Editor(String),
    /// `${env:my-token}`: no variable has such a name.
    #[error("'${{env:{0}}}' names no environment variable")]
    Name(String),
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
            VariableProblem::Name(_) => {
                "names of variables have letters, digits and underscores: write ${NAME} and set it before the start".to_owned()
            }
            VariableProblem::Editor(_) => {
                "write the path out, or name an environment variable: ${VAR}".to_owned()
            }
        }
    }
}

/// Rewrites every reference of a text.
pub(crate) fn translated(text: &str) -> Result<String, VariableProblem> {
    parts(text)
        .map(|part| match part {
            TextPart::Literal(text) => Ok(text.to_owned()),
            TextPart::Variable { name, default: None } => {
                of_editor(name).unwrap_or_else(|| Ok(format!("${{{name}}}")))
            }
            TextPart::Variable { name, default: Some(default) } => Ok(format!("${{{name}:-{default}}}")),
            TextPart::Foreign(text) => {
                let inside = text.trim_start_matches("${").trim_end_matches('}');
                of_editor(inside).unwrap_or_else(|| Ok(text.to_owned()))
            }
        })
        .collect()
}

/// What an editor means by this, in our form; nothing when it is not one of an editor's words.
fn of_editor(inside: &str) -> Option<Result<String, VariableProblem>> {
    if let Some(name) = inside.strip_prefix("input:") {
        return Some(Err(VariableProblem::Input(name.to_owned())));
    }
    if let Some(name) = inside.strip_prefix("env:") {
        return Some(Err(VariableProblem::Name(name.to_owned())));
    }
    if let Some(name) = inside.strip_prefix("env.") {
        return Some(Ok(format!("${{{name}}}")));
    }
    match inside {
        "userHome" => Some(Ok("${HOME}".to_owned())),
        "/" | "pathSeparator" => Some(Ok(std::path::MAIN_SEPARATOR.to_string())),
        "workspaceFolder" | "workspaceFolderBasename" | "workspaceRoot" | "cwd" | "file" => {
            Some(Err(VariableProblem::Editor(inside.to_owned())))
        }
        _ if ["config:", "command:", "workspaceFolder:"].iter().any(|kind| inside.starts_with(kind)) => {
            Some(Err(VariableProblem::Editor(inside.to_owned())))
        }
        _ => None,
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

//! Alternatives: a rule with `All` and `AnyOf` in it and an environment come in, the single credentials that a call uses
//! go out. The first alternative whose variables are all set wins; an empty variable is not set.
//!
//! Nothing that goes out is `All` or `AnyOf` any more.

use crate::error::CredentialError;
use aqueduct_egress::environment::Environment;
use aqueduct_operations::auth::{Auth, KeyPlace};
use aqueduct_operations::target::HttpTarget;
use secrecy::ExposeSecret;

/// The credentials that a call uses. Where there is no choice, variables may still be missing.
pub(super) fn chosen<'a>(
    auth: &'a Auth,
    environment: &dyn Environment,
) -> Result<Vec<&'a Auth>, CredentialError> {
    match auth {
        Auth::All(parts) => {
            let parts = parts.iter().map(|part| chosen(part, environment));
            Ok(parts.collect::<Result<Vec<_>, _>>()?.concat())
        }
        Auth::AnyOf(parts) if parts.is_empty() => Ok(Vec::new()),
        Auth::AnyOf(parts) => match parts.iter().find(|part| is_set(part, environment)) {
            Some(part) => chosen(part, environment),
            None => Err(CredentialError::NoAlternative(parts.iter().map(names).collect())),
        },
        single => Ok(vec![single]),
    }
}

/// The credentials that a call would use, once they are set: where nothing is, the first of alternatives.
pub(super) fn likely<'a>(auth: &'a Auth, environment: &dyn Environment) -> Vec<&'a Auth> {
    match auth {
        Auth::All(parts) => parts.iter().flat_map(|part| likely(part, environment)).collect(),
        Auth::AnyOf(parts) => {
            let part = parts.iter().find(|part| is_set(part, environment)).or(parts.first());
            part.map(|part| likely(part, environment)).unwrap_or_default()
        }
        single => vec![single],
    }
}

/// The variables that are not set although a call needs them: none while one of several alternatives is wholly set, else
/// those of all alternatives.
pub fn unset<'a>(auth: &'a Auth, environment: &dyn Environment) -> Vec<&'a str> {
    match auth {
        Auth::AnyOf(_) if is_set(auth, environment) => Vec::new(),
        Auth::All(parts) | Auth::AnyOf(parts) => {
            parts.iter().flat_map(|part| unset(part, environment)).collect()
        }
        single => {
            let variables = single.variables().into_iter();
            variables.filter(|variable| !has_value(variable, environment)).collect()
        }
    }
}

/// What keeps calls from going out: nothing when they can, else every way to let them, as the variables that it lacks.
pub fn lacking(auth: &Auth, environment: &dyn Environment) -> Vec<Vec<String>> {
    const MOST: usize = 12;
    if is_set(auth, environment) {
        return Vec::new();
    }
    match auth {
        Auth::AnyOf(parts) => parts.iter().flat_map(|part| lacking(part, environment)).collect(),
        Auth::All(parts) => {
            let mut ways: Vec<Vec<String>> = vec![Vec::new()];
            for part in parts.iter().map(|part| lacking(part, environment)).filter(|part| !part.is_empty()) {
                let joined = |way: &Vec<String>| {
                    let way = way.clone();
                    part.iter().map(move |more| [&way[..], &more[..]].concat()).collect::<Vec<_>>()
                };
                ways = ways.iter().flat_map(joined).take(MOST).collect();
            }
            ways
        }
        _ => vec![unset(auth, environment).into_iter().map(str::to_owned).collect()],
    }
}

/// `A, or B and C`.
pub fn ways_in_words(ways: &[Vec<String>]) -> String {
    ways.iter().map(|variables| variables.join(" and ")).collect::<Vec<_>>().join(", or ")
}

/// Every single credential, of all alternatives.
pub(super) fn all(auth: &Auth) -> Vec<&Auth> {
    match auth {
        Auth::All(parts) | Auth::AnyOf(parts) => parts.iter().flat_map(all).collect(),
        single => vec![single],
    }
}

/// The query parameters that hold a key, of all alternatives.
pub(crate) fn query_keys(target: &HttpTarget) -> Vec<&str> {
    let keys = all(target.auth_in_force()).into_iter().filter_map(|auth| match auth {
        Auth::ApiKey { place: KeyPlace::Query(name), .. } => Some(name.as_str()),
        _ => None,
    });
    keys.collect()
}

fn is_set(auth: &Auth, environment: &dyn Environment) -> bool {
    match auth {
        Auth::All(parts) => parts.iter().all(|part| is_set(part, environment)),
        Auth::AnyOf(parts) => parts.is_empty() || parts.iter().any(|part| is_set(part, environment)),
        single => single.variables().into_iter().all(|variable| has_value(variable, environment)),
    }
}

fn has_value(variable: &str, environment: &dyn Environment) -> bool {
    environment.get(variable).is_some_and(|value| !value.expose_secret().is_empty())
}

fn names(auth: &Auth) -> Vec<String> {
    auth.variables().into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;

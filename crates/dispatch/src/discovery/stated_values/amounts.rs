//! Amounts of money and percents in the words of a request.
//!
//! Words and a place among them in, an amount out; and whether a parameter is for one, and in which unit.

use super::request_words::RequestWord;
use aqueduct_operations::naming::words;
use aqueduct_operations::params::{Param, ValueKind};
use serde_json::{Value, json};

/// An amount of money, as it was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoneyAmount {
    /// In hundredths.
    pub hundredths: i64,
    /// The code of its currency, in small letters.
    pub currency: Option<&'static str>,
}

/// What stands for a currency before or behind an amount.
const CURRENCIES: &[(&str, &str)] = &[
    ("$", "usd"),
    ("€", "eur"),
    ("£", "gbp"),
    ("usd", "usd"),
    ("eur", "eur"),
    ("gbp", "gbp"),
    ("chf", "chf"),
    ("cad", "cad"),
    ("aud", "aud"),
    ("dollar", "usd"),
    ("dollars", "usd"),
    ("euro", "eur"),
    ("euros", "eur"),
    ("pounds", "gbp"),
    ("bucks", "usd"),
];

/// Parameters that are for an amount, the surest first.
const AMOUNTS: &[&str] = &["amount", "unit_amount", "amount_cents", "price_cents", "price", "total"];

/// The amount that this word is, with the one behind it.
pub fn money(request: &[RequestWord], at: usize) -> Option<MoneyAmount> {
    if !has_digit(&request[at].text) {
        return None;
    }
    let word = request[at].text.to_lowercase();
    let behind = request.get(at + 1).filter(|next| !next.is_quoted).map(|next| next.text.to_lowercase());
    let behind = behind.as_deref().unwrap_or_default();
    let joined = |(sign, _): &&(&str, &str)| {
        word.strip_prefix(sign).or_else(|| word.strip_suffix(sign)).is_some_and(|rest| !rest.is_empty())
    };
    if let Some((sign, code)) = CURRENCIES.iter().find(joined) {
        let number = word.strip_prefix(sign).or_else(|| word.strip_suffix(sign))?;
        return Some(MoneyAmount { hundredths: hundredths(number)?, currency: Some(code) });
    }
    if ["cent", "cents"].contains(&behind) {
        return Some(MoneyAmount { hundredths: word.parse().ok()?, currency: None });
    }
    let (_, code) = CURRENCIES.iter().find(|(name, _)| *name == behind)?;
    Some(MoneyAmount { hundredths: hundredths(&word)?, currency: Some(code) })
}

/// The percentage that this word is, perhaps with the one behind it.
pub fn percent(request: &[RequestWord], at: usize) -> Option<f64> {
    let word = request[at].text.as_str();
    if !has_digit(word) {
        return None;
    }
    let is_behind =
        || request.get(at + 1).is_some_and(|next| ["%", "percent", "per-cent"].contains(&next.text.as_str()));
    let number = word.strip_suffix('%').or_else(|| is_behind().then_some(word))?;
    hundredths(number).map(|hundredths| hundredths as f64 / 100.0)
}

fn has_digit(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit())
}

/// `1,250.50` or `1.250,50` in hundredths; nothing where it has more than two decimals or is no number. A comma before exactly
/// three digits is no decimal sign.
fn hundredths(text: &str) -> Option<i64> {
    let (whole, decimals) = match text.rfind([',', '.']).map(|at| text.split_at(at)) {
        Some((whole, decimals)) if !(decimals.starts_with(',') && decimals.len() == 4) => (whole, decimals),
        _ => (text, ".00"),
    };
    let (thousands, part) = match decimals.strip_prefix(',') {
        Some(part) => ('.', part),
        None => (',', &decimals[1..]),
    };
    let groups: Vec<&str> = whole.split(thousands).collect();
    let is_grouped =
        groups.len() == 1 || groups[0].len() < 4 && groups[1..].iter().all(|each| each.len() == 3);
    let whole = groups.concat();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !is_grouped || !is_number(groups[0]) || !is_number(&whole) || whole.len() > 11 {
        return None;
    }
    if !is_number(part) || part.len() > 2 {
        return None;
    }
    let part: i64 = format!("{part:0<2}").parse().ok()?;
    Some(whole.parse::<i64>().ok()? * 100 + part)
}

/// The one of these parameters that is for an amount of money.
pub fn amount_param<'o>(open: &[&'o Param]) -> Option<&'o Param> {
    let is_number = |param: &&&'o Param| {
        matches!(param.shape.kind, ValueKind::Integer | ValueKind::Number) && param.shape.allowed.is_none()
    };
    let numbers: Vec<&&Param> = open.iter().filter(is_number).collect();
    let named = AMOUNTS.iter().find_map(|name| numbers.iter().find(|param| param.name == *name));
    let fitting = || {
        let is_amount = |param: &&&&'o Param| words(&param.name).iter().any(|word| word == "amount");
        let mut fitting = numbers.iter().filter(is_amount);
        fitting.next().filter(|_| fitting.next().is_none())
    };
    named.or_else(fitting).map(|param| **param)
}

/// An amount in the unit of a parameter: hundredths where its name or its description says so, else as it was said. Nothing for
/// a whole number of which neither says what it counts.
pub fn amount_for(param: &Param, money: &MoneyAmount) -> Option<Value> {
    let description = param.description.as_deref().unwrap_or_default().to_lowercase();
    let is_cent = |word: &str| ["cent", "cents"].contains(&word);
    let is_in_hundredths = words(&param.name).iter().any(|word| is_cent(word))
        || description.split(|c: char| !c.is_alphanumeric()).any(is_cent)
        || ["smallest currency unit", "minor unit"].iter().any(|unit| description.contains(unit));
    match (is_in_hundredths, &param.shape.kind) {
        (true, _) => Some(json!(money.hundredths)),
        (false, ValueKind::Number) if money.hundredths % 100 == 0 => Some(json!(money.hundredths / 100)),
        (false, ValueKind::Number) => Some(json!(money.hundredths as f64 / 100.0)),
        (false, _) => None,
    }
}

/// The code of a currency as a parameter has it.
pub fn currency_for(param: &Param, code: &str) -> Value {
    let mut allowed = param.shape.allowed.iter().flatten().filter_map(Value::as_str);
    let is_small = || param.description.as_deref().unwrap_or_default().contains("lowercase");
    match allowed.find(|value| value.eq_ignore_ascii_case(code)) {
        Some(value) => json!(value),
        None if is_small() => json!(code),
        None => json!(code.to_uppercase()),
    }
}

/// True for a parameter that is for a percentage.
pub fn is_percent(param: &Param) -> bool {
    let is_number = matches!(param.shape.kind, ValueKind::Integer | ValueKind::Number);
    is_number && words(&param.name).iter().any(|word| ["percent", "percentage"].contains(&word.as_str()))
}

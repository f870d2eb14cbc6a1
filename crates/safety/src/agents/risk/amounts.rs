//! Numbers in a hint: how many, and how much money.
//!
//! The words of a clause in; the largest number out, and whether it is money.

use super::lexicon::WordAction;

/// The largest number of a clause.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Amount {
    largest: f64,
    pub is_money: bool,
}

/// Words of money.
#[rustfmt::skip]
const MONEY: &[&str] = &[
    "usd", "eur", "gbp", "dollar", "dollars", "euro", "euros", "pounds", "btc", "bitcoin", "eth", "ethereum", "usdt", "funds", "money", "payment",
    "invoice", "invoices", "salary", "yen", "yuan", "rmb", "dolares", "cash", "payroll", "wallet", "iban", "crypto", "stock", "shares", "k", "balance",
    "bank", "card", "credits", "budget", "rubles", "subscription",
];

/// Words that a number is only the name of.
const NUMBERED: &[&str] = &[
    "port", "id", "line", "page", "issue", "version", "pid", "ticket", "chapter", "task", "pr", "row",
    "step", "year", "room",
];

/// The largest number.
pub(super) fn in_text(text: &str) -> Amount {
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let mut amount = Amount::default();
    for (index, word) in words.iter().enumerate() {
        amount.is_money |= MONEY.contains(word);
        // A port or a page is no amount.
        let names_it =
            index.checked_sub(1).and_then(|at| words.get(at)).is_some_and(|before| NUMBERED.contains(before));
        if names_it {
            continue;
        }
        let Some(number) = number(word, words.get(index + 1).copied()) else { continue };
        amount.largest = amount.largest.max(number);
    }
    amount
}

/// `250`, `10k`, `2 million`. A year is no amount.
fn number(word: &str, next: Option<&str>) -> Option<f64> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: f64 = digits.parse().ok()?;
    let factor = match (&word[digits.len()..], next) {
        ("k", _) => 1e3,
        ("m" | "mm", _) => 1e6,
        ("", Some("thousand" | "mil" | "tausend")) => 1e3,
        ("", Some("million" | "millions" | "millionen" | "millones")) => 1e6,
        ("", Some("billion")) => 1e9,
        // Thousands are set apart by a sign, which separates words.
        ("", Some(next))
            if next.len() == 3 && digits.len() < 4 && next.bytes().all(|b| b.is_ascii_digit()) =>
        {
            1e3
        }
        ("", _) => 1.0,
        _ => return None,
    };
    let is_year = factor == 1.0 && (1990.0..2100.0).contains(&number);
    (!is_year).then_some(number * factor)
}

impl Amount {
    /// What it adds to the weight of an effect.
    pub(super) fn points(self, effect: WordAction) -> i64 {
        let steps: [(f64, i64); 4] = match effect {
            WordAction::Pays => [(500_000.0, 50), (10_000.0, 38), (1_000.0, 22), (200.0, 6)],
            WordAction::Removes
            | WordAction::Destroys
            | WordAction::Stops
            | WordAction::Sends
            | WordAction::Changes => [(100_000.0, 26), (1_000.0, 18), (100.0, 10), (50.0, 4)],
            _ => [(f64::MAX, 0); 4],
        };
        steps.iter().find(|(least, _)| self.largest >= *least).map_or(0, |(_, points)| *points)
    }
}

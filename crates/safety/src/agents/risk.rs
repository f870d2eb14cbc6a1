//! How dangerous an action is, by what an agent says about it: rules over words, targets, numbers and commands.
//!
//! The readings of a hint in; a score from 0 to 100 out, with the reasons in words that a person understands. What a hint claims about
//! itself never lowers it. Words that look, explain, quote or deny lower it only where nothing else is asked for.

mod amounts;
mod clauses;
mod commands;
mod lexicon;
mod phrase_set;
mod phrases;
mod targets;

use super::hint_forms::{HintForm, HintForms};
use aqueduct_operations::danger::DangerLevel;
use clauses::Clause;
use lexicon::WordAction;
use targets::ActionTarget;

/// A score and the reasons for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RiskScore {
    /// From 0 to 100.
    pub score: u8,
    /// Why, the weightiest first.
    pub factors: Vec<String>,
}

impl RiskScore {
    /// The score of an action by an operation of this level: no less than where the level begins (danger-level document, 8.1).
    #[must_use]
    pub fn at_least_for(mut self, level: DangerLevel) -> RiskScore {
        let least = match level {
            DangerLevel::Safe => 0,
            DangerLevel::Reversible => 16,
            DangerLevel::Destructive => 41,
            DangerLevel::Dangerous => 61,
            DangerLevel::Forbidden => 86,
        };
        if self.score < least {
            self.score = least;
            self.factors.insert(0, format!("It names an operation that is {}", level.name()));
        }
        self
    }

    /// What counts of a hint that hides more than was looked at: somebody has to verify it.
    #[must_use]
    pub fn at_least_for_hiding(mut self, hint_forms: &HintForms) -> RiskScore {
        const LEAST: u8 = 61;
        if hint_forms.is_cut_off && self.score < LEAST {
            self.score = LEAST;
            self.factors.insert(0, "It hides more than can be looked at".to_owned());
        }
        self
    }

    /// What counts when no one could tell.
    pub fn unknown(why: &str) -> RiskScore {
        RiskScore { score: 100, factors: vec![why.to_owned()] }
    }
}

/// The score of a hint, which is that of its worst reading.
pub fn score(hint_forms: &HintForms) -> RiskScore {
    let mut worst = EffectTally::default();
    let mut plain = 0;
    for form in &hint_forms.texts {
        let mut tally = tally(form);
        match form.hidden_as {
            None => plain = tally.points,
            // Hiding something harmless may have a good reason; hiding harm has none.
            Some(hidden_as) if tally.points > plain.max(30) => {
                tally.add(25, &format!("It was hidden as {hidden_as}"));
            }
            Some(_) => {}
        }
        if tally.points > worst.points {
            worst = tally;
        }
    }
    let score = worst.points.clamp(0, 100).try_into().unwrap_or(100);
    RiskScore { score, factors: worst.factors }.at_least_for_hiding(hint_forms)
}

/// True when a text, as it is written, has a command that does harm, or reads what is secret.
pub fn names_command(folded: &str) -> bool {
    !commands::in_text(folded).is_empty()
}

/// The score of a report among others: the same again and again, or risk upon risk, weighs more.
pub fn escalated(risk: RiskScore, repeated: u64, cumulative: u64) -> RiskScore {
    let RiskScore { score, mut factors } = risk;
    let mut points = u64::from(score);
    if score > 10 && repeated >= 3 {
        points += 5 * (repeated - 2).min(6);
        factors.push(format!("The same action was reported {repeated} times before"));
    }
    if score > 20 && cumulative >= 100 {
        points += (cumulative / 100 * 5).min(30);
        factors.push("The risk of the steps before adds up".to_owned());
    }
    RiskScore { score: u8::try_from(points.min(100)).unwrap_or(100), factors }
}

/// True when a text asks for more than one thing, or may.
pub fn has_several_actions(folded: &str) -> bool {
    clauses::of(folded).len() > 1 || folded.contains(['`', '$', '>', '<'])
}

/// What adds up.
#[derive(Debug, Default)]
struct EffectTally {
    points: i64,
    factors: Vec<String>,
}

impl EffectTally {
    fn add(&mut self, points: i64, factor: &str) {
        self.points += points;
        if points > 0 && !self.factors.iter().any(|known| known == factor) {
            self.factors.push(factor.to_owned());
        }
    }

    fn take_worse(&mut self, other: EffectTally) {
        if other.points > self.points {
            let before = std::mem::replace(self, other);
            self.factors.extend(before.factors);
        }
    }
}

/// What a command weighs at least that is to be looked at, not only spoken of: a person confirms it.
const LEAST_OF_SHOWN: i64 = 35;

fn tally(form: &HintForm) -> EffectTally {
    let (plain, split) = (&form.folded.plain, &form.folded.split);
    let clauses = clauses::of(split);
    let effects: Vec<ClauseAction> = clauses.iter().map(acting).collect();
    let all_targets: Vec<&ActionTarget> = targets::in_text(split);
    let acts = effects.iter().any(|acting| acting.effect.is_some_and(|effect| effect != WordAction::Changes));
    let talks = effects.iter().any(|acting| acting.talks);
    // A command after a separator of the shell is not what the verb before it is about.
    let is_chained = plain.contains([';', '|', '\n']) || plain.contains("&&");
    let only_looks = !acts && !is_chained && (talks || effects.iter().any(|acting| acting.looks));
    let only_talks = only_looks && !effects.iter().any(|acting| acting.looks);
    let mut worst = EffectTally::default();
    for (clause, acting) in clauses.iter().zip(&effects) {
        worst.take_worse(of_clause(clause, acting, &all_targets));
    }
    let found = commands::in_text(plain);
    // "Explain what it does" is not "explain by doing it", and what is given to a tool is not talked of.
    let is_tool = plain.split_whitespace().next().is_some_and(|word| word.contains('_'));
    let only_talks_of_it = only_talks && !is_tool && !found.is_empty() && !commands::are_means(plain);
    for command in found {
        let mut tally = EffectTally::default();
        let is_excused = if command.reads { only_talks_of_it } else { only_looks };
        let points = if !is_excused {
            command.points
        } else if only_talks_of_it {
            command.points / 4
        } else {
            // Anyone who wants to see what a command gives has to run it.
            (command.points / 4).max(LEAST_OF_SHOWN)
        };
        tally.add(points, command.about);
        if !is_excused {
            for target in all_targets.iter().filter(|target| target.raises_commands) {
                tally.add(target.points / 2, target.about);
            }
        }
        worst.take_worse(tally);
    }
    for phrase in phrases::in_text(plain) {
        let mut tally = EffectTally::default();
        tally.add(
            if only_talks && !phrase.is_order { phrase.points / 4 } else { phrase.points },
            phrase.about,
        );
        worst.take_worse(tally);
    }
    if worst.points > 10 && !only_looks {
        for modifier in phrases::modifiers_in(plain) {
            worst.add(modifier.points, modifier.about);
        }
    }
    if form.folded.is_disguised {
        let points = if worst.points > 15 { 30 } else { 20 };
        worst.add(points, "Its letters are not what they look like");
    }
    worst
}

/// What a clause does.
#[derive(Debug)]
struct ClauseAction {
    effect: Option<WordAction>,
    /// A word that acts is only spoken of.
    mentioned: Option<WordAction>,
    looks: bool,
    talks: bool,
}

fn acting(clause: &Clause<'_>) -> ClauseAction {
    let mut acting = ClauseAction { effect: None, mentioned: None, looks: false, talks: false };
    for (index, word) in clause.words.iter().enumerate() {
        let Some(effect) = lexicon::effect_of(word) else { continue };
        let stands_first = clause.is_commanded(index) || acting.effect.is_none() && index < 2;
        match effect {
            WordAction::Looks => acting.looks |= stands_first,
            WordAction::Talks => acting.talks |= stands_first,
            _ => {}
        }
        if matches!(effect, WordAction::Looks | WordAction::Talks) {
            continue;
        }
        let worse = |known: Option<WordAction>| known.is_none_or(|known| known.points() < effect.points());
        if clause.is_negated(index) {
            continue;
        }
        let is_of_another = (acting.looks || acting.talks) && clause.is_of_another(index);
        if clause.is_commanded(index) && !is_of_another {
            if worse(acting.effect) {
                acting.effect = Some(effect);
            }
        } else if worse(acting.mentioned) {
            acting.mentioned = Some(effect);
        }
    }
    for effect in lexicon::foreign_effects(&clause.text) {
        if acting.effect.is_none_or(|known| known.points() < effect.points()) {
            acting.effect = Some(effect);
        }
    }
    let is_unknown = acting.effect.is_none() && !acting.looks && !acting.talks;
    if is_unknown && clause.order().is_some_and(lexicon::is_unknown_verb) {
        acting.effect = Some(WordAction::Changes);
    }
    acting
}

fn of_clause(clause: &Clause<'_>, acting: &ClauseAction, all_targets: &[&ActionTarget]) -> EffectTally {
    let mut tally = EffectTally::default();
    let own = targets::in_text(&clause.text);
    let Some(effect) = acting.effect else {
        if acting.looks {
            // Looking at some things is more than looking.
            for target in own.iter().filter(|target| target.points_when_read > 0) {
                tally.add(target.points_when_read, target.about);
            }
        } else if let Some(mentioned) = acting.mentioned.filter(|_| !acting.talks) {
            tally.add(mentioned.points() / 3, mentioned.about());
            for target in &own {
                tally.add(target.points / 3, target.about);
            }
        }
        return tally;
    };
    let amount = amounts::in_text(&clause.text);
    let is_about_money = amount.is_money || own.iter().any(|target| target.is_money);
    // "Fire off the refunds": what the verb means is in the noun.
    let (effect, points) = match acting.mentioned {
        Some(mentioned) if effect == WordAction::Changes && mentioned.points() > effect.points() => {
            (mentioned.given(is_about_money), mentioned.points() * 2 / 3)
        }
        _ => {
            let effect = effect.given(is_about_money);
            (effect, effect.points())
        }
    };
    tally.add(points, effect.about());
    let named: &[&ActionTarget] = if own.is_empty() { all_targets } else { &own };
    let is_text = effect == WordAction::Writes && targets::is_text(&clause.text);
    if effect.points() >= WordAction::Writes.points() && !is_text {
        for target in named {
            tally.add(target.points_for(effect), target.about);
        }
        tally.add(amount.points(effect), "It concerns a large amount or number");
        let is_mild = named.iter().all(|target| target.points <= 16);
        if is_mild && targets::is_scratch(&clause.text) {
            tally.points -= effect.less_for_scratch();
        }
    }
    tally
}

#[cfg(test)]
mod tests;

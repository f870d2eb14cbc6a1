//! Which rules can fit a call, found without looking at each of them.
//!
//! Rules and the facts of a call in; out, every rule that may fit: sometimes too many, never too few, so the caller looks at each
//! of them whole. What depends on the operation alone is worked out at its first call; callers and values are looked up for each.

use super::param_values::{alike, decoded, number, scalar_text};
use super::{Permission, PolicyFacts, PolicyRule};
use crate::category::Category;
use crate::exposure::Glob;
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// The most operations, and the most rules of all of them together, that are kept. Beyond either, everything is worked out again.
const MOST_OPERATIONS: usize = 50_000;
const MOST_RULES: usize = 500_000;

/// The rules of the operations that were called.
#[derive(Debug, Default)]
pub(super) struct RuleIndex(RwLock<Known>);

#[derive(Debug, Default)]
struct Known {
    /// By public name, which seldom is that of several.
    operations: HashMap<String, Vec<KnownOperation>>,
    /// Operations that the same rules fit share them.
    shared: HashMap<Vec<FittingRule>, Arc<OperationRules>>,
    operation_count: usize,
    rule_count: usize,
}

/// Everything of an operation that decides which rules fit it.
#[derive(Debug)]
struct KnownOperation {
    source: String,
    operation: String,
    category: Category,
    is_introspection: bool,
    rules: Arc<OperationRules>,
}

/// A rule that fits an operation, and whether it lifts the confirmation of it.
type FittingRule = (usize, bool);

/// The rules that fit an operation, by whom they are about.
#[derive(Debug, Default)]
struct OperationRules {
    anyone: RuleGroup,
    by_caller: HashMap<String, RuleGroup>,
    /// By what stands before the first star of the pattern.
    by_caller_pattern: HashMap<String, Vec<(Glob, RuleGroup)>>,
}

/// Rules about the same callers.
#[derive(Debug, Default)]
struct RuleGroup {
    /// The one that wins of those that depend on no value.
    always: Option<FittingRule>,
    /// The others by their first parameter, and by its values as they are compared.
    by_param: HashMap<String, HashMap<ComparedValue, Vec<usize>>>,
}

/// A value as rules compare it. What is equal for any rule has one of these in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum ComparedValue {
    Text(String),
    /// The bits of a number.
    Number(u64),
}

impl RuleIndex {
    /// The places of all rules that may fit a call with values.
    pub(super) fn candidates(&self, rules: &[PolicyRule], facts: &PolicyFacts<'_>) -> Vec<usize> {
        let of_operation = self.of_operation(rules, facts);
        let mut found = Vec::new();
        let mut values = GivenValues { facts, by_name: Vec::new() };
        of_operation.anyone.collect(&mut values, &mut found);
        if let Some(caller) = facts.caller {
            if let Some(group) = of_operation.by_caller.get(caller) {
                group.collect(&mut values, &mut found);
            }
            for (pattern, group) in of_operation.patterns_for(caller) {
                if pattern.matches(caller) {
                    group.collect(&mut values, &mut found);
                }
            }
        }
        found
    }

    fn of_operation(&self, rules: &[PolicyRule], facts: &PolicyFacts<'_>) -> Arc<OperationRules> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(rules) = known.find(facts) {
            return rules;
        }
        drop(known);
        let fitting: Vec<FittingRule> = (0..)
            .zip(rules)
            .filter(|(_, rule)| rule.fits_operation(facts))
            .map(|(place, rule)| (place, rule.lifts(facts)))
            .collect();
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        // Another call may have been faster.
        known.find(facts).unwrap_or_else(|| known.add(rules, facts, fitting))
    }
}

// What is worked out can be worked out again: it makes no difference between two lists of rules.
impl Clone for RuleIndex {
    fn clone(&self) -> RuleIndex {
        RuleIndex::default()
    }
}

impl PartialEq for RuleIndex {
    fn eq(&self, _: &RuleIndex) -> bool {
        true
    }
}

impl Known {
    fn find(&self, facts: &PolicyFacts<'_>) -> Option<Arc<OperationRules>> {
        let is_it = |known: &&KnownOperation| {
            known.source == facts.source
                && known.operation == facts.operation
                && known.category == facts.category
                && known.is_introspection == facts.is_introspection
        };
        let known = self.operations.get(facts.public_name)?.iter().find(is_it)?;
        Some(Arc::clone(&known.rules))
    }

    fn add(
        &mut self,
        rules: &[PolicyRule],
        facts: &PolicyFacts<'_>,
        fitting: Vec<FittingRule>,
    ) -> Arc<OperationRules> {
        if self.operation_count >= MOST_OPERATIONS || self.rule_count > MOST_RULES {
            *self = Known::default();
        }
        let shared = self.shared.get(&fitting).cloned().unwrap_or_else(|| {
            let made = Arc::new(OperationRules::of(rules, &fitting));
            self.rule_count += fitting.len();
            self.shared.insert(fitting, Arc::clone(&made));
            made
        });
        self.operation_count += 1;
        self.operations.entry(facts.public_name.to_owned()).or_default().push(KnownOperation {
            source: facts.source.to_owned(),
            operation: facts.operation.to_owned(),
            category: facts.category,
            is_introspection: facts.is_introspection,
            rules: Arc::clone(&shared),
        });
        shared
    }
}

impl OperationRules {
    fn of(rules: &[PolicyRule], fitting: &[FittingRule]) -> OperationRules {
        let mut all = OperationRules::default();
        for (place, lifts) in fitting {
            let Some(rule) = rules.get(*place) else { continue };
            all.group_of(rule).add(rules, rule, (*place, *lifts));
        }
        all
    }

    fn group_of(&mut self, rule: &PolicyRule) -> &mut RuleGroup {
        let Some(caller) = &rule.caller else { return &mut self.anyone };
        let Some((start, _)) = caller.as_str().split_once('*') else {
            return self.by_caller.entry(caller.as_str().to_owned()).or_default();
        };
        let patterns = self.by_caller_pattern.entry(start.to_owned()).or_default();
        let place = patterns.iter().position(|(pattern, _)| pattern == caller).unwrap_or_else(|| {
            patterns.push((caller.clone(), RuleGroup::default()));
            patterns.len() - 1
        });
        &mut patterns[place].1
    }

    /// The patterns of callers that begin as this one does.
    fn patterns_for<'r>(&'r self, caller: &'r str) -> impl Iterator<Item = &'r (Glob, RuleGroup)> {
        let known = Some(&self.by_caller_pattern).filter(|known| !known.is_empty());
        let starts = caller.char_indices().map(|(end, _)| &caller[..end]).chain([caller]);
        known.into_iter().flat_map(move |known| starts.clone().filter_map(|start| known.get(start))).flatten()
    }
}

impl RuleGroup {
    fn add(&mut self, rules: &[PolicyRule], rule: &PolicyRule, fitting: FittingRule) {
        let Some(first) = rule.params.first() else {
            let strictness = |(place, lifts): &FittingRule| {
                (Reverse(rules.get(*place).map(|rule| rule.permission)), !lifts, *place)
            };
            self.always = self.always.into_iter().chain([fitting]).min_by_key(strictness);
            return;
        };
        let by_value = self.by_param.entry(first.name.clone()).or_default();
        for value in &first.values {
            for compared in ComparedValue::all_of(value) {
                by_value.entry(compared).or_default().push(fitting.0);
            }
        }
    }

    fn collect(&self, values: &mut GivenValues<'_, '_>, found: &mut Vec<usize>) {
        found.extend(self.always.map(|(place, _)| place));
        for (param, by_value) in &self.by_param {
            for compared in values.of(param) {
                found.extend(by_value.get(compared).into_iter().flatten());
            }
        }
    }
}

/// The values of a call, made comparable once for each parameter that rules name.
struct GivenValues<'f, 'a> {
    facts: &'f PolicyFacts<'a>,
    by_name: Vec<(String, Vec<ComparedValue>)>,
}

impl GivenValues<'_, '_> {
    fn of(&mut self, param: &str) -> &[ComparedValue] {
        let known = self.by_name.iter().position(|(name, _)| name == param);
        let place = known.unwrap_or_else(|| {
            let mut compared = Vec::new();
            // Rules that restrict find all that those find that allow, and more.
            for given in self.facts.given(param, Permission::Deny) {
                // Nothing fits, so every value is seen.
                given.any(&mut |element| {
                    compared.extend(ComparedValue::all_of(element));
                    false
                });
            }
            self.by_name.push((param.to_owned(), compared));
            self.by_name.len() - 1
        });
        &self.by_name[place].1
    }
}

impl ComparedValue {
    /// Every way in which a scalar is compared; nothing for others, which no rule fits.
    fn all_of(value: &Value) -> impl Iterator<Item = ComparedValue> + use<> {
        let text =
            scalar_text(value).map(|text| (alike(&text), decoded(&text).map(|decoded| alike(&decoded))));
        let number = number(value).filter(|number| !number.is_nan()).filter(|_| text.is_some());
        // Zero is one number, with two signs.
        let number = number.map(|number| if number == 0.0 { 0.0_f64 } else { number });
        let (text, decoded) = text.unzip();
        text.into_iter()
            .chain(decoded.flatten())
            .map(ComparedValue::Text)
            .chain(number.map(|number| ComparedValue::Number(number.to_bits())))
    }
}

#[cfg(test)]
mod tests;

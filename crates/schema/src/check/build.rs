//! A rewritten schema to rules.
//!
//! What `clean` gave in: plain keywords of the right types, references only to numbered definitions. Rules out, and the
//! numbers of those that were asked for. What is only a reference takes no rule of its own.

use super::equal::weight;
use super::rules::{
    AppliedRules, ArrayRule, CheckProgram, ConditionalRule, ContainsRule, LiteralRule, NumberRule,
    ObjectRule, RuleId, SchemaRule, TextRule, TypeSet,
};
use crate::format::Format;
use crate::pattern::{Dialect, Pattern};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// Makes rules of definitions, by their numbers, and of the schemas that begin with them.
pub(crate) fn build(definitions: &[Value], starts: &[&Value]) -> (CheckProgram, Vec<RuleId>) {
    let mut builder = ProgramBuilder {
        ends: ends(definitions),
        program: CheckProgram::default(),
        ids: vec![None; definitions.len()],
        uses: HashMap::new(),
        waiting: Vec::new(),
    };
    let ids = starts.iter().map(|start| builder.id(start)).collect();
    while let Some((number, id)) = builder.waiting.pop() {
        let rule = builder.rule(&definitions[number]);
        builder.program.rules[id as usize] = rule;
    }
    let ProgramBuilder { mut program, uses, .. } = builder;
    program.rules.iter_mut().for_each(|rule| rule.leads = rule.leads_on());
    for (id, uses) in uses {
        let rule = &mut program.rules[id as usize];
        rule.remembered = uses > 1 && rule.leads;
    }
    (program, ids)
}

struct ProgramBuilder {
    /// Where a definition that is only a reference leads in the end.
    ends: Vec<usize>,
    program: CheckProgram,
    /// The rule of each definition, once it has one.
    ids: Vec<Option<RuleId>>,
    /// How often the rule of a definition is used.
    uses: HashMap<RuleId, usize>,
    /// Definitions whose rules are still to be filled in.
    waiting: Vec<(usize, RuleId)>,
}

impl ProgramBuilder {
    /// The rule of a schema.
    fn id(&mut self, schema: &Value) -> RuleId {
        match self.followed(schema) {
            Some(number) => self.definition(number),
            None => {
                let id = self.place();
                let rule = self.rule(schema);
                self.program.rules[id as usize] = rule;
                id
            }
        }
    }

    fn place(&mut self) -> RuleId {
        self.program.rules.push(SchemaRule::default());
        (self.program.rules.len() - 1) as RuleId
    }

    fn definition(&mut self, number: usize) -> RuleId {
        let id = match self.ids[number] {
            Some(id) => id,
            None => {
                let id = self.place();
                self.ids[number] = Some(id);
                self.waiting.push((number, id));
                id
            }
        };
        *self.uses.entry(id).or_default() += 1;
        id
    }

    /// The definition that a schema which is only a reference leads to in the end.
    fn followed(&self, schema: &Value) -> Option<usize> {
        only_reference(schema).map(|number| self.ends[number])
    }

    fn rule(&mut self, schema: &Value) -> SchemaRule {
        let keywords = match schema {
            Value::Bool(false) => return SchemaRule { never: true, ..SchemaRule::default() },
            // References that only lead to each other say nothing.
            Value::Object(keywords) if only_reference(schema).is_none() => keywords,
            _ => return SchemaRule::default(),
        };
        SchemaRule {
            never: false,
            remembered: false,
            leads: false,
            types: keywords.get("type").map(types),
            literals: literals(keywords),
            text: text(keywords),
            number: number(keywords),
            array: self.array(keywords),
            object: self.object(keywords),
            applied: self.applied(keywords),
        }
    }

    fn array(&mut self, keywords: &Map<String, Value>) -> Option<Box<ArrayRule>> {
        const KEYWORDS: [&str; 7] =
            ["minItems", "maxItems", "uniqueItems", "prefixItems", "items", "contains", "unevaluatedItems"];
        if !KEYWORDS.iter().any(|keyword| keywords.contains_key(*keyword)) {
            return None;
        }
        let contains = keywords.get("contains").map(|schema| ContainsRule {
            rule: self.id(schema),
            fewest: count(keywords, "minContains").unwrap_or(1),
            most: count(keywords, "maxContains"),
        });
        Some(Box::new(ArrayRule {
            fewest: count(keywords, "minItems"),
            most: count(keywords, "maxItems"),
            all_differ: keywords.get("uniqueItems") == Some(&Value::Bool(true)),
            prefix: self.list(keywords, "prefixItems"),
            rest: self.one(keywords, "items"),
            contains,
            unevaluated: self.one(keywords, "unevaluatedItems"),
        }))
    }

    fn object(&mut self, keywords: &Map<String, Value>) -> Option<Box<ObjectRule>> {
        const KEYWORDS: [&str; 10] = [
            "minProperties",
            "maxProperties",
            "required",
            "properties",
            "patternProperties",
            "additionalProperties",
            "propertyNames",
            "dependentRequired",
            "dependentSchemas",
            "unevaluatedProperties",
        ];
        if !KEYWORDS.iter().any(|keyword| keywords.contains_key(*keyword)) {
            return None;
        }
        let patterns = self.named(keywords, "patternProperties").into_iter();
        let mut declared = self.named(keywords, "properties");
        declared.sort_unstable();
        let needs = keywords.get("dependentRequired").and_then(Value::as_object).into_iter().flatten();
        Some(Box::new(ObjectRule {
            fewest: count(keywords, "minProperties"),
            most: count(keywords, "maxProperties"),
            required: keywords.get("required").map(texts).unwrap_or_default(),
            properties: declared,
            patterns: patterns.map(|(text, id)| (Pattern::of(&text, Dialect::Ecma), id)).collect(),
            additional: self.one(keywords, "additionalProperties"),
            names: self.one(keywords, "propertyNames"),
            needs: needs.map(|(name, needed)| (name.clone(), texts(needed))).collect(),
            dependent: self.named(keywords, "dependentSchemas"),
            unevaluated: self.one(keywords, "unevaluatedProperties"),
        }))
    }

    fn applied(&mut self, keywords: &Map<String, Value>) -> Option<Box<AppliedRules>> {
        const KEYWORDS: [&str; 6] = ["$ref", "allOf", "anyOf", "oneOf", "not", "if"];
        if !KEYWORDS.iter().any(|keyword| keywords.contains_key(*keyword)) {
            return None;
        }
        let target = keywords.get("$ref").and_then(numbered);
        let condition = self.one(keywords, "if").map(|when| ConditionalRule {
            when,
            then: self.one(keywords, "then"),
            otherwise: self.one(keywords, "else"),
        });
        Some(Box::new(AppliedRules {
            reference: target.map(|number| self.definition(self.ends[number])),
            all_of: self.list(keywords, "allOf"),
            any_of: self.list(keywords, "anyOf"),
            one_of: self.list(keywords, "oneOf"),
            not: self.one(keywords, "not"),
            condition,
        }))
    }

    fn one(&mut self, keywords: &Map<String, Value>, keyword: &str) -> Option<RuleId> {
        keywords.get(keyword).map(|schema| self.id(schema))
    }

    fn list(&mut self, keywords: &Map<String, Value>, keyword: &str) -> Vec<RuleId> {
        let schemas = keywords.get(keyword).and_then(Value::as_array).into_iter().flatten();
        schemas.map(|schema| self.id(schema)).collect()
    }

    fn named(&mut self, keywords: &Map<String, Value>, keyword: &str) -> Vec<(String, RuleId)> {
        let schemas = keywords.get(keyword).and_then(Value::as_object).into_iter().flatten();
        schemas.map(|(name, schema)| (name.clone(), self.id(schema))).collect()
    }
}

/// For each definition, the one that it leads to through references alone; for a circle of them, one of the circle.
fn ends(definitions: &[Value]) -> Vec<usize> {
    let mut ends: Vec<Option<usize>> = vec![None; definitions.len()];
    for first in 0..definitions.len() {
        let (mut way, mut at) = (Vec::new(), first);
        let end = loop {
            if let Some(known) = ends[at] {
                break known;
            }
            way.push(at);
            // A reference that comes back here is circular.
            ends[at] = Some(at);
            match only_reference(&definitions[at]) {
                Some(next) => at = next,
                None => break at,
            }
        };
        way.into_iter().for_each(|number| ends[number] = Some(end));
    }
    ends.into_iter().enumerate().map(|(number, end)| end.unwrap_or(number)).collect()
}

/// The definition that a schema refers to, if that is all it says.
fn only_reference(schema: &Value) -> Option<usize> {
    let keywords = schema.as_object()?;
    let count = keywords.keys().filter(|keyword| *keyword != "$defs").count();
    keywords.get("$ref").filter(|_| count == 1).and_then(numbered)
}

fn numbered(reference: &Value) -> Option<usize> {
    reference.as_str()?.strip_prefix("#/$defs/")?.parse().ok()
}

fn types(value: &Value) -> TypeSet {
    match value {
        Value::Array(names) => TypeSet::of(names.iter().filter_map(Value::as_str)),
        one => TypeSet::of(one.as_str().into_iter()),
    }
}

fn literals(keywords: &Map<String, Value>) -> Option<Box<LiteralRule>> {
    let (is_const, options) = match (keywords.get("const"), keywords.get("enum")) {
        (Some(only), Some(Value::Array(options))) => {
            // Both hold: the one that is in both.
            let is_option = options.iter().any(|option| super::equal(option, only));
            (true, if is_option { vec![only.clone()] } else { Vec::new() })
        }
        (Some(only), _) => (true, vec![only.clone()]),
        (None, Some(Value::Array(options))) => (false, options.clone()),
        (None, _) => return None,
    };
    let weight = options.iter().map(weight).sum::<u64>() / 4 + 1;
    Some(Box::new(LiteralRule { is_const, options: options.into(), weight }))
}

fn text(keywords: &Map<String, Value>) -> Option<Box<TextRule>> {
    let rule = TextRule {
        fewest: count(keywords, "minLength"),
        most: count(keywords, "maxLength"),
        pattern: keywords.get("pattern").and_then(Value::as_str).map(|text| Pattern::of(text, Dialect::Ecma)),
        format: keywords.get("format").and_then(Value::as_str).map(Format::parse),
    };
    let has_rule = rule.fewest.or(rule.most).is_some() || rule.pattern.is_some() || rule.format.is_some();
    has_rule.then(|| Box::new(rule))
}

fn number(keywords: &Map<String, Value>) -> Option<Box<NumberRule>> {
    let get = |keyword: &str| match keywords.get(keyword) {
        Some(Value::Number(number)) => Some(number.clone()),
        _ => None,
    };
    let rule = NumberRule {
        minimum: get("minimum"),
        maximum: get("maximum"),
        above: get("exclusiveMinimum"),
        below: get("exclusiveMaximum"),
        multiple_of: get("multipleOf"),
    };
    let bounds = [&rule.minimum, &rule.maximum, &rule.above, &rule.below, &rule.multiple_of];
    bounds.iter().any(|bound| bound.is_some()).then(|| Box::new(rule))
}

fn count(keywords: &Map<String, Value>, keyword: &str) -> Option<u64> {
    keywords.get(keyword).and_then(Value::as_u64)
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

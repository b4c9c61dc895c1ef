//! The rules of an attribute: a string, a list, or a mapping by action, completed by its type.

use std::collections::BTreeMap;

use formwork_vocabulary::rule::{Arguments, RuleWord};

use crate::diagnostic::Code;
use crate::manifest::yaml::Layout;
use crate::manifest::{Node, Span, Value};
use crate::project::{ColumnType, Rule, Rules};

use super::reader::{Fields, Reader};
use super::report::Report;
use super::rule;
use super::rule_fit::{contradiction, is_presence, misfit};

/// Reads the rules of an attribute.
#[derive(Debug)]
pub struct RuleReader<'a> {
    attribute: &'a str,
    /// The attribute's type; `None` for items of a list.
    kind: Option<&'a ColumnType>,
    report: Report<'a>,
    /// The places of the rules, by name.
    pub places: BTreeMap<&'static str, Span>,
    /// Some rules could not be read.
    pub damaged: bool,
}

impl<'a> RuleReader<'a> {
    /// Returns a reader that has read nothing.
    pub fn new(attribute: &'a str, kind: Option<&'a ColumnType>, report: Report<'a>) -> Self {
        Self {
            attribute,
            kind,
            report,
            places: BTreeMap::new(),
            damaged: false,
        }
    }

    /// Reads `rules:` of the long form.
    pub fn read(&mut self, node: &Node) -> Rules {
        let Value::Mapping(..) = &node.value else {
            let all = self.rules(node);
            return Rules {
                all,
                ..Rules::default()
            };
        };
        let mapping = Reader::new(node, self.label(), self.report);
        let Some(fields) = mapping.fields(&["all", "store", "update", "items"]) else {
            return Rules::default();
        };
        self.damaged = fields.damaged;
        let all = self.key("all", &fields);
        let store = self.key("store", &fields);
        let update = self.key("update", &fields);
        self.kind = None;
        let items = self.key("items", &fields);
        self.check_action("store", &fields, &[&all[..], &store].concat());
        self.check_action("update", &fields, &[&all[..], &update].concat());
        Rules {
            all,
            store,
            update,
            items,
        }
    }

    fn label(&self) -> String {
        format!("the rules of `{}`", self.attribute)
    }

    fn key(&mut self, key: &str, fields: &Fields<'_>) -> Vec<Rule> {
        let rules = fields.get(key);
        rules.map_or_else(Vec::new, |rules| self.rules(rules.node))
    }

    /// Reports rules of one action that no value satisfies together with the rules of all actions.
    fn check_action(&mut self, action: &str, fields: &Fields<'_>, rules: &[Rule]) {
        let own = fields.get(action).filter(|_| !self.damaged);
        if let (Some(own), Some(message)) = (own, contradiction(rules)) {
            let help =
                "raise the upper bound, or lower the other one: the rules of `all` apply too";
            own.reject(Code::RuleMisfit, message, help);
            self.damaged = true;
        }
    }

    /// Reads a string or a list.
    pub fn rules(&mut self, node: &Node) -> Vec<Rule> {
        match &node.value {
            Value::Sequence(items, layout) => self.list(items, *layout),
            _ => self.text(node, 0),
        }
    }

    /// Reads rules with `|` between, from `offset` on in a scalar.
    pub fn text(&mut self, node: &Node, offset: usize) -> Vec<Rule> {
        let Some(text) = Reader::new(node, self.label(), self.report).text() else {
            self.damaged = true;
            return Vec::new();
        };
        let mut rules = Vec::new();
        let mut at = offset;
        for part in text[offset..].split('|') {
            let lead = part.len() - part.trim_start().len();
            let span = node.part(at + lead, part.trim().len());
            self.one(part.trim(), span, &mut rules);
            at += part.len() + 1;
        }
        rules
    }

    fn list(&mut self, items: &[Node], layout: Layout) -> Vec<Rule> {
        let mut rules = Vec::new();
        let mut rest = items;
        while let [item, after @ ..] = rest {
            let text = item.as_text().map(str::trim);
            let cut = match text {
                Some(text) if layout == Layout::Flow => cut_off(text, after),
                _ => &[],
            };
            rest = &after[cut.len()..];
            match text {
                None => self.reject_item(item),
                Some(text) if cut.is_empty() => self.one(text, item.span, &mut rules),
                Some(text) => self.reject_bare_comma(text, item, cut),
            }
        }
        rules
    }

    fn one(&mut self, text: &str, span: Span, rules: &mut Vec<Rule>) {
        let rule = match rule::parse(text, self.attribute) {
            Ok(rule) => rule,
            Err((code, message, help)) => return self.reject(code, span, message, &help),
        };
        let name = rule.name();
        let is_same = |earlier: &Rule| match (earlier, &rule) {
            (Rule::Custom(earlier), Rule::Custom(rule)) => earlier == rule,
            _ => earlier.name() == name,
        };
        if rules.iter().any(is_same) {
            let message = format!("the rule `{name}` is listed twice");
            let help = "leave one of them out";
            self.report.reject(Code::RuleMisfit, span, message, help);
            return;
        }
        if let Some((message, help)) = self.kind.and_then(|kind| misfit(&rule, kind)) {
            return self.reject(Code::RuleMisfit, span, message, &help);
        }
        rules.push(rule);
        if let Some(message) = contradiction(rules) {
            let help = "raise the upper bound, or lower the other one";
            return self.reject(Code::RuleMisfit, span, message, help);
        }
        self.places.entry(name).or_insert(span);
    }

    fn reject(&mut self, code: Code, span: Span, message: String, help: &str) {
        self.damaged = true;
        self.report.reject(code, span, message, help);
    }

    fn reject_item(&mut self, item: &Node) {
        self.damaged = true;
        let mut error = Reader::new(item, "a rule", self.report).wrong_type("text");
        if let Value::Mapping(pairs, _) = &item.value
            && let Some((key, value)) = pairs.first()
            && let (Some(key), Some(value)) = (key.as_text(), value.as_text())
        {
            error.help(format!(
                "write `{key}:{value}`, without a space after the colon"
            ));
        }
    }

    fn reject_bare_comma(&mut self, text: &str, item: &Node, cut: &[Node]) {
        self.damaged = true;
        let pieces = cut.iter().filter_map(Node::as_text).map(str::trim);
        let pieces: Vec<&str> = std::iter::once(text).chain(pieces).collect();
        let rule = pieces.join(",");
        let span = cut.last().map_or(item.span, |last| item.span.to(last.span));
        let message = format!("a bare comma inside `[ ]` cuts the rule `{rule}` in two");
        let mut error = self.report.error(Code::BareComma, span, message);
        error.label("inside `[ ]` a comma begins the next item");
        error.help(format!("put it in quotes: `\"{rule}\"`"));
    }
}

/// Items that look like the rest of the rule before them: `between:2` and `255`.
fn cut_off<'n>(text: &str, after: &'n [Node]) -> &'n [Node] {
    use Arguments::{AtLeast, Exactly, OneOrTwo};
    let rule = text
        .split_once(':')
        .and_then(|(rule, _)| RuleWord::in_manifest(rule));
    let arguments = rule.map(RuleWord::arguments);
    if !matches!(arguments, Some(AtLeast(_) | OneOrTwo | Exactly(2..))) {
        return &[];
    }
    let is_rule = |item: &Node| {
        let name = item.as_text().and_then(|text| text.split(':').next());
        name.is_none_or(|name| RuleWord::in_manifest(name.trim()).is_some())
    };
    let end = after.iter().position(is_rule);
    &after[..end.unwrap_or(after.len())]
}

/// Adds the rules that the type and the column imply: presence first, then the type, then the
/// others.
pub fn complete(rules: Rules, kind: &ColumnType, nullable: bool) -> Rules {
    let bounds_length =
        |rule: &Rule| matches!(rule, Rule::Max(_) | Rule::Between(..) | Rule::Size(_));
    let brought = brought(kind, rules.all.iter().any(bounds_length));
    let (mut all, mut others): (Vec<Rule>, Vec<Rule>) =
        rules.all.into_iter().partition(is_presence);
    let decides = |rule: &Rule| matches!(rule, Rule::Required | Rule::Present | Rule::Nullable);
    if nullable && !all.iter().any(decides) {
        all.insert(0, Rule::Nullable);
    }
    others.retain(|rule| !brought.contains(rule) && !implied(rule, kind));
    all.extend(brought);
    all.extend(others);
    Rules { all, ..rules }
}

/// Rules that a type brings.
fn brought(kind: &ColumnType, bound: bool) -> Vec<Rule> {
    match kind {
        ColumnType::String(_) if bound => vec![Rule::String],
        ColumnType::String(length) => vec![Rule::String, Rule::Max(length.to_string())],
        ColumnType::Text => vec![Rule::String],
        ColumnType::Integer | ColumnType::BigInt => vec![Rule::Integer],
        ColumnType::Float => vec![Rule::Numeric],
        ColumnType::Decimal(precision, scale) => vec![Rule::Decimal(*precision, *scale)],
        ColumnType::Boolean => vec![Rule::Boolean],
        ColumnType::Date => vec![Rule::Date],
        ColumnType::Time => vec![Rule::Time],
        ColumnType::DateTime => vec![Rule::DateTime],
        ColumnType::Json => Vec::new(),
        ColumnType::Uuid => vec![Rule::Uuid],
        ColumnType::Enum(values) => vec![Rule::String, Rule::In(values.clone())],
    }
}

/// Rules that are weaker than the type's own.
fn implied(rule: &Rule, kind: &ColumnType) -> bool {
    match kind {
        ColumnType::Integer | ColumnType::BigInt | ColumnType::Decimal(..) => {
            *rule == Rule::Numeric
        }
        ColumnType::DateTime => *rule == Rule::Date,
        ColumnType::Uuid => *rule == Rule::String,
        ColumnType::Enum(values) => match rule {
            Rule::In(some) => values.iter().all(|value| some.contains(value)),
            _ => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::yaml;
    use crate::resolve::report::Diagnostics;

    fn read(text: &str, kind: &ColumnType) -> (Rules, Vec<String>) {
        let node = yaml::parse(text.as_bytes()).unwrap();
        let diagnostics = Diagnostics::default();
        let rules = RuleReader::new("a", Some(kind), diagnostics.report("p")).read(&node);
        let diagnostics = diagnostics.into_inner().into_iter();
        (rules, diagnostics.map(|found| found.message).collect())
    }

    #[test]
    fn string_list_and_mapping_are_read() {
        let two = vec![Rule::Required, Rule::Between("1".into(), "2".into())];
        let kind = ColumnType::Text;
        for text in [
            "required|between:1,2",
            "[required, 'between:1,2']",
            "- required\n- between:1,2",
        ] {
            assert_eq!(
                read(text, &kind),
                (
                    Rules {
                        all: two.clone(),
                        ..Rules::default()
                    },
                    vec![]
                )
            );
        }
        let (rules, found) = read("all: string\nstore: required\nitems: integer|min:1", &kind);
        assert!(found.is_empty(), "{found:?}");
        assert_eq!(rules.store, [Rule::Required]);
        assert_eq!(rules.items, [Rule::Integer, Rule::Min("1".into())]);
    }

    #[test]
    fn a_bare_comma_is_explained_once() {
        let (_, found) = read("[required, between:2,255, min:2]", &ColumnType::Text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("bare comma"));
    }

    #[test]
    fn the_type_completes_the_rules() {
        let all = |rules: Vec<Rule>| Rules {
            all: rules,
            ..Rules::default()
        };
        let rules = all(vec![Rule::Min("0".into()), Rule::Numeric, Rule::Required]);
        let full = complete(rules, &ColumnType::Decimal(15, 4), false);
        assert_eq!(
            full.all,
            [Rule::Required, Rule::Decimal(15, 4), Rule::Min("0".into())]
        );
        let full = complete(all(vec![]), &ColumnType::String(40), true);
        assert_eq!(
            full.all,
            [Rule::Nullable, Rule::String, Rule::Max("40".into())]
        );
        let full = complete(
            all(vec![Rule::Max("9".into())]),
            &ColumnType::String(40),
            false,
        );
        assert_eq!(full.all, [Rule::String, Rule::Max("9".into())]);
    }
}

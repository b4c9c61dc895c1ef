//! The rules of an attribute: a string, a list, or a mapping by action, completed by its type.

use std::collections::BTreeMap;

use formwork_vocabulary::rule::{Arguments, RuleWord};

use crate::diagnostic::Code;
use crate::manifest::yaml::Layout;
use crate::manifest::{Node, Span, Value};
use crate::project::{ColumnType, Rule, Rules};

use super::report::Report;
use super::rule;
use super::rule_actions::contradicts;
use super::rule_fit::{contradiction, is_presence, misfit};

/// Rules as written, with the place of each by its name.
#[derive(Debug, Default)]
pub struct Written {
    /// The rules.
    pub rules: Rules,
    /// Their places, by action and name.
    pub places: BTreeMap<&'static str, Span>,
    /// Some could not be read.
    pub damaged: bool,
}

/// The subject of the rules.
#[derive(Debug, Clone, Copy)]
pub struct RuleSubject<'a> {
    /// The attribute's name.
    pub attribute: &'a str,
    /// Its type; none for items of a list.
    pub kind: Option<&'a ColumnType>,
}

impl Written {
    /// Reads `rules:` of the long form.
    pub fn read(node: &Node, subject: RuleSubject<'_>, report: &mut Report<'_>) -> Self {
        let mut written = Self::default();
        let Value::Mapping(..) = &node.value else {
            written.rules.all = written.node(node, subject, report);
            return written;
        };
        let label = format!("the rules of `{}`", subject.attribute);
        let Some(fields) = report.fields(node, &label, &["all", "store", "update", "items"]) else {
            return written;
        };
        written.damaged = fields.damaged;
        let mut take = |key: &str, subject: RuleSubject<'_>| match fields.get(key) {
            Some(node) => written.node(node, subject, report),
            None => Vec::new(),
        };
        let all = take("all", subject);
        let store = take("store", subject);
        let update = take("update", subject);
        let items = take(
            "items",
            RuleSubject {
                kind: None,
                ..subject
            },
        );
        for (action, own) in [("store", &store), ("update", &update)] {
            let node = fields.get(action).filter(|_| !written.damaged);
            written.damaged |= node.is_some_and(|node| contradicts(&all, own, node, report));
        }
        written.rules = Rules {
            all,
            store,
            update,
            items,
        };
        written
    }

    /// Reads the rules of the short form: from `offset` on in a scalar.
    pub fn short(
        node: &Node,
        offset: usize,
        subject: RuleSubject<'_>,
        report: &mut Report<'_>,
    ) -> Self {
        let mut written = Self::default();
        written.rules.all = written.text(node, offset, subject, report);
        written
    }

    /// Reads a string or a list.
    pub fn node(
        &mut self,
        node: &Node,
        subject: RuleSubject<'_>,
        report: &mut Report<'_>,
    ) -> Vec<Rule> {
        match &node.value {
            Value::Sequence(items, layout) => self.list(items, *layout, subject, report),
            _ => self.text(node, 0, subject, report),
        }
    }

    fn text(
        &mut self,
        node: &Node,
        offset: usize,
        subject: RuleSubject<'_>,
        report: &mut Report<'_>,
    ) -> Vec<Rule> {
        let Some(text) = report.text(node, &format!("the rules of `{}`", subject.attribute)) else {
            self.damaged = true;
            return Vec::new();
        };
        let mut rules = Vec::new();
        let mut at = offset;
        for part in text[offset..].split('|') {
            let lead = part.len() - part.trim_start().len();
            let span = node.part(at + lead, part.trim().len());
            self.one(part.trim(), span, subject, &mut rules, report);
            at += part.len() + 1;
        }
        rules
    }

    fn list(
        &mut self,
        items: &[Node],
        layout: Layout,
        subject: RuleSubject<'_>,
        report: &mut Report<'_>,
    ) -> Vec<Rule> {
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
                None => self.no_rule(item, report),
                Some(text) if cut.is_empty() => {
                    self.one(text, item.span, subject, &mut rules, report);
                }
                Some(text) => self.comma(text, item, cut, report),
            }
        }
        rules
    }

    fn one(
        &mut self,
        text: &str,
        span: Span,
        subject: RuleSubject<'_>,
        rules: &mut Vec<Rule>,
        report: &mut Report<'_>,
    ) {
        let Some(rule) = rule::parse(text, subject.attribute, span, report) else {
            self.damaged = true;
            return;
        };
        let name = rule.name();
        let is_same = |earlier: &Rule| match (earlier, &rule) {
            (Rule::Custom(earlier), Rule::Custom(rule)) => earlier == rule,
            _ => earlier.name() == name,
        };
        if rules.iter().any(is_same) {
            report
                .error(
                    Code::RuleMisfit,
                    span,
                    format!("the rule `{name}` is listed twice"),
                )
                .help("leave one of them out");
            return;
        }
        if let Some((message, help)) = subject.kind.and_then(|kind| misfit(&rule, kind)) {
            report.error(Code::RuleMisfit, span, message).help(help);
            self.damaged = true;
            return;
        }
        rules.push(rule);
        if let Some(message) = contradiction(rules) {
            report
                .error(Code::RuleMisfit, span, message)
                .help("raise the upper bound, or lower the other one");
            self.damaged = true;
            return;
        }
        self.places.entry(name).or_insert(span);
    }

    fn no_rule(&mut self, item: &Node, report: &mut Report<'_>) {
        self.damaged = true;
        let found = report.wrong_type(item, "a rule", "text");
        if let Value::Mapping(pairs, _) = &item.value
            && let Some((Some(key), Some(value))) = pairs
                .first()
                .map(|(key, value)| (key.as_text(), value.as_text()))
        {
            found.help(format!(
                "write `{key}:{value}`, without a space after the colon"
            ));
        }
    }

    fn comma(&mut self, text: &str, item: &Node, cut: &[Node], report: &mut Report<'_>) {
        self.damaged = true;
        let pieces = cut.iter().filter_map(Node::as_text).map(str::trim);
        let whole = std::iter::once(text)
            .chain(pieces)
            .collect::<Vec<_>>()
            .join(",");
        let span = cut.last().map_or(item.span, |last| item.span.to(last.span));
        report
            .error(
                Code::BareComma,
                span,
                format!("a bare comma inside `[ ]` cuts the rule `{whole}` in two"),
            )
            .label("inside `[ ]` a comma begins the next item")
            .help(format!("put it in quotes: `\"{whole}\"`"));
    }
}

/// Items that look like the rest of the rule before them: `between:2` and `255`.
fn cut_off<'n>(text: &str, after: &'n [Node]) -> &'n [Node] {
    let lists = text.split_once(':').is_some_and(|(rule, _)| {
        matches!(
            RuleWord::in_manifest(rule).map(RuleWord::arguments),
            Some(Arguments::AtLeast(_) | Arguments::OneOrTwo | Arguments::Exactly(2..))
        )
    });
    let no_rule = |item: &&Node| {
        let name = item.as_text().and_then(|text| text.split(':').next());
        name.is_some_and(|name| RuleWord::in_manifest(name.trim()).is_none())
    };
    let count = after.iter().take_while(no_rule).count();
    if lists { &after[..count] } else { &[] }
}

/// Adds the rules that the type and the column imply: presence first, then the type, then the
/// others.
pub fn complete(written: Rules, kind: &ColumnType, nullable: bool) -> Rules {
    let mut all: Vec<Rule> = Vec::new();
    let Rules {
        all: own,
        store,
        update,
        items,
    } = written;
    let bound = own.iter().any(bounds_length);
    let (presence, rest): (Vec<Rule>, Vec<Rule>) = own.into_iter().partition(is_presence);
    let needed = presence
        .iter()
        .any(|rule| matches!(rule, Rule::Required | Rule::Present));
    let has_nullable = presence.contains(&Rule::Nullable);
    all.extend(presence);
    if nullable && !has_nullable && !needed {
        all.insert(0, Rule::Nullable);
    }
    let brought = brought(kind, bound);
    let rest = rest
        .into_iter()
        .filter(|rule| !brought.contains(rule) && !implied(rule, kind));
    let rest: Vec<Rule> = rest.collect();
    all.extend(brought);
    all.extend(rest);
    Rules {
        all,
        store,
        update,
        items,
    }
}

fn bounds_length(rule: &Rule) -> bool {
    matches!(rule, Rule::Max(_) | Rule::Between(..) | Rule::Size(_))
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

    fn read(text: &str, kind: &ColumnType) -> (Rules, Vec<String>) {
        let node = yaml::parse(text.as_bytes()).unwrap();
        let mut report = Report::new("p");
        let subject = RuleSubject {
            attribute: "a",
            kind: Some(kind),
        };
        let rules = Written::read(&node, subject, &mut report).rules;
        (
            rules,
            report
                .found
                .into_iter()
                .map(|found| found.message)
                .collect(),
        )
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

//! One attribute: short form `<type> [rules]`, or the long form.

use crate::diagnostic::Code;
use crate::manifest::Value;
use crate::manifest::vocabulary::{ACCESS, ATTRIBUTE_KEYS, SETTERS};
use crate::name;
use crate::project::{Access, Attribute, ColumnType, Literal, Rule, Rules};
use crate::suggestion::did_you_mean;

use super::column_type;
use super::draft::AttributeDraft;
use super::literal;
use super::names::column_word;
use super::reader::{Entry, Fields, Reader};
use super::rule_fit::broken_by;
use super::rule_list::{RuleReader, complete};

/// Reads an attribute; `None` after reporting why it cannot be read.
pub fn read(entry: Entry<'_>) -> Option<AttributeDraft> {
    let name = entry.name;
    if !name::is_column(name) {
        let message = format!("`{name}` cannot name a column");
        let help = "use at most 63 letters, digits and `_`";
        entry.reject(Code::IllegalName, message, help);
        return None;
    }
    let reader = entry.read(format!("the attribute `{name}`"));
    match &entry.value.value {
        Value::Scalar(_) if !entry.value.is_null() => short(entry, &reader),
        Value::Mapping(..) => long(entry, &reader),
        _ => {
            let help = format!("write `{name}: string required`");
            reader
                .wrong_type("a type with rules, or a mapping")
                .help(help);
            None
        }
    }
}

fn short(entry: Entry<'_>, reader: &Reader<'_>) -> Option<AttributeDraft> {
    let text = reader.text()?;
    let parsed = column_type::parse(reader, text)?;
    let (kind, others) = text.split_at(parsed.length);
    let mut rules = Rules::default();
    let mut rule_reader = RuleReader::new(entry.name, Some(&parsed.kind), entry.report);
    if others.starts_with(char::is_whitespace) && !others.trim().is_empty() {
        rules.all = rule_reader.text(entry.value, parsed.length);
    } else if !others.trim().is_empty() {
        let span = entry.value.part(parsed.length, 1);
        let message = "type and rules are separated by a space";
        let help = format!(
            "write `{kind} {}`",
            others.trim_start_matches(['|', ':', ','])
        );
        entry.report.reject(Code::WrongType, span, message, help);
        return None;
    }
    if rule_reader.damaged {
        return None;
    }
    let places = rule_reader.places;
    let nullable = rules.all.contains(&Rule::Nullable);
    let mut attribute = blank(entry.name, parsed.kind, nullable);
    attribute.unique = is_unique(&rules);
    attribute.rules = complete(rules, &attribute.kind, nullable);
    Some(AttributeDraft {
        attribute,
        span: entry.span,
        rules: places,
    })
}

fn long(entry: Entry<'_>, reader: &Reader<'_>) -> Option<AttributeDraft> {
    let fields = reader.fields(ATTRIBUTE_KEYS)?;
    let kind = long_type(&fields, entry)?;
    let mut rule_reader = RuleReader::new(entry.name, Some(&kind), entry.report);
    let rules = fields.get("rules");
    let rules = rules.map_or_else(Rules::default, |rules| rule_reader.read(rules.node));
    let damaged = rule_reader.damaged || fields.damaged;
    let places = rule_reader.places;
    let nullable = fields.boolean("nullable");
    let nullable = nullable.unwrap_or_else(|| rules.all.contains(&Rule::Nullable));
    let mut attribute = blank(entry.name, kind, nullable);
    let unique = fields.boolean("unique").unwrap_or(false);
    attribute.unique = unique || is_unique(&rules);
    attribute.rules = complete(rules, &attribute.kind, nullable);
    if unique && !attribute.rules.all.contains(&Rule::Unique) {
        attribute.rules.all.push(Rule::Unique);
    }
    options(&mut attribute, &fields);
    literals(&mut attribute, &fields);
    let draft = AttributeDraft {
        attribute,
        span: entry.span,
        rules: places,
    };
    (!damaged).then_some(draft)
}

fn long_type(fields: &Fields<'_>, entry: Entry<'_>) -> Option<ColumnType> {
    let name = entry.name;
    let Some(node) = fields.get("type") else {
        if !fields.damaged {
            let message = format!("`{name}` has no type");
            entry.reject(Code::Missing, message, "add `type: string`");
        }
        return None;
    };
    let node = node.named(format!("the type of `{name}`"));
    let text = node.text()?;
    let parsed = column_type::parse(&node, text)?;
    let rules = text[parsed.length..].trim();
    if !rules.is_empty() {
        let span = node.node.part(parsed.length, text.len() - parsed.length);
        let message = "in the long form, rules are written under `rules:`";
        let help = format!("write `rules: {rules}` on a line of its own");
        entry.report.reject(Code::WrongType, span, message, help);
        return None;
    }
    Some(parsed.kind)
}

fn options(attribute: &mut Attribute, fields: &Fields<'_>) {
    let one_of = |key: &str, words: &[&str]| fields.get(key)?.one_of(words);
    let access = [
        Access::Write,
        Access::ReadOnly,
        Access::WriteOnly,
        Access::Hidden,
        Access::AdminWrite,
    ];
    let selected = one_of("access", ACCESS);
    attribute.access = selected.map_or(Access::Write, |index| access[index]);
    let setter = one_of("set_by", SETTERS);
    attribute.set_by_hook = setter == Some(0);
    attribute.set_by_database = setter == Some(1);
    attribute.index = fields.boolean("index").unwrap_or(false);
    attribute.constraint = fields.boolean("constraint").unwrap_or(true);
    let description = fields.get("description");
    let description = description.and_then(|node| node.named("a description").text());
    attribute.description = description.map(|text| text.trim().to_owned());
    if let Some(node) = fields.get("was").map(|was| was.named("a former name")) {
        match &node.node.value {
            Value::Mapping(..) => attribute.former_values = former_values(&node, &attribute.kind),
            _ => attribute.was = column_word(&node).map(|was| was.text),
        }
    }
    if let Some(node) = fields.get("storage") {
        storage(attribute, &node);
    }
    if attribute.index && attribute.kind == ColumnType::Json {
        let span = fields.key_span("index").unwrap_or(fields.span);
        let (message, help) = ("a json column cannot be indexed", "leave `index` out");
        let report = fields.report;
        report.reject(Code::LiteralMisfit, span, message, help);
    }
}

/// Reads `was: { canceled: cancelled }`: values that an enum listed before, and the values that replace them.
fn former_values(node: &Reader<'_>, kind: &ColumnType) -> Vec<(String, String)> {
    let ColumnType::Enum(values) = kind else {
        let help = "a mapping of former values is for enums";
        node.wrong_type("text").help(help);
        return Vec::new();
    };
    let mut former = Vec::new();
    for entry in node
        .clone()
        .named("the former values")
        .entries(Code::DuplicateKey)
    {
        let Some(to) = entry.read("the value that replaces it").word() else {
            continue;
        };
        if values.iter().any(|value| value == entry.name) {
            let message = format!("the enum still lists `{}`", entry.name);
            let help = "map a value that the enum does not list any more to one that it lists";
            entry.reject(Code::FormerName, message, help);
        } else if !values.contains(&to.text) {
            let message = format!("the enum does not list `{}`", to.text);
            let known: Vec<&str> = values.iter().map(String::as_str).collect();
            let mut error = entry.report.error(Code::FormerName, to.span, message);
            error.maybe_help(did_you_mean(&to.text, &known));
        } else {
            former.push((entry.name.to_owned(), to.text));
        }
    }
    former
}

fn storage(attribute: &mut Attribute, node: &Reader<'_>) {
    let Some(index) = node.one_of(&["native", "scaled"]) else {
        return;
    };
    attribute.native_storage = index == 0;
    let has_own_type = match attribute.kind {
        ColumnType::Decimal(..) => true,
        ColumnType::String(_) | ColumnType::Text | ColumnType::Enum(_) => index == 0,
        ColumnType::Json => index == 0 && attribute.rules.all.contains(&Rule::Array),
        _ => false,
    };
    if !has_own_type {
        let message = "`storage` is for decimals; `storage: native` also for texts, enums, and json with the rule `array`";
        node.reject(Code::LiteralMisfit, message, "leave it out");
    }
}

fn literals(attribute: &mut Attribute, fields: &Fields<'_>) {
    let (kind, nullable) = (&attribute.kind, attribute.nullable);
    let example = fields.get("example").map(|node| node.named("the example"));
    attribute.example = example.and_then(|node| literal::read(&node, kind, nullable));
    let Some(node) = fields.raw("default").map(|node| node.named("the default")) else {
        return;
    };
    if attribute.set_by_database {
        let message = "the database sets this attribute, so it has no other default";
        let help = "leave out `default` or `set_by`";
        node.reject(Code::LiteralMisfit, message, help);
    }
    attribute.default = literal::read(&node, kind, nullable);
    if let Some(value) = attribute
        .default
        .as_ref()
        .filter(|value| **value != Literal::Null)
        && let Some(rule) = broken_by(value, &attribute.rules.all)
    {
        let message = format!("the default breaks the rule `{}`", rule.name());
        let help = "a record made of defaults must pass its own rules: change one of them";
        node.reject(Code::LiteralMisfit, message, help);
    }
}

fn is_unique(rules: &Rules) -> bool {
    [&rules.all, &rules.store, &rules.update]
        .into_iter()
        .any(|rules| rules.contains(&Rule::Unique))
}

/// An attribute with only a name and a type.
pub fn blank(column: &str, kind: ColumnType, nullable: bool) -> Attribute {
    Attribute {
        name: column.to_owned(),
        was: None,
        former_values: Vec::new(),
        field: name::field(column),
        kind,
        nullable,
        default: None,
        access: Access::Write,
        set_by_hook: false,
        set_by_database: false,
        unique: false,
        index: false,
        description: None,
        example: None,
        rules: Rules::default(),
        native_storage: false,
        constraint: true,
        references: None,
    }
}

//! One attribute: short form `<type> [rules]`, or the long form.

use crate::diagnostic::Code;
use crate::manifest::vocabulary::{ACCESS, ATTRIBUTE_KEYS, SETTERS};
use crate::manifest::{Node, Span, Value};
use crate::name;
use crate::project::{Access, Attribute, ColumnType, Literal, Rule, Rules};

use super::column_type;
use super::draft::AttributeDraft;
use super::former_values;
use super::literal;
use super::names::column_word;
use super::report::{Fields, MappingEntry, Report};
use super::rule_fit::broken_by;
use super::rule_list::{RuleSubject, Written, complete};

/// Reads an attribute; `None` after reporting why it cannot be read.
pub fn read(entry: MappingEntry<'_>, report: &mut Report<'_>) -> Option<AttributeDraft> {
    if !name::is_column(entry.name) {
        report
            .error(
                Code::IllegalName,
                entry.key.span,
                format!("`{}` cannot name a column", entry.name),
            )
            .help("use at most 63 letters, digits and `_`");
        return None;
    }
    match &entry.value.value {
        Value::Scalar(_) if !entry.value.is_null() => short(entry, report),
        Value::Mapping(..) => long(entry, report),
        _ => {
            let label = format!("the attribute `{}`", entry.name);
            report
                .wrong_type(entry.value, &label, "a type with rules, or a mapping")
                .help(format!("write `{}: string required`", entry.name));
            None
        }
    }
}

fn short(entry: MappingEntry<'_>, report: &mut Report<'_>) -> Option<AttributeDraft> {
    let text = report.text(entry.value, &format!("the attribute `{}`", entry.name))?;
    let parsed = column_type::parse(entry.value, text, report)?;
    let rest = &text[parsed.length..];
    let subject = RuleSubject {
        attribute: entry.name,
        kind: Some(&parsed.kind),
    };
    let written = if rest.trim().is_empty() {
        Written::default()
    } else if rest.starts_with(char::is_whitespace) {
        Written::short(entry.value, parsed.length, subject, report)
    } else {
        let span = entry.value.part(parsed.length, 1);
        report
            .error(
                Code::WrongType,
                span,
                "type and rules are separated by a space",
            )
            .help(format!(
                "write `{} {}`",
                &text[..parsed.length],
                rest.trim_start_matches(['|', ':', ','])
            ));
        return None;
    };
    if written.damaged {
        return None;
    }
    let nullable = written.rules.all.contains(&Rule::Nullable);
    let mut attribute = blank(entry.name, parsed.kind, nullable);
    attribute.unique = is_unique(&written.rules);
    attribute.rules = complete(written.rules, &attribute.kind, nullable);
    Some(AttributeDraft {
        attribute,
        span: entry.key.span,
        rules: written.places,
    })
}

fn long(entry: MappingEntry<'_>, report: &mut Report<'_>) -> Option<AttributeDraft> {
    let label = format!("the attribute `{}`", entry.name);
    let fields = report.fields(entry.value, &label, ATTRIBUTE_KEYS)?;
    let kind = long_type(&fields, entry, report)?;
    let subject = RuleSubject {
        attribute: entry.name,
        kind: Some(&kind),
    };
    let written = match fields.get("rules") {
        Some(node) => Written::read(node, subject, report),
        None => Written::default(),
    };
    let damaged = written.damaged || fields.damaged;
    let declared = fields
        .get("nullable")
        .and_then(|node| report.boolean(node, "`nullable`"));
    let nullable = declared.unwrap_or_else(|| written.rules.all.contains(&Rule::Nullable));
    let mut attribute = blank(entry.name, kind, nullable);
    let unique = flag(&fields, "unique", report);
    attribute.unique = unique || is_unique(&written.rules);
    let places = written.places;
    attribute.rules = complete(written.rules, &attribute.kind, nullable);
    if unique && !attribute.rules.all.contains(&Rule::Unique) {
        attribute.rules.all.push(Rule::Unique);
    }
    options(&mut attribute, &fields, report);
    literals(&mut attribute, &fields, report);
    let draft = AttributeDraft {
        attribute,
        span: entry.key.span,
        rules: places,
    };
    (!damaged).then_some(draft)
}

fn long_type(
    fields: &Fields<'_>,
    entry: MappingEntry<'_>,
    report: &mut Report<'_>,
) -> Option<ColumnType> {
    let Some(node) = fields.get("type") else {
        if !fields.damaged {
            report
                .error(
                    Code::Missing,
                    entry.key.span,
                    format!("`{}` has no type", entry.name),
                )
                .help("add `type: string`");
        }
        return None;
    };
    let text = report.text(node, &format!("the type of `{}`", entry.name))?;
    let parsed = column_type::parse(node, text, report)?;
    let rest = text[parsed.length..].trim();
    if !rest.is_empty() {
        let span = node.part(parsed.length, text.len() - parsed.length);
        report
            .error(
                Code::WrongType,
                span,
                "in the long form, rules are written under `rules:`",
            )
            .help(format!("write `rules: {rest}` on a line of its own"));
        return None;
    }
    Some(parsed.kind)
}

fn options(attribute: &mut Attribute, fields: &Fields<'_>, report: &mut Report<'_>) {
    if let Some(node) = fields.get("access")
        && let Some(index) = report.one_of(node, "`access`", ACCESS)
    {
        let access = [
            Access::Write,
            Access::ReadOnly,
            Access::WriteOnly,
            Access::Hidden,
            Access::AdminWrite,
        ];
        attribute.access = access[index];
    }
    if let Some(node) = fields.get("set_by") {
        let setter = report.one_of(node, "`set_by`", SETTERS);
        attribute.set_by_hook = setter == Some(0);
        attribute.set_by_database = setter == Some(1);
    }
    attribute.index = flag(fields, "index", report);
    if let Some(node) = fields.get("was") {
        match &node.value {
            Value::Mapping(..) => {
                attribute.former_values = former_values::read(node, &attribute.kind, report);
            }
            _ => {
                let was = column_word(node, "a former name", report);
                attribute.was = was.map(|was| was.text);
            }
        }
    }
    if let Some(node) = fields.get("constraint") {
        attribute.constraint = report.boolean(node, "`constraint`").unwrap_or(true);
    }
    if let Some(node) = fields.get("description") {
        attribute.description = report
            .text(node, "a description")
            .map(|text| text.trim().to_owned());
    }
    if let Some(node) = fields.get("storage") {
        storage(attribute, node, report);
    }
    if attribute.index && attribute.kind == ColumnType::Json {
        let span = fields.key_span("index").unwrap_or(fields.span);
        report
            .error(Code::LiteralMisfit, span, "a json column cannot be indexed")
            .help("leave `index` out");
    }
}

fn storage(attribute: &mut Attribute, node: &Node, report: &mut Report<'_>) {
    let Some(index) = report.one_of(node, "`storage`", &["native", "scaled"]) else {
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
        report
            .error(
                Code::LiteralMisfit,
                node.span,
                "`storage` is for decimals; `storage: native` also for texts, enums, and json with the rule `array`",
            )
            .help("leave it out");
    }
}

fn literals(attribute: &mut Attribute, fields: &Fields<'_>, report: &mut Report<'_>) {
    let nullable = attribute.nullable;
    if let Some(node) = fields.raw("default") {
        if attribute.set_by_database {
            let message = "the database sets this attribute, so it has no other default";
            report
                .error(Code::LiteralMisfit, node.span, message)
                .help("leave out `default` or `set_by`");
        }
        let value = literal::read(node, &attribute.kind, nullable, "the default", report);
        if let Some(value) = &value {
            check_default(value, attribute, node.span, report);
        }
        attribute.default = value;
    }
    if let Some(node) = fields.get("example") {
        attribute.example = literal::read(node, &attribute.kind, nullable, "the example", report);
    }
}

fn check_default(value: &Literal, attribute: &Attribute, span: Span, report: &mut Report<'_>) {
    if let Some(rule) = broken_by(value, &attribute.rules.all)
        && *value != Literal::Null
    {
        let name = rule.name();
        report
            .error(
                Code::LiteralMisfit,
                span,
                format!("the default breaks the rule `{name}`"),
            )
            .help("a record made of defaults must pass its own rules: change one of them");
    }
}

fn flag(fields: &Fields<'_>, key: &str, report: &mut Report<'_>) -> bool {
    let node = fields.get(key);
    node.and_then(|node| report.boolean(node, &format!("`{key}`")))
        .unwrap_or(false)
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

/// The rules of list items that are an entry of their own: `tags.*: integer`.
pub fn read_items(entry: MappingEntry<'_>, report: &mut Report<'_>) -> Vec<Rule> {
    let subject = RuleSubject {
        attribute: entry.name,
        kind: None,
    };
    Written::default().node(entry.value, subject, report)
}

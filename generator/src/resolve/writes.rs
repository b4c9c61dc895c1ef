//! The writers of a column: implied `required`, and attributes no caller may write
//! (docs/guide/manifest.md, "Attributes").

use std::collections::BTreeMap;

use formwork_vocabulary::did_you_mean::nearest;

use crate::diagnostic::Code;
use crate::manifest::Span;
use crate::project::{Access, Action, Api, Attribute, ColumnType, Context, Rule};

use super::columns::ModelColumns;
use super::draft::{AttributeDraft, RelationDraft};
use super::literal::is_value;
use super::report::Report;

/// Makes a column that needs a value required on store, or reports that no caller may send one.
pub fn require(
    attribute: &mut Attribute,
    span: Span,
    rules: &BTreeMap<&'static str, Span>,
    api: Option<&Api>,
    owner: Option<&str>,
    report: &mut Report<'_>,
) {
    let set = attribute.set_by_hook || attribute.set_by_database;
    let filled = attribute.nullable || attribute.default.is_some() || set;
    // The owner of a row is set by the token, whatever the body says.
    if filled || owner == Some(&attribute.name) {
        return;
    }
    let store = api.and_then(|api| {
        api.actions
            .iter()
            .find(|entry| entry.action == Action::Store)
    });
    let read_only = matches!(attribute.access, Access::ReadOnly | Access::Hidden);
    if let Some(store) = store {
        if read_only {
            report_unwritable(attribute, span, "no request may write it", report);
            return;
        }
        if attribute.access == Access::AdminWrite && store.context != Context::Admin {
            let others = "only administrators may write it, while other callers may store";
            report_unwritable(attribute, span, others, report);
            return;
        }
    }
    let all = &attribute.rules.all;
    if all.contains(&Rule::Sometimes) && !attribute.rules.store.contains(&Rule::Required) {
        report
            .error(
                Code::RuleMisfit,
                rules.get("sometimes").copied().unwrap_or(span),
                format!(
                    "`sometimes` accepts a body without `{}`, but the column needs a value",
                    attribute.name
                ),
            )
            .help("make it nullable, give it a `default`, or leave `sometimes` out");
        return;
    }
    // A text that is only `present` may be empty.
    let is_text = matches!(attribute.kind, ColumnType::String(_) | ColumnType::Text);
    let is_sent = is_text && all.contains(&Rule::Present);
    if !read_only
        && !is_sent
        && !all.contains(&Rule::Required)
        && !attribute.rules.store.contains(&Rule::Required)
    {
        attribute.rules.store.insert(0, Rule::Required);
    }
}

fn report_unwritable(attribute: &Attribute, span: Span, reason: &str, report: &mut Report<'_>) {
    report
        .error(
            Code::UnwritableColumn,
            span,
            format!("`{}` needs a value, and {reason}", attribute.name),
        )
        .label("not nullable, and without a default")
        .help("give it a `default`, `set_by: hook`, or make it `nullable: true`");
}

/// `exists` rules with their places, to be held against the tables of all manifests.
pub fn exists(
    attribute: &Attribute,
    rules: &BTreeMap<&'static str, Span>,
    span: Span,
) -> Vec<(String, String, Span)> {
    let place = rules.get("exists").copied().unwrap_or(span);
    attribute
        .rules
        .every()
        .filter_map(|rule| match rule {
            Rule::Exists(table, column) => Some((table.clone(), column.clone(), place)),
            _ => None,
        })
        .collect()
}

/// Rules that name another attribute must name one that exists, and values it can have.
pub fn check_references(
    attributes: &[AttributeDraft],
    relations: &[RelationDraft],
    columns: &ModelColumns,
    report: &mut Report<'_>,
) {
    for draft in attributes {
        for rule in draft.attribute.rules.every() {
            let name = rule.name();
            let span = draft.rules.get(name).copied().unwrap_or(draft.span);
            for other in named(rule) {
                check_name(
                    other,
                    &draft.attribute.name,
                    rule,
                    span,
                    relations,
                    columns,
                    report,
                );
            }
            check_dates(rule, span, columns, report);
            check_values(rule, span, columns, report);
        }
    }
}

fn named(rule: &Rule) -> Vec<&str> {
    match rule {
        Rule::Same(other) | Rule::ExcludeWithout(other) | Rule::RequiredIf(other, _) => vec![other],
        Rule::RequiredWithout(others) => others.iter().map(String::as_str).collect(),
        other => {
            let attribute = |other: &&str| !is_moment(other);
            other
                .compares_with()
                .filter(attribute)
                .into_iter()
                .collect()
        }
    }
}

/// Whether a rule of dates compares with this moment, not with an attribute.
fn is_moment(other: &str) -> bool {
    let is = |kind| is_value(other, &kind);
    matches!(other, "now" | "today") || is(ColumnType::Date) || is(ColumnType::DateTime)
}

fn check_name(
    other: &str,
    own: &str,
    rule: &Rule,
    span: Span,
    relations: &[RelationDraft],
    columns: &ModelColumns,
    report: &mut Report<'_>,
) {
    // `password_confirm` is a member of bodies only, as `password_confirmation` of `confirmed` is.
    let confirms = matches!(rule, Rule::Same(_) | Rule::ExcludeWithout(_))
        && other
            .strip_prefix(own)
            .is_some_and(|rest| matches!(rest, "_confirm" | "_confirmation"));
    let synced = relations
        .iter()
        .any(|relation| relation.sync && relation.name.text == other);
    if confirms || synced || columns.has(other) {
        return;
    }
    let name = rule.name();
    let found = report.error(
        Code::UnknownColumn,
        span,
        format!("`{name}` names the attribute `{other}`, which does not exist"),
    );
    if let Some(near) = nearest(other, columns.names()) {
        found.help(format!("did you mean `{near}`?"));
    } else if rule.compares_with().is_some() {
        found.help(
            "name an attribute of this resource, `now`, `today`, or a date such as 2030-01-31",
        );
    } else {
        found.help("name an attribute of this resource");
    }
}

/// Dates and times are compared with dates and times, which a text may hold too.
fn check_dates(rule: &Rule, span: Span, columns: &ModelColumns, report: &mut Report<'_>) {
    use ColumnType as T;
    let other = rule.compares_with().filter(|other| !is_moment(other));
    let Some((other, kind)) = other.and_then(|other| Some((other, columns.kind(other)?))) else {
        return;
    };
    let is_fit = matches!(
        kind,
        T::Date | T::Time | T::DateTime | T::String(_) | T::Text
    );
    if !is_fit {
        let (name, kind) = (rule.name(), super::column_type::written(kind));
        let message = format!("`{name}` names `{other}`, which is {kind}");
        let found = report.error(Code::RuleMisfit, span, message);
        found.help("name an attribute that is a date, a time or a datetime");
    }
}

fn check_values(rule: &Rule, span: Span, columns: &ModelColumns, report: &mut Report<'_>) {
    let Rule::RequiredIf(other, values) = rule else {
        return;
    };
    let Some(kind) = columns.kind(other) else {
        return;
    };
    if let Some(wrong) = values.iter().find(|value| !is_value(value, kind)) {
        let kind = super::column_type::written(kind);
        report
            .error(
                Code::RuleMisfit,
                span,
                format!("`{other}` is {kind}, and can never be `{wrong}`"),
            )
            .help("write a value it can have");
    }
}

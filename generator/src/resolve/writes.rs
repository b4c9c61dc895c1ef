//! The writers of a column: implied `required`, and attributes no caller may write
//! (docs/guide/manifest.md, "Attributes").

use std::collections::{BTreeMap, BTreeSet};

use formwork_vocabulary::did_you_mean::nearest;

use crate::diagnostic::Code;
use crate::manifest::Span;
use crate::project::{Access, Action, Api, Attribute, ColumnType, Context, Rule};

use super::column_type::written;
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
    report: Report<'_>,
) {
    // The owner of a row is set by the token, whatever the body says.
    let is_owner = api.is_some_and(|api| api.owner.as_ref() == Some(&attribute.name));
    let is_set = attribute.set_by_hook || attribute.set_by_database || is_owner;
    if is_set || attribute.nullable || attribute.default.is_some() {
        return;
    }
    let mut actions = api.iter().flat_map(|api| &api.actions);
    let store = actions.find(|entry| entry.action == Action::Store);
    let read_only = matches!(attribute.access, Access::ReadOnly | Access::Hidden);
    let unwritable = store.and_then(|store| match attribute.access {
        _ if read_only => Some("no request may write it"),
        Access::AdminWrite if store.context != Context::Admin => {
            Some("only administrators may write it, while other callers may store")
        }
        _ => None,
    });
    if let Some(reason) = unwritable {
        let message = format!("`{}` needs a value, and {reason}", attribute.name);
        let mut error = report.error(Code::UnwritableColumn, span, message);
        error.label("not nullable, and without a default");
        error.help("give it a `default`, `set_by: hook`, or make it `nullable: true`");
        return;
    }
    let all = &attribute.rules.all;
    let on_store = &mut attribute.rules.store;
    let is_required = on_store.contains(&Rule::Required);
    if all.contains(&Rule::Sometimes) && !is_required {
        let name = &attribute.name;
        let span = rules.get("sometimes").copied().unwrap_or(span);
        let message =
            format!("`sometimes` accepts a body without `{name}`, but the column needs a value");
        let help = "make it nullable, give it a `default`, or leave `sometimes` out";
        report.reject(Code::RuleMisfit, span, message, help);
        return;
    }
    // A text that is only `present` may be empty.
    let is_text = matches!(attribute.kind, ColumnType::String(_) | ColumnType::Text);
    let is_sent = is_text && all.contains(&Rule::Present);
    if !read_only && !is_sent && !is_required && !all.contains(&Rule::Required) {
        on_store.insert(0, Rule::Required);
    }
}

/// Returns the `exists` rules with their places, to be checked against the tables of all manifests.
pub fn exists(
    attribute: &Attribute,
    rules: &BTreeMap<&'static str, Span>,
    span: Span,
) -> Vec<(String, String, Span)> {
    let place = rules.get("exists").copied().unwrap_or(span);
    let rules = attribute.rules.every();
    let exists = rules.filter_map(|rule| match rule {
        Rule::Exists(table, column) => Some((table.clone(), column.clone(), place)),
        _ => None,
    });
    exists.collect()
}

/// Checks that rules which name another attribute name an existing one, and values it can have.
pub fn check_references(
    attributes: &[AttributeDraft],
    relations: &[RelationDraft],
    columns: &ModelColumns<'_>,
    report: Report<'_>,
) {
    let synced = relations.iter().filter(|relation| relation.sync);
    let synced: BTreeSet<&str> = synced.map(|relation| relation.name.text.as_str()).collect();
    for draft in attributes {
        let own = draft.attribute.name.as_str();
        for rule in draft.attribute.rules.every() {
            let span = draft.rules.get(rule.name()).copied().unwrap_or(draft.span);
            let exists = |other: &str| {
                columns.has(other) || synced.contains(other) || confirms(rule, other, own)
            };
            for other in named(rule).into_iter().filter(|other| !exists(other)) {
                reject_name(other, rule, span, columns, report);
            }
            check_dates(rule, span, columns, report);
            check_values(rule, span, columns, report);
        }
    }
}

/// Checks whether a rule names a member of bodies only: `password_confirm`, like the
/// `password_confirmation` of `confirmed`.
fn confirms(rule: &Rule, other: &str, own: &str) -> bool {
    matches!(rule, Rule::Same(_) | Rule::ExcludeWithout(_))
        && matches!(other.strip_prefix(own), Some("_confirm" | "_confirmation"))
}

fn named(rule: &Rule) -> Vec<&str> {
    match rule {
        Rule::Same(other) | Rule::ExcludeWithout(other) | Rule::RequiredIf(other, _) => vec![other],
        Rule::RequiredWithout(others) => others.iter().map(String::as_str).collect(),
        other => compared_attribute(other).into_iter().collect(),
    }
}

/// Returns the attribute that a rule of dates compares with; `now` and dates are none.
fn compared_attribute(rule: &Rule) -> Option<&str> {
    rule.compares_with().filter(|other| !is_moment(other))
}

/// Whether a rule of dates compares with this moment, not with an attribute.
fn is_moment(other: &str) -> bool {
    let is = |kind| is_value(other, &kind);
    matches!(other, "now" | "today") || is(ColumnType::Date) || is(ColumnType::DateTime)
}

fn reject_name(
    other: &str,
    rule: &Rule,
    span: Span,
    columns: &ModelColumns<'_>,
    report: Report<'_>,
) {
    let name = rule.name();
    let message = format!("`{name}` names the attribute `{other}`, which does not exist");
    let help = match nearest(other, columns.names()) {
        Some(near) => &format!("did you mean `{near}`?"),
        None if rule.compares_with().is_some() => {
            "name an attribute of this resource, `now`, `today`, or a date such as 2030-01-31"
        }
        None => "name an attribute of this resource",
    };
    report.reject(Code::UnknownColumn, span, message, help);
}

/// Checks that dates and times are compared with dates and times, which a text may hold too.
fn check_dates(rule: &Rule, span: Span, columns: &ModelColumns<'_>, report: Report<'_>) {
    use ColumnType::{Date, DateTime, String, Text, Time};
    let other = compared_attribute(rule);
    let Some((other, kind)) = other.and_then(|other| Some((other, columns.kind(other)?))) else {
        return;
    };
    if !matches!(kind, Date | Time | DateTime | String(_) | Text) {
        let (name, kind) = (rule.name(), written(kind));
        let message = format!("`{name}` names `{other}`, which is {kind}");
        let help = "name an attribute that is a date, a time or a datetime";
        report.reject(Code::RuleMisfit, span, message, help);
    }
}

fn check_values(rule: &Rule, span: Span, columns: &ModelColumns<'_>, report: Report<'_>) {
    if let Rule::RequiredIf(other, values) = rule
        && let Some(kind) = columns.kind(other)
        && let Some(value) = values.iter().find(|value| !is_value(value, kind))
    {
        let kind = written(kind);
        let message = format!("`{other}` is {kind}, and can never be `{value}`");
        report.reject(Code::RuleMisfit, span, message, "write a value it can have");
    }
}

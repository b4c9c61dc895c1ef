//! Columns as attributes: types, rules, defaults, secrets.

use std::collections::BTreeSet;

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

use super::constraints;
use super::links::Links;
use super::secret::is_secret;
use super::values::{Chosen, DescribedAttribute};
use crate::import::catalogue::{self, CatalogueColumn};
use crate::name;
use crate::project::{ColumnType, Database};

/// The columns of a table, after they were described.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// Attributes of the manifest.
    pub attributes: Vec<DescribedAttribute>,
    /// Columns that need a value, and that requests cannot set.
    pub blocked: Vec<String>,
    /// Notes about columns that the manifest leaves out.
    pub notes: Vec<String>,
}

/// The attributes of a table.
pub(super) fn of(one: &Chosen<'_>, links: &Links, timestamps: bool, database: Database) -> Columns {
    let mut columns = Columns::default();
    if !one.primary.is_made {
        columns.blocked.push(one.primary.column.clone());
    }
    let mut taken: BTreeSet<String> = spellings(&one.primary.column).into();
    if timestamps {
        taken.extend(["created_at", "updated_at"].into_iter().flat_map(spellings));
    }
    let is_kept = |column: &CatalogueColumn| {
        let is_stamp = timestamps && matches!(column.name.as_str(), "created_at" | "updated_at");
        is_stamp || column.name.eq_ignore_ascii_case(&one.primary.column)
    };
    for column in one.table.columns.iter().filter(|column| !is_kept(column)) {
        let is_secret = is_secret(&column.name);
        match left_out(column, is_secret, &taken) {
            Some(reason) => {
                columns.notes.push(format!(
                    "Left out: `{}` ({}): {reason}.",
                    column.name, column.declared
                ));
                if !column.nullable && column.default.is_none() && !column.is_generated {
                    columns.blocked.push(column.name.clone());
                }
            }
            None => {
                taken.extend(spellings(&column.name));
                let attribute = attribute(column, is_secret, one, links);
                if attribute.set_by == Some("hook") {
                    columns.blocked.push(column.name.clone());
                }
                columns.attributes.push(attribute);
            }
        }
    }
    columns.notes.extend(links.unsaid(one.table));
    let notes = constraints::apply(one.table, database, &mut columns.attributes);
    columns.notes.extend(notes);
    columns
}

/// Names that two columns may not share.
fn spellings(name: &str) -> [String; 2] {
    [format!("field {}", name::field(name)), name.to_lowercase()]
}

/// Why the manifest leaves a column out.
fn left_out(column: &CatalogueColumn, is_secret: bool, taken: &BTreeSet<String>) -> Option<String> {
    let reason = if !name::is_column(&column.name) {
        "the name of a column in a manifest has at most 63 letters, digits and `_`"
    } else if column.name == "id" {
        "`id` is the public name of the key"
    } else if spellings(&column.name)
        .iter()
        .any(|one| taken.contains(one))
    {
        "its name differs only in case or `_` from that of another column"
    } else if is_secret
        && matches!(
            column.default,
            Some(catalogue::ColumnDefault::Expression(_))
        )
    {
        "it looks like a secret, and the database computes its value"
    } else if column.kind.is_none() {
        return Some(
            column
                .note
                .clone()
                .unwrap_or_else(|| "a manifest has no such type".to_owned()),
        );
    } else {
        return None;
    };
    Some(reason.to_owned())
}

fn attribute(
    column: &CatalogueColumn,
    is_secret: bool,
    one: &Chosen<'_>,
    links: &Links,
) -> DescribedAttribute {
    let mut notes: Vec<String> = column.note.clone().into_iter().collect();
    let link = links.of_column(one.table, &column.name);
    let own = column.kind.clone().unwrap_or(ColumnType::Text);
    // A column that holds a key has the key's type.
    let kind = link.map_or(own, |link| link.kind.clone());
    let mut attribute = DescribedAttribute {
        name: column.name.clone(),
        nullable: column.nullable,
        rules: match link {
            None => rules(column, &kind),
            Some(link) if link.is_guessed => guessed_range(column),
            Some(_) => Vec::new(),
        },
        default: None,
        access: None,
        set_by: column.is_generated.then_some("database"),
        is_native: column.is_native,
        items: column.items.clone(),
        is_unique: one.table.is_unique(&column.name) && kind != ColumnType::Json,
        example: example(column),
        description: column.comment.clone(),
        notes: Vec::new(),
        is_guessed: column.is_guessed || is_secret,
        kind,
    };
    if let Some(link) = link.filter(|link| !link.is_guessed) {
        attribute
            .rules
            .push(format!("exists:{},{}", link.table, link.column));
    }
    if column.is_native && attribute.kind == ColumnType::Json {
        attribute.rules.push("array".to_owned());
    }
    if !column.is_generated {
        default(column, &mut attribute, link.is_some(), &mut notes);
    }
    if is_stamp_of_a_program(column) {
        notes.push(
            "Looks like a timestamp that another program sets. The service does not set it."
                .to_owned(),
        );
    }
    if column.holds_zero_dates {
        zero_dates(&mut attribute, &mut notes);
    }
    access(column, is_secret, &mut attribute, &mut notes);
    if column.holds_empty_texts && link.is_none() && attribute.access.is_none() {
        attribute.rules.insert(0, "present".to_owned());
    }
    if attribute.rules.iter().any(|rule| rule == "email") {
        attribute.is_guessed = true;
        notes.push("Guessed from the name: an e-mail address.".to_owned());
    }
    attribute.notes = notes;
    attribute
}

/// A value that is valid by a pattern.
fn example(column: &CatalogueColumn) -> Option<String> {
    let mut listed = column.members.iter().chain(&column.words);
    let text = column.pattern.map(|_| "text".to_owned());
    listed.next().cloned().or(text)
}

/// The range of a column that holds keys without a foreign key, so that no `exists` limits it.
fn guessed_range(column: &CatalogueColumn) -> Vec<String> {
    let own = match column.kind {
        Some(ColumnType::Integer) => Some((i32::MIN.into(), i32::MAX.into())),
        _ => None,
    };
    column.range.or(own).map(range).unwrap_or_default()
}

fn range((least, most): (i64, i64)) -> Vec<String> {
    let most = (most < i64::MAX).then(|| format!("max:{most}"));
    std::iter::once(format!("min:{least}"))
        .chain(most)
        .collect()
}

fn rules(column: &CatalogueColumn, kind: &ColumnType) -> Vec<String> {
    let mut rules = match (column.range, kind) {
        (Some(limits), ColumnType::Integer | ColumnType::BigInt) => range(limits),
        _ => Vec::new(),
    };
    let longest = column.longest.filter(|_| *kind == ColumnType::Text);
    rules.extend(longest.map(|longest| format!("max:{longest}")));
    if !column.members.is_empty() {
        let one = constraints::any_of(&column.members);
        // A set may be empty, and often is by default.
        rules.push(format!("regex:^(?:{one}(?:,{one})*)?$"));
    }
    let pattern = column.pattern.filter(|_| *kind == ColumnType::Text);
    rules.extend(pattern.map(|pattern| format!("regex:{pattern}")));
    if !column.words.is_empty() {
        rules.push(constraints::listed(&column.words));
    }
    let is_address = column.name == "email" || column.name.ends_with("_email");
    if is_address && matches!(kind, ColumnType::String(_) | ColumnType::Text) {
        rules.push("email".to_owned());
    }
    rules
}

/// Whether a column looks like a timestamp, though it is not one of the pair `created_at` and `updated_at`.
fn is_stamp_of_a_program(column: &CatalogueColumn) -> bool {
    let name = column.name.to_lowercase().replace('_', "");
    let is_named = ["created", "updated", "modified", "inserted"]
        .iter()
        .filter_map(|word| name.strip_prefix(word))
        .any(|rest| ["", "at", "on", "date", "time"].contains(&rest));
    let is_moment = matches!(column.kind, Some(ColumnType::DateTime | ColumnType::Date));
    is_named && is_moment && column.default.is_none() && !column.is_generated
}

/// Zero dates are read as null, also from columns that are NOT NULL. Requests cannot send null to these.
fn zero_dates(attribute: &mut DescribedAttribute, notes: &mut Vec<String>) {
    notes.push("Zero dates (0000-00-00) are read as null.".to_owned());
    if !attribute.nullable {
        attribute.nullable = true;
        let is_optional = attribute.default.is_some() || attribute.set_by.is_some();
        attribute
            .rules
            .extend(is_optional.then(|| "sometimes".to_owned()));
        attribute.rules.push("required".to_owned());
    }
}

/// The default, where a manifest can say it.
fn default(
    column: &CatalogueColumn,
    attribute: &mut DescribedAttribute,
    is_link: bool,
    notes: &mut Vec<String>,
) {
    let value = match &column.default {
        None => return,
        Some(catalogue::ColumnDefault::Expression(text)) => {
            notes.push(format!("The database's default: `{text}`."));
            attribute.set_by = Some("database");
            return;
        }
        Some(catalogue::ColumnDefault::Value(value)) => value,
    };
    let is_no_key = is_link && value == "0";
    match literal(value, &attribute.kind, attribute.is_native).filter(|_| !is_no_key) {
        Some(literal) => attribute.default = Some(literal),
        None if is_no_key => notes.push(format!(
            "The default `{value}` of the database is left out: no row has this key."
        )),
        None => {
            notes.push(format!("The database's default: `{value}`."));
            attribute.set_by = Some("database");
        }
    }
}

/// A value as YAML, if the type has it.
fn literal(value: &str, kind: &ColumnType, is_native: bool) -> Option<String> {
    let quoted = || serde_json::to_string(value).ok();
    let number = |fits: bool| fits.then(|| value.to_owned());
    match kind {
        ColumnType::Boolean => match value.to_lowercase().as_str() {
            "1" | "true" | "t" => Some("true".to_owned()),
            "0" | "false" | "f" => Some("false".to_owned()),
            _ => None,
        },
        ColumnType::Integer => number(value.parse::<i32>().is_ok()),
        ColumnType::BigInt => number(value.parse::<i64>().is_ok()),
        ColumnType::Float => number(value.parse::<f64>().is_ok_and(f64::is_finite)),
        ColumnType::Decimal(precision, scale) => decimal(value, *precision, *scale),
        ColumnType::String(length) => (value.chars().count() <= *length as usize).then(quoted)?,
        ColumnType::Text => quoted(),
        ColumnType::Enum(values) => values.iter().any(|one| one == value).then(quoted)?,
        ColumnType::Date => value.parse::<NaiveDate>().is_ok().then(quoted)?,
        ColumnType::Time => value.parse::<NaiveTime>().is_ok().then(quoted)?,
        ColumnType::DateTime => {
            let moment = NaiveDateTime::parse_from_str(value, "%Y-%m-%d %H:%M:%S").ok()?;
            Some(moment.format("\"%Y-%m-%dT%H:%M:%SZ\"").to_string())
        }
        ColumnType::Json if !is_native => {
            let json: serde_json::Value = serde_json::from_str(value).ok()?;
            Some(json.to_string())
        }
        ColumnType::Json | ColumnType::Uuid => None,
    }
}

fn decimal(value: &str, precision: u8, scale: u8) -> Option<String> {
    let digits = value.strip_prefix('-').unwrap_or(value);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = fraction.trim_end_matches('0');
    let is_number = digits
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    let fits = is_number
        && !whole.is_empty()
        && whole.trim_start_matches('0').len() <= usize::from(precision - scale)
        && fraction.len() <= usize::from(scale);
    fits.then(|| value.to_owned())
}

fn access(
    column: &CatalogueColumn,
    is_secret: bool,
    attribute: &mut DescribedAttribute,
    notes: &mut Vec<String>,
) {
    if is_secret {
        attribute.access = Some("hidden");
        notes.push("Guessed from the name: a secret, so it is hidden.".to_owned());
    } else if column.is_read_only || column.is_generated {
        attribute.access = Some("read_only");
    } else {
        return;
    }
    let needs_value = !attribute.nullable && attribute.default.is_none();
    attribute.set_by = attribute.set_by.or(needs_value.then_some("hook"));
    attribute.rules.retain(|rule| rule == "array");
    attribute.items = None;
}

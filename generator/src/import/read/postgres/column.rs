//! Columns of PostgreSQL: types, enums, arrays, domains, defaults.

use anyhow::Result;
use sqlx::Row as _;
use sqlx::postgres::PgRow;

use crate::import::catalogue::{CatalogueColumn, ColumnDefault, enumeration, unlisted};
use crate::import::read::arguments::Declared;
use crate::project::ColumnType;

/// A column, from a row of the catalogue.
pub(super) fn read(row: &PgRow) -> Result<CatalogueColumn> {
    let (name, declared): (String, String) = (row.try_get(1)?, row.try_get(2)?);
    let labels: Option<Vec<String>> = row.try_get(9)?;
    let is_domain = row.try_get::<String, _>(8)? == "d";
    let base: Option<String> = row.try_get(10)?;
    let written = base
        .filter(|_| is_domain)
        .unwrap_or_else(|| declared.clone());
    let no_filter =
        "PostgreSQL compares no values of a domain over an enum, so no filter names it.";
    let typed = match &labels {
        Some(labels) => {
            let (kind, note) = enumeration(labels);
            let note = note.or(is_domain.then(|| no_filter.to_owned()));
            ManifestType {
                is_native: true,
                note,
                ..ManifestType::from(kind)
            }
        }
        None if row.try_get(13)? => ManifestType::unknown("a manifest has no arrays of arrays"),
        None => typed(&written),
    };
    let identity: String = row.try_get(5)?;
    let default: Option<String> = row.try_get(6)?;
    let default = default.or(row.try_get(12)?);
    Ok(CatalogueColumn {
        range: smallint(&written),
        kind: typed.kind,
        note: typed.note,
        is_comparable: !is_domain || labels.is_none(),
        words: labels
            .filter(|all| unlisted(all).is_some())
            .unwrap_or_default(),
        nullable: !row.try_get::<bool, _>(3)? && !row.try_get::<bool, _>(11)?,
        is_generated: !row.try_get::<String, _>(4)?.is_empty() || identity == "a",
        is_counted: identity == "d",
        default: match identity.as_str() {
            "d" => Some(ColumnDefault::Expression("the next number".to_owned())),
            _ => default.and_then(|text| self::default(&text)),
        },
        is_native: typed.is_native,
        is_read_only: typed.is_read_only,
        items: typed.items,
        comment: row.try_get(7)?,
        ..CatalogueColumn::new(&name, &declared)
    })
}

/// The type in a manifest.
#[derive(Default)]
struct ManifestType {
    kind: Option<ColumnType>,
    note: Option<String>,
    is_native: bool,
    is_read_only: bool,
    items: Option<String>,
}

impl From<ColumnType> for ManifestType {
    fn from(kind: ColumnType) -> Self {
        Self {
            kind: Some(kind),
            ..Self::default()
        }
    }
}

impl ManifestType {
    fn unknown(note: &str) -> Self {
        Self {
            note: Some(note.to_owned()),
            ..Self::default()
        }
    }
}

fn typed(declared: &str) -> ManifestType {
    if let Some(of) = declared.strip_suffix("[]") {
        return array(of);
    }
    let parsed = Declared::parse(declared);
    ManifestType::from(match parsed.words.as_str() {
        "smallint" | "integer" => ColumnType::Integer,
        "bigint" => ColumnType::BigInt,
        "real" | "double precision" => ColumnType::Float,
        "numeric" => {
            let (kind, note) = parsed.decimal((18, 4));
            return ManifestType {
                note,
                ..ManifestType::from(kind)
            };
        }
        "boolean" => ColumnType::Boolean,
        "character varying" => parsed.string(),
        // Padded with spaces, which a comparison with `text` would respect.
        "character" | "bpchar" => {
            return ManifestType {
                is_native: true,
                ..ManifestType::from(parsed.string())
            };
        }
        "text" | "name" => ColumnType::Text,
        // Compared without case; a comparison with `text` would respect case.
        "citext" => {
            return ManifestType {
                is_native: true,
                ..ManifestType::from(ColumnType::Text)
            };
        }
        "date" => ColumnType::Date,
        "time without time zone" => ColumnType::Time,
        "timestamp with time zone" | "timestamp without time zone" => ColumnType::DateTime,
        "json" | "jsonb" => ColumnType::Json,
        "uuid" => ColumnType::Uuid,
        _ => return ManifestType::default(),
    })
}

/// A list. PostgreSQL casts texts, numbers and booleans to items of an array; arrays of other items are read only.
fn array(of: &str) -> ManifestType {
    let parsed = Declared::parse(of);
    let items = match parsed.words.as_str() {
        "text" => Some("string".to_owned()),
        "character varying" | "character" => Some(match parsed.length() {
            Some(length) => format!("string|max:{length}"),
            None => "string".to_owned(),
        }),
        "smallint" => Some(whole(i16::MIN.into(), i16::MAX.into())),
        "integer" => Some(whole(i32::MIN.into(), i32::MAX.into())),
        "bigint" => Some("integer".to_owned()),
        "real" | "double precision" => Some("numeric".to_owned()),
        "boolean" => Some("boolean".to_owned()),
        _ => None,
    };
    let note = items
        .is_none()
        .then(|| format!("Read only: the service cannot write an array of `{of}`."));
    ManifestType {
        note,
        is_native: true,
        is_read_only: items.is_none(),
        items,
        ..ManifestType::from(ColumnType::Json)
    }
}

fn whole(least: i64, most: i64) -> String {
    format!("integer|min:{least}|max:{most}")
}

fn smallint(declared: &str) -> Option<(i64, i64)> {
    let is_small = Declared::parse(declared).words == "smallint";
    is_small.then_some((i16::MIN.into(), i16::MAX.into()))
}

/// A default: `'open'::character varying`, `0` and `true` are values, other texts are expressions.
fn default(text: &str) -> Option<ColumnDefault> {
    let expression = ColumnDefault::Expression(text.to_owned());
    if let Some(rest) = text.strip_prefix('\'') {
        let Some((inner, cast)) = rest.rsplit_once('\'') else {
            return Some(expression);
        };
        let is_one = inner.replace("''", "").find('\'').is_none();
        let is_cast = cast.is_empty() || cast.starts_with("::");
        return Some(match is_one && is_cast {
            true => ColumnDefault::Value(inner.replace("''", "'")),
            false => expression,
        });
    }
    let bare = text.split("::").next().unwrap_or(text);
    let bare = bare.trim_matches(['(', ')']);
    if bare.eq_ignore_ascii_case("null") {
        return None;
    }
    let is_value = bare.parse::<f64>().is_ok() || ["true", "false"].contains(&bare);
    Some(match is_value {
        true => ColumnDefault::Value(bare.to_owned()),
        false => expression,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_values_or_expressions() {
        let value = |text: &str| Some(ColumnDefault::Value(text.to_owned()));
        for (text, expected) in [
            ("'open'::character varying", value("open")),
            ("'it''s a::b'::text", value("it's a::b")),
            ("(0)::numeric", value("0")),
            ("'-1'::integer", value("-1")),
            ("NULL::text", None),
        ] {
            assert_eq!(default(text), expected, "{text}");
        }
        for text in [
            "now()",
            "('a'::text || 'b'::text)",
            "'a'::text || 'b'::text",
            "nextval('s'::regclass)",
        ] {
            assert_eq!(
                default(text),
                Some(ColumnDefault::Expression(text.to_owned()))
            );
        }
    }
}

//! Types and defaults as MySQL and MariaDB declare them.

use crate::column::{LONGEST_STRING, is_uuid};
use crate::import::catalogue::{ColumnDefault, enumeration, unlisted};
use crate::import::read::arguments::Declared;
use crate::project::ColumnType;

/// The type in a manifest, and a note about a guess.
pub(super) fn kind(declared: &str) -> (Option<ColumnType>, Option<String>) {
    let parsed = parse(declared);
    let is_unsigned = parsed.words.contains("unsigned");
    let kind = match first_word(&parsed) {
        "tinyint" if parsed.length() == Some(1) => {
            let note = "Guessed: a boolean, because it has one digit.";
            return (Some(ColumnType::Boolean), Some(note.to_owned()));
        }
        "bit" if parsed.length() == Some(1) => ColumnType::Boolean,
        "int" | "integer" if is_unsigned => ColumnType::BigInt,
        "tinyint" | "smallint" | "mediumint" | "int" | "integer" | "year" => ColumnType::Integer,
        "bigint" | "bit" => ColumnType::BigInt,
        "float" | "double" | "real" => ColumnType::Float,
        "decimal" | "numeric" => {
            let (kind, note) = parsed.decimal((10, 0));
            return (Some(kind), note);
        }
        "char" if parsed.length() == Some(36) => {
            let note = "Guessed: a uuid, because it has 36 characters.";
            return (Some(ColumnType::Uuid), Some(note.to_owned()));
        }
        "char" | "varchar" => parsed.string(),
        "tinytext" | "text" | "mediumtext" | "longtext" => ColumnType::Text,
        "date" => ColumnType::Date,
        "time" => ColumnType::Time,
        "datetime" | "timestamp" => ColumnType::DateTime,
        "json" => ColumnType::Json,
        "uuid" => ColumnType::Uuid,
        "enum" => {
            let (kind, note) = enumeration(&parsed.arguments);
            return (Some(kind), note);
        }
        "set" => list(&parsed.arguments),
        _ => return (None, None),
    };
    (Some(kind), None)
}

/// Parses a type. Servers write a backslash or a newline in a word of an enum with a backslash before it.
fn parse(declared: &str) -> Declared {
    Declared::parse(&without_escapes(declared))
}

/// Returns a text of SQL without its backslash escapes; `''` stays.
fn without_escapes(text: &str) -> String {
    let mut signs = text.chars();
    let mut plain = String::new();
    while let Some(sign) = signs.next() {
        plain.extend(match sign {
            '\\' => signs.next().map(escaped),
            sign => Some(sign),
        });
    }
    plain
}

/// Returns the character that a backslash and this one stand for.
fn escaped(sign: char) -> char {
    match sign {
        '0' => '\0',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'Z' => '\u{1a}',
        sign => sign,
    }
}

/// Whether the type is a guess, which rows may disprove.
pub(super) fn is_guess(declared: &str) -> bool {
    let parsed = Declared::parse(declared);
    let length = parsed.length();
    matches!(
        (first_word(&parsed), length),
        ("tinyint", Some(1)) | ("char", Some(36))
    )
}

fn first_word(declared: &Declared) -> &str {
    declared.words.split(' ').next().unwrap_or_default()
}

/// Whether the default of a `char(36)` lets it be a uuid; true of other types.
pub(super) fn may_be_uuid(declared: &str, default: Option<&ColumnDefault>) -> bool {
    let is_text = declared.to_lowercase().starts_with("char(36)");
    match default {
        Some(ColumnDefault::Value(text)) if is_text => is_uuid(text),
        _ => true,
    }
}

/// A text that holds all members of a `SET`, with commas between.
fn list(members: &[String]) -> ColumnType {
    let length: usize = members.iter().map(|one| one.chars().count() + 1).sum();
    match u32::try_from(length.saturating_sub(1)) {
        Ok(length) if (1..=LONGEST_STRING).contains(&length) => ColumnType::String(length),
        _ => ColumnType::Text,
    }
}

/// The members of a `SET`; empty for other types.
pub(super) fn members(declared: &str) -> Vec<String> {
    let parsed = parse(declared);
    match first_word(&parsed) {
        "set" => parsed.arguments,
        _ => Vec::new(),
    }
}

/// The words of an enum that no manifest can list; empty for other types.
pub(super) fn words(declared: &str) -> Vec<String> {
    let parsed = parse(declared);
    let is_odd = first_word(&parsed) == "enum" && unlisted(&parsed.arguments).is_some();
    match is_odd {
        true => parsed.arguments,
        false => Vec::new(),
    }
}

/// The range of a type, where the range of the manifest's type is larger.
pub(super) fn range(declared: &str) -> Option<(i64, i64)> {
    let parsed = Declared::parse(declared);
    let bits = match first_word(&parsed) {
        // MySQL reads numbers of one or two digits as years from 1970 to 2069.
        "year" => return Some((1901, 2155)),
        "bit" => return Some((0, largest(parsed.length().unwrap_or(1)))),
        "tinyint" => 8,
        "smallint" => 16,
        "mediumint" => 24,
        "int" | "integer" => 32,
        "bigint" => 64,
        _ => return None,
    };
    match parsed.words.contains("unsigned") {
        true => Some((0, largest(bits))),
        false if bits >= 32 => None,
        false => Some((-largest(bits - 1) - 1, largest(bits - 1))),
    }
}

/// The largest number of so many bits that the service holds.
fn largest(bits: u32) -> i64 {
    i64::MAX >> (63 - bits.min(63))
}

/// MariaDB writes `'open'`, `NULL`, `b'101'` and `current_timestamp()`; MySQL `open` and, beside `DEFAULT_GENERATED`, texts of SQL.
pub(super) fn default(text: &str, is_expression: bool) -> Option<ColumnDefault> {
    if text.eq_ignore_ascii_case("null") {
        return None;
    }
    let quoted = |prefix: &str| text.strip_prefix(prefix)?.strip_suffix('\'');
    if let Some(bits) = quoted("b'").and_then(|bits| i64::from_str_radix(bits, 2).ok()) {
        return Some(ColumnDefault::Value(bits.to_string()));
    }
    let is_call = text.ends_with(')') || text.to_lowercase().starts_with("current_timestamp");
    Some(match quoted("'") {
        Some(inner) => ColumnDefault::Value(without_escapes(inner).replace("''", "'")),
        None if is_expression || is_call => ColumnDefault::Expression(text.to_owned()),
        None => ColumnDefault::Value(text.to_owned()),
    })
}

/// A check in standard SQL. MariaDB writes a quote in a text as `\'`; MySQL writes texts as `_utf8mb4\'open\'`: a
/// character set, and a backslash before each quote and backslash.
pub(super) fn check(clause: &str) -> String {
    let text = clause.split_once("\\'").map_or("", |(before, _)| before);
    let clause = match before_character_set(text) < text.len() {
        true => unescaped(clause),
        false => clause.to_owned(),
    };
    let (mut plain, mut quoted) = (String::new(), false);
    let mut signs = clause.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '\\' if quoted => match signs.next() {
                Some('\'') => plain.push_str("''"),
                Some(other) => plain.push(escaped(other)),
                None => {}
            },
            '\'' => {
                if !quoted {
                    plain.truncate(before_character_set(&plain));
                }
                quoted = !quoted;
                plain.push(sign);
            }
            sign => plain.push(sign),
        }
    }
    plain
}

/// A text without one level of backslashes.
fn unescaped(text: &str) -> String {
    let mut signs = text.chars();
    let mut plain = String::new();
    while let Some(sign) = signs.next() {
        plain.extend(match sign {
            '\\' => signs.next(),
            sign => Some(sign),
        });
    }
    plain
}

/// The index of the character set, as `_utf8mb4`, at the end of a text; without one, the length of the text.
fn before_character_set(text: &str) -> usize {
    let rest = text.trim_end_matches(|sign: char| sign.is_ascii_alphanumeric());
    match rest.strip_suffix('_') {
        Some(before) if rest.len() < text.len() => before.len(),
        _ => text.len(),
    }
}

/// Whether a default is `0000-00-00`, which the service cannot hold.
pub(super) fn is_zero_date(default: Option<&ColumnDefault>) -> bool {
    matches!(default, Some(ColumnDefault::Value(value)) if value.starts_with("0000-00-00"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_range_of_their_type() {
        assert_eq!(range("tinyint(3) unsigned"), Some((0, 255)));
        assert_eq!(range("smallint(6)"), Some((-32768, 32767)));
        assert_eq!(range("int(10) unsigned"), Some((0, 4_294_967_295)));
        assert_eq!(range("bigint(20) unsigned"), Some((0, i64::MAX)));
        assert_eq!(range("bigint(20)"), None);
        assert_eq!(range("bit(6)"), Some((0, 63)));
        assert_eq!(range("bit(64)"), Some((0, i64::MAX)));
    }

    #[test]
    fn defaults_are_values_or_expressions() {
        let value = |text: &str| Some(ColumnDefault::Value(text.to_owned()));
        assert_eq!(default("b'101'", false), value("5"));
        assert_eq!(default("'it''s'", false), value("it's"));
        assert_eq!(default("NULL", false), None);
        assert_eq!(
            default("current_timestamp()", false),
            Some(ColumnDefault::Expression("current_timestamp()".to_owned()))
        );
    }

    #[test]
    fn backslashes_and_newlines_are_read_as_they_are_stored() {
        let value = |text: &str| Some(ColumnDefault::Value(text.to_owned()));
        let class = r"'App\\Models\\Dish'";
        assert_eq!(default(class, false), value(r"App\Models\Dish"));
        assert_eq!(default(r"'a\nb''s'", false), value("a\nb's"));
        let declared = r"enum('/','\\','a\nb','it''s')";
        assert_eq!(words(declared), ["/", "\\", "a\nb", "it's"]);
        let (kind, _) = kind(r"enum('/','\\')");
        let expected = ["/", "\\"].map(str::to_owned).to_vec();
        assert_eq!(kind, Some(ColumnType::Enum(expected)));
        assert_eq!(members(r"set('a\\b','c')"), [r"a\b", "c"]);
    }

    #[test]
    fn checks_of_mysql_are_read_as_they_were_declared() {
        for (clause, declared) in [
            (
                r"(`state` in (_utf8mb4\'open\',_latin1\'so so\'))",
                "(`state` in ('open','so so'))",
            ),
            (r"(`state` <> _utf8mb4\'it\\\'s\')", "(`state` <> 'it''s')"),
            (
                r"`state` in ('open','it\'s','a\\b')",
                r"`state` in ('open','it''s','a\b')",
            ),
            ("(`price` >= 0)", "(`price` >= 0)"),
        ] {
            assert_eq!(check(clause), declared, "{clause}");
        }
    }

    #[test]
    fn a_set_is_a_text_of_its_members() {
        assert_eq!(kind("set('a','bc')").0, Some(ColumnType::String(4)));
        assert_eq!(members("set('a','bc')"), ["a", "bc"]);
    }
}

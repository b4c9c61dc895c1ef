//! Check constraints that rules can express.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::project::Database;

/// The meaning of a check for one column.
#[derive(Debug, PartialEq)]
pub(super) enum Check {
    /// One of these texts, or whole numbers.
    In(Vec<String>),
    /// Bounds of a number, as rules of a manifest.
    Rules(Vec<String>),
    /// Bounds of the number of characters, as rules of a manifest.
    Length(Vec<String>),
}

/// A number: PostgreSQL writes `'-90'` where it is negative, MySQL `-(90)`.
const NUMBER: &str = r"('-\d+(?:\.\d+)?'|-?\s?\d+(?:\.\d+)?)";

/// A column, or the length of one: its parentheses are taken off.
const MEASURED: &str = r"(?:(length|char_length|character_length)\s+)?(\w+)";

static QUOTED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("'((?:[^']|'')*)'").ok());
static ITEM: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^\s*(?:'((?:[^']|'')*)'|(-?\d+))\s*(,|$)").ok());
static LIST: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?is)^(\w+)(?:\s*=\s*any|\s+in)\b(.*)$").ok());
static BOUND: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"(?i)^{MEASURED}\s*(>=|<=|>|<|=)\s*{NUMBER}$")).ok());
static CAST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let types = r"character varying|double precision|timestamp with(?:out)? time zone|bit varying";
    Regex::new(&format!(r"::(?:{types}|\w+)(?:\(\d+\))?(?:\[\])?")).ok()
});
static BETWEEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(
        r"(?i)^{MEASURED}\s+between\s+{NUMBER}\s+and\s+{NUMBER}$"
    ))
    .ok()
});

/// The column of a check and its meaning; `None` where no rule can express it.
pub(super) fn read(text: &str, database: Database) -> Option<(String, Check)> {
    let text = plain(text);
    if let Some(found) = BETWEEN.as_ref()?.captures(&text) {
        let measured = Measured::of(&found, database)?;
        let (least, most) = (number(&found[3]), number(&found[4]));
        let rules = vec![format!("min:{least}"), format!("max:{most}")];
        return Some(measured.check(rules));
    }
    if let Some(found) = LIST.as_ref()?.captures(&text)
        && let Some(values) = items(&found[2])
    {
        return Some((found[1].to_owned(), Check::In(values)));
    }
    let mut rules = Vec::new();
    let mut column = None;
    for part in split_and(&text) {
        let found = BOUND.as_ref()?.captures(part.trim())?;
        let measured = Measured::of(&found, database)?;
        if column.as_ref().is_some_and(|known| *known != measured) {
            return None;
        }
        let rule = rule(&found[3], &number(&found[4]), measured.is_length)?;
        rules.push(rule);
        column = Some(measured);
    }
    Some(column?.check(rules))
}

/// What a bound is of.
#[derive(PartialEq)]
struct Measured {
    column: String,
    is_length: bool,
}

impl Measured {
    /// The column of a bound; `None` where its length is counted in bytes.
    fn of(found: &Captures<'_>, database: Database) -> Option<Self> {
        let function = found.get(1).map(|word| word.as_str().to_lowercase());
        let is_bytes = function.as_deref() == Some("length") && database == Database::Mysql;
        (!is_bytes).then(|| Self {
            column: found[2].to_owned(),
            is_length: function.is_some(),
        })
    }

    fn check(self, rules: Vec<String>) -> (String, Check) {
        let check = match self.is_length {
            true => Check::Length(rules),
            false => Check::Rules(rules),
        };
        (self.column, check)
    }
}

/// A number without quotes, and without a space behind its sign.
fn number(text: &str) -> String {
    text.replace(['\'', ' '], "")
}

/// The texts and whole numbers of a list; `None` where it holds anything else.
fn items(list: &str) -> Option<Vec<String>> {
    let list = list.trim();
    let mut rest = list.strip_prefix("ARRAY").unwrap_or(list);
    let mut items = Vec::new();
    loop {
        let found = ITEM.as_ref()?.captures(rest)?;
        let text = found.get(1).map(|text| text.as_str().replace("''", "'"));
        items.push(text.unwrap_or_else(|| found[2].to_owned()));
        rest = &rest[found[0].len()..];
        if found[3].is_empty() {
            return Some(items);
        }
    }
}

/// A bound as a rule. No rule excludes its bound: `over` and `under` are for whole numbers, whose next number is known.
fn rule(sign: &str, bound: &str, is_length: bool) -> Option<String> {
    let whole = bound.parse::<i64>().ok();
    match sign {
        "=" => is_length.then(|| format!("size:{bound}")),
        ">=" => Some(format!("min:{bound}")),
        "<=" => Some(format!("max:{bound}")),
        ">" => whole.map(|bound| format!("over:{bound}")),
        _ => whole.map(|bound| format!("under:{bound}")),
    }
}

fn split_and(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let mut parts = Vec::new();
    let mut from = 0;
    for (at, _) in lower.match_indices(" and ") {
        parts.push(text[from..at].to_owned());
        from = at + 5;
    }
    parts.push(text[from..].to_owned());
    parts
}

/// Without the parentheses, quotes of names and casts that servers add. Texts in quotes stay.
fn plain(text: &str) -> String {
    let (mut plain, mut quoted) = (String::new(), false);
    for sign in without_casts(text).chars() {
        match sign {
            '\'' => {
                quoted = !quoted;
                plain.push(sign);
            }
            _ if quoted => plain.push(sign),
            '(' | ')' | '[' | ']' => plain.push(' '),
            '"' | '`' => {}
            '\n' | '\t' => plain.push(' '),
            sign => plain.push(sign),
        }
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Without casts; a text in quotes may look like one.
fn without_casts(text: &str) -> String {
    let (Some(cast), Some(quoted)) = (CAST.as_ref(), QUOTED.as_ref()) else {
        return text.to_owned();
    };
    let (mut plain, mut from) = (String::new(), 0);
    for found in quoted.find_iter(text) {
        plain.push_str(&cast.replace_all(&text[from..found.start()], ""));
        plain.push_str(found.as_str());
        from = found.end();
    }
    plain.push_str(&cast.replace_all(&text[from..], ""));
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(String, Check)> {
        super::read(text, Database::Postgres)
    }

    fn rules(column: &str, rules: &[&str]) -> Option<(String, Check)> {
        let rules = rules.iter().map(|rule| (*rule).to_owned()).collect();
        Some((column.to_owned(), Check::Rules(rules)))
    }

    #[test]
    fn checks_of_one_column_are_rules() {
        assert_eq!(read("price >= 0"), rules("price", &["min:0"]));
        assert_eq!(
            read("((price >= (0)::numeric))"),
            rules("price", &["min:0"])
        );
        assert_eq!(
            read("`stars` between 1 and 5"),
            rules("stars", &["min:1", "max:5"])
        );
        assert_eq!(
            read("(a >= 1) AND (a <= 5)"),
            rules("a", &["min:1", "max:5"])
        );
        assert_eq!(read("a >= 1 AND b <= 5"), None);
        assert_eq!(read("length(a) > b"), None);
        assert_eq!(read("code >= '5'"), None, "texts have no number as a bound");
    }

    #[test]
    fn bounds_below_zero_are_rules_as_each_server_writes_them() {
        let both = || rules("lat", &["min:-90", "max:90"]);
        for declared in [
            "lat BETWEEN -90 AND 90",
            "((lat >= '-90'::integer) AND (lat <= 90))",
            "((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision))",
            "((`lat` >= -(90)) and (`lat` <= 90))",
            "(`lat` between -(90) and 90)",
        ] {
            assert_eq!(read(declared), both(), "{declared}");
        }
        let half = "(share > '-1'::integer) AND (share >= '-0.5'::numeric)";
        assert_eq!(read(half), rules("share", &["over:-1", "min:-0.5"]));
    }

    #[test]
    fn lengths_in_characters_are_rules() {
        let length = |rules: &[&str]| {
            let rules = rules.iter().map(|rule| (*rule).to_owned()).collect();
            Some(("code".to_owned(), Check::Length(rules)))
        };
        for (declared, expected) in [
            ("length(code) <= 20", length(&["max:20"])),
            ("(char_length((code)::text) <= 20)", length(&["max:20"])),
            (
                "char_length(`code`) between 2 and 20",
                length(&["min:2", "max:20"]),
            ),
            (
                "((length(code) > 1) AND (length(code) < 9))",
                length(&["over:1", "under:9"]),
            ),
            ("CHARACTER_LENGTH(code) = 4", length(&["size:4"])),
            ("length(code) <= 20 AND code >= 3", None),
            ("length(trim(code)) <= 20", None),
            ("octet_length(code) <= 20", None),
            ("code = 4", None),
            ("length >= 4", rules("length", &["min:4"])),
        ] {
            assert_eq!(read(declared), expected, "{declared}");
        }
        let bytes = super::read("length(`code`) <= 20", Database::Mysql);
        assert_eq!(bytes, None, "MariaDB and MySQL count bytes");
    }

    #[test]
    fn names_that_end_in_a_word_of_sql_are_names() {
        for name in ["margin", "min", "gain", "origin", "coin"] {
            let check = format!("{name} >= 0");
            assert_eq!(read(&check), rules(name, &["min:0"]), "{name}");
        }
        let origins = Check::In(vec!["home".to_owned()]);
        let expected = Some(("origin".to_owned(), origins));
        assert_eq!(read("origin in ('home')"), expected);
        assert_eq!(read("origin IN('home')"), expected);
    }

    #[test]
    fn lists_of_values_are_enums() {
        let values = Check::In(vec!["open".to_owned(), "done".to_owned()]);
        assert_eq!(
            read("state IN ('open', 'done')"),
            Some(("state".to_owned(), values))
        );
        let values = Check::In(vec!["open".to_owned(), "done".to_owned()]);
        let server = "((state)::text = ANY ((ARRAY['open'::character varying, 'done'::character varying])::text[]))";
        assert_eq!(read(server), Some(("state".to_owned(), values)));
        assert_eq!(read("state IN ('open') OR other = 'x'"), None);
        for declared in [
            "type IN ('Admin::User', 'Guest')",
            "((type)::text = ANY (ARRAY['Admin::User'::text, 'Guest'::text]))",
        ] {
            let values = Check::In(vec!["Admin::User".to_owned(), "Guest".to_owned()]);
            assert_eq!(
                read(declared),
                Some(("type".to_owned(), values)),
                "{declared}"
            );
        }
    }

    #[test]
    fn lists_of_whole_numbers_are_a_rule() {
        for declared in [
            "level IN (1, 2,-3)",
            "(level = ANY (ARRAY[1, 2, '-3'::integer]))",
            "`level` in (1,2,-3)",
        ] {
            let numbers = Check::In(["1", "2", "-3"].map(str::to_owned).into());
            assert_eq!(
                read(declared),
                Some(("level".to_owned(), numbers)),
                "{declared}"
            );
        }
        assert_eq!(read("level IN (1, 2.5)"), None);
        assert_eq!(read("level IN (1, 2) OR other = 3"), None);
        assert_eq!(read("level IN (SELECT 1)"), None);
    }
}

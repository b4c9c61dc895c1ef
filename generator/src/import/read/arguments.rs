//! Declared types of SQL and their arguments: `varchar(40)`, `decimal(10, 2) unsigned`, `enum('a','b')`.

use crate::column::{LONGEST_STRING, MOST_DIGITS};
use crate::project::ColumnType;

/// Digits behind the point that a decimal of too many digits keeps.
const LEAST_SCALE: u16 = 4;

/// A parsed type of SQL.
#[derive(Debug, PartialEq)]
pub(super) struct Declared {
    /// Its words in lower case, without arguments: `double precision`, `int unsigned`.
    pub words: String,
    /// Its arguments, without quotes.
    pub arguments: Vec<String>,
}

impl Declared {
    /// Parses a type.
    pub fn parse(text: &str) -> Declared {
        let (before, rest) = text.split_once('(').unwrap_or((text, ""));
        let (inner, after) = rest.rsplit_once(')').unwrap_or((rest, ""));
        let words = format!("{before} {after}").to_lowercase();
        Declared {
            words: words.split_whitespace().collect::<Vec<_>>().join(" "),
            arguments: listed(inner),
        }
    }

    /// The first argument as a number.
    pub fn length(&self) -> Option<u32> {
        self.arguments.first()?.parse().ok()
    }

    /// A text of at most so many characters.
    pub fn string(&self) -> ColumnType {
        match self.length() {
            Some(length) if (1..=LONGEST_STRING).contains(&length) => ColumnType::String(length),
            _ => ColumnType::Text,
        }
    }

    /// Maximum number of characters of a text that is too long for a manifest's `string`.
    pub fn longest(&self) -> Option<u32> {
        let is_text = ["char", "character", "bpchar"]
            .iter()
            .any(|word| self.words.contains(word));
        self.length()
            .filter(|length| is_text && *length > LONGEST_STRING)
    }

    /// How many digits a decimal has, and how many of them are behind the point; `None` where it does not say. A negative
    /// scale rounds in front of the point, and `numeric(3,5)` has five digits behind it, of which two are zeros.
    pub fn digits(&self) -> Option<(u16, u16)> {
        let number = |at: usize| self.arguments.get(at)?.parse::<i16>().ok();
        let (precision, scale) = (number(0)?, number(1).unwrap_or(0));
        let before = precision.saturating_sub(scale).max(0);
        let behind = scale.max(0);
        let all = before.saturating_add(behind);
        Some((all.unsigned_abs(), behind.unsigned_abs()))
    }

    /// A decimal, and a note where the database's is another than the manifest's.
    pub fn decimal(&self, unsaid: (u8, u8)) -> (ColumnType, Option<String>) {
        let most = u16::from(MOST_DIGITS);
        let is_unsaid = self.arguments.is_empty();
        let (precision, scale) = match is_unsaid {
            true => (unsaid.0.into(), unsaid.1.into()),
            false => self.digits().unwrap_or((most, 0)),
        };
        // Digits before the point come first.
        let room = most.saturating_sub(precision.saturating_sub(scale));
        let kept = scale.min(room.max(LEAST_SCALE));
        let [digits, kept] = [precision.clamp(1, most), kept]
            .map(|number| u8::try_from(number).unwrap_or(MOST_DIGITS));
        let note = match is_unsaid || precision > most {
            true => {
                Some("The database stores more digits than the 18 that clients read and write.")
            }
            false => None,
        };
        let note = note.map(ToOwned::to_owned).or_else(|| self.rounded());
        (ColumnType::Decimal(digits, kept.min(digits)), note)
    }

    /// A note about a negative scale, with which the database rounds whole numbers.
    fn rounded(&self) -> Option<String> {
        let scale: i16 = self.arguments.get(1)?.parse().ok()?;
        let zeros = usize::from(scale.unsigned_abs());
        (scale < 0).then(|| {
            format!(
                "The database rounds its numbers to multiples of 1{}.",
                "0".repeat(zeros)
            )
        })
    }
}

/// The items of a list in parentheses; quotes of SQL are taken off.
pub(super) fn listed(text: &str) -> Vec<String> {
    let (mut items, mut item) = (Vec::new(), String::new());
    let (mut quoted, mut was_quoted) = (false, false);
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '\'' if quoted && signs.peek() == Some(&'\'') => {
                item.push('\'');
                signs.next();
            }
            '\'' => (quoted, was_quoted) = (!quoted, true),
            ',' if !quoted => {
                items.push(std::mem::take(&mut item));
                was_quoted = false;
            }
            sign if sign.is_whitespace() && !quoted => {}
            sign => item.push(sign),
        }
    }
    if !item.is_empty() || was_quoted {
        items.push(item);
    }
    items
}

/// An identifier in quotes.
pub(super) fn quoted(name: &str, quote: char) -> String {
    format!(
        "{quote}{}{quote}",
        name.replace(quote, &format!("{quote}{quote}"))
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::catalogue::enumeration;

    #[test]
    fn declared_types_are_parsed() {
        let parsed = Declared::parse("DECIMAL(10, 2) UNSIGNED");
        assert_eq!(parsed.words, "decimal unsigned");
        assert_eq!(parsed.decimal((18, 4)).0, ColumnType::Decimal(10, 2));
        for (declared, precision, scale) in [
            ("numeric(38,18)", 18, 4),
            ("numeric(20,10)", 18, 8),
            ("numeric(38,30)", 18, 10),
            ("numeric(30,2)", 18, 2),
            ("numeric(18,18)", 18, 18),
            ("numeric(3,5)", 5, 5),
            ("numeric(1000,500)", 18, 4),
            ("numeric(2,-1)", 3, 0),
            ("numeric(16,-2)", 18, 0),
            ("numeric(18,-2)", 18, 0),
        ] {
            let (kind, note) = Declared::parse(declared).decimal((18, 4));
            let expected = ColumnType::Decimal(precision, scale);
            assert_eq!(kind, expected, "{declared}");
            let is_exact = ["numeric(18,18)", "numeric(3,5)"].contains(&declared);
            assert_eq!(note.is_none(), is_exact, "{declared}");
        }
        let (_, note) = Declared::parse("numeric(2,-1)").decimal((18, 4));
        let said = "The database rounds its numbers to multiples of 10.";
        assert_eq!(note.as_deref(), Some(said));
        let parsed = Declared::parse("enum('a','it''s','x, y')");
        assert_eq!(parsed.arguments, ["a", "it's", "x, y"]);
        let (kind, note) = enumeration(&parsed.arguments);
        assert_eq!(kind, ColumnType::String(255));
        let note = note.expect("a note");
        assert!(note.contains("list \"it's\""), "{note}");
        assert_eq!(
            Declared::parse("varchar(40)").string(),
            ColumnType::String(40)
        );
        assert_eq!(Declared::parse("varchar").string(), ColumnType::Text);
    }
}

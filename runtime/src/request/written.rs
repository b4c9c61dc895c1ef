//! Rules about how a text is written: addresses, dates, letters.

use axum::http::Uri;
use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

use super::Rule;
use crate::value::{parse_date, parse_datetime, parse_time};

/// Whether this module has a say about `rule`.
pub(super) fn looks_at(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::Email
            | Rule::Url
            | Rule::Uuid
            | Rule::Date
            | Rule::Time
            | Rule::DateTime
            | Rule::DateFormat(_)
            | Rule::Alpha
            | Rule::AlphaDash
    )
}

/// Whether `text` is written as `rule` demands.
pub(super) fn keeps(text: &str, rule: Rule) -> bool {
    match rule {
        Rule::Email => is_email(text),
        Rule::Url => is_url(text),
        Rule::Uuid => uuid::Uuid::try_parse(text).is_ok(),
        Rule::Date => parse_date(text).is_some(),
        Rule::Time => is_time(text),
        Rule::DateTime => is_datetime(text),
        Rule::DateFormat(format) => has_format(text, format),
        Rule::Alpha => !text.is_empty() && text.chars().all(char::is_alphabetic),
        Rule::AlphaDash => {
            !text.is_empty()
                && text
                    .chars()
                    .all(|c| c.is_alphanumeric() || c == '-' || c == '_')
        }
        _ => true,
    }
}

/// One `@`, a local part, and a domain of labels: what RFC 5321 delivers, without its comments and
/// quoted forms.
pub(crate) fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let legal = |c: char| c.is_alphanumeric() || "!#$%&'*+/=?^_`{|}~.-".contains(c);
    let label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
    };
    (1..=64).contains(&local.len())
        && local.chars().all(legal)
        && !local.starts_with('.')
        && !local.ends_with('.')
        && !local.contains("..")
        && domain.len() <= 253
        && domain.split('.').all(label)
}

fn is_url(text: &str) -> bool {
    text.parse::<Uri>().is_ok_and(|uri| {
        matches!(uri.scheme_str(), Some("http" | "https"))
            && uri.host().is_some_and(|host| !host.is_empty())
    })
}

fn is_time(text: &str) -> bool {
    matches!(text.len(), 5 | 8) && parse_time(text).is_some()
}

/// A day alone is a date, not a moment.
fn is_datetime(text: &str) -> bool {
    text.len() > 10 && parse_datetime(text).is_some()
}

/// A time in the form it is rendered in keeps a format without seconds: what was read can be
/// written back.
fn has_format(text: &str, format: &str) -> bool {
    if format == "H:i" {
        return is_time(text);
    }
    let pattern = pattern(format);
    let read = NaiveDateTime::parse_from_str(text, &pattern)
        .map(|moment| moment.format(&pattern).to_string())
        .or_else(|_| {
            NaiveDate::parse_from_str(text, &pattern).map(|date| date.format(&pattern).to_string())
        })
        .or_else(|_| {
            NaiveTime::parse_from_str(text, &pattern).map(|time| time.format(&pattern).to_string())
        });
    // `1:5` parses as `H:i`, but is not how that is written.
    read.is_ok_and(|written| written == text)
}

/// PHP's letters of a date format as `chrono` writes them.
fn pattern(format: &str) -> String {
    let mut pattern = String::new();
    for letter in format.chars() {
        match letter {
            'Y' => pattern.push_str("%Y"),
            'y' => pattern.push_str("%y"),
            'm' => pattern.push_str("%m"),
            'n' => pattern.push_str("%-m"),
            'd' => pattern.push_str("%d"),
            'j' => pattern.push_str("%-d"),
            'H' => pattern.push_str("%H"),
            'G' => pattern.push_str("%-H"),
            'h' => pattern.push_str("%I"),
            'i' => pattern.push_str("%M"),
            's' => pattern.push_str("%S"),
            'A' => pattern.push_str("%p"),
            'D' => pattern.push_str("%a"),
            'l' => pattern.push_str("%A"),
            'M' => pattern.push_str("%b"),
            'F' => pattern.push_str("%B"),
            '%' => pattern.push_str("%%"),
            other => pattern.push(other),
        }
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for good in [
            "a@b.c",
            "first.last+tag@example.co.uk",
            "o'neil@example.com",
            "x@localhost",
        ] {
            assert!(keeps(good, Rule::Email), "{good}");
        }
        for bad in [
            "", "a", "@b.c", "a@", "a b@c.d", "a@b..c", "a@-b.c", ".a@b.c", "a@b@c d",
        ] {
            assert!(!keeps(bad, Rule::Email), "{bad}");
        }
        assert!(keeps("https://example.com/a?b=c", Rule::Url));
        assert!(!keeps("javascript:alert(1)", Rule::Url));
        assert!(!keeps("example.com", Rule::Url));
    }

    #[test]
    fn dates_and_times() {
        assert!(keeps("2026-02-28", Rule::Date) && !keeps("2026-02-29", Rule::Date));
        assert!(!keeps("2026-2-8", Rule::Date) && !keeps("28.02.2026", Rule::Date));
        assert!(keeps("09:30", Rule::Time) && keeps("09:30:59", Rule::Time));
        assert!(!keeps("9:30", Rule::Time) && !keeps("24:00", Rule::Time));
        for good in [
            "2026-01-31T10:00:00Z",
            "2026-01-31T10:00:00.5+02:00",
            "2026-01-31 10:00:00",
        ] {
            assert!(keeps(good, Rule::DateTime), "{good}");
        }
        assert!(!keeps("2026-01-31", Rule::DateTime));
    }

    #[test]
    fn formats_are_php_s() {
        assert!(keeps("09:30", Rule::DateFormat("H:i")));
        assert!(keeps("09:30:00", Rule::DateFormat("H:i")));
        assert!(!keeps("9:30", Rule::DateFormat("H:i")));
        assert!(keeps("31/01/2026", Rule::DateFormat("d/m/Y")));
        assert!(!keeps("31/1/2026", Rule::DateFormat("d/m/Y")));
        assert!(keeps("2026-01-31 10:00", Rule::DateFormat("Y-m-d H:i")));
        assert!(keeps("1/2/2026", Rule::DateFormat("j/n/Y")));
    }

    #[test]
    fn letters() {
        assert!(keeps("Käse", Rule::Alpha) && !keeps("Käse 2", Rule::Alpha));
        assert!(keeps("a-b_2", Rule::AlphaDash) && !keeps("a b", Rule::AlphaDash));
    }
}

//! Rules about how a text is written: addresses, dates, letters.

use std::cell::Cell;

use formwork_data::value::{parse_date, parse_datetime, parse_time};
use url::Url;

use super::{Rule, format};

/// Whether this module checks `rule`.
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
    )
}

/// Whether `text` is written as `rule` demands.
pub(super) fn keeps(text: &str, rule: Rule) -> bool {
    match rule {
        Rule::Email => is_email(text),
        Rule::Url => is_url(text),
        Rule::Uuid => text.len() == 36 && uuid::Uuid::try_parse(text).is_ok(),
        Rule::Date => parse_date(text).is_some(),
        Rule::Time => is_time(text),
        Rule::DateTime => is_datetime(text),
        Rule::DateFormat(formats) => format::matches(text, formats),
        _ => true,
    }
}

/// One `@`, a local part, and a domain of labels: what RFC 5321 delivers, without its comments and
/// quoted forms.
pub fn is_email(text: &str) -> bool {
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

/// `http` and `https` alone: a stored address may become a link. A URL that a browser would have to
/// correct is refused.
fn is_url(text: &str) -> bool {
    let is_sound = Cell::new(true);
    let mend = |_| is_sound.set(false);
    let url = Url::options()
        .syntax_violation_callback(Some(&mend))
        .parse(text);
    url.is_ok_and(|url| is_sound.get() && matches!(url.scheme(), "http" | "https"))
}

fn is_time(text: &str) -> bool {
    matches!(text.len(), 5 | 8) && parse_time(text).is_some()
}

/// A day alone is a date, not a moment.
fn is_datetime(text: &str) -> bool {
    text.len() > 10 && parse_datetime(text).is_some()
}

//! `date_format`: dates and times in PHP's letters, which Laravel's rule takes.

use std::iter::once;

use chrono::{
    FixedOffset, Offset, TimeZone, Utc,
    format::{Item, Parsed, StrftimeItems, parse},
};

/// Whether a text is written in one of these formats, with commas between.
///
/// A time in the form it is rendered in keeps `H:i`: what was read can be written back.
pub(super) fn matches(text: &str, formats: &str) -> bool {
    formats.split(',').map(str::trim).any(|format| {
        let seconds = (format == "H:i").then_some("H:i:s");
        once(format)
            .chain(seconds)
            .any(|format| has_format(text, format))
    })
}

/// Whether it reads, and is written the same way again: `1:5` reads as `H:i`, but is `01:05`.
fn has_format(text: &str, format: &str) -> bool {
    let pattern = pattern(format);
    let items: Vec<Item<'_>> = StrftimeItems::new(&pattern).collect();
    let mut parsed = Parsed::new();
    if parse(&mut parsed, text, items.iter()).is_err() {
        return false;
    }
    complete(&mut parsed);
    let offset = parsed.to_fixed_offset().unwrap_or(Utc.fix());
    let moment = parsed
        .to_naive_datetime_with_offset(offset.local_minus_utc())
        .ok()
        .and_then(|moment| FixedOffset::from_local_datetime(&offset, &moment).single());
    moment.is_some_and(|moment| moment.format_with_items(items.iter()).to_string() == text)
}

/// Parts that a format leaves out are those of the first moment of 1970, as in PHP with `!`.
fn complete(parsed: &mut Parsed) {
    if parsed.timestamp().is_some() {
        return;
    }
    // A part that is set already stays: these return an error then.
    if parsed.year_mod_100().is_none() {
        let _ = parsed.set_year(1970);
    }
    if parsed.month().is_none() {
        let _ = parsed.set_month(1);
    }
    if parsed.day().is_none() {
        let _ = parsed.set_day(1);
    }
    match (parsed.hour_mod_12(), parsed.hour_div_12()) {
        (None, _) => {
            let _ = parsed.set_hour(0);
        }
        (Some(_), None) => {
            let _ = parsed.set_ampm(false);
        }
        _ => {}
    }
    if parsed.minute().is_none() {
        let _ = parsed.set_minute(0);
    }
}

/// PHP's letters of a date format as `chrono` writes them; a letter after a backslash is literal.
fn pattern(format: &str) -> String {
    let mut pattern = String::new();
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        match (letter, directive(letter)) {
            ('\\', _) => letters
                .next()
                .into_iter()
                .for_each(|letter| literal(&mut pattern, letter)),
            (_, Some(directive)) => pattern.push_str(directive),
            (letter, None) => literal(&mut pattern, letter),
        }
    }
    pattern
}

fn literal(pattern: &mut String, letter: char) {
    if letter == '%' {
        pattern.push('%');
    }
    pattern.push(letter);
}

fn directive(letter: char) -> Option<&'static str> {
    Some(match letter {
        'Y' => "%Y",
        'y' => "%y",
        'm' => "%m",
        'n' => "%-m",
        'M' => "%b",
        'F' => "%B",
        'd' => "%d",
        'j' => "%-d",
        'D' => "%a",
        'l' => "%A",
        'N' => "%u",
        'H' => "%H",
        'G' => "%-H",
        'h' => "%I",
        'g' => "%-I",
        'A' => "%p",
        'a' => "%P",
        'i' => "%M",
        's' => "%S",
        'v' => "%3f",
        'u' => "%6f",
        'P' => "%:z",
        'O' => "%z",
        'U' => "%s",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_php_s() {
        for (format, good) in [
            ("H:i", "09:30"),
            ("H:i", "09:30:00"),
            ("g:i a", "9:30 pm"),
            ("h:i A", "09:30 PM"),
            ("G", "7"),
            ("d/m/Y", "31/01/2026"),
            ("j/n/Y", "1/2/2026"),
            ("j/n/y", "1/2/26"),
            ("D d M Y", "Sat 31 Jan 2026"),
            ("l j F Y", "Saturday 31 January 2026"),
            ("Y-m-d H:i", "2026-01-31 10:00"),
            ("Y-m-d\\TH:i:sP", "2026-01-31T10:00:00+02:00"),
            ("Y-m-d H:i:s.v", "2026-01-31 10:00:00.250"),
            ("Y-m-d H:i:s.u", "2026-01-31 10:00:00.250000"),
            ("U", "1767225600"),
            ("N/d/m/Y", "6/31/01/2026"),
            ("100% d", "100% 31"),
            ("Y-m", "2026-01"),
            ("m/y", "01/26"),
            ("Y", "2026"),
            ("i:s", "30:15"),
            ("d/m/Y,Y-m-d", "31/01/2026"),
            ("d/m/Y,Y-m-d", "2026-01-31"),
        ] {
            assert!(matches(good, format), "{format}: {good}");
        }
    }

    #[test]
    fn dates_and_times_in_another_format_are_refused() {
        for (format, bad) in [
            ("H:i", "9:30"),
            ("H:i", "24:00"),
            ("H:i:s", "09:30"),
            ("g:i a", "09:30 pm"),
            ("h:i", "13:30"),
            ("d/m/Y", "31/1/2026"),
            ("d/m/Y", "31/02/2026"),
            ("d/m", "29/02"),
            ("D d M Y", "Fri 31 Jan 2026"),
            ("Y-m-d\\TH:i", "2026-01-31 10:00"),
            ("Y-m-d", "2026-01-31 "),
            ("Y-m-d", ""),
            ("d/m/Y,Y-m-d", "31.01.2026"),
        ] {
            assert!(!matches(bad, format), "{format}: {bad}");
        }
    }
}

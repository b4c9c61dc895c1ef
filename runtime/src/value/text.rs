//! Days, times and moments as text.

use chrono::{Datelike, NaiveDateTime, Timelike, Utc};

use super::{Date, DateTime, Time};

/// `YYYY-MM-DD`.
#[must_use]
pub fn date_text(date: Date) -> String {
    let mut text = String::with_capacity(10);
    push_date(&mut text, date);
    text
}

/// `HH:MM:SS`.
#[must_use]
pub fn time_text(time: Time) -> String {
    let mut text = String::with_capacity(8);
    push_time(&mut text, time);
    text
}

/// `YYYY-MM-DDTHH:MM:SS.ffffffZ`: of fixed width, so that text sorts as time does.
#[must_use]
pub fn datetime_text(moment: DateTime) -> String {
    let micros = moment.timestamp_subsec_micros().min(999_999);
    let naive = moment.naive_utc();
    let mut text = String::with_capacity(27);
    push_date(&mut text, naive.date());
    text.push('T');
    push_time(&mut text, naive.time());
    text.push('.');
    push_number(&mut text, micros, 6);
    text.push('Z');
    text
}

fn push_date(text: &mut String, date: Date) {
    match u32::try_from(date.year()) {
        Ok(year) if year < 10_000 => push_number(text, year, 4),
        // Beyond what a fixed width holds.
        _ => text.push_str(&format!("{:04}", date.year())),
    }
    text.push('-');
    push_number(text, date.month(), 2);
    text.push('-');
    push_number(text, date.day(), 2);
}

fn push_time(text: &mut String, time: Time) {
    push_number(text, time.hour(), 2);
    text.push(':');
    push_number(text, time.minute(), 2);
    text.push(':');
    push_number(text, time.second(), 2);
}

/// The last so many digits of a number: what `{:06}` writes, without its detours.
fn push_number(text: &mut String, number: u32, digits: u32) {
    for place in (0..digits).rev() {
        let digit = number / 10_u32.pow(place) % 10;
        text.push(char::from_digit(digit, 10).unwrap_or('0'));
    }
}

/// A day, as clients and databases write it.
#[must_use]
pub fn parse_date(text: &str) -> Option<Date> {
    let fixed = text.len() == 10 && text.starts_with(|first: char| first.is_ascii_digit());
    if fixed {
        Date::parse_from_str(text, "%Y-%m-%d").ok()
    } else {
        None
    }
}

/// A time of day, as clients and databases write it: `HH:MM`, `HH:MM:SS`, with a fraction.
#[must_use]
pub fn parse_time(text: &str) -> Option<Time> {
    if text.len() < 5 || text.as_bytes()[2] != b':' {
        return None;
    }
    let parsed =
        Time::parse_from_str(text, "%H:%M:%S%.f").or_else(|_| Time::parse_from_str(text, "%H:%M"));
    // A leap second is none of our clock's, and would not read back.
    parsed.ok().filter(|time| time.nanosecond() < 1_000_000_000)
}

/// A moment, as clients and databases write it: RFC 3339 with any offset; without one it is UTC,
/// with a space in the place of `T` as well; a day alone is its midnight.
#[must_use]
pub fn parse_datetime(text: &str) -> Option<DateTime> {
    if let Some(moment) = stored_datetime(text) {
        return Some(moment);
    }
    if let Ok(moment) = chrono::DateTime::parse_from_rfc3339(text) {
        return Some(moment.with_timezone(&Utc)).filter(shown);
    }
    let formats = [
        "%Y-%m-%dT%H:%M:%S%.f",
        "%Y-%m-%d %H:%M:%S%.f",
        "%Y-%m-%dT%H:%M",
        "%Y-%m-%d %H:%M",
    ];
    let naive = formats
        .iter()
        .find_map(|format| NaiveDateTime::parse_from_str(text, format).ok());
    let midnight = || parse_date(text).map(|date| date.and_time(Time::MIN));
    naive
        .or_else(midnight)
        .map(|naive| naive.and_utc())
        .filter(shown)
}

/// Whether a moment has a text of fixed width: years 0 to 9999, no leap second.
fn shown(moment: &DateTime) -> bool {
    (0..=9999).contains(&moment.year()) && moment.nanosecond() < 1_000_000_000
}

/// The form that [`datetime_text`] writes, without a general parser: every row passes here.
fn stored_datetime(text: &str) -> Option<DateTime> {
    let bytes: &[u8; 27] = text.as_bytes().try_into().ok()?;
    let framed = [
        (4, b'-'),
        (7, b'-'),
        (10, b'T'),
        (13, b':'),
        (16, b':'),
        (19, b'.'),
        (26, b'Z'),
    ];
    if framed.iter().any(|(at, mark)| bytes[*at] != *mark) {
        return None;
    }
    let number = |from: usize, to: usize| {
        bytes[from..to].iter().try_fold(0_u32, |value, byte| {
            byte.is_ascii_digit()
                .then(|| value * 10 + u32::from(byte - b'0'))
        })
    };
    let year = i32::try_from(number(0, 4)?).ok()?;
    let date = Date::from_ymd_opt(year, number(5, 7)?, number(8, 10)?)?;
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    Some(
        date.and_hms_micro_opt(hour, minute, second, number(20, 26)?)?
            .and_utc(),
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn moments_are_read_in_every_usual_form() {
        let noon = crate::literal::datetime("2026-01-31T12:00:00Z");
        let forms = [
            "2026-01-31T12:00:00.000000Z",
            "2026-01-31T12:00:00Z",
            "2026-01-31T13:00:00+01:00",
            "2026-01-31 12:00:00",
            "2026-01-31T12:00",
        ];
        for form in forms {
            assert_eq!(parse_datetime(form), Some(noon), "{form}");
        }
        let midnight = crate::literal::datetime("2026-01-31T00:00:00Z");
        assert_eq!(parse_datetime("2026-01-31"), Some(midnight));
        for wrong in [
            "",
            "noon",
            "2026-02-30T00:00:00Z",
            "2026-01-31T25:00:00Z",
            "12:00",
        ] {
            assert_eq!(parse_datetime(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn times_are_read_with_and_without_seconds() {
        assert_eq!(
            parse_time("09:30").map(time_text).as_deref(),
            Some("09:30:00")
        );
        assert_eq!(
            parse_time("09:30:15").map(time_text).as_deref(),
            Some("09:30:15")
        );
        for wrong in ["", "9:30", "24:00", "09:60", "09:30:61", "09-30"] {
            assert_eq!(parse_time(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn days_are_read_exactly() {
        assert_eq!(
            parse_date("2024-02-29").map(date_text).as_deref(),
            Some("2024-02-29")
        );
        for wrong in [
            "2023-02-29",
            "2023-2-9",
            "31.01.2023",
            "2023-01-01T00",
            "+023-01-01",
        ] {
            assert_eq!(parse_date(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn texts_are_of_fixed_width_and_years_beyond_it_stay_whole() {
        let date = |year| Date::from_ymd_opt(year, 2, 3).expect("a day");
        let texts = [7, 2026, 12_026, -7].map(|year| date_text(date(year)));
        assert_eq!(
            texts,
            ["0007-02-03", "2026-02-03", "12026-02-03", "-007-02-03"]
        );
        let moment = parse_datetime("2026-01-02T03:04:05.000006Z").expect("a moment");
        assert_eq!(datetime_text(moment), "2026-01-02T03:04:05.000006Z");
    }

    proptest! {
        #[test]
        fn a_moment_survives_storage(micros in 0_i64..253_402_300_799_999_999) {
            let moment = DateTime::from_timestamp_micros(micros).expect("in range");
            let text = datetime_text(moment);
            prop_assert_eq!(text.len(), 27);
            prop_assert_eq!(parse_datetime(&text), Some(moment));
        }

        #[test]
        fn any_text_is_a_moment_or_none(text in ".{0,40}") {
            let _ = (parse_datetime(&text), parse_date(&text), parse_time(&text));
        }
    }
}

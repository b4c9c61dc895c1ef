//! Days, times and moments as text.

use chrono::{Datelike, NaiveDateTime, SecondsFormat, Timelike, Utc};

/// A day: `YYYY-MM-DD`.
pub type Date = chrono::NaiveDate;
/// A time of day: written `HH:MM:SS`.
pub type Time = chrono::NaiveTime;
/// A moment in UTC: RFC 3339.
pub type DateTime = chrono::DateTime<Utc>;

/// A day as text: `YYYY-MM-DD`.
pub fn date_text(date: Date) -> String {
    date.to_string()
}

/// A time of day as text: `HH:MM:SS`.
pub fn time_text(time: Time) -> String {
    whole_seconds(time).format("%H:%M:%S").to_string()
}

/// `YYYY-MM-DDTHH:MM:SS.ffffffZ`: of fixed width, so that text sorts as time does.
pub fn datetime_text(moment: DateTime) -> String {
    without_leap_second(moment).to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// A time as columns hold it: in whole seconds, as [`time_text`] writes it.
pub(crate) fn whole_seconds(time: Time) -> Time {
    time.with_nanosecond(0).unwrap_or(time)
}

/// `YYYY-MM-DD HH:MM:SS`, with a fraction where there is one: as SQLite's own functions and most programs write it.
pub fn plain_datetime_text(moment: DateTime) -> String {
    let moment = without_leap_second(moment);
    let format = match moment.timestamp_subsec_micros() {
        0 => "%Y-%m-%d %H:%M:%S",
        _ => "%Y-%m-%d %H:%M:%S%.6f",
    };
    moment.format(format).to_string()
}

/// The last moment before a leap second: a leap second would not be read back.
pub(crate) fn without_leap_second<T: Timelike + Copy>(time: T) -> T {
    let nanosecond = time.nanosecond().min(999_999_999);
    time.with_nanosecond(nanosecond).unwrap_or(time)
}

/// A day, as clients and databases write it.
pub fn parse_date(text: &str) -> Option<Date> {
    let fixed = text.len() == 10 && text.starts_with(|first: char| first.is_ascii_digit());
    if fixed {
        Date::parse_from_str(text, "%Y-%m-%d").ok()
    } else {
        None
    }
}

/// A time of day, as clients and databases write it: `HH:MM`, `HH:MM:SS`, with a fraction.
pub fn parse_time(text: &str) -> Option<Time> {
    if text.len() < 5 || text.as_bytes()[2] != b':' {
        return None;
    }
    let parsed =
        Time::parse_from_str(text, "%H:%M:%S%.f").or_else(|_| Time::parse_from_str(text, "%H:%M"));
    // Our clock has no leap seconds.
    parsed.ok().filter(|time| time.nanosecond() < 1_000_000_000)
}

/// A moment, as clients and databases write it: RFC 3339 with any offset; without one it is UTC,
/// with a space in the place of `T` as well; a day alone is its midnight.
pub fn parse_datetime(text: &str) -> Option<DateTime> {
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
            "2026-01-31 12:00:00Z",
            "2026-01-31 14:00:00+02:00",
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
            ["0007-02-03", "2026-02-03", "+12026-02-03", "-0007-02-03"]
        );
        let moment = parse_datetime("2026-01-02T03:04:05.000006Z").expect("a moment");
        assert_eq!(datetime_text(moment), "2026-01-02T03:04:05.000006Z");
    }

    #[test]
    fn a_leap_second_is_written_as_the_moment_before_it() {
        let leap = Time::from_hms_milli_opt(23, 59, 59, 1_500).expect("a time");
        let day = Date::from_ymd_opt(2016, 12, 31).expect("a day");
        assert_eq!(time_text(leap), "23:59:59");
        let moment = datetime_text(day.and_time(leap).and_utc());
        assert_eq!(moment, "2016-12-31T23:59:59.999999Z");
    }

    proptest! {
        #[test]
        fn a_moment_survives_storage(micros in 0_i64..253_402_300_799_999_999) {
            let moment = DateTime::from_timestamp_micros(micros).expect("in range");
            let text = datetime_text(moment);
            prop_assert_eq!(text.len(), 27);
            prop_assert_eq!(parse_datetime(&text), Some(moment));
            prop_assert_eq!(parse_datetime(&plain_datetime_text(moment)), Some(moment));
        }

        #[test]
        fn any_text_is_a_moment_or_none(text in ".{0,40}") {
            let _ = (parse_datetime(&text), parse_date(&text), parse_time(&text));
        }
    }
}

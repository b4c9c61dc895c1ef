//! Moments in UTC without a library: versions of migrations, and datetimes of manifests.

use std::time::{SystemTime, UNIX_EPOCH};

const DAY: i64 = 86_400;

/// Where migrations take their versions from. Tests hold it still.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Clock {
    seconds: i64,
}

impl Clock {
    /// `SOURCE_DATE_EPOCH` where it is set, else now (regeneration.md, "Schema evolution").
    pub fn from_environment() -> Self {
        let fixed = std::env::var("SOURCE_DATE_EPOCH")
            .ok()
            .and_then(|text| text.parse().ok());
        Self::at(fixed.unwrap_or_else(|| {
            let since = SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .unwrap_or_default();
            i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
        }))
    }

    /// A clock that stands at this Unix second.
    pub fn at(seconds: i64) -> Self {
        Self { seconds }
    }

    /// The Unix second.
    pub fn seconds(self) -> i64 {
        self.seconds
    }
}

/// A Unix second as the version of a migration, `20261121120000`.
pub fn version(seconds: i64) -> i64 {
    let (year, month, day) = civil(seconds.div_euclid(DAY));
    let time = seconds.rem_euclid(DAY);
    let clock = (time / 3600) * 10_000 + (time / 60 % 60) * 100 + time % 60;
    ((year * 100 + month) * 100 + day) * 1_000_000 + clock
}

/// The Unix second of a version; `None` where the digits are no date.
pub fn seconds(version: i64) -> Option<i64> {
    let (date, clock) = (version / 1_000_000, version % 1_000_000);
    let (year, month, day) = (date / 10_000, date / 100 % 100, date % 100);
    let legal = (1..=12).contains(&month) && (1..=31).contains(&day);
    let time = (clock / 10_000) * 3600 + (clock / 100 % 100) * 60 + clock % 100;
    legal.then(|| days(year, month, day) * DAY + time)
}

/// RFC 3339 with any offset as `2026-01-31T12:00:00Z`, in whole seconds; `None` where it is no such moment.
pub fn utc(text: &str) -> Option<String> {
    let (date, rest) = text.split_once(['T', 't', ' '])?;
    let mut parts = date.splitn(3, '-').map(str::parse::<i64>);
    let (year, month, day) = (
        parts.next()?.ok()?,
        parts.next()?.ok()?,
        parts.next()?.ok()?,
    );
    let zone = rest.find(['Z', 'z', '+', '-']).unwrap_or(rest.len());
    let clock = rest.get(..zone)?.split('.').next()?;
    let moment = days(year, month, day) * DAY + hours(clock)? - offset(rest.get(zone..)?)?;
    let digits = format!("{:014}", version(moment));
    Some(format!(
        "{}-{}-{}T{}:{}:{}Z",
        digits.get(..4)?,
        digits.get(4..6)?,
        digits.get(6..8)?,
        digits.get(8..10)?,
        digits.get(10..12)?,
        digits.get(12..)?
    ))
}

fn offset(zone: &str) -> Option<i64> {
    match zone.chars().next() {
        None | Some('Z' | 'z') => Some(0),
        Some('+') => hours(zone.get(1..)?),
        _ => hours(zone.get(1..)?).map(|seconds| -seconds),
    }
}

/// `HH:MM` or `HH:MM:SS` in seconds.
fn hours(text: &str) -> Option<i64> {
    let mut seconds = 0;
    let mut weight = 3600;
    for part in text.splitn(3, ':') {
        seconds += part.parse::<i64>().ok()? * weight;
        weight /= 60;
    }
    Some(seconds)
}

/// Days since 1970-01-01 of a date in the Gregorian calendar (Hinnant, "chrono-compatible date algorithms").
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The inverse of [`days`].
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let years = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * years + years / 4 - years / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = years + era * 400 + i64::from(month <= 2);
    (year, month, of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_is_a_version_and_back() {
        assert_eq!(version(0), 19_700_101_000_000);
        assert_eq!(version(1_795_262_400), 20_261_121_120_000);
        assert_eq!(version(951_782_399), 20_000_228_235_959);
        for second in (0..4_000_000_000_i64).step_by(86_399 * 37) {
            assert_eq!(seconds(version(second)), Some(second));
        }
        assert_eq!(seconds(20_261_321_000_000), None);
    }

    #[test]
    fn moments_are_brought_to_utc() {
        assert_eq!(
            utc("2026-01-31T12:00:00Z").as_deref(),
            Some("2026-01-31T12:00:00Z")
        );
        assert_eq!(
            utc("2026-03-01T00:30:00.25+01:00").as_deref(),
            Some("2026-02-28T23:30:00Z")
        );
        assert_eq!(
            utc("2026-01-31 23:00:00-02:30").as_deref(),
            Some("2026-02-01T01:30:00Z")
        );
        assert_eq!(utc("tomorrow"), None);
    }
}

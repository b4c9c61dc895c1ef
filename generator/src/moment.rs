//! Moments in UTC: versions of migrations.

use std::time::{SystemTime, UNIX_EPOCH};

use chrono::{DateTime, NaiveDateTime};

/// Year to second, each of fixed width.
const VERSION: &str = "%Y%m%d%H%M%S";

/// The midnight of 9999-12-31.
const LAST_DAY: i64 = 253_402_214_400;

/// The source of migration versions. Tests use a fixed clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Clock {
    seconds: i64,
}

impl Clock {
    /// `SOURCE_DATE_EPOCH` where it is set, else now.
    pub fn now() -> Self {
        Self::fixed().unwrap_or_else(|| {
            let since = SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .unwrap_or_default();
            Self::at(i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
        })
    }

    /// The clock of runs that write nothing: two of them print the same text, and the version of a
    /// migration that is not emitted yet (`99991231000000`) cannot be mistaken for a real one.
    pub fn of_previews() -> Self {
        Self::fixed().unwrap_or(Self::at(LAST_DAY))
    }

    fn fixed() -> Option<Self> {
        let text = std::env::var("SOURCE_DATE_EPOCH").ok()?;
        text.parse().ok().map(Self::at)
    }

    /// A clock fixed at this Unix second.
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
    let moment = DateTime::from_timestamp(seconds, 0).unwrap_or_default();
    let digits = moment.format(VERSION).to_string();
    digits.parse().unwrap_or_default()
}

/// The Unix second of a version; `None` where the digits are no date.
pub fn seconds(version: i64) -> Option<i64> {
    let moment = NaiveDateTime::parse_from_str(&version.to_string(), VERSION).ok()?;
    Some(moment.and_utc().timestamp())
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
        assert_eq!(version(LAST_DAY), 99_991_231_000_000);
    }
}

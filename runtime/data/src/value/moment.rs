//! Days, times and moments.

use chrono::Utc;

/// A day: `YYYY-MM-DD`.
pub type Date = chrono::NaiveDate;
/// A time of day: written `HH:MM:SS`.
pub type Time = chrono::NaiveTime;
/// A moment in UTC: RFC 3339.
pub type DateTime = chrono::DateTime<Utc>;

//! The windows in which is counted.

/// Seconds of a window: it begins with the first of what is counted.
pub(crate) const WINDOW: u64 = 60;

/// What has been counted in a window, the latest included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    /// How often.
    pub count: u64,
    /// Seconds until it ends.
    pub left: u64,
}

//! Shared by the unit tests.

/// Returns the number of cases of a property: `FORMWORK_TEST_CASES`, otherwise `default`.
pub(crate) fn cases(default: u32) -> u32 {
    let cases = std::env::var("FORMWORK_TEST_CASES").ok();
    cases.map_or(default, |cases| cases.parse().expect("a number of cases"))
}

//! `page` and `pageLimit`, also `page[number]` and `page[size]`.

use formwork_data::error::{Error, Result};

use super::PageParams;

/// The largest number of a page in answers, which describe it as an integer of 64 bits.
const LARGEST: u64 = i64::MAX.unsigned_abs();

/// Reads the number of a page, from 1. One beyond [`LARGEST`] is past every end, as that is.
pub(super) fn number(parameter: &str, value: &str) -> Result<u64> {
    let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let number: Option<u64> = value.parse().ok().or(digits.then_some(LARGEST));
    let number = number.map(|number| number.min(LARGEST));
    let number = number.filter(|number| *number > 0);
    number.ok_or_else(|| {
        Error::bad_parameter(parameter, "The page must be a whole number, 1 or more.")
    })
}

/// Reads the size of a page, from 1 to the largest allowed.
pub(super) fn size(parameter: &str, value: &str, largest: u32) -> Result<u32> {
    value
        .parse()
        .ok()
        .filter(|size| (1..=largest).contains(size))
        .ok_or_else(|| {
            Error::bad_parameter(
                parameter,
                format!("The page size must be a whole number from 1 to {largest}."),
            )
        })
}

/// The page of these parts; what was not sent is the first page of the default size.
pub(super) fn page(number: Option<u64>, size: Option<u32>, default: u32) -> PageParams {
    PageParams {
        number: number.unwrap_or(1),
        size: size.unwrap_or(default),
    }
}

/// Whether a parameter says which page, not how large: what links of pages replace.
pub(crate) fn says_which(name: &str) -> bool {
    matches!(name, "page" | "page[number]")
}

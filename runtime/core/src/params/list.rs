//! Comma lists.

use formwork_data::error::{Error, Result};

/// The items of a comma list: none of an empty one. A comma at its end begins no item.
///
/// # Errors
/// 400 naming the parameter, where an item is missing beside a comma.
pub(super) fn items<'v>(
    parameter: &str,
    value: &'v str,
) -> Result<impl Iterator<Item = &'v str> + use<'v>> {
    if has_gap(value) {
        let message = "The list has an empty item beside a comma.";
        return Err(Error::bad_parameter(parameter, message));
    }
    let items = value.split(',').map(str::trim);
    Ok(items.filter(|item| !item.is_empty()))
}

/// Whether an item of a comma list is missing. A comma at the end and an empty list miss none.
pub(crate) fn has_gap(list: &str) -> bool {
    let list = list.trim();
    let items = list.strip_suffix(',').unwrap_or(list);
    !list.is_empty() && items.split(',').any(|item| item.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_items_between_commas_are_refused() {
        for whole in ["", " ", "a", "a,", "a, b", " a , b , "] {
            assert!(!has_gap(whole), "{whole}");
        }
        for gap in [",", ",a", "a,,b", "a, ,b", "a,,", " ,"] {
            assert!(has_gap(gap), "{gap}");
            assert!(items("sort", gap).is_err(), "{gap}");
        }
        let seen: Vec<&str> = items("sort", " a,b ,").expect("a list").collect();
        assert_eq!(seen, ["a", "b"]);
    }
}

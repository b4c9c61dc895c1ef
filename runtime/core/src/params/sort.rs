//! `sort=-created_at,name`, also `created_at desc`.

use formwork_data::error::{Error, Result};

use super::{did_you_mean, grammar::Grammar, list};

/// A column to sort by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SortKey {
    /// The name of the column that is sorted by.
    pub column: &'static str,
    /// Whether large values come first.
    pub descending: bool,
}

/// Reads a comma list of columns; the first has precedence.
pub fn read(parameter: &str, value: &str, grammar: &Grammar) -> Result<Vec<SortKey>> {
    let items = list::items(parameter, value)?;
    items
        .map(|item| sort_key(parameter, item, grammar))
        .collect()
}

fn sort_key(parameter: &str, item: &str, grammar: &Grammar) -> Result<SortKey> {
    let (name, descending) = match (item.strip_prefix('-'), item.split_once(char::is_whitespace)) {
        (Some(name), None) => (name, true),
        (None, None) => (item, false),
        (None, Some((name, direction))) => match direction.trim().to_ascii_lowercase().as_str() {
            "asc" => (name, false),
            "desc" => (name, true),
            other => {
                let message = format!("`{other}` is not a direction; write `asc` or `desc`.");
                return Err(Error::bad_parameter(parameter, message));
            }
        },
        (Some(_), Some(_)) => {
            let message = format!("`{item}` has two directions.");
            return Err(Error::bad_parameter(parameter, message));
        }
    };
    if name.is_empty() {
        let message = format!("`{item}` has no attribute to sort by.");
        return Err(Error::bad_parameter(parameter, message));
    }
    let column = grammar.column(name, grammar.sort).ok_or_else(|| {
        let hint = did_you_mean(name, grammar.sort.iter().copied().chain(["id"]));
        Error::bad_parameter(parameter, format!("`{name}` cannot be sorted by.{hint}"))
    })?;
    Ok(SortKey { column, descending })
}

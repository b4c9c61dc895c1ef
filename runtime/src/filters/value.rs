//! The value of a named filter.

use std::str::FromStr;

use serde_json::json;

use crate::{
    column::Column,
    error::{Error, Result},
};

/// What a client sent for a named filter, or the filter's default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterValue {
    parameter: String,
    text: String,
}

impl FilterValue {
    /// The value of a parameter.
    #[must_use]
    pub fn new(parameter: &str, text: &str) -> Self {
        Self {
            parameter: parameter.to_owned(),
            text: text.trim().to_owned(),
        }
    }

    /// The parameter as the client wrote it.
    #[must_use]
    pub fn parameter(&self) -> &str {
        &self.parameter
    }

    /// The value as the client wrote it.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it asks for everything: `all`.
    #[must_use]
    pub fn is_all(&self) -> bool {
        self.text == "all"
    }

    /// The items of a comma list.
    pub fn list(&self) -> impl Iterator<Item = &str> {
        self.text
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty())
    }

    /// The value as true or false (`1`, `0`, `true`, `false`).
    ///
    /// # Errors
    /// 400 naming the parameter.
    pub fn boolean(&self) -> Result<bool> {
        bool::from_json(&json!(self.text)).map_err(|must| self.refused(must))
    }

    /// The value as an integer.
    ///
    /// # Errors
    /// 400 naming the parameter.
    pub fn integer(&self) -> Result<i64> {
        self.parse("must be an integer")
    }

    /// The items of a comma list as integers; at least one.
    ///
    /// # Errors
    /// 400 naming the parameter.
    pub fn integers(&self) -> Result<Vec<i64>> {
        let items = self.list().map(str::parse).collect::<Result<Vec<i64>, _>>();
        let items = items.ok().filter(|items| !items.is_empty());
        items.ok_or_else(|| self.refused("must be a list of integers"))
    }

    /// The value as whatever can be read from text; `must` says what it must be.
    ///
    /// # Errors
    /// 400 naming the parameter.
    pub fn parse<T: FromStr>(&self, must: &str) -> Result<T> {
        self.text.parse().map_err(|_| self.refused(must))
    }

    /// 400 naming the parameter: `must` says what its value must be.
    #[must_use]
    pub fn refused(&self, must: &str) -> Error {
        let Self { parameter, text } = self;
        let shown: String = text.chars().take(60).collect();
        Error::bad_parameter(parameter, format!("The value `{shown}` {must}."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_or_refused_by_name() {
        assert_eq!(
            FilterValue::new("category", "1, 2,").integers().ok(),
            Some(vec![1, 2])
        );
        assert_eq!(FilterValue::new("enabled", "0").boolean().ok(), Some(false));
        assert!(FilterValue::new("enabled", "all").is_all());
        let refused = FilterValue::new("category", "x").integers();
        let error = refused.expect_err("no integer");
        assert!(
            error.to_string().contains("`x` must be a list of integers"),
            "{error}"
        );
        assert!(FilterValue::new("category", "").integers().is_err());
    }
}

//! The value of a named filter.

use std::str::FromStr;

use formwork_data::{
    column::Column,
    error::{Error, Result},
};
use serde_json::json;

use super::{Params, list::has_gap};

/// The message for an empty value or an empty item of a list.
pub(crate) const EMPTY: &str = "has an empty item";

/// The value that a client sent for a named filter, or the filter's default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterValue {
    parameter: String,
    text: String,
    members: Vec<(String, FilterValue)>,
}

impl FilterValue {
    /// The value of a parameter.
    pub fn new(parameter: &str, text: &str) -> Self {
        Self {
            parameter: parameter.to_owned(),
            text: text.trim().to_owned(),
            members: Vec::new(),
        }
    }

    /// The value of the filter `name` in these parameters, its members (`position[latitude]`)
    /// included.
    pub(crate) fn sent(params: &Params, name: &str) -> Option<Self> {
        let mut value: Option<Self> = None;
        for sent in params.named().iter().filter(|sent| sent.name == name) {
            let one = Self::new(&sent.parameter, &sent.value);
            match &sent.member {
                None => {
                    let members = value.take().map_or_else(Vec::new, |value| value.members);
                    value = Some(Self { members, ..one });
                }
                Some(member) => {
                    let whole = value.get_or_insert_with(|| Self::new(name, ""));
                    whole.members.push((member.clone(), one));
                }
            }
        }
        value
    }

    /// A member of it: `value.member("latitude")` of `position[latitude]=51.5`.
    pub fn member(&self, name: &str) -> Option<&Self> {
        let mut members = self.members.iter();
        members.find_map(|(known, value)| (known == name).then_some(value))
    }

    /// Refuses members of other names than these.
    ///
    /// # Errors
    /// 400 naming the member.
    pub fn only_members(&self, names: &[&str]) -> Result<()> {
        let mut members = self.members.iter();
        let Some((name, value)) = members.find(|(name, _)| !names.contains(&name.as_str())) else {
            return Ok(());
        };
        let message = format!("The filter has no member `{name}`.");
        Err(Error::bad_parameter(value.parameter(), message))
    }

    /// The parameter as the client wrote it.
    pub fn parameter(&self) -> &str {
        &self.parameter
    }

    /// The value as the client wrote it; items that came one by one, in a comma list.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The value of a filter that takes one: several items are refused, while a comma in a text is
    /// a character.
    ///
    /// # Errors
    /// 400 naming the parameter.
    pub fn one(&self) -> Result<&str> {
        let items = self.parameter.rsplit_once('[').map(|(_, tail)| tail);
        let items = items.and_then(|tail| tail.strip_suffix(']'));
        let is_item = items.is_some_and(|place| place.bytes().all(|byte| byte.is_ascii_digit()));
        if is_item && self.text.contains(',') {
            return Err(self.refused("is a list, and the filter takes one value"));
        }
        Ok(&self.text)
    }

    /// Whether it is `all`.
    pub fn is_all(&self) -> bool {
        self.text == "all"
    }

    /// The items of a comma list; see [`FilterValue::items`].
    pub fn list(&self) -> impl Iterator<Item = &str> {
        self.text
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty())
    }

    /// The items of a comma list that misses none: `1,,2` does, `1,2,` does not.
    ///
    /// # Errors
    /// 400 naming the parameter, where an item is empty or there is none at all.
    pub fn items(&self) -> Result<impl Iterator<Item = &str>> {
        if self.text.is_empty() || has_gap(&self.text) {
            return Err(self.refused(EMPTY));
        }
        Ok(self.list())
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
        let items = self.items()?.map(str::parse).collect::<Result<_, _>>();
        items.map_err(|_| self.refused("must be a list of integers"))
    }

    /// The value as a type that can be parsed from text. `must` is the end of the message for other
    /// values, such as `must be a date`.
    ///
    /// # Errors
    /// 400 naming the parameter.
    pub fn parse<T: FromStr>(&self, must: &str) -> Result<T> {
        self.one()?.parse().map_err(|_| self.refused(must))
    }

    /// 400 naming the parameter: `must` says what its value must be.
    pub fn refused(&self, must: &str) -> Error {
        let Self {
            parameter, text, ..
        } = self;
        let shown: String = text.chars().take(60).collect();
        Error::bad_parameter(parameter, format!("The value `{shown}` {must}."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::NamedFilter;

    #[test]
    fn members_are_found_by_name() {
        let member = |name: &str, value: &str| NamedFilter {
            parameter: format!("position[{name}]"),
            name: "position".to_owned(),
            member: Some(name.to_owned()),
            value: value.to_owned(),
        };
        let params = Params {
            named: vec![member("latitude", "51.5"), member("longitude", "x")],
            ..Params::default()
        };
        let value = FilterValue::sent(&params, "position").expect("it was sent");
        let latitude = value.member("latitude").map(|one| one.parse::<f64>("no"));
        assert_eq!(latitude.and_then(Result::ok), Some(51.5));
        let refused = value
            .member("longitude")
            .map(|one| one.parse::<f64>("must be a number"));
        let error = refused.and_then(Result::err).expect("no number");
        assert!(
            error.to_string().contains("`position[longitude]`"),
            "{error}"
        );
        assert!(value.only_members(&["latitude", "longitude"]).is_ok());
        let error = value.only_members(&["latitude"]).expect_err("a member");
        assert!(
            error.to_string().contains("no member `longitude`"),
            "{error}"
        );
        assert!(FilterValue::sent(&params, "enabled").is_none());
    }

    #[test]
    fn several_items_are_no_one_value() {
        for several in ["tag[]", "tag[3]", "filter[tag][]", "filter[tag][0]"] {
            assert!(FilterValue::new(several, "1,2").one().is_err(), "{several}");
            let one = FilterValue::new(several, "1");
            assert_eq!((one.one().ok(), one.integer().ok()), (Some("1"), Some(1)));
        }
        for text in ["tag", "filter[tag]", "place[name]"] {
            assert_eq!(
                FilterValue::new(text, "a, b").one().ok(),
                Some("a, b"),
                "{text}"
            );
        }
    }

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
        for gap in ["", ",", "1,,2", ",1"] {
            let error = FilterValue::new("category", gap).integers();
            let error = error.expect_err("an item is missing").to_string();
            assert!(error.contains("has an empty item"), "{error}");
        }
    }
}

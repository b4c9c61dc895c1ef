//! A query string, taken apart.

use std::borrow::Cow;

use formwork_data::error::{Error, Result};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

/// One `name=value` of a query string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pair<'q> {
    /// As the client wrote it, escapes and all.
    pub raw: &'q str,
    /// The name, decoded.
    pub name: String,
    /// The value, decoded.
    pub value: String,
}

impl Pair<'_> {
    /// Checks that the escapes are UTF-8: other bytes have no defined meaning.
    ///
    /// # Errors
    ///
    /// 400 naming the parameter.
    pub fn check(&self) -> Result<()> {
        let is_escape = |after: &str| {
            let digits = after.as_bytes().get(..2);
            digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
        };
        let is_whole = self.raw.split('%').skip(1).all(is_escape);
        if is_whole && percent_decode_str(self.raw).decode_utf8().is_ok() {
            return Ok(());
        }
        let message =
            "A `%` has to begin an escape (`%25` for itself), and escapes have to be UTF-8.";
        Err(Error::bad_parameter(&self.name, message))
    }
}

/// Characters that a query holds only as escapes (RFC 3986, section 3.4). A `%` stays: it begins
/// one.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'<')
    .add(b'>')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// The query string as links hold it.
pub(crate) fn linked(query: &str) -> Cow<'_, str> {
    utf8_percent_encode(query, ESCAPED).into()
}

/// The pairs of a query string, in the client's order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Pairs<'q>(pub Vec<Pair<'q>>);

impl<'q> Pairs<'q> {
    /// Takes a query string apart.
    pub fn read(query: &'q str) -> Self {
        Self(
            query
                .split('&')
                .filter(|piece| !piece.is_empty())
                .map(pair)
                .collect(),
        )
    }

    /// The query string of a link, without the parameters of this test, and with these after the
    /// others: links of pages keep the client's parameters.
    pub fn replaced(&self, dropped: impl Fn(&str) -> bool, added: &str) -> String {
        let kept = self
            .0
            .iter()
            .filter(|pair| !dropped(&pair.name))
            .map(|pair| pair.raw);
        linked(&kept.chain([added]).collect::<Vec<_>>().join("&")).into_owned()
    }
}

fn pair(raw: &str) -> Pair<'_> {
    let decoded = form_urlencoded::parse(raw.as_bytes()).next();
    let (name, value) = decoded
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .unwrap_or_default();
    Pair { raw, name, value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_whole_and_of_utf8() {
        let is_fine = |raw| pair(raw).check().is_ok();
        assert!(is_fine("search=a+b%20%C3%a9%25") && is_fine("ü=ü") && is_fine(""));
        assert!(!is_fine("search=%ff") && !is_fine("search=%zz"));
        assert!(!is_fine("search=100%") && !is_fine("%e=1") && !is_fine("a=%C3"));
        assert!(!is_fine("a=%+1"));
    }

    #[test]
    fn names_and_values_are_decoded_and_kept_as_written() {
        let pairs = Pairs::read("page%5Bnumber%5D=2&search=a+b&&flag");
        let seen: Vec<(&str, &str)> = pairs
            .0
            .iter()
            .map(|pair| (pair.name.as_str(), pair.value.as_str()))
            .collect();
        assert_eq!(
            seen,
            [("page[number]", "2"), ("search", "a b"), ("flag", "")]
        );
        assert_eq!(
            pairs.replaced(|name| name.starts_with("page"), "page=3"),
            "search=a+b&flag&page=3"
        );
    }

    #[test]
    fn links_escape_characters_that_a_query_must_not_hold() {
        let query = "filter[a]=1%5D|%C3%A9&b='(x,y)*:@/?-._~!$;&c=é \"{^}`<\\>#";
        let expected = "filter%5Ba%5D=1%5D%7C%C3%A9&b='(x,y)*:@/?-._~!$;\
                        &c=%C3%A9%20%22%7B%5E%7D%60%3C%5C%3E%23";
        assert_eq!(linked(query), expected);
    }
}

//! A query string, taken apart.

use crate::error::{Error, Result};

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
    /// Sees to it that the client wrote escapes of UTF-8: of anything else there is no telling what it
    /// meant (http.md, "Errors").
    ///
    /// # Errors
    ///
    /// 400 naming the parameter.
    pub fn check(&self) -> Result<()> {
        if unescaped(self.raw).is_some_and(|bytes| str::from_utf8(&bytes).is_ok()) {
            return Ok(());
        }
        let message =
            "A `%` has to begin an escape (`%25` for itself), and escapes have to be UTF-8.";
        Err(Error::bad_parameter(&self.name, message))
    }
}

/// The bytes that a piece of a query stands for; `None` where a `%` begins no escape.
fn unescaped(raw: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(raw.len());
    let mut rest = raw.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [char::from(rest.next()?), char::from(rest.next()?)];
                let [high, low] = digits.map(|digit| digit.to_digit(16));
                u8::try_from(high? << 4 | low?).ok()?
            }
            byte => byte,
        });
    }
    Some(bytes)
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

    /// The query string without the parameters of this test, and with these after the others: for
    /// links of pages, which keep what the client asked for.
    pub fn replaced(&self, dropped: impl Fn(&str) -> bool, added: &str) -> String {
        let kept = self
            .0
            .iter()
            .filter(|pair| !dropped(&pair.name))
            .map(|pair| pair.raw);
        kept.chain([added]).collect::<Vec<_>>().join("&")
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
}

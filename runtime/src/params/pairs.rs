//! A query string, taken apart.

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

//! Which part of a filter a parameter is, as what follows the filter's name says.

/// Which part of a filter a parameter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part<'n> {
    /// All of it: `location=1,2`.
    Whole,
    /// One of a list's items, as PHP's clients write them: `location[]=1`, `location[0]=1`.
    Item,
    /// A member: `position[latitude]=51.5`.
    Member(&'n str),
}

impl<'n> Part<'n> {
    /// The part that the text behind a filter's name means: empty, or one pair of brackets.
    pub fn of(tail: &'n str) -> Option<Self> {
        if tail.is_empty() {
            return Some(Self::Whole);
        }
        let inner = tail.strip_prefix('[')?.strip_suffix(']')?;
        (!inner.contains(['[', ']'])).then(|| Self::inside(inner))
    }

    /// The part that the text in the brackets means.
    pub fn inside(inner: &'n str) -> Self {
        match inner.bytes().all(|byte| byte.is_ascii_digit()) {
            true => Self::Item,
            false => Self::Member(inner),
        }
    }

    /// The member's name.
    pub fn member(self) -> Option<&'n str> {
        match self {
            Self::Member(name) => Some(name),
            Self::Whole | Self::Item => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_empty_brackets_are_items_of_a_list() {
        for tail in ["[]", "[0]", "[17]"] {
            assert_eq!(Part::of(tail), Some(Part::Item), "{tail}");
        }
        assert_eq!(Part::of(""), Some(Part::Whole));
        assert_eq!(Part::of("[latitude]"), Some(Part::Member("latitude")));
        for tail in ["s", "[", "]", "[a", "[a][b]", "[a]b", "[[]"] {
            assert_eq!(Part::of(tail), None, "{tail}");
        }
    }
}

//! "Did you mean": the known word an unknown one is nearest to.

use formwork_vocabulary::did_you_mean::nearest;

/// ` Did you mean …?` for the nearest of the known words, or an empty text when none is near.
pub(crate) fn did_you_mean<'a>(unknown: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(unknown, known)
        .map(|word| format!(" Did you mean `{word}`?"))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_proposed_and_far_ones_are_not() {
        let known = ["page", "pageLimit", "sort", "search"];
        assert_eq!(
            did_you_mean("pagelimit", known),
            " Did you mean `pageLimit`?"
        );
        assert_eq!(did_you_mean("serach", known), " Did you mean `search`?");
        assert_eq!(did_you_mean("colour", known), "");
    }
}

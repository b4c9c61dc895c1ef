//! "Did you mean": the nearest of the words that would have been right.

/// The candidate nearest to `word`, if it is near enough to have been meant: a third of its
/// letters may differ, at least one; case, `-`, `_` and spaces do not count.
pub(crate) fn nearest<'c>(
    word: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let wanted = plain(word);
    let allowed = (wanted.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| {
            (
                strsim::damerau_levenshtein(&wanted, &plain(candidate)),
                candidate,
            )
        })
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

fn plain(word: &str) -> String {
    word.chars()
        .filter(|c| !matches!(c, '-' | '_' | ' '))
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let known = ["menu_name", "menu_price", "enabled"];
        assert_eq!(nearest("menuName", known), Some("menu_name"));
        assert_eq!(nearest("menu_prize", known), Some("menu_price"));
        assert_eq!(nearest("colour", known), None);
    }
}

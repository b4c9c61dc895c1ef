//! "Did you mean": the known word nearest to an unknown one.

/// Characters of an unknown word that are compared: a client's word may be of any length.
const COMPARED: usize = 64;

/// The candidate nearest to `word`, if it is near enough to have been meant.
///
/// A third of the word's characters may differ, one of them at least. Case, `-`, `_` and spaces do not count.
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let wanted: String = plain(word).take(COMPARED).collect();
    let allowed = (wanted.chars().count() / 3).max(1);
    let distance = |candidate: &str| {
        strsim::damerau_levenshtein(&wanted, &plain(candidate).collect::<String>())
    };
    candidates
        .into_iter()
        .map(|candidate| (distance(candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

fn plain(word: &str) -> impl Iterator<Item = char> {
    word.chars()
        .filter(|letter| !matches!(letter, '-' | '_' | ' '))
        .flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let known = ["name", "description", "page_limit", "model", "menu_price"];
        assert_eq!(nearest("desciption", known), Some("description"));
        assert_eq!(nearest("pageLimit", known), Some("page_limit"));
        assert_eq!(nearest("modle", known), Some("model"));
        assert_eq!(nearest("menu_prize", known), Some("menu_price"));
        assert_eq!(nearest("transform", known), None);
        assert_eq!(nearest(&"model".repeat(1 << 16), known), None);
    }
}

//! "Did you mean": the nearest of the words that would have been right.

/// The candidate nearest to `word`, if it is near enough to have been meant.
///
/// A distance of a third of the word's length (at least one edit) counts as near; a candidate that
/// differs only in case, `-` or `_` always does.
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
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

/// `did you mean `x`?`, or else the whole list where it is short, or else nothing.
pub fn did_you_mean(word: &str, candidates: &[&str]) -> Option<String> {
    if let Some(found) = nearest(word, candidates.iter().copied()) {
        return Some(format!("did you mean `{found}`?"));
    }
    match candidates.len() {
        0 => None,
        1..=16 => Some(format!("one of {}", quoted(candidates))),
        _ => None,
    }
}

/// `` `a`, `b` and `c` ``.
pub fn quoted<S: AsRef<str>>(words: &[S]) -> String {
    let mut text = String::new();
    for (index, word) in words.iter().enumerate() {
        let joint = match index {
            0 => "",
            _ if index + 1 == words.len() => " and ",
            _ => ", ",
        };
        text.push_str(joint);
        text.push('`');
        text.push_str(word.as_ref());
        text.push('`');
    }
    text
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
        let known = ["name", "description", "page_limit", "model"];
        assert_eq!(nearest("desciption", known), Some("description"));
        assert_eq!(nearest("pageLimit", known), Some("page_limit"));
        assert_eq!(nearest("modle", known), Some("model"));
        assert_eq!(nearest("transform", known), None);
    }

    #[test]
    fn lists_read_like_a_sentence() {
        assert_eq!(quoted(&["a"]), "`a`");
        assert_eq!(quoted(&["a", "b", "c"]), "`a`, `b` and `c`");
    }
}

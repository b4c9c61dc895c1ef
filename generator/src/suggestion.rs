//! "Did you mean": the nearest of the words that would have been right.

use formwork_vocabulary::did_you_mean::nearest;

/// `did you mean `x`?`, or else the whole list where it is short, or else an empty text.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_like_a_sentence() {
        assert_eq!(quoted(&["a"]), "`a`");
        assert_eq!(quoted(&["a", "b", "c"]), "`a`, `b` and `c`");
    }
}

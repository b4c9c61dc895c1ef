//! Singular and plural of names, and names as people write them.

/// Nouns that the library gets wrong, singular first.
const IRREGULAR: &[(&str, &str)] = &[
    ("cache", "caches"),
    ("medium", "media"),
    ("niche", "niches"),
    ("quota", "quotas"),
    ("schema", "schemas"),
];

/// The singular of the last word of a snake_case name: `menu_categories` becomes `menu_category`.
pub fn singular(name: &str) -> String {
    last_word(name, |word| {
        let known = IRREGULAR
            .iter()
            .find(|(one, many)| word == *many || word == *one);
        known
            .map(|(one, _)| (*one).to_owned())
            .or_else(|| regular_singular(word))
            .unwrap_or_else(|| pluralizer::pluralize(word, 1, false))
    })
}

/// The plural of the last word of a snake_case name.
pub fn plural(name: &str) -> String {
    last_word(name, |word| {
        let known = IRREGULAR
            .iter()
            .find(|(one, many)| word == *one || word == *many);
        known.map_or_else(
            || pluralizer::pluralize(word, 2, false),
            |(_, many)| (*many).to_owned(),
        )
    })
}

/// A name as people write it: `menu_name` is `menu name`.
pub fn words(name: &str) -> String {
    name.replace('_', " ")
}

fn last_word(name: &str, change: impl Fn(&str) -> String) -> String {
    let at = name.rfind(['_', '-']).map_or(0, |at| at + 1);
    let (front, last) = name.split_at(at);
    let changed = change(last);
    // The library takes a word of one letter, `s`, for the ending of a plural.
    let changed = if changed.is_empty() { last } else { &changed };
    [front, changed].concat()
}

fn ends_in(word: &str, endings: &[&str]) -> bool {
    endings.iter().any(|ending| word.ends_with(ending))
}

/// The singular of a plainly regular plural, and `None` of any other word.
///
/// The library compiles two hundred patterns at its first word: 6 ms and 8 MB in a release build,
/// which a service with regular names saves. A test compares both.
fn regular_singular(word: &str) -> Option<String> {
    if word.len() <= 4 || !word.bytes().all(|letter| letter.is_ascii_lowercase()) {
        return None;
    }
    if let Some(stem) = word.strip_suffix("ies") {
        let regular = ["ac", "an", "el", "er", "ic", "nc", "nt", "or", "rt", "tr"];
        let one = || format!("{stem}y");
        let in_ie = ["aunt", "calor", "faer", "ser"].contains(&stem) || stem.ends_with("sser");
        return (!in_ie && ends_in(stem, &regular)).then(one);
    }
    if let Some(stem) = word.strip_suffix("es") {
        let hissing = ["ch", "sh", "ss", "x"];
        if ends_in(stem, &hissing) {
            return (word != "pickaxes").then(|| stem.to_owned());
        }
    }
    let one = word.strip_suffix('s')?;
    let stem = one.strip_suffix('e').unwrap_or(one);
    let plain = |letter: char| "bdgklmnprtw".contains(letter);
    (stem.ends_with(plain) || one.ends_with("menu")).then(|| one.to_owned())
}

#[cfg(test)]
mod tests;

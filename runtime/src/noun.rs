//! English plurals: what one record of a resource is called.

/// The singular of the last word of a resource's key: `categories` becomes `category`.
pub(crate) fn singular(key: &str) -> String {
    let at = key.rfind(['_', '-']).map_or(0, |at| at + 1);
    let (before, word) = key.split_at(at);
    format!("{before}{}", singular_word(word))
}

/// What an attribute `type` of a resource is called in JSON:API, which keeps that name for itself
/// (http.md, "Media types").
pub(crate) fn type_attribute(key: &str) -> String {
    format!("{}_type", singular(key))
}

/// Words that follow no rule.
const IRREGULAR: [(&str, &str); 14] = [
    ("people", "person"),
    ("men", "man"),
    ("women", "woman"),
    ("children", "child"),
    ("media", "medium"),
    ("data", "datum"),
    ("indices", "index"),
    ("series", "series"),
    ("news", "news"),
    ("status", "status"),
    ("bus", "bus"),
    ("movies", "movie"),
    ("cookies", "cookie"),
    ("caches", "cache"),
];

/// Endings of plurals, and what stands there in the singular; the first that fits counts.
const ENDINGS: [(&str, &str); 16] = [
    ("ies", "y"),
    ("zzes", "z"),
    ("sses", "ss"),
    ("shes", "sh"),
    ("ches", "ch"),
    ("xes", "x"),
    ("lyses", "lysis"),
    ("ouses", "ouse"),
    ("auses", "ause"),
    ("uses", "us"),
    ("eaves", "eaf"),
    ("elves", "elf"),
    ("toes", "to"),
    ("ss", "ss"),
    ("is", "is"),
    ("s", ""),
];

fn singular_word(word: &str) -> String {
    if let Some((_, one)) = IRREGULAR.iter().find(|(many, _)| *many == word) {
        return (*one).to_owned();
    }
    let ending = ENDINGS
        .iter()
        .find_map(|(many, one)| Some(format!("{}{one}", word.strip_suffix(many)?)));
    ending.unwrap_or_else(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_become_nouns() {
        for (many, one) in [
            ("menus", "menu"),
            ("categories", "category"),
            ("statuses", "status"),
            ("addresses", "address"),
            ("people", "person"),
            ("media", "medium"),
            ("series", "series"),
            ("boxes", "box"),
            ("leaves", "leaf"),
            ("tables", "table"),
            ("analyses", "analysis"),
            ("dishes", "dish"),
            ("invoices", "invoice"),
            ("houses", "house"),
            ("quizzes", "quiz"),
            ("caches", "cache"),
            ("working_hours", "working_hour"),
            ("menu_item_option_values", "menu_item_option_value"),
            ("status", "status"),
            ("staff", "staff"),
        ] {
            assert_eq!(singular(many), one);
        }
        assert_eq!(type_attribute("coupons"), "coupon_type");
    }
}

//! Templates loop, print, and leave out what is empty.

use std::fs;

use formwork_tests::checkout;

/// Words of a template that would decide about a type or a name.
const DECISIONS: [&str; 8] = [
    "==",
    "i64",
    "Option<",
    "| lower",
    "| upper",
    "| replace",
    "starting_with",
    "containing",
];

#[test]
fn no_template_decides_about_types_or_names() {
    for entry in walkdir::WalkDir::new(checkout().join("templates")) {
        let entry = entry.expect("a template");
        let path = entry.path();
        if path.extension().is_none_or(|ending| ending != "tera") {
            continue;
        }
        let text = fs::read_to_string(path).expect("text");
        for tag in text.split("{%").skip(1).chain(text.split("{{").skip(1)) {
            let tag = tag.split(['%', '}']).next().unwrap_or_default();
            for word in DECISIONS {
                assert!(!tag.contains(word), "{}: {word} in {tag:?}", path.display());
            }
        }
    }
}

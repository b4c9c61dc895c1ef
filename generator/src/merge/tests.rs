use proptest::prelude::*;

use super::*;

mod lists;
mod moves;
mod texts;

/// The merge of texts whose line endings are those of ours.
fn merge_as(language: Language, base: &str, ours: &str, theirs: &str) -> Merged {
    let original = ours;
    merge(base, ours, theirs, &MergeContext { language, original })
}

fn without_conflicts(text: impl Into<String>) -> Merged {
    let (text, conflicts) = (text.into(), 0);
    Merged { text, conflicts }
}

fn lines(base: &str, ours: &str, theirs: &str) -> Merged {
    merge_as(Language::Other, base, ours, theirs)
}

#[test]
fn edits_of_different_places_merge() {
    let merged = lines(
        "1\n2\n3\n4\n5\n",
        "0\n1\n2\n3\n4\n5\n",
        "1\n2\n3\n4\nfive\n",
    );
    assert_eq!(merged, without_conflicts("0\n1\n2\n3\n4\nfive\n"));
}

#[test]
fn edits_of_one_line_conflict_with_a_base_section() {
    let merged = lines("1\n2\n3\n", "1\ntwo\n3\n", "1\nzwei\n3\n");
    assert_eq!(merged.conflicts, 1);
    assert_eq!(
        merged.text,
        "1\n<<<<<<< ours\ntwo\n||||||| base\n2\n=======\nzwei\n>>>>>>> theirs (formwork)\n3\n"
    );
    assert!(markers::are_in(&merged.text));
}

#[test]
fn the_files_own_style_stays() {
    let merged = lines(
        "a\nb\nc\nd\n",
        "\u{feff}a\r\nb\r\nc\r\nmine",
        "A\nb\nc\nd\n",
    );
    assert_eq!(merged.conflicts, 0);
    assert_eq!(merged.text, "\u{feff}A\r\nb\r\nc\r\nmine");
}

#[test]
fn a_clean_result_that_does_not_parse_is_a_conflict() {
    // Ours puts the brace further down, theirs adds one further up: clean by lines, one too many.
    let base = "struct A;\n\nimpl A {\n    fn a() {}\n}\n\n\nfn last() {}\n";
    let ours = "struct A;\n\nimpl A {\n    fn a() {}\n\n\nfn last() {}\n}\n";
    let theirs = base.replace("struct A;", "struct A;\n}");
    assert!(Language::Rust.parses(ours));
    let conflicts = |language| merge_as(language, base, ours, &theirs).conflicts;
    assert_eq!(
        (conflicts(Language::Other), conflicts(Language::Rust)),
        (0, 1)
    );
}

#[test]
fn where_ours_did_not_parse_the_lines_decide() {
    let base = "fn a() {}\n\n\n\nfn b() {}\n";
    let ours = "fn a() {\n\n\n\nfn b() {}\n";
    let theirs = "fn a() {}\n\n\n\nfn b() {}\nfn c() {}\n";
    let merged = merge_as(Language::Rust, base, ours, theirs);
    assert_eq!(merged.conflicts, 0);
    assert!(merged.text.ends_with("fn c() {}\n"));
}

/// Few different lines, so that texts resemble each other and repeat lines.
fn text() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(0u8..6, 0..12)
}

fn written(lines: &[u8], side: &str) -> String {
    lines
        .iter()
        .map(|line| {
            if *line < 4 {
                format!("{line}\n")
            } else {
                format!("{side}{line}\n")
            }
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn identities(b in text(), x in text()) {
        let (b, x) = (written(&b, "b"), written(&x, "x"));
        prop_assert_eq!(lines(&b, &b, &x), without_conflicts(&x));
        prop_assert_eq!(lines(&b, &x, &b), without_conflicts(&x));
        prop_assert_eq!(lines(&b, &x, &x), without_conflicts(&x));
    }

    #[test]
    fn no_line_that_a_side_added_is_lost(b in text(), o in text(), t in text()) {
        let (b, o, t) = (written(&b, "b"), written(&o, "o"), written(&t, "t"));
        let merged = lines(&b, &o, &t);
        for side in [&o, &t] {
            for line in side.lines().filter(|line| !b.lines().any(|old| old == *line)) {
                prop_assert!(merged.text.lines().any(|kept| kept == line), "{line} of {side:?} in {merged:?}");
            }
        }
    }

    #[test]
    fn a_conflict_that_is_resolved_to_one_side_still_has_the_other_changes(b in text(), o in text(), t in text()) {
        let (b, o, t) = (written(&b, "b"), written(&o, "o"), written(&t, "t"));
        let merged = lines(&b, &o, &t);
        prop_assert_eq!(merged.conflicts > 0, markers::are_in(&merged.text));
        prop_assert!(!markers::are_in(&markers::ours_side(&merged.text)));
    }
}

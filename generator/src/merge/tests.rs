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

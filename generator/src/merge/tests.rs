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

#[test]
fn a_carriage_return_within_a_line_ends_none() {
    let base = "10%\r20%\n1\n\n\n2\n";
    let (ours, theirs) = (base.replace('1', "one"), base.replace("\n2", "\ntwo"));
    let merged = merge_as(Language::Other, base, &ours, &theirs);
    assert_eq!(merged, without_conflicts(ours.replace("\n2", "\ntwo")));
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
fn texts_that_do_not_parse_are_merged_by_lines() {
    let base = "fn a() {}\n\n\n\nfn b() {}\n";
    let ours = "fn a() {\n\n\n\nfn b() {}\n";
    let theirs = "fn a() {}\n\n\n\nfn b() {}\nfn c() {}\n";
    let merged = merge_as(Language::Rust, base, ours, theirs);
    assert_eq!(merged.conflicts, 0);
    assert!(merged.text.ends_with("fn c() {}\n"));
}

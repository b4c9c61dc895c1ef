//! Tables and lines of texts, and what is left of their conflicts.

use super::*;

#[test]
fn neighbouring_lines_of_a_text_are_a_conflict() {
    let base = "one\ntwo\nthree\n";
    assert_eq!(
        merge_as(
            Language::Markdown,
            base,
            "1\ntwo\nthree\n",
            "one\n2\nthree\n"
        )
        .conflicts,
        1
    );
}

/// The render alone would bring the row back.
#[test]
fn a_deleted_row_of_a_page_that_the_template_changes_is_a_conflict() {
    let base = "# A\n\n| a |\n| --- |\n| b |\n";
    let (ours, theirs) = (base.replace("| b |\n", ""), base.replace('b', "c"));
    let merged = merge_as(Language::Markdown, base, &ours, &theirs);
    assert_eq!(merged.conflicts, 1, "{}", merged.text);
}

#[test]
fn a_conflict_is_split_at_lines_that_both_added() {
    let base = "a\nb\nc\n";
    let side = |one: &str, other: &str| format!("a\n{one}\nw\nx\ny\nz\n{other}\nc\n");
    let merged = merge_as(Language::Other, base, &side("1", "2"), &side("3", "4"));
    let parts = [
        markers::write("1\n", "b\n", "3\n"),
        markers::write("2\n", "", "4\n"),
    ];
    assert_eq!(
        merged.text,
        format!("a\n{}w\nx\ny\nz\n{}c\n", parts[0], parts[1])
    );
    // With less between them, two conflicts are easier to resolve as one.
    let merged = merge_as(
        Language::Other,
        base,
        "a\n1\nsame\n2\nc\n",
        "a\n3\nsame\n4\nc\n",
    );
    assert_eq!(
        merged.text,
        format!(
            "a\n{}c\n",
            markers::write("1\nsame\n2\n", "b\n", "3\nsame\n4\n")
        )
    );
}

#[test]
fn a_part_that_one_side_left_alone_is_no_conflict() {
    let merged = merge_as(Language::Other, "a\ne\n", "a\n1\n2\ne\n", "a\n1\nx\n2\ne\n");
    assert_eq!(merged, without_conflicts("a\n1\nx\n2\ne\n"));
}

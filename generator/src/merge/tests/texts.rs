//! Tables and lines of texts, and what is left of their conflicts.

use super::super::*;

#[test]
fn rows_of_a_table_are_added_and_changed() {
    let base =
        "# A\n\n| name | type |\n| --- | --- |\n| `a` | string |\n| `b` | string |\n\nText.\n";
    let ours = base.replace("| `a` | string |\n", "| `a` | a text |\n");
    let theirs = base.replace("| `b` | string |\n", "| `b` | number |\n| `c` | string |\n");
    let context = MergeContext {
        language: Language::Markdown,
        original: &ours,
    };
    let merged = merge(base, &ours, &theirs, &context);
    let expected = theirs.replace("| `a` | string |\n", "| `a` | a text |\n");
    assert_eq!(
        merged,
        Merged {
            text: expected,
            conflicts: 0
        }
    );
}

#[test]
fn neighbouring_lines_of_a_text_are_a_conflict() {
    let base = "one\ntwo\nthree\n";
    let context = MergeContext {
        language: Language::Markdown,
        original: base,
    };
    assert_eq!(
        merge(base, "1\ntwo\nthree\n", "one\n2\nthree\n", &context).conflicts,
        1
    );
}

#[test]
fn a_conflict_is_split_at_lines_that_both_added() {
    let base = "a\nb\nc\n";
    let context = MergeContext {
        language: Language::Other,
        original: base,
    };
    let side = |one: &str, other: &str| format!("a\n{one}\nw\nx\ny\nz\n{other}\nc\n");
    let merged = merge(base, &side("1", "2"), &side("3", "4"), &context);
    let parts = [
        markers::write("1\n", "b\n", "3\n"),
        markers::write("2\n", "", "4\n"),
    ];
    assert_eq!(
        merged.text,
        format!("a\n{}w\nx\ny\nz\n{}c\n", parts[0], parts[1])
    );
    // With less between them, two conflicts are easier to resolve as one.
    let merged = merge(base, "a\n1\nsame\n2\nc\n", "a\n3\nsame\n4\nc\n", &context);
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
    let context = MergeContext {
        language: Language::Other,
        original: "a\n",
    };
    let merged = merge("a\ne\n", "a\n1\n2\ne\n", "a\n1\nx\n2\ne\n", &context);
    assert_eq!(
        merged,
        Merged {
            text: "a\n1\nx\n2\ne\n".to_owned(),
            conflicts: 0
        }
    );
}

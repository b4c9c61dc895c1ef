//! Items that moved within their list, and items that both sides added.

use super::*;

const BASE: &str = "\
//! Dishes.

use formwork::prelude::*;

pub struct Dish {
    pub title: String,
    /// What it costs.
    pub price: Decimal<4>,
    pub active: bool,
}

impl Dish {
    fn first(&self) -> u8 {
        1
    }

    fn second(&self) -> u8 {
        2
    }

    fn third(&self) -> u8 {
        3
    }
}
";
const FIRST: &str = "    fn first(&self) -> u8 {\n        1\n    }\n\n";
const THIRD: &str = "    fn third(&self) -> u8 {\n        3\n    }\n";

/// Changes of a text, each of one place.
fn edited(edits: &[(&str, &str)]) -> String {
    let edit = |text: String, (before, after): &(&str, &str)| {
        assert_eq!(text.matches(before).count(), 1, "{before:?} in {text}");
        text.replace(before, after)
    };
    edits.iter().fold(BASE.to_owned(), edit)
}

#[track_caller]
fn clean(base: &str, ours: &str, theirs: &str) -> String {
    let merged = merge_as(Language::Rust, base, ours, theirs);
    assert_eq!(merged.conflicts, 0, "{}", merged.text);
    merged.text
}

/// The first method is the last.
fn moved() -> String {
    let last = format!(
        "{THIRD}\n{}",
        FIRST.trim_end_matches('\n').to_owned() + "\n"
    );
    edited(&[(FIRST, ""), (THIRD, &last)])
}

#[test]
fn a_method_that_the_template_moved_and_the_user_changed_is_a_conflict() {
    let ours = edited(&[("        1\n", "        let one = 1;\n        one\n")]);
    let merged = merge_as(Language::Rust, BASE, &ours, &moved());
    assert!(merged.conflicts > 0, "{}", merged.text);
    assert!(markers::ours_side(&merged.text).contains("        let one = 1;\n        one\n"));
}

#[test]
fn a_field_that_one_side_moved_and_the_other_removed_is_a_conflict() {
    let (title, active) = ("    pub title: String,\n", "    pub active: bool,\n");
    let moved = edited(&[(title, ""), (active, &format!("{active}{title}"))]);
    let removed = edited(&[(title, "")]);
    for (ours, theirs) in [(&moved, &removed), (&removed, &moved)] {
        let merged = merge_as(Language::Rust, BASE, ours, theirs);
        assert_eq!(merged.conflicts, 1, "{}", merged.text);
    }
}

#[test]
fn a_field_that_the_template_removes_may_be_in_another_struct() {
    let title = "    pub title: String,\n";
    let summary = format!("\npub struct Summary {{\n{title}}}\n");
    let (ours, theirs) = (format!("{BASE}{summary}"), edited(&[(title, "")]));
    assert_eq!(clean(BASE, &ours, &theirs), format!("{theirs}{summary}"));
}

#[test]
fn an_addition_beside_a_moved_field_moves_with_it() {
    let (price, active) = (
        "    /// What it costs.\n    pub price: Decimal<4>,\n",
        "    pub active: bool,\n",
    );
    let ours = edited(&[(price, ""), (active, &format!("{active}{price}"))]);
    let theirs = edited(&[(price, &format!("{price}    pub tax: Decimal<4>,\n"))]);
    let merged = clean(BASE, &ours, &theirs);
    let expected = format!("{active}{price}    pub tax: Decimal<4>,\n");
    assert!(merged.contains(&expected), "{merged}");
}

#[test]
fn modules_change_places_below_the_description_of_the_file() {
    let base = "//! Dishes.\n\nmod a;\nmod b;\n\npub use a::A;\n";
    let ours = base.replace("mod a;\nmod b;", "mod b;\nmod a;");
    let theirs = base.replace("mod b;\n", "mod b;\nmod c;\n");
    let expected = "//! Dishes.\n\nmod b;\nmod a;\nmod c;\n\npub use a::A;\n";
    assert_eq!(clean(base, &ours, &theirs), expected);
}

#[test]
fn an_attribute_below_a_description_that_changes() {
    let (doc, price) = ("    /// What it costs.\n", "    pub price: Decimal<4>,\n");
    let ours = edited(&[(price, &format!("    #[serde(skip)]\n{price}"))]);
    let theirs = edited(&[(doc, "    /// Its price.\n")]);
    let expected = ours.replace(doc, "    /// Its price.\n");
    assert_eq!(clean(BASE, &ours, &theirs), expected);
    assert_eq!(clean(BASE, &theirs, &ours), expected);
}

#[test]
fn an_import_that_both_sides_add_at_different_places_is_a_conflict() {
    let base = "use a::A;\nuse b::B;\nuse c::C;\nuse d::D;\n\nfn f() {}\n";
    let ours = base.replace("use b::B;\n", "use x::X;\nuse b::B;\n");
    let theirs = base.replace("use d::D;\n", "use d::D;\nuse x::X;\n");
    assert_eq!(merge_as(Language::Rust, base, &ours, &theirs).conflicts, 1);
}

#[test]
fn an_item_without_a_name_stays_where_both_sides_move_its_neighbours() {
    let text = |lines: &[&str]| {
        let body: String = lines
            .iter()
            .map(|line| format!("        {line}\n"))
            .collect();
        format!("fn columns(to: &mut C) {{\n{body}        to.last()\n}}\n")
    };
    let (a, b, c) = (
        "to.column(\"a\");",
        "to.column(\"b\");",
        "to.column(\"c\");",
    );
    let created = "to.created_at(&mut self.created_at);";
    let base = text(&[a, b, c, created]);
    let ours = text(&[a, c, b, created]);
    let theirs = text(&[b, c, a, created]);
    let merged = merge_as(Language::Rust, &base, &ours, &theirs);
    for line in [a, b, c, created] {
        assert_eq!(merged.text.matches(line).count(), 1, "{}", merged.text);
    }
}

#[test]
fn two_descriptions_or_two_attributes_of_one_name_are_a_conflict() {
    let active = "    pub active: bool,\n";
    let with = |line: &str| edited(&[(active, &format!("    {line}\n{active}"))]);
    let (doc, skip, rename) = (
        "/// Whether.",
        "#[serde(skip)]",
        "#[serde(rename = \"on\")]",
    );
    for (ours, theirs) in [(doc, "/// If."), (skip, rename)] {
        let ours = with(ours);
        assert_eq!(
            merge_as(Language::Rust, BASE, &ours, &with(theirs)).conflicts,
            1
        );
    }
}

#[test]
fn a_method_does_not_land_in_the_tests_below_its_block() {
    let block = "impl Dish {\n    fn first(&self) -> u8 {\n        1\n    }\n}\n";
    let theirs = block.replace(
        "    }\n}\n",
        "    }\n\n    fn second(&self) -> u8 {\n        2\n    }\n}\n",
    );
    let tests = "\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn one() {\n        1;\n    }\n}\n";
    let ours = block.replace("1\n", "one()\n") + tests;
    let merged = merge_as(Language::Rust, block, &ours, &theirs);
    assert_eq!(merged.conflicts, 1, "{}", merged.text);
    assert!(
        merged.text.contains("fn second(&self) -> u8 {"),
        "{}",
        merged.text
    );
}

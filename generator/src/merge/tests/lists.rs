//! Neighbouring edits in lists: what merges, what must not.

use super::*;

const MODEL: &str = "\
/// A dish.
#[derive(Debug, Serialize)]
pub struct Dish {
    pub title: String,
    /// What it costs.
    pub price: Decimal<4>,
    #[serde(skip)]
    pub hash: String,
}

impl Model for Dish {
    const TABLE: &'static str = \"dishes\";
    const KEY: &'static str = \"dish_id\";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key(\"dish_id\", &mut self.dish_id)?;
        to.column(\"title\", &mut self.title)?;
        to.column(\"price\", &mut self.price)
    }

    fn find(id: i64) -> Option<Dish> {
        let id = id;
        load(id)
    }
}
";

/// Changes of one side: what stood there, and what stands there instead.
type Edits<'a> = &'a [(&'a str, &'a str)];

fn edited(edits: Edits<'_>) -> String {
    edits
        .iter()
        .fold(MODEL.to_owned(), |text, (before, after)| {
            assert_eq!(text.matches(before).count(), 1, "{before:?}");
            text.replace(before, after)
        })
}

fn merged(ours: Edits<'_>, theirs: Edits<'_>) -> Merged {
    let (ours, theirs) = (edited(ours), edited(theirs));
    merge_as(Language::Rust, MODEL, &ours, &theirs)
}

#[track_caller]
fn clean(ours: Edits<'_>, theirs: Edits<'_>, expected: Edits<'_>) {
    assert_eq!(merged(ours, theirs), without_conflicts(edited(expected)));
    let both = [
        ("added by both", ours, theirs),
        ("turned round", theirs, ours),
    ];
    for (what, ours, theirs) in both {
        assert_eq!(merged(ours, theirs).conflicts, 0, "{what}");
    }
}

#[track_caller]
fn conflict(ours: Edits<'_>, theirs: Edits<'_>) {
    for (ours, theirs) in [(ours, theirs), (theirs, ours)] {
        let merged = merged(ours, theirs);
        assert_eq!(merged.conflicts, 1, "{}", merged.text);
    }
}

const TITLE: &str = "    pub title: String,\n";
const PRICE: &str = "    pub price: Decimal<4>,\n";
const PRICE_DOC: &str = "    /// What it costs.\n";
const MINE: &str = "    pub mine: u8,\n";
const NEW: &str = "    /// New.\n    pub new: u8,\n";

#[test]
fn an_addition_of_both_sides_is_merged_once() {
    let (ours, theirs) = (format!("{TITLE}{MINE}{NEW}"), format!("{TITLE}{NEW}"));
    clean(&[(TITLE, &ours)], &[(TITLE, &theirs)], &[(TITLE, &ours)]);
}

/// One of them is ours as well, the other is not.
#[test]
fn a_line_that_theirs_adds_twice_is_kept_beside_one_of_ours() {
    let list = |lines: &str| format!("const ALL: &[u8] = &[\n    1,\n{lines}    2,\n];\n");
    let (base, ours, theirs) = (list(""), list("    7,\n    0,\n"), list("    0,\n    0,\n"));
    let merged = merge_as(Language::Rust, &base, &ours, &theirs);
    let both = markers::both_sides(&merged.text);
    assert_eq!(both.matches("    0,\n").count(), 2, "{}", merged.text);
}

/// A repeated import does not compile: the user has to see both.
#[test]
fn an_import_that_theirs_has_twice_is_not_lost_beside_ours() {
    let text = |lines: &str| format!("use a::A;\n\nstruct S;\n{lines}impl S {{}}\n");
    let (base, ours, theirs) = (
        text("\n"),
        text("use mine::M;\n\nuse b::B;\n"),
        text("\nuse b::B;\nuse b::B;\n"),
    );
    let merged = merge_as(Language::Rust, &base, &ours, &theirs);
    let both = markers::both_sides(&merged.text);
    assert_eq!(both.matches("use b::B;\n").count(), 2, "{}", merged.text);
}

#[test]
fn a_field_goes_beside_one_that_was_added() {
    let ours = format!("{PRICE}{MINE}");
    let gone = format!("{PRICE_DOC}{PRICE}");
    clean(&[(PRICE, &ours)], &[(&gone, "")], &[(&gone, MINE)]);
}

#[test]
fn a_comment_stays_with_its_field() {
    let mine = format!("    /// Mine.\n{TITLE}");
    // A field that is added above comes before the comment.
    let theirs = format!("{NEW}{TITLE}");
    clean(
        &[(TITLE, &mine)],
        &[(TITLE, &theirs)],
        &[(TITLE, &format!("{NEW}{mine}"))],
    );
    // A field that goes takes no comment along.
    conflict(&[(TITLE, &mine)], &[(TITLE, "")]);
    // A field of the same name keeps it.
    let boxed = "    pub title: Box<str>,\n";
    clean(
        &[(TITLE, &mine)],
        &[(TITLE, boxed)],
        &[(TITLE, &format!("    /// Mine.\n{boxed}"))],
    );
    let (ours, theirs) = (
        [(TITLE, mine.as_str())],
        [(TITLE, "    pub name: String,\n")],
    );
    conflict(&ours, &theirs);
}

#[test]
fn a_field_between_two_attributes_does_not_get_that_of_another() {
    let hash = "    #[serde(skip)]\n    pub hash: String,\n";
    let theirs = format!("    #[serde(skip)]\n    pub salt: String,\n{hash}");
    let ours = "    #[serde(skip)]\n    pub hash: Box<str>,\n";
    conflict(&[(hash, ours)], &[(hash, &theirs)]);
}

#[test]
fn visitor_calls_for_columns_are_merged_in_any_order() {
    let last = "        to.column(\"price\", &mut self.price)\n";
    let ours = format!("        to.column(\"mine\", &mut self.mine)?;\n{last}");
    let theirs = "        to.column(\"price\", &mut self.price)?;\n        to.column(\"new\", &mut self.new)\n";
    let expected = format!("        to.column(\"mine\", &mut self.mine)?;\n{theirs}");
    clean(&[(last, &ours)], &[(last, theirs)], &[(last, &expected)]);
}

#[test]
fn methods_are_added_at_one_place() {
    let end = "        load(id)\n    }\n";
    let method = |name: &str| format!("\n    fn {name}() -> u8 {{\n        1\n    }}\n");
    let (ours, theirs) = (
        format!("{end}{}", method("a")),
        format!("{end}{}", method("b")),
    );
    clean(
        &[(end, &ours)],
        &[(end, &theirs)],
        &[(end, &format!("{ours}{}", method("b")))],
    );
    conflict(&[(end, &ours)], &[(end, &ours.replace("u8", "u16"))]);
}

#[test]
fn methods_at_the_end_of_a_block_and_functions_below_it_stay_beside_a_constant_that_changes() {
    let text = |constant: &str, more: &str| {
        format!("impl Dishes {{\n    const ABILITIES: &[&str] = &[\"{constant}\"];\n{more}}}\n")
    };
    let more = "\n    fn save(&self) {\n        tidy()\n    }\n}\n\nfn tidy() {\n    1;\n";
    let (base, ours, theirs) = (text("a", ""), text("a", more), text("b", ""));
    let merged = merge_as(Language::Rust, &base, &ours, &theirs);
    assert_eq!(merged, without_conflicts(text("b", more)));
}

#[test]
fn neighbouring_statements_are_a_conflict() {
    conflict(
        &[("let id = id;", "let id = id + 1;")],
        &[("        load(id)", "        find(id)")],
    );
}

#[test]
fn the_same_name_in_another_list_is_no_conflict() {
    let list = |rules: &str| {
        format!(
            "        attribute(\"b\")\n            .on_store(&[\n{rules}            ])\n            .on_update(&[\n{rules}            ]),\n"
        )
    };
    let (one, two) = (
        "                without(\"c\"),\n",
        "                same(\"c\"),\n",
    );
    let base = format!(
        "const A: &[Attribute] = &[\n{}        attribute(\"z\"),\n];\n",
        list(&format!("{one}{two}"))
    );
    let ours = base.replacen(one, &format!("{one}                min(8),\n"), 1);
    let theirs = base
        .replace("= &[\n", "= &[\n        attribute(\"new\"),\n")
        .replace("\"z\"),", "\"z\").admin(),");
    let merged = merge_as(Language::Rust, &base, &ours, &theirs);
    assert_eq!(merged.conflicts, 0, "{}", merged.text);
}

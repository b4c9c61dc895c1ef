//! One side decides the conflicts of a merge (`--ours`, `--theirs`); what does not conflict is merged.

use super::neighbours::Lists;
use super::three_way::{Outcome, Region};

/// The side that decides a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Favour {
    /// The file on disk.
    Ours,
    /// The render.
    Theirs,
}

impl Favour {
    /// Takes this side of each conflict. With `lists`, items that only the other side has stay below it.
    pub fn decide(self, lists: Option<&Lists<'_>>, regions: &mut [Region]) {
        for region in regions {
            if region.outcome == Outcome::Conflict {
                let merged = lists.and_then(|lists| {
                    lists.side_with_new_items(self == Favour::Ours, &region.span)
                });
                region.outcome = merged.map_or(self.outcome(), Outcome::Merged);
            }
        }
    }

    fn outcome(self) -> Outcome {
        match self {
            Favour::Ours => Outcome::Ours,
            Favour::Theirs => Outcome::Theirs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::merge::{Language, MergeContext, merge_in_favour};

    const BASE: &str = "pub struct Dish {\n    pub title: String,\n}\n";
    const OURS: &str = "pub struct Dish {\n    pub title: Title,\n    pub mine: u8,\n}\n";
    const THEIRS: &str =
        "pub struct Dish {\n    pub title: Option<String>,\n    pub notes: String,\n}\n";

    fn merged(language: Language, texts: [&str; 3], favour: Favour) -> String {
        let [base, original, theirs] = texts;
        let context = MergeContext { language, original };
        let merged = merge_in_favour(favour, base, original, theirs, &context);
        assert_eq!(merged.conflicts, 0);
        merged.text
    }

    #[test]
    fn new_items_of_both_sides_stay_beside_the_side_that_decides() {
        let texts = [BASE, OURS, THEIRS];
        assert_eq!(
            merged(Language::Rust, texts, Favour::Ours),
            "pub struct Dish {\n    pub title: Title,\n    pub mine: u8,\n    pub notes: String,\n}\n"
        );
        assert_eq!(
            merged(Language::Rust, texts, Favour::Theirs),
            "pub struct Dish {\n    pub title: Option<String>,\n    pub notes: String,\n    pub mine: u8,\n}\n"
        );
    }

    #[test]
    fn changes_apart_from_a_conflict_are_merged() {
        let base = "one\n\ntwo\n\nthree\n\nfour\n";
        let ours = "one\n\nmine\n\nthree\n\nFOUR\n";
        let theirs = "ONE\n\nnew\n\nthree\n\nfour\n";
        let texts = [base, ours, theirs];
        let text = |side: &str| format!("ONE\n\n{side}\n\nthree\n\nFOUR\n");
        assert_eq!(merged(Language::Other, texts, Favour::Ours), text("mine"));
        assert_eq!(merged(Language::Other, texts, Favour::Theirs), text("new"));
    }

    #[test]
    fn statements_of_the_other_side_are_no_items() {
        let body = |line: &str| format!("fn f() {{\n    let x = 1;\n{line}}}\n");
        let texts = [
            body("    g(x);\n"),
            body("    h(x);\n"),
            body("    g(x + 1);\n    log(x);\n"),
        ];
        let [base, ours, theirs] = &texts;
        assert_eq!(
            merged(Language::Rust, [base, ours, theirs], Favour::Ours),
            *ours
        );
        assert_eq!(
            merged(Language::Rust, [base, ours, theirs], Favour::Theirs),
            *theirs
        );
    }
}

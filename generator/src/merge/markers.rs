//! Git's conflict markers: found in files, and taken apart in Formwork's own.

use std::ops::Range;

use similar::{DiffTag, TextDiff};

const OURS: &str = "<<<<<<<";
const BASE: &str = "|||||||";
const MIDDLE: &str = "=======";
const THEIRS: &str = ">>>>>>>";
/// The end of a conflict that Formwork wrote.
const END: &str = ">>>>>>> theirs (formwork)";

#[derive(Clone, Copy, PartialEq)]
enum Marker {
    Ours,
    Base,
    Middle,
    Theirs,
}

/// A marker is seven signs at the start of a line, then its end or a space and a label.
fn marker(line: &str) -> Option<Marker> {
    let line = line.trim_end_matches(['\r', '\n']);
    let is = |sign: &str| {
        line.strip_prefix(sign)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    if is(OURS) {
        Some(Marker::Ours)
    } else if is(BASE) {
        Some(Marker::Base)
    } else if line == MIDDLE {
        Some(Marker::Middle)
    } else if is(THEIRS) {
        Some(Marker::Theirs)
    } else {
        None
    }
}

/// Whether `text` holds a full triple of markers, in order (a heading that is
/// underlined with `=======` is none).
pub fn are_in(text: &str) -> bool {
    first(text).is_some()
}

/// The bytes of the line with which the first full triple of markers begins.
pub fn first(text: &str) -> Option<Range<usize>> {
    if !text.contains(OURS) {
        return None;
    }
    let (mut seen, mut begun, mut start) = (None, 0..0, 0);
    for line in text.split_inclusive('\n') {
        seen = match (marker(line), seen) {
            (Some(Marker::Ours), _) => {
                begun = start..start + line.trim_end().len();
                Some(Marker::Ours)
            }
            (Some(Marker::Middle), Some(Marker::Ours)) => Some(Marker::Middle),
            (Some(Marker::Theirs), Some(Marker::Middle)) => return Some(begun),
            (_, seen) => seen,
        };
        start += line.len();
    }
    None
}

/// `text` with our side of each conflict.
pub fn ours_side(text: &str) -> String {
    sides(text, |side| side == Marker::Ours)
}

/// `text` with their side of each conflict.
pub fn theirs_side(text: &str) -> String {
    sides(text, |side| side == Marker::Middle)
}

/// `text` with the base of each conflict; `None` if git wrote a conflict without its base.
pub fn base_side(text: &str) -> Option<String> {
    let count = |wanted| {
        text.lines()
            .filter(|line| marker(line) == Some(wanted))
            .count()
    };
    let has_bases = count(Marker::Base) == count(Marker::Theirs);
    has_bases.then(|| sides(text, |side| side == Marker::Base))
}

/// Whether two texts have the same two sides.
pub fn have_same_sides(one: &str, other: &str) -> bool {
    ours_side(one) == ours_side(other) && theirs_side(one) == theirs_side(other)
}

/// Whether [`write`] made the conflicts in `text`, and not a git merge.
pub fn are_of_formwork(text: &str) -> bool {
    are_in(text) && text.lines().any(|line| line.trim_end() == END)
}

/// `text` with the lines of both sides of each conflict: right for sorted, line-oriented files.
pub fn both_sides(text: &str) -> String {
    sides(text, |side| side != Marker::Base)
}

/// `text` with the base of each conflict in its place; edits elsewhere stay.
pub fn settled(text: &str, base: &str) -> String {
    let (ours, conflicts) = taken_apart(text, |side| side == Marker::Ours);
    let base: Vec<&str> = base.split_inclusive('\n').collect();
    let mut settled = String::with_capacity(text.len());
    for change in TextDiff::from_slices(&base, &ours).ops() {
        let place = change.new_range();
        let of_conflict = |conflict: &Range<usize>| match conflict.is_empty() || place.is_empty() {
            true => conflict.start <= place.end && place.start <= conflict.end,
            false => conflict.start < place.end && place.start < conflict.end,
        };
        let is_edit = change.tag() != DiffTag::Equal && !conflicts.iter().any(of_conflict);
        let lines = match is_edit {
            true => &ours[place],
            false => &base[change.old_range()],
        };
        settled.extend(lines.iter().copied());
    }
    settled
}

fn sides(text: &str, wanted: impl Fn(Marker) -> bool) -> String {
    if are_in(text) {
        taken_apart(text, wanted).0.concat()
    } else {
        text.to_owned()
    }
}

/// The lines of `text` with these sides of each conflict, and where among them each conflict is.
fn taken_apart(text: &str, wanted: impl Fn(Marker) -> bool) -> (Vec<&str>, Vec<Range<usize>>) {
    let mut side = None;
    let (mut kept, mut conflicts) = (Vec::new(), Vec::new());
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        side = match (marker(line), side) {
            (Some(Marker::Ours), None) => {
                start = kept.len();
                Some(Marker::Ours)
            }
            (Some(Marker::Base), Some(Marker::Ours)) => Some(Marker::Base),
            (Some(Marker::Middle), Some(Marker::Ours | Marker::Base)) => Some(Marker::Middle),
            (Some(Marker::Theirs), Some(Marker::Middle)) => {
                conflicts.push(start..kept.len());
                None
            }
            _ => {
                if side.is_none_or(&wanted) {
                    kept.push(line);
                }
                side
            }
        };
    }
    (kept, conflicts)
}

/// One conflict with its base section, as `git merge-file --diff3` writes it. Each side is empty
/// or ends in a line feed.
pub fn write(ours: &str, base: &str, theirs: &str) -> String {
    format!("{OURS} ours\n{ours}{BASE} base\n{base}{MIDDLE}\n{theirs}{END}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_full_triple_counts() {
        assert!(are_in(&write("a\n", "b\n", "c\n")));
        assert!(are_in(
            "x\r\n<<<<<<< HEAD\r\na\r\n=======\r\nb\r\n>>>>>>> branch\r\n"
        ));
        assert!(are_in("<<<<<<<\n=======\n>>>>>>>"));
        for text in [
            "Title\n=======\n",
            "<<<<<<< HEAD\n=======\n",
            ">>>>>>> b\n=======\n<<<<<<< a\n",
            "<<<<<<<< eight\n=======\n>>>>>>> x\n",
            "    <<<<<<< a\n    =======\n    >>>>>>> b\n",
        ] {
            assert!(!are_in(text), "{text}");
        }
    }

    #[test]
    fn sides_of_a_conflict() {
        let text = format!("1\n{}2\n", write("a\n", "b\n", "c\n"));
        assert_eq!(ours_side(&text), "1\na\n2\n");
        assert_eq!(both_sides(&text), "1\na\nc\n2\n");
        assert_eq!(base_side(&text).as_deref(), Some("1\nb\n2\n"));
        assert!(are_of_formwork(&text));
        let of_git = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> branch\n";
        assert!(base_side(of_git).is_none() && !are_of_formwork(of_git));
        assert_eq!(ours_side("1\n=======\n"), "1\n=======\n");
    }

    #[test]
    fn a_conflict_is_replaced_by_the_base_and_other_edits_are_kept() {
        let base = "1\n2\n3\n4\n5\n";
        for (ours, theirs) in [("a\n", "b\n"), ("", "b\n"), ("a\n", ""), ("3\n", "b\n")] {
            let conflict = write(ours, "3\n", theirs);
            let text = format!("mine\n1\n2\n{conflict}4\nalso mine\n");
            assert_eq!(
                settled(&text, base),
                "mine\n1\n2\n3\n4\nalso mine\n",
                "{text}"
            );
        }
        // Lines that git merged in the base, too, do not count as removed by us.
        let text = format!("1\n2\n{}5\n", write("3\n", "", "4\n"));
        assert_eq!(settled(&text, base), base);
    }
}

//! Git's conflict markers: found in files, and taken apart in Formwork's own.

const OURS: &str = "<<<<<<<";
const BASE: &str = "|||||||";
const MIDDLE: &str = "=======";
const THEIRS: &str = ">>>>>>>";

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
    match () {
        () if is(OURS) => Some(Marker::Ours),
        () if is(BASE) => Some(Marker::Base),
        () if line == MIDDLE => Some(Marker::Middle),
        () if is(THEIRS) => Some(Marker::Theirs),
        () => None,
    }
}

/// Whether `text` holds a full triple of markers, in order (regeneration.md: a heading that is
/// underlined with `=======` is none).
pub fn are_in(text: &str) -> bool {
    if !text.contains(OURS) {
        return false;
    }
    let mut seen = None;
    for line in text.lines() {
        seen = match (marker(line), seen) {
            (Some(Marker::Ours), _) => Some(Marker::Ours),
            (Some(Marker::Middle), Some(Marker::Ours)) => Some(Marker::Middle),
            (Some(Marker::Theirs), Some(Marker::Middle)) => return true,
            (_, seen) => seen,
        };
    }
    false
}

/// `text` with our side of each conflict.
pub fn ours_side(text: &str) -> String {
    sides(text, |side| side == Marker::Ours)
}

/// `text` with the lines of both sides of each conflict: right for sorted, line-oriented files.
pub fn both_sides(text: &str) -> String {
    sides(text, |side| side != Marker::Base)
}

fn sides(text: &str, wanted: impl Fn(Marker) -> bool) -> String {
    if !are_in(text) {
        return text.to_owned();
    }
    let mut side = None;
    let mut kept = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        side = match (marker(line), side) {
            (Some(Marker::Ours), None) => Some(Marker::Ours),
            (Some(Marker::Base), Some(Marker::Ours)) => Some(Marker::Base),
            (Some(Marker::Middle), Some(Marker::Ours | Marker::Base)) => Some(Marker::Middle),
            (Some(Marker::Theirs), Some(Marker::Middle)) => None,
            _ => {
                if side.is_none_or(&wanted) {
                    kept.push_str(line);
                }
                side
            }
        };
    }
    kept
}

/// One conflict with its base section, as `git merge-file --diff3` writes it. Each side is empty
/// or ends in a line feed.
pub fn write(ours: &str, base: &str, theirs: &str) -> String {
    format!("{OURS} ours\n{ours}{BASE} base\n{base}{MIDDLE}\n{theirs}{THEIRS} theirs (formwork)\n")
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
        assert_eq!(ours_side("1\n=======\n"), "1\n=======\n");
    }
}

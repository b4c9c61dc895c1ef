//! Sections and paragraphs that the user added to a Markdown page, where the template changes the
//! text around them: git calls that a conflict, because their place was removed.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::merge::three_way::{self, Outcome, Region, RegionLines, Sides};

/// Settles conflicts in which ours only added sections.
pub fn settle(sides: &Sides<'_>, regions: &mut Vec<Region>) {
    let is_conflict = |region: &Region| region.outcome == Outcome::Conflict;
    let mut from = 0;
    while let Some(at) = regions[from..].iter().position(is_conflict) {
        let at = from + at;
        from = at + 1;
        for range in [stretch(sides, regions, at), at..at + 1] {
            let span = three_way::span_of(&regions[range.clone()]);
            let merged =
                span.and_then(|span| Some((theirs_then_our_sections(sides, &span)?, span)));
            if let Some((text, span)) = merged {
                from = range.start + 1;
                let outcome = Outcome::Merged(text);
                regions.splice(range, [Region { span, outcome }]);
                break;
            }
        }
    }
}

/// A conflict with the changes around it that only empty lines part from it: a heading and the text
/// below it may be two changes.
fn stretch(sides: &Sides<'_>, regions: &[Region], at: usize) -> Range<usize> {
    let joins = |region: &Region| {
        let lines = &sides.ours[region.span.ours.clone()];
        region.outcome != Outcome::Same || lines.iter().all(|line| line.trim().is_empty())
    };
    let above = regions[..at]
        .iter()
        .rev()
        .take_while(|it| joins(it))
        .count();
    let below = regions[at..].iter().take_while(|it| joins(it)).count();
    at - above..at + below
}

/// Their lines, and then the sections that ours added; `None` where ours did anything but add whole
/// sections, or theirs has a section of that heading.
fn theirs_then_our_sections(sides: &Sides<'_>, span: &RegionLines) -> Option<String> {
    let base = &sides.base[span.base.clone()];
    let ours = &sides.ours[span.ours.clone()];
    let theirs = sides.theirs[span.theirs.clone()].concat();
    let mut parts = vec![theirs.trim_end().to_owned()];
    for op in capture_diff_slices(Algorithm::Myers, base, ours) {
        let added = &ours[op.new_range()];
        match op.tag() {
            DiffTag::Equal => {}
            DiffTag::Insert => parts.push(section(added, &theirs)?),
            DiffTag::Delete | DiffTag::Replace => return None,
        }
    }
    parts.retain(|part| !part.is_empty());
    let is_blank = |line: Option<&&str>| line.is_some_and(|line| line.trim().is_empty());
    let above = if is_blank(ours.first()) && !theirs.starts_with('\n') {
        "\n"
    } else {
        ""
    };
    let below = if is_blank(ours.last()) { "\n\n" } else { "\n" };
    Some(format!("{above}{}{below}", parts.join("\n\n")))
}

/// Added lines that are whole: a section with a heading of its own, or paragraphs. A row or an entry
/// belongs to the lines around it.
fn section(added: &[&str], theirs: &str) -> Option<String> {
    let text = added.concat();
    let first = text.trim().lines().next()?;
    let is_blank = |line: Option<&&str>| line.is_some_and(|line| line.trim().is_empty());
    let stands_alone = is_blank(added.first()) || is_blank(added.last());
    let is_part = first.starts_with(['|', '*', '-', '+']) || !stands_alone;
    let is_heading = first.starts_with('#');
    let is_known = is_heading && theirs.lines().any(|line| line == first);
    (!is_known && (is_heading || !is_part)).then(|| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use crate::merge::{Language, MergeContext, merge};

    const BASE: &str =
        "# A\n\nText.\n\n## Rows\n\n| a |\n| --- |\n| b |\n\n## Names\n\n| c |\n| --- |\n| d |\n";

    fn merged(ours: &str, theirs: &str) -> (String, usize) {
        let context = MergeContext {
            language: Language::Markdown,
            original: ours,
        };
        let merged = merge(BASE, ours, theirs, &context);
        (merged.text, merged.conflicts)
    }

    #[test]
    fn sections_of_the_user_stay_where_those_around_them_go() {
        let own = "## Own\n\n| o |\n| --- |\n| p |\n";
        let between = BASE.replace("## Names", &format!("{own}\n## Names"));
        let below = format!("{BASE}\n{own}");
        let above = BASE.replace("## Rows", &format!("{own}\n## Rows"));
        for ours in [&between, &below, &above] {
            let (text, conflicts) = merged(ours, "# A\n\nText.\n");
            assert_eq!(
                (text, conflicts),
                (format!("# A\n\nText.\n\n{own}"), 0),
                "{ours}"
            );
        }
        let theirs = "# A\n\nText.\n\n## Notes\n\n* `a`: b\n";
        for ours in [&between, &below] {
            let (text, conflicts) = merged(ours, theirs);
            assert_eq!((text, conflicts), (format!("{theirs}\n{own}"), 0), "{ours}");
        }
    }

    #[test]
    fn a_heading_stays_above_its_paragraphs() {
        let base =
            "# A\n\nText.\n\n## Ends\n\n| a |\n| --- |\n| b |\n\nPages.\n\n## Rows\n\n| c |\n";
        let own = "## Who\n\nGuests.\n\n## What\n\n`d`.\nMore.\n";
        let ours = base.replace("## Rows", &format!("{own}\n## Rows"));
        let theirs = "# A\n\nText.\n\n## Notes\n\n* `c`: d\n* `e`: f\n";
        let context = MergeContext {
            language: Language::Markdown,
            original: &ours,
        };
        let merged = merge(base, &ours, theirs, &context);
        assert_eq!(merged.text, format!("{theirs}\n{own}"));
    }

    #[test]
    fn a_paragraph_stays_below_a_title_that_changes() {
        let context = MergeContext {
            language: Language::Markdown,
            original: "",
        };
        let merged = merge("# A\n", "# A\n\nMine.\n", "# B\n\nText.\n", &context);
        assert_eq!(merged.text.trim_end(), "# B\n\nText.\n\nMine.");
    }

    #[test]
    fn a_row_that_was_edited_or_added_is_a_conflict_where_its_table_goes() {
        let edited = BASE.replace("| b |", "| b, ours |");
        let added = BASE.replace("| b |", "| b |\n| e |");
        for ours in [edited, added] {
            assert_eq!(merged(&ours, "# A\n\nText.\n").1, 1, "{ours}");
        }
    }
}

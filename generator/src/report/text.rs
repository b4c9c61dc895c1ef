//! The report for people.

use std::collections::BTreeMap;

use super::{Mode, Row, RunReport, diff};
use crate::plan::{Class, Mention};

const RED: &str = "\u{1b}[31m";
const GREEN: &str = "\u{1b}[32m";
const YELLOW: &str = "\u{1b}[33m";
const CYAN: &str = "\u{1b}[36m";
const DIM: &str = "\u{1b}[2m";
const PLAIN: &str = "\u{1b}[0m";

/// The number of files that are named in a class of files that are as before.
const NAMED: usize = 5;

/// The number of files that are listed in one class; a thousand created files are counted.
const LISTED: usize = 40;

impl RunReport<'_> {
    /// The report as text with ANSI colours; print it through `anstream`, which takes them out
    /// where they do not belong. With `quiet`, only the files that need action.
    pub fn text(&self, quiet: bool) -> String {
        write(self, quiet)
    }
}

fn write(report: &RunReport<'_>, quiet: bool) -> String {
    let mut text: String = report
        .plan
        .notices
        .iter()
        .map(|notice| format!("{DIM}note: {notice}{PLAIN}\n"))
        .collect();
    let wanted = |row: &Row<'_>| !quiet || wants_action(row, report.mode);
    let rows = report.rows().filter(wanted);
    let (settled, mut rows): (Vec<_>, Vec<_>) = rows.partition(|row| is_settled(row, report.mode));
    let (settled, named) = counted(settled);
    rows.extend(named);
    rows.sort_by_key(|row| (rank(row.change.class), row.class));
    let labels = settled.iter().chain(&rows).map(|row| label(row).len());
    let width = labels.max().unwrap_or(0);
    text.push_str(&of_settled(&settled, width));
    for of_class in rows.chunk_by(|a, b| a.class == b.class) {
        let shown = match report.mode {
            Mode::Generate | Mode::DryRun if of_class.len() > LISTED && !report.diff => LISTED / 2,
            _ => of_class.len(),
        };
        of_class[..shown]
            .iter()
            .for_each(|row| text.push_str(&line(row, width, report.diff && !quiet)));
        if shown < of_class.len() {
            let more = of_class.len() - shown;
            text.push_str(&format!(
                "{:width$}  and {more} more\n",
                label(&of_class[0])
            ));
        }
    }
    rows.retain(|row| !is_settled(row, report.mode));
    fixes(&rows, &mut text);
    text.push_str(&mentions(report));
    if !quiet {
        text.push_str(&summary(report));
    }
    let problems = report.problems().iter();
    text.extend(problems.map(|problem| match &problem.located {
        Some(located) => located.text.clone(),
        None => format!("{RED}error{PLAIN}: {}\n", problem.text()),
    }));
    let help = report.help().iter();
    text.extend(help.map(|help| format!("{CYAN}help{PLAIN}: {help}\n")));
    text
}

/// Files in the same state as after the last run are counted if they are many, because the report
/// is about this run.
fn is_settled(row: &Row<'_>, mode: Mode) -> bool {
    let as_before = matches!(
        row.change.class,
        Class::Keep { moved_on: false } | Class::StaysDeleted { moved_on: false }
    );
    as_before && matches!(mode, Mode::Generate | Mode::DryRun)
}

/// Rows that are only counted, and rows that are named because their class has few.
fn counted(settled: Vec<Row<'_>>) -> (Vec<Row<'_>>, Vec<Row<'_>>) {
    let count = |class: &str| settled.iter().filter(|row| row.class == class).count();
    let classes = settled.iter().map(|row| row.class);
    let many: Vec<&str> = classes.filter(|class| count(class) > NAMED).collect();
    let rows = settled.into_iter();
    rows.partition(|row| many.contains(&row.class))
}

/// One line for each class of them.
fn of_settled(rows: &[Row<'_>], width: usize) -> String {
    let line = |rows: &[&Row<'_>]| {
        format!(
            "{DIM}{:width$}  {} files, as before: formwork status lists them{PLAIN}\n",
            label(rows[0]),
            rows.len()
        )
    };
    let (kept, gone): (Vec<_>, Vec<_>) = rows
        .iter()
        .partition(|row| matches!(row.change.class, Class::Keep { .. }));
    let classes = [kept, gone].into_iter().filter(|rows| !rows.is_empty());
    classes.map(|rows| line(&rows)).collect()
}

fn line(row: &Row<'_>, width: usize, with_diff: bool) -> String {
    let from = row.change.moved_from.as_ref();
    let from = from.map_or_else(String::new, |from| format!(" (from {from})"));
    // A new file needs no reason.
    let reason = match row.change.reason.as_str() {
        "" | "new" => String::new(),
        reason => format!("  {DIM}{reason}{PLAIN}"),
    };
    let colour = colour(row.change.class);
    let mut line = format!(
        "{colour}{:width$}{PLAIN}  {}{from}{reason}\n",
        label(row),
        row.change.path
    );
    if with_diff {
        diff(row.change)
            .lines()
            .for_each(|of_diff| line.push_str(&diff_line(of_diff)));
    }
    line
}

fn diff_line(line: &str) -> String {
    let colour = match line.as_bytes().first() {
        Some(b'+') => GREEN,
        Some(b'-') => RED,
        Some(b'@') => CYAN,
        _ => return format!("{line}\n"),
    };
    format!("{colour}{line}{PLAIN}\n")
}

/// Former names that the compiler does not find after a rename.
fn mentions(report: &RunReport<'_>) -> String {
    let line = |one: &Mention| {
        let Mention {
            path,
            line,
            name,
            now,
        } = one;
        format!(
            "{YELLOW}still names {name}{PLAIN}  {path}:{line}  {DIM}its name is {now} now{PLAIN}\n"
        )
    };
    report.plan.mentions.iter().map(line).collect()
}

/// The sentences that say how to resolve files, each once for all its files.
fn fixes(rows: &[Row<'_>], text: &mut String) {
    let mut fixes: Vec<(&str, Vec<String>)> = Vec::new();
    for row in rows {
        let Some(fix) = row.fix_description else {
            continue;
        };
        let place = fixes.iter().position(|(known, _)| *known == fix);
        let place = place.unwrap_or_else(|| {
            fixes.push((fix, Vec::new()));
            fixes.len() - 1
        });
        let labels = &mut fixes[place].1;
        if !labels.contains(&label(row)) {
            labels.push(label(row));
        }
    }
    for (fix, labels) in fixes {
        text.push_str(&format!("{DIM}{}: {fix}{PLAIN}\n", labels.join(", ")));
    }
}

fn summary(report: &RunReport<'_>) -> String {
    let counts = counts(report);
    let all = match (counts.as_slice(), report.plan.files.len()) {
        ([], 0) => "nothing is rendered".to_owned(),
        ([], 1) => "1 file, as rendered".to_owned(),
        ([], count) => format!("{count} files, all as rendered"),
        (counts, _) => counts.join(", "),
    };
    let note = match report.mode {
        // It never writes.
        Mode::Status => "",
        _ if report.plan.has_markers() => {
            "; nothing was written, because of unresolved conflict markers"
        }
        Mode::DryRun | Mode::Check if !report.plan.is_empty() => "; nothing was written",
        _ => "",
    };
    format!("{all}{note}\n")
}

fn counts(report: &RunReport<'_>) -> Vec<String> {
    let mut counts: BTreeMap<&str, (u8, usize)> = BTreeMap::new();
    let mut unchanged = 0;
    for file in report.changes() {
        match file.class {
            Class::Unchanged => unchanged += 1,
            Class::Adopt if report.mode.looks_at_states() => {}
            class => {
                let count = counts.entry(report.mode.word(class));
                count.or_insert((rank(class), 0)).1 += 1;
            }
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, (rank, _))| *rank);
    let words = counts.iter();
    let words = words.map(|(word, (_, count))| format!("{count} {}", word.replace('_', " ")));
    let mut words: Vec<String> = words.collect();
    if !words.is_empty() && unchanged > 0 {
        words.push(format!("{unchanged} unchanged"));
    }
    words
}

fn label(row: &Row<'_>) -> String {
    row.class.replace('_', " ")
}

/// The report of a quiet run: the remaining work, and under `--check` the files that make it fail.
fn wants_action(row: &Row<'_>, mode: Mode) -> bool {
    if mode == Mode::Check {
        return row.change.is_drift();
    }
    matches!(
        row.change.class,
        Class::Conflict(_) | Class::Orphan | Class::Unresolved
    )
}

/// Files that need action come last, next to the prompt.
fn rank(class: Class) -> u8 {
    match class {
        Class::Unchanged | Class::Adopt => 0,
        Class::Keep { .. } => 1,
        Class::StaysDeleted { .. } => 2,
        Class::Create => 3,
        Class::Write => 4,
        Class::Merge => 5,
        Class::Move => 6,
        Class::Delete => 7,
        Class::Orphan => 8,
        Class::Conflict(_) => 9,
        Class::Unresolved => 10,
    }
}

fn colour(class: Class) -> &'static str {
    match class {
        Class::Create | Class::Write | Class::Merge | Class::Move => GREEN,
        Class::Adopt | Class::Keep { .. } | Class::Unchanged => DIM,
        Class::StaysDeleted { .. } | Class::Delete | Class::Orphan => YELLOW,
        Class::Conflict(_) | Class::Unresolved => RED,
    }
}

//! The report for programs.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{Mode, Row, RunReport, diff, state_word, word};
use crate::error::messages;
use crate::plan::{Cause, Class, Mention, Plan};

#[derive(Serialize)]
struct Json<'a> {
    version: u32,
    command: &'a str,
    exit: u8,
    errors: Vec<String>,
    diagnostics: Vec<serde_json::Value>,
    files: Vec<File<'a>>,
    summary: BTreeMap<&'static str, usize>,
    mentions: &'a [Mention],
    notices: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    help: &'a [String],
}

#[derive(Serialize)]
struct File<'a> {
    path: &'a str,
    class: &'static str,
    reason: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    keys: &'a [String],
    #[serde(rename = "mend", skip_serializing_if = "Option::is_none")]
    fix_description: Option<&'a str>,
    #[serde(rename = "hint", skip_serializing_if = "Option::is_none")]
    fix_command: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moved_from: Option<&'a str>,
    drift: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
}

impl RunReport<'_> {
    /// The report as JSON, on one line:
    ///
    /// ```json
    /// {"version":1,"command":"generate","exit":3,"errors":[],"diagnostics":[],
    ///  "files":[{"path":"src/a.rs","class":"conflicted","reason":"…","keys":["actions"],"mend":"…","hint":"…","moved_from":"…","drift":true,"diff":"…"}],
    ///  "summary":{"created":0,"adopted":0,"updated":0,"merged":0,"moved":0,"kept":0,"deleted":0,"stays_deleted":0,
    ///             "conflicted":1,"orphaned":0,"unresolved":0,"unchanged":7,"state":2},
    ///  "mentions":[{"path":"src/a.rs","line":7,"name":"title","now":"label"}],"notices":[]}
    /// ```
    ///
    /// `version` grows when a key changes its meaning; keys may be added. Every answer of every
    /// command has the first five keys; a run that was refused names no files, and may have `help`.
    /// `files` leaves out unchanged files. `class` is a word of the summary: what was done with the
    /// file, and with `--check` and `status` the state it is in (`stale`, `edited`, `missing`,
    /// `orphaned`, `conflicted`). With those two, the summary counts both. `keys` are the keys of
    /// its manifest that changed, where the render is another for them. `hint` is a command; it,
    /// `keys`, `mend`, `moved_from` and `diff` may be absent. `state` counts the files written in
    /// `.formwork`. `mentions` are lines of edited files and of the user's own that still contain a name that was renamed.
    /// Under `--check`, `drift` says whether the file is why the status is 5.
    pub fn json(&self) -> String {
        write(self)
    }
}

/// The keys of a report, beside those of every answer, where nothing was planned.
pub fn of_nothing() -> serde_json::Value {
    let report = RunReport {
        plan: &Plan::default(),
        command: "",
        again: "",
        mode: Mode::Generate,
        diff: false,
        diagnostics: &[],
    };
    serde_json::json!({ "files": [], "summary": summary(&report), "mentions": [], "notices": [] })
}

fn write(report: &RunReport<'_>) -> String {
    let located = report.problems().iter();
    let located = located.filter_map(|problem| Some(problem.located.as_ref()?.json.clone()));
    let json = Json {
        version: 1,
        command: report.command,
        exit: report.exit().code(),
        errors: messages(report.problems()),
        diagnostics: report.diagnostics.iter().cloned().chain(located).collect(),
        files: report.rows().map(|row| file(&row, report.diff)).collect(),
        summary: summary(report),
        mentions: &report.plan.mentions,
        notices: &report.plan.notices,
        help: report.help(),
    };
    // Strings, numbers and lists of both can always be written as JSON.
    serde_json::to_string(&json).unwrap_or_default()
}

fn file<'a>(row: &Row<'a>, with_diff: bool) -> File<'a> {
    File {
        path: &row.change.path,
        class: row.class,
        reason: &row.change.reason,
        keys: &row.change.keys,
        fix_description: row.fix_description,
        fix_command: row.fix_command.clone(),
        moved_from: row.change.moved_from.as_deref(),
        drift: row.change.is_drift(),
        diff: with_diff
            .then(|| diff(row.change))
            .filter(|diff| !diff.is_empty()),
    }
}

fn summary(report: &RunReport<'_>) -> BTreeMap<&'static str, usize> {
    let all = [
        Class::Create,
        Class::Adopt,
        Class::Write,
        Class::Merge,
        Class::Move,
        Class::Keep { moved_on: false },
        Class::Delete,
        Class::StaysDeleted { moved_on: false },
        Class::Conflict(Cause::Foreign),
        Class::Orphan,
        Class::Unresolved,
        Class::Unchanged,
    ];
    let words = all
        .into_iter()
        .flat_map(|class| [word(class), state_word(class)]);
    let mut counts: BTreeMap<&'static str, usize> = words.map(|word| (word, 0)).collect();
    for file in report.changes() {
        let words = BTreeSet::from([word(file.class), report.mode.word(file.class)]);
        for word in words {
            *counts.entry(word).or_default() += 1;
        }
    }
    let state = match report.is_stopped() {
        true => 0,
        false => report.plan.state.len(),
    };
    counts.insert("state", state);
    counts
}

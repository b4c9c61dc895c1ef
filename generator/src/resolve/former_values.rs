//! `was: { canceled: cancelled }`: values that an enum listed before, and the values that replace them in rows.

use crate::diagnostic::Code;
use crate::manifest::Node;
use crate::project::ColumnType;
use crate::suggestion::did_you_mean;

use super::report::Report;

/// Reads the mapping; reports values that the enum still lists, and replacements that it does not list.
pub fn read(node: &Node, kind: &ColumnType, report: &mut Report<'_>) -> Vec<(String, String)> {
    let ColumnType::Enum(values) = kind else {
        report
            .wrong_type(node, "a former name", "text")
            .help("a mapping of former values is for enums");
        return Vec::new();
    };
    let label = "the former values";
    let entries = report.entries(node, label, Code::DuplicateKey);
    let mut former = Vec::new();
    for entry in entries.unwrap_or_default() {
        let Some(to) = report.word(entry.value, "the value that replaces it") else {
            continue;
        };
        if values.iter().any(|value| value == entry.name) {
            let message = format!("the enum still lists `{}`", entry.name);
            let error = report.error(Code::FormerName, entry.key.span, message);
            error.help("map a value that the enum does not list any more to one that it lists");
        } else if !values.contains(&to.text) {
            let message = format!("the enum does not list `{}`", to.text);
            let known: Vec<&str> = values.iter().map(String::as_str).collect();
            let error = report.error(Code::FormerName, to.span, message);
            error.maybe_help(did_you_mean(&to.text, &known));
        } else {
            former.push((entry.name.to_owned(), to.text));
        }
    }
    former
}

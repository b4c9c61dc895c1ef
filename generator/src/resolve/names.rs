//! Names of columns and tables, as manifests write them.

use crate::diagnostic::Code;
use crate::manifest::{Node, Value};
use crate::name;

use super::report::{Report, Word};

/// A name of a column or table.
pub fn column_word(node: &Node, label: &str, report: &mut Report<'_>) -> Option<Word> {
    let word = report.word(node, label)?;
    if name::is_column(&word.text) {
        return Some(word);
    }
    report
        .error(
            Code::IllegalName,
            node.span,
            format!("{label} cannot be `{}`", word.text),
        )
        .help("use at most 63 letters, digits and `_`");
    None
}

/// The name of a table, alone or with the one it had before: `{ name: dishes, was: meals }`.
pub fn named_table(
    node: &Node,
    label: &str,
    report: &mut Report<'_>,
) -> Option<(Word, Option<Word>)> {
    if !matches!(node.value, Value::Mapping(..)) {
        return Some((column_word(node, label, report)?, None));
    }
    let fields = report.fields(node, label, &["name", "was"])?;
    let Some(name) = fields.get("name") else {
        report
            .error(Code::Missing, node.span, format!("{label} has no name"))
            .help("write `{ name: dishes, was: meals }`");
        return None;
    };
    let was = fields
        .get("was")
        .and_then(|was| column_word(was, &format!("the former name of {label}"), report));
    Some((column_word(name, label, report)?, was))
}

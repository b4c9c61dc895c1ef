//! Names of columns and tables, as manifests write them.

use crate::diagnostic::Code;
use crate::manifest::Value;
use crate::name;

use super::reader::Reader;
use super::report::Word;

/// Reads the name of a column or table.
pub fn column_word(node: &Reader<'_>) -> Option<Word> {
    let word = node.word()?;
    if name::is_column(&word.text) {
        return Some(word);
    }
    let message = format!("{} cannot be `{}`", node.label, word.text);
    let help = "use at most 63 letters, digits and `_`";
    node.reject(Code::IllegalName, message, help);
    None
}

/// Reads the name of a table, alone or with the one it had before: `{ name: dishes, was: meals }`.
pub fn named_table(node: &Reader<'_>) -> Option<(Word, Option<Word>)> {
    let label = &node.label;
    if !matches!(node.node.value, Value::Mapping(..)) {
        return Some((column_word(node)?, None));
    }
    let fields = node.fields(&["name", "was"])?;
    let Some(name) = fields.get("name") else {
        let message = format!("{label} has no name");
        let help = "write `{ name: dishes, was: meals }`";
        node.reject(Code::Missing, message, help);
        return None;
    };
    let was = fields.get("was");
    let was = was.and_then(|was| column_word(&was.named(format!("the former name of {label}"))));
    Some((column_word(&name.named(label))?, was))
}

//! The fields that the transformer adds to the attributes or removes from them.

use crate::diagnostic::Code;
use crate::name;
use crate::project::{Transform, TransformSource};
use crate::resolve::columns::ModelNames;
use crate::resolve::reader::{Entry, Fields};

/// Reads `transform:`; without it, the record shows its attributes.
pub(super) fn read(fields: &Fields<'_>, model: ModelNames<'_>) -> Transform {
    let entries = fields.entries("transform", Code::DuplicateKey);
    let (only, entries): (Vec<_>, Vec<_>) =
        entries.into_iter().partition(|entry| entry.name == "only");
    let only = only.iter().flat_map(|entry| entry.read("`only`").words());
    let only = only.filter(|word| model.columns.check_visible(word, "`only`"));
    let only: Vec<String> = only.map(|word| word.text).collect();
    let fields = entries.into_iter();
    let fields = fields.filter_map(|entry| transformed(entry, &only, model));
    let mut fields: Vec<(String, TransformSource)> = fields.collect();
    fields.sort_by_key(|(name, _)| name != "id");
    Transform { fields, only }
}

fn transformed(
    entry: Entry<'_>,
    only: &[String],
    model: ModelNames<'_>,
) -> Option<(String, TransformSource)> {
    let name = entry.name;
    if !name::is_field(name) {
        let message = format!("`{name}` cannot name a field");
        let help = "use letters, digits and `_`, a letter first";
        entry.reject(Code::IllegalName, message, help);
        return None;
    }
    let source = entry.read(format!("the source of `{name}`")).word()?;
    if let Some((message, help)) = name_taken(name, &source.text, only, model) {
        entry.reject(Code::NameCollision, message, help);
        return None;
    }
    if name == "id" && source.text != model.key {
        let key = model.key;
        let (message, help) = (
            format!("`id` is the key `{key}`"),
            format!("write `id: {key}`"),
        );
        let report = entry.report;
        report.reject(Code::NameCollision, source.span, message, help);
        return None;
    }
    let source = match source.text.as_str() {
        "self" => TransformSource::SelfLinks,
        _ if !model.columns.check_visible(&source, "`transform`") => return None,
        column => TransformSource::Column(name::field(column)),
    };
    Some((name.to_owned(), source))
}

/// Returns why a field cannot have this name: message and help.
fn name_taken(
    name: &str,
    source: &str,
    only: &[String],
    model: ModelNames<'_>,
) -> Option<(String, &'static str)> {
    let is_shown = only.is_empty() || only.iter().any(|column| column == name);
    if is_shown && source != name && model.columns.is_visible(name) && name != model.key {
        let help = "give the field another name, or leave the attribute out by `only:`";
        return Some((format!("`{name}` is an attribute already"), help));
    }
    let mut relations = model.relations.iter();
    let is_relation = relations.any(|relation| relation.name.text == name);
    let help = "give the field another name: an included relation is written under its own name";
    is_relation.then(|| (format!("`{name}` is a relation already"), help))
}

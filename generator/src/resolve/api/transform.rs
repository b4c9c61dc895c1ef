//! The fields that the transformer adds to the attributes or removes from them.

use crate::diagnostic::Code;
use crate::manifest::Node;
use crate::name;
use crate::project::{Transform, TransformSource};

use super::super::report::{MappingEntry, Report, Word};
use super::model_names::ModelNames;

/// Reads `transform:`; without it, the record shows its attributes.
pub(super) fn read(
    node: Option<&Node>,
    model: ModelNames<'_>,
    report: &mut Report<'_>,
) -> Transform {
    let mut transform = Transform::default();
    let Some(node) = node else { return transform };
    let entries = report
        .entries(node, "`transform`", Code::DuplicateKey)
        .unwrap_or_default();
    for entry in &entries {
        if entry.name == "only" {
            let words = report.words(entry.value, "`only`");
            let fits = |word: &Word| model.columns.check_visible(word, "`only`", report);
            transform.only = words
                .into_iter()
                .filter(fits)
                .map(|word| word.text)
                .collect();
        }
    }
    for entry in entries.into_iter().filter(|entry| entry.name != "only") {
        if let Some(field) = transformed(entry, &transform.only, model, report) {
            transform.fields.push(field);
        }
    }
    transform.fields.sort_by_key(|(name, _)| name != "id");
    transform
}

fn transformed(
    entry: MappingEntry<'_>,
    only: &[String],
    model: ModelNames<'_>,
    report: &mut Report<'_>,
) -> Option<(String, TransformSource)> {
    let name = entry.name;
    if !name::is_column(name) || name.starts_with(|c: char| c.is_ascii_digit()) {
        report
            .error(
                Code::IllegalName,
                entry.key.span,
                format!("`{name}` cannot name a field"),
            )
            .help("use letters, digits and `_`, a letter first");
        return None;
    }
    let word = report.word(entry.value, &format!("the source of `{name}`"))?;
    let shown = only.is_empty() || only.iter().any(|column| column == name);
    if shown && word.text != name && model.columns.is_visible(name) && name != model.key {
        report
            .error(
                Code::NameCollision,
                entry.key.span,
                format!("`{name}` is an attribute already"),
            )
            .help("give the field another name, or leave the attribute out by `only:`");
        return None;
    }
    if model
        .relations
        .iter()
        .any(|relation| relation.name.text == name)
    {
        report
            .error(
                Code::NameCollision,
                entry.key.span,
                format!("`{name}` is a relation already"),
            )
            .help(
                "give the field another name: an included relation is written under its own name",
            );
        return None;
    }
    if name == "id" && word.text != model.key {
        report
            .error(
                Code::NameCollision,
                word.span,
                format!("`id` is the key `{}`", model.key),
            )
            .help(format!("write `id: {}`", model.key));
        return None;
    }
    if word.text == "self" {
        return Some((name.to_owned(), TransformSource::SelfLinks));
    }
    let visible = model.columns.check_visible(&word, "`transform`", report);
    visible.then(|| {
        (
            name.to_owned(),
            TransformSource::Column(name::field(&word.text)),
        )
    })
}

//! One relation as written: kind, target and options.

use formwork_vocabulary::did_you_mean::nearest;

use crate::diagnostic::Code;
use crate::manifest::vocabulary::{RELATION_KINDS, RELATION_OPTIONS, relation_options};
use crate::manifest::{Node, Span};
use crate::name;
use crate::project::{Context, Include, Load};
use crate::suggestion::{did_you_mean, quoted};

use super::draft::RelationDraft;
use super::names::{column_word, named_table};
use super::report::{Fields, MappingEntry, Report, Word};

/// Reads a relation; `None` after reporting why it cannot be read.
pub fn read(entry: MappingEntry<'_>, report: &mut Report<'_>) -> Option<RelationDraft> {
    if !name::is_column(entry.name) || entry.name.starts_with(|c: char| c.is_ascii_digit()) {
        report
            .error(
                Code::IllegalName,
                entry.key.span,
                format!("`{}` cannot name a relation", entry.name),
            )
            .help("use letters, digits and `_`, a letter first");
        return None;
    }
    if let Some(target) = entry.value.as_text() {
        report
            .wrong_type(
                entry.value,
                &format!("the relation `{}`", entry.name),
                "a mapping",
            )
            .help(format!(
                "write `{}: {{ belongs_to: {target} }}`",
                entry.name
            ));
        return None;
    }
    let label = format!("the relation `{}`", entry.name);
    let kind = kind_of(entry, &label, report)?;
    let mut known = vec![kind];
    known.extend(RELATION_OPTIONS);
    known.extend(relation_options(kind));
    let fields = report.fields(entry.value, &label, &known)?;
    let targets = targets(fields.get(kind)?, kind, report);
    if targets.is_empty() {
        return None;
    }
    let name = Word {
        text: entry.name.to_owned(),
        span: entry.key.span,
    };
    let mut draft = blank(name, kind, targets);
    columns(&mut draft, &fields, report);
    rows(&mut draft, &fields, report);
    access(&mut draft, &fields, report);
    complete(&draft, entry.key.span, report).then_some(draft)
}

/// The one kind among the keys; reports none and several.
fn kind_of(entry: MappingEntry<'_>, label: &str, report: &mut Report<'_>) -> Option<&'static str> {
    let crate::manifest::Value::Mapping(pairs, _) = &entry.value.value else {
        report.wrong_type(entry.value, label, "a mapping");
        return None;
    };
    let keys: Vec<&Node> = pairs.iter().map(|(key, _)| key).collect();
    let kind = |key: &Node| {
        let text = key.as_text()?;
        RELATION_KINDS.iter().copied().find(|kind| *kind == text)
    };
    let kinds: Vec<_> = keys
        .iter()
        .filter_map(|key| Some((key.span, kind(key)?)))
        .collect();
    match kinds[..] {
        [(_, kind)] => Some(kind),
        [] => {
            no_kind(entry, &keys, report);
            None
        }
        [(_, one), (span, other), ..] => {
            report
                .error(
                    Code::RelationMisfit,
                    span,
                    format!("{label} is `{one}` and `{other}` at once"),
                )
                .help("leave one of them, and give the other a relation of its own");
            None
        }
    }
}

fn no_kind(entry: MappingEntry<'_>, keys: &[&Node], report: &mut Report<'_>) {
    let misspelt = keys.iter().find_map(|key| {
        let text = key.as_text()?;
        let near = nearest(text, RELATION_KINDS.iter().copied())?;
        Some((key.span, text, near))
    });
    match misspelt {
        Some((span, text, near)) => {
            report
                .error(
                    Code::UnknownKey,
                    span,
                    format!("unknown kind of relation `{text}`"),
                )
                .help(format!("did you mean `{near}`?"));
        }
        None => {
            report
                .error(
                    Code::Missing,
                    entry.key.span,
                    format!("the relation `{}` has no kind", entry.name),
                )
                .help(format!("add one of {}", quoted(RELATION_KINDS)));
        }
    }
}

fn targets(node: &Node, kind: &str, report: &mut Report<'_>) -> Vec<(String, Word)> {
    if kind != "morph_to" {
        let word = report.word(node, "the target of a relation");
        return word.map(|word| (String::new(), word)).into_iter().collect();
    }
    let Some(entries) = report.entries(node, "`morph_to`", Code::DuplicateKey) else {
        return Vec::new();
    };
    let is_empty =
        matches!(&node.value, crate::manifest::Value::Mapping(pairs, _) if pairs.is_empty());
    if is_empty {
        report
            .error(Code::Missing, node.span, "`morph_to` names no target")
            .help("write `morph_to: { orders: orders }`: the value stored, and the key");
    }
    let word = |entry: MappingEntry<'_>, report: &mut Report<'_>| {
        let word = report.word(entry.value, "the target of a relation")?;
        Some((entry.name.to_owned(), word))
    };
    entries
        .into_iter()
        .filter_map(|entry| word(entry, report))
        .collect()
}

fn blank(name: Word, kind: &'static str, targets: Vec<(String, Word)>) -> RelationDraft {
    RelationDraft {
        name,
        kind,
        targets,
        column: None,
        other_column: None,
        target_key: None,
        pivot: None,
        pivot_was: None,
        was: None,
        morph: None,
        value: None,
        conditions: Vec::new(),
        order: Vec::new(),
        first: false,
        json_type: None,
        include: Include::Never,
        load: Load::IfIncluded,
        sync: false,
        nullable: None,
        constraint: true,
    }
}

fn columns(draft: &mut RelationDraft, fields: &Fields<'_>, report: &mut Report<'_>) {
    let mut word = |key: &str| {
        let node = fields.get(key)?;
        column_word(node, &format!("`{key}`"), report)
    };
    draft.column = word("column");
    draft.other_column = word("other_column");
    draft.target_key = word("target_key");
    draft.morph = word("morph");
    draft.was = word("was");
    if let Some(node) = fields.get("pivot")
        && let Some((pivot, was)) = named_table(node, "`pivot`", report)
    {
        (draft.pivot, draft.pivot_was) = (Some(pivot), was);
    }
    if let Some(node) = fields.get("value") {
        draft.value = report.text(node, "`value`").map(ToOwned::to_owned);
    }
    if let Some(node) = fields.get("nullable") {
        draft.nullable = report.boolean(node, "`nullable`");
    }
    if let Some(node) = fields.get("constraint") {
        draft.constraint = report.boolean(node, "`constraint`").unwrap_or(true);
    }
}

/// Which rows of the target, and in which order.
fn rows(draft: &mut RelationDraft, fields: &Fields<'_>, report: &mut Report<'_>) {
    if let Some(node) = fields.get("where") {
        for entry in report
            .entries(node, "`where`", Code::DuplicateKey)
            .unwrap_or_default()
        {
            let word = Word {
                text: entry.name.to_owned(),
                span: entry.key.span,
            };
            draft.conditions.push((word, entry.value.clone()));
        }
    }
    if let Some(node) = fields.get("order") {
        draft.order = match node.as_text() {
            Some(_) => report.word(node, "`order`").into_iter().collect(),
            None => report.words(node, "`order`"),
        };
    }
    if let Some(node) = fields.get("first") {
        draft.first = report.boolean(node, "`first`").unwrap_or(false);
        if draft.first && draft.kind.ends_with("_one") {
            report
                .error(
                    Code::RelationMisfit,
                    node.span,
                    format!("`{}` already leads to one row", draft.kind),
                )
                .help("leave `first` out");
        }
    }
}

fn access(draft: &mut RelationDraft, fields: &Fields<'_>, report: &mut Report<'_>) {
    if let Some(node) = fields.get("type") {
        draft.json_type = member_name(node, report);
    }
    if let Some(node) = fields.get("include") {
        draft.include = include(node, report).unwrap_or(Include::Never);
    }
    if let Some(node) = fields.get("load") {
        draft.load = load(node, report).unwrap_or(Load::IfIncluded);
    }
    if let Some(node) = fields.get("write") {
        draft.sync = report.one_of(node, "`write`", &["sync"]).is_some();
    }
}

/// `always`, or the computed attributes that a relation is loaded for.
fn load(node: &Node, report: &mut Report<'_>) -> Option<Load> {
    if node.as_text().is_some() {
        return report
            .one_of(node, "`load`", &["always"])
            .map(|_| Load::Always);
    }
    let fields = report.fields(node, "`load`", &["for"])?;
    let named = fields.get("for");
    let named = named.map_or_else(Vec::new, |node| report.words(node, "`for`"));
    let names: Vec<String> = named.into_iter().map(|word| word.text).collect();
    if names.is_empty() && !fields.damaged {
        report
            .error(
                Code::Missing,
                node.span,
                "`load` does not name the attributes that need the relation",
            )
            .help("write `load: { for: [stock_qty] }`, or `load: always`");
    }
    (!names.is_empty()).then_some(Load::For(names))
}

fn include(node: &Node, report: &mut Report<'_>) -> Option<Include> {
    const WORDS: &[&str] = &["true", "false", "default", "users", "customer", "admin"];
    let text = report.text(node, "`include`")?;
    Some(match text {
        "true" => Include::Allowed(Context::All),
        "false" => Include::Never,
        "default" => Include::Default,
        "users" => Include::Allowed(Context::Users),
        "customer" => Include::Allowed(Context::Customer),
        "admin" => Include::Allowed(Context::Admin),
        _ => {
            report
                .error(
                    Code::UnknownWord,
                    node.span,
                    format!("`include` cannot be `{text}`"),
                )
                .maybe_help(did_you_mean(text, WORDS));
            return None;
        }
    })
}

/// A member name of JSON:API 1.1, as far as a type needs it.
fn member_name(node: &Node, report: &mut Report<'_>) -> Option<String> {
    let text = report.text(node, "`type`")?;
    let fits = text
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    if !fits {
        report
            .error(
                Code::IllegalName,
                node.span,
                format!("`{text}` cannot be a type of JSON:API"),
            )
            .help("use letters, digits, `_` and `-`");
        return None;
    }
    Some(text.to_owned())
}

/// The option that a polymorphic relation needs.
fn complete(draft: &RelationDraft, span: Span, report: &mut Report<'_>) -> bool {
    let needs_morph = draft.kind.starts_with("morph_") && draft.kind != "morph_to";
    if !needs_morph || draft.morph.is_some() {
        return true;
    }
    report
        .error(
            Code::Missing,
            span,
            format!("`{}` needs `morph`", draft.kind),
        )
        .help("add `morph: attachment`: the columns are `attachment_type` and `attachment_id`");
    false
}

//! One relation as written: kind, target and options.

use formwork_vocabulary::did_you_mean::nearest;

use crate::diagnostic::Code;
use crate::manifest::vocabulary::{RELATION_KINDS, RELATION_OPTIONS, RelationWord};
use crate::manifest::{Node, Value};
use crate::name;
use crate::project::{Context, Include, Load};
use crate::suggestion::quoted;

use super::draft::RelationDraft;
use super::names::{column_word, named_table};
use super::reader::{Entry, Fields, Reader};
use super::report::Word;

/// Reads a relation; `None` after reporting why it cannot be read.
pub fn read(entry: Entry<'_>) -> Option<RelationDraft> {
    let name = entry.name;
    if !name::is_field(name) {
        let message = format!("`{name}` cannot name a relation");
        let help = "use letters, digits and `_`, a letter first";
        entry.reject(Code::IllegalName, message, help);
        return None;
    }
    let mapping = entry.read(format!("the relation `{name}`"));
    if let Some(target) = entry.value.as_text() {
        let help = format!("write `{name}: {{ belongs_to: {target} }}`");
        mapping.wrong_type("a mapping").help(help);
        return None;
    }
    let kind = kind(entry, &mapping)?;
    let mut known = vec![kind.text()];
    known.extend(RELATION_OPTIONS);
    known.extend(kind.options());
    let fields = mapping.fields(&known)?;
    let targets = targets(&fields.get(kind.text())?, kind);
    if targets.is_empty() {
        return None;
    }
    let draft = options(entry.key(), kind, targets, &fields);
    use RelationWord::{MorphMany, MorphManyToMany, MorphOne};
    let needs_morph = matches!(kind, MorphOne | MorphMany | MorphManyToMany);
    if needs_morph && draft.morph.is_none() {
        let message = format!("`{}` needs `morph`", kind.text());
        let help = "add `morph: attachment`: the columns are `attachment_type` and `attachment_id`";
        entry.reject(Code::Missing, message, help);
        return None;
    }
    Some(draft)
}

/// Returns the one kind among the keys; reports none and several.
fn kind(entry: Entry<'_>, mapping: &Reader<'_>) -> Option<RelationWord> {
    let Value::Mapping(pairs, _) = &entry.value.value else {
        mapping.wrong_type("a mapping");
        return None;
    };
    let keys = pairs.iter().map(|(key, _)| key);
    let kind = |key: &Node| RelationWord::named(key.as_text()?);
    let kinds = keys.clone().filter_map(|key| Some((key, kind(key)?)));
    let kinds: Vec<(&Node, RelationWord)> = kinds.collect();
    match kinds[..] {
        [(_, kind)] => return Some(kind),
        [] => reject_no_kind(entry, keys),
        [(_, one), (key, other), ..] => {
            let (label, one, other) = (&mapping.label, one.text(), other.text());
            let message = format!("{label} is `{one}` and `{other}` at once");
            let help = "leave one of them, and give the other a relation of its own";
            let report = mapping.report;
            report.reject(Code::RelationMisfit, key.span, message, help);
        }
    }
    None
}

fn reject_no_kind<'n>(entry: Entry<'_>, mut keys: impl Iterator<Item = &'n Node>) {
    let misspelt = keys.find_map(|key| {
        let text = key.as_text()?;
        let near = nearest(text, RELATION_KINDS.iter().copied())?;
        Some((key.span, text, near))
    });
    let Some((span, text, near)) = misspelt else {
        let message = format!("the relation `{}` has no kind", entry.name);
        let help = format!("add one of {}", quoted(RELATION_KINDS));
        return entry.reject(Code::Missing, message, help);
    };
    let message = format!("unknown kind of relation `{text}`");
    let (report, help) = (entry.report, format!("did you mean `{near}`?"));
    report.reject(Code::UnknownKey, span, message, help);
}

fn targets(node: &Reader<'_>, kind: RelationWord) -> Vec<(String, Word)> {
    let label = "the target of a relation";
    if kind != RelationWord::MorphTo {
        let word = node.clone().named(label).word();
        return word.map(|word| (String::new(), word)).into_iter().collect();
    }
    if matches!(&node.node.value, Value::Mapping(pairs, _) if pairs.is_empty()) {
        let help = "write `morph_to: { orders: orders }`: the value stored, and the key";
        node.reject(Code::Missing, "`morph_to` names no target", help);
    }
    let entries = node.entries(Code::DuplicateKey).into_iter();
    let targets =
        entries.filter_map(|entry| Some((entry.name.to_owned(), entry.read(label).word()?)));
    targets.collect()
}

fn options(
    name: Word,
    kind: RelationWord,
    targets: Vec<(String, Word)>,
    fields: &Fields<'_>,
) -> RelationDraft {
    let column = |key: &str| column_word(&fields.get(key)?);
    let pivot = fields.get("pivot").and_then(|node| named_table(&node));
    let (pivot, pivot_was) = pivot.map_or((None, None), |(pivot, was)| (Some(pivot), was));
    let conditions = fields.entries("where", Code::DuplicateKey).into_iter();
    let order = fields.get("order");
    let include = fields.get("include").and_then(|node| include(&node));
    let load = fields.get("load").and_then(|node| load(&node));
    let write = fields.get("write").and_then(|node| node.one_of(&["sync"]));
    RelationDraft {
        name,
        kind,
        targets,
        column: column("column"),
        other_column: column("other_column"),
        target_key: column("target_key"),
        pivot,
        pivot_was,
        was: column("was"),
        morph: column("morph"),
        value: fields.text("value").map(ToOwned::to_owned),
        conditions: conditions
            .map(|entry| (entry.key(), entry.value.clone()))
            .collect(),
        order: order.map_or_else(Vec::new, |order| order.one_or_more_words()),
        first: first(kind, fields),
        json_type: fields.get("type").and_then(|node| member_name(&node)),
        include: include.unwrap_or(Include::Never),
        load: load.unwrap_or(Load::IfIncluded),
        sync: write.is_some(),
        nullable: fields.boolean("nullable"),
        constraint: fields.boolean("constraint").unwrap_or(true),
    }
}

fn first(kind: RelationWord, fields: &Fields<'_>) -> bool {
    let Some(node) = fields.get("first") else {
        return false;
    };
    let first = node.boolean().unwrap_or(false);
    if first && matches!(kind, RelationWord::HasOne | RelationWord::MorphOne) {
        let message = format!("`{}` already leads to one row", kind.text());
        node.reject(Code::RelationMisfit, message, "leave `first` out");
    }
    first
}

/// Reads `always`, or the computed attributes that a relation is loaded for.
fn load(node: &Reader<'_>) -> Option<Load> {
    if node.node.as_text().is_some() {
        return node.one_of(&["always"]).map(|_| Load::Always);
    }
    let fields = node.fields(&["for"])?;
    let names = fields.words("for").into_iter();
    let names: Vec<String> = names.map(|word| word.text).collect();
    if names.is_empty() && !fields.damaged {
        let message = "`load` does not name the attributes that need the relation";
        let help = "write `load: { for: [stock_qty] }`, or `load: always`";
        node.reject(Code::Missing, message, help);
    }
    (!names.is_empty()).then_some(Load::For(names))
}

fn include(node: &Reader<'_>) -> Option<Include> {
    const WORDS: [&str; 6] = ["true", "false", "default", "users", "customer", "admin"];
    let includes = [
        Include::Allowed(Context::All),
        Include::Never,
        Include::Default,
        Include::Allowed(Context::Users),
        Include::Allowed(Context::Customer),
        Include::Allowed(Context::Admin),
    ];
    Some(includes[node.one_of(&WORDS)?])
}

/// Reads a member name of JSON:API 1.1, as far as a type needs it.
fn member_name(node: &Reader<'_>) -> Option<String> {
    let text = node.text()?;
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if text.chars().all(fits) {
        return Some(text.to_owned());
    }
    let message = format!("`{text}` cannot be a type of JSON:API");
    let help = "use letters, digits, `_` and `-`";
    node.reject(Code::IllegalName, message, help);
    None
}

//! One manifest file: its key, its tree, and its parts.

use std::collections::{BTreeMap, BTreeSet};

use heck::ToSnakeCase;

use crate::diagnostic::Code;
use crate::manifest::vocabulary::{MODEL_FILE_KEYS, MODEL_KEYS, RESOURCE_KEYS};
use crate::manifest::yaml::{SyntaxError, SyntaxErrorKind};
use crate::manifest::{ManifestFile, ManifestKind, Node, Span, yaml};
use crate::name::{self, RESERVED_KEYS};
use crate::project::{Api, Model, Resource};

use super::api;
use super::columns::{ModelColumns, ModelNames};
use super::draft::{AttributeDraft, Draft, ModelDraft, RelationDraft};
use super::model;
use super::reader::{Fields, Reader};
use super::report::{Diagnostics, Report, Word};
use super::writes;

/// Reads one manifest, and reports every error in it alone.
pub fn read<'s>(file: ManifestFile<'s>) -> (Draft<'s>, Diagnostics) {
    let diagnostics = Diagnostics::default();
    let report = diagnostics.report(file.path);
    let mut draft = Draft {
        path: file.path,
        folder: file.folder,
        key: file.stem.to_owned(),
        kind: file.kind,
        resource: None,
        relations: Vec::new(),
        places: BTreeMap::new(),
        unread: BTreeSet::new(),
        table_span: Span::default(),
        span: Span::default(),
        exists: Vec::new(),
    };
    check_key(file, report);
    match yaml::parse(file.bytes) {
        Ok(node) => fill(&mut draft, &node, file, report),
        Err(error) => syntax(&error, file.bytes, report),
    }
    (draft, diagnostics)
}

/// Maximum length of a key, which is the name of a table where the manifest gives none.
const LONGEST_KEY: usize = 63;

fn check_key(file: ManifestFile<'_>, report: Report<'_>) {
    let key = file.stem;
    let reject = |message: String, help: &str| {
        report.reject(Code::IllegalName, Span::default(), message, help);
    };
    if file.ending != "yaml" {
        let message = "a manifest's file ends in `.yaml`".to_owned();
        reject(message, &format!("rename it to `{key}.yaml`"));
    }
    let is_legal = |key: &str| name::is_plain(key) && key.len() <= LONGEST_KEY;
    if RESERVED_KEYS.contains(&key) {
        let message =
            format!("a resource cannot be called `{key}`: the service uses this path itself");
        let help = "choose another key, which is the name of the file and the path segment";
        reject(message, help);
    } else if !is_legal(key) {
        let better = key.to_snake_case();
        let help = if is_legal(&better) {
            &format!("rename the file to `{better}.yaml`")
        } else {
            "a key has at most 63 lower-case letters, digits and `_`, and begins with a letter"
        };
        reject(format!("`{key}` cannot be the key of a resource"), help);
    }
}

/// Reports why a file gives no tree.
pub fn syntax(error: &SyntaxError, bytes: &[u8], report: Report<'_>) {
    if str::from_utf8(bytes).is_ok_and(|text| report.conflict(text)) {
        return;
    }
    let reject = |code, message: &str, help| report.reject(code, error.span, message, help);
    match &error.kind {
        SyntaxErrorKind::NotUtf8 => {
            reject(Code::NotUtf8, "this is not UTF-8", "save the file as UTF-8");
        }
        SyntaxErrorKind::Empty => {
            let help = "write `name:` and `model:`, or delete the file";
            reject(Code::EmptyFile, "the file is empty", help);
        }
        SyntaxErrorKind::Tab => {
            let help = "YAML counts spaces: indent by two of them";
            reject(Code::Tab, "a tab in the indentation", help);
        }
        SyntaxErrorKind::Aliases => {
            let message = "this alias expands too far, or contains itself";
            let help = "write the value out instead of the alias";
            reject(Code::Aliases, message, help);
        }
        SyntaxErrorKind::Tag => {
            let help = "leave the tag out; write texts in quotes";
            reject(Code::Syntax, "tags (`!…`) are not supported", help);
        }
        SyntaxErrorKind::SecondDocument => {
            let help = "one file holds one manifest: leave out `---`, or make another file";
            reject(Code::Syntax, "a second document begins", help);
        }
        SyntaxErrorKind::Yaml(reason) => {
            let help = "look for an open bracket or quote, a missing space after `:`, or uneven indentation";
            reject(Code::Syntax, &format!("this is not YAML: {reason}"), help);
        }
    }
}

fn fill(draft: &mut Draft<'_>, node: &Node, file: ManifestFile<'_>, report: Report<'_>) {
    let Some(fields) = top_level(node, file.kind, report) else {
        return;
    };
    let model = model::read(fields.get("model"), &draft.key);
    let columns = ModelColumns::new(&model, report);
    for word in model.indexes.iter().flatten() {
        columns.check(word, "`indexes`");
    }
    check_key_columns(&model, file.kind, &columns, report);
    let api = (file.kind == ManifestKind::Resource).then(|| {
        let names = ModelNames {
            columns: &columns,
            relations: &model.relations,
            key: &model.model.key.name,
        };
        api::read(&fields, &draft.key, names)
    });
    draft.span = fields.key_span("name").unwrap_or_default();
    draft.table_span = model.table_span.unwrap_or(draft.span);
    draft.unread.clone_from(&model.unread);
    let was = fields.get("was").and_then(|node| former_key(&node));
    let names = name::names(&draft.key, model.name.as_deref());
    let text =
        |text: Option<&str>, default: String| text.map_or(default, |text| text.trim().to_owned());
    let title = fields.get("name").and_then(|node| title(&node));
    let title = text(title, name::title(&draft.key));
    let what = match file.kind {
        ManifestKind::Resource => "An API resource",
        ManifestKind::Model => "A supporting model",
    };
    let default = format!("{what} for {}", names.plural_words);
    let description = text(fields.text("description"), default);
    let (mut model, relations) = finish(draft, model, &columns, api.as_ref(), report);
    // A table that is named after its key follows it.
    if model.table_was.is_none() && model.table == draft.key {
        model.table_was.clone_from(&was);
    }
    draft.relations = relations;
    draft.resource = Some(Resource {
        key: draft.key.clone(),
        was,
        title,
        description,
        names,
        model,
        api,
        manifest_path: file.path.to_owned(),
        manifest_text: String::from_utf8_lossy(file.bytes).into_owned(),
    });
}

/// Checks the columns that identify a row together with the key: routes and migrations know one column.
fn check_key_columns(
    model: &ModelDraft,
    kind: ManifestKind,
    columns: &ModelColumns<'_>,
    report: Report<'_>,
) {
    let Some(first) = model.key_with.first() else {
        return;
    };
    if kind == ManifestKind::Resource || model.model.managed {
        let message = "`with` is for supporting models whose table another program makes";
        let help =
            "leave it out: a resource, and a table that migrations make, have a key of one column";
        report.reject(Code::LiteralMisfit, first.span, message, help);
        return;
    }
    for word in &model.key_with {
        columns.check_visible(word, "`with`");
    }
}

/// Checks what needs the whole model, and moves the attributes into it.
fn finish(
    draft: &mut Draft<'_>,
    model: ModelDraft,
    columns: &ModelColumns<'_>,
    api: Option<&Api>,
    report: Report<'_>,
) -> (Model, Vec<RelationDraft>) {
    writes::check_references(&model.attributes, &model.relations, columns, report);
    let mut finished = model.model;
    for AttributeDraft {
        mut attribute,
        span,
        rules,
    } in model.attributes
    {
        writes::require(&mut attribute, span, &rules, api, report);
        let exists = writes::exists(&attribute, &rules, span);
        draft.exists.extend(exists);
        draft.places.insert(attribute.name.clone(), span);
        finished.attributes.push(attribute);
    }
    let texts = |words: Vec<Word>| words.into_iter().map(|word| word.text).collect();
    finished.indexes = model.indexes.into_iter().map(texts).collect();
    finished.key.with = texts(model.key_with);
    (finished, model.relations)
}

/// Reads the key a resource had before.
fn former_key(node: &Reader<'_>) -> Option<String> {
    let was = node.text()?;
    if name::is_plain(was) {
        return Some(was.to_owned());
    }
    let message = format!("`{was}` cannot have been the key of a resource");
    let help = "write the key it had before: the name of its file, without `.yaml`";
    node.reject(Code::IllegalName, message, help);
    None
}

/// Reads the display name, on one line.
fn title<'n>(node: &Reader<'n>) -> Option<&'n str> {
    let text = node.text()?.trim();
    if text.contains(['\n', '\r']) {
        node.wrong_type("one line of text");
        return None;
    }
    Some(text)
}

fn top_level<'n>(node: &'n Node, kind: ManifestKind, report: Report<'n>) -> Option<Fields<'n>> {
    let (label, known) = match kind {
        ManifestKind::Resource => ("a resource", RESOURCE_KEYS),
        ManifestKind::Model => ("a supporting model", MODEL_FILE_KEYS),
    };
    // For a known key in the wrong place, the message names the right place.
    let elsewhere = |name: &str| {
        if MODEL_KEYS.contains(&name) {
            return Some(format!("`{name}` belongs under `model:`"));
        }
        let has_routes = kind == ManifestKind::Model && RESOURCE_KEYS.contains(&name);
        let help =
            "a supporting model has no routes: leave it out, or move the file to `resources/`";
        has_routes.then(|| help.to_owned())
    };
    Reader::new(node, label, report).fields_or(known, elsewhere)
}

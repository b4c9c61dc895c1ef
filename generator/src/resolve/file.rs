//! One manifest file: its key, its tree, and its parts.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::vocabulary::{MODEL_FILE_KEYS, MODEL_KEYS, RESOURCE_KEYS};
use crate::manifest::yaml::{SyntaxError, SyntaxErrorKind};
use crate::manifest::{ManifestFile, ManifestKind, Node, Span, yaml};
use crate::name::{self, RESERVED_KEYS};
use crate::project::{Api, Resource};

use super::api;
use super::columns::ModelColumns;
use super::draft::{AttributeDraft, Draft, ModelDraft};
use super::model;
use super::report::{Fields, Report};
use super::writes;

/// Reads one manifest, and reports everything that is wrong with it alone.
pub fn read<'s>(file: ManifestFile<'s>) -> (Draft<'s>, Vec<Diagnostic>) {
    let mut report = Report::new(file.path);
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
    key(file, &mut report);
    match yaml::parse(file.bytes) {
        Ok(node) => fill(&mut draft, &node, file, &mut report),
        Err(error) => syntax(&error, file.bytes, &mut report),
    }
    (draft, report.found)
}

/// Maximum length of a key, which is the name of a table where the manifest gives none.
const LONGEST_KEY: usize = 63;

fn key(file: ManifestFile<'_>, report: &mut Report<'_>) {
    let span = Span::default();
    if file.ending != "yaml" {
        report
            .error(Code::IllegalName, span, "a manifest's file ends in `.yaml`")
            .help(format!("rename it to `{}.yaml`", file.stem));
    }
    if RESERVED_KEYS.contains(&file.stem) {
        report
            .error(
                Code::IllegalName,
                span,
                format!(
                    "a resource cannot be called `{}`: the service uses this path itself",
                    file.stem
                ),
            )
            .help("choose another key, which is the name of the file and the path segment");
    } else if !name::is_plain(file.stem) || file.stem.len() > LONGEST_KEY {
        use heck::ToSnakeCase;
        let better = file.stem.to_snake_case();
        let found = report.error(
            Code::IllegalName,
            span,
            format!("`{}` cannot be the key of a resource", file.stem),
        );
        if name::is_plain(&better) && better.len() <= LONGEST_KEY {
            found.help(format!("rename the file to `{better}.yaml`"));
        } else {
            found.help(
                "a key has at most 63 lower-case letters, digits and `_`, and begins with a letter",
            );
        }
    }
}

/// Reports why a file gives no tree.
pub fn syntax(error: &SyntaxError, bytes: &[u8], report: &mut Report<'_>) {
    if str::from_utf8(bytes).is_ok_and(|text| report.conflict(text)) {
        return;
    }
    let (code, message, help) = match &error.kind {
        SyntaxErrorKind::NotUtf8 => (
            Code::NotUtf8,
            "this is not UTF-8".to_owned(),
            "save the file as UTF-8",
        ),
        SyntaxErrorKind::Empty => (
            Code::EmptyFile,
            "the file is empty".to_owned(),
            "write `name:` and `model:`, or delete the file",
        ),
        SyntaxErrorKind::Tab => (
            Code::Tab,
            "a tab in the indentation".to_owned(),
            "YAML counts spaces: indent by two of them",
        ),
        SyntaxErrorKind::Aliases => (
            Code::Aliases,
            "this alias expands too far, or contains itself".to_owned(),
            "write the value out instead of the alias",
        ),
        SyntaxErrorKind::Tag => (
            Code::Syntax,
            "tags (`!…`) are not supported".to_owned(),
            "leave the tag out; write texts in quotes",
        ),
        SyntaxErrorKind::SecondDocument => (
            Code::Syntax,
            "a second document begins".to_owned(),
            "one file holds one manifest: leave out `---`, or make another file",
        ),
        SyntaxErrorKind::Yaml(reason) => (
            Code::Syntax,
            format!("this is not YAML: {reason}"),
            "look for an open bracket or quote, a missing space after `:`, or uneven indentation",
        ),
    };
    report.error(code, error.span, message).help(help);
}

fn fill(draft: &mut Draft<'_>, node: &Node, file: ManifestFile<'_>, report: &mut Report<'_>) {
    let Some(fields) = top_level(node, file.kind, report) else {
        return;
    };
    let model = model::read(fields.get("model"), &draft.key, report);
    let columns = ModelColumns::of(&model);
    for word in model.indexes.iter().flatten() {
        columns.check(word, "`indexes`", report);
    }
    key_with(&model, file.kind, &columns, report);
    let api = (file.kind == ManifestKind::Resource).then(|| {
        let context = api::ModelNames {
            columns: &columns,
            relations: &model.relations,
            key: &model.model.key.name,
        };
        api::read(&fields, &draft.key, context, report)
    });
    let title = fields.get("name").and_then(|node| title(node, report));
    let description = fields
        .get("description")
        .and_then(|node| report.text(node, "`description`"));
    draft.span = fields.key_span("name").unwrap_or_default();
    draft.table_span = model.table_span.unwrap_or(draft.span);
    draft.unread.clone_from(&model.unread);
    let was = fields.get("was").and_then(|node| former_key(node, report));
    let names = name::names(&draft.key, model.name.as_deref());
    let description = description.map(|text| text.trim().to_owned());
    let described =
        description.unwrap_or_else(|| default_description(file.kind, &names.plural_words));
    let title = title.map_or_else(|| name::title(&draft.key), |text| text.trim().to_owned());
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
        description: described,
        names,
        model,
        api,
        manifest_path: file.path.to_owned(),
        manifest_text: String::from_utf8_lossy(file.bytes).into_owned(),
    });
}

/// Checks the columns that identify a row together with the key: routes and migrations know one column.
fn key_with(
    model: &ModelDraft,
    kind: ManifestKind,
    columns: &ModelColumns,
    report: &mut Report<'_>,
) {
    let Some(first) = model.key_with.first() else {
        return;
    };
    if kind == ManifestKind::Resource || model.model.managed {
        let message = "`with` is for supporting models whose table another program makes";
        report.error(Code::LiteralMisfit, first.span, message).help(
            "leave it out: a resource, and a table that migrations make, have a key of one column",
        );
        return;
    }
    for word in &model.key_with {
        columns.check_visible(word, "`with`", report);
    }
}

/// Checks what needs the whole model, and moves the attributes into it.
fn finish(
    draft: &mut Draft<'_>,
    model: ModelDraft,
    columns: &ModelColumns,
    api: Option<&Api>,
    report: &mut Report<'_>,
) -> (crate::project::Model, Vec<super::draft::RelationDraft>) {
    let ModelDraft {
        model: mut finished,
        attributes,
        relations,
        indexes,
        key_with,
        ..
    } = model;
    writes::check_references(&attributes, &relations, columns, report);
    let owner = api.and_then(|api| api.owner.as_deref());
    for AttributeDraft {
        mut attribute,
        span,
        rules,
    } in attributes
    {
        writes::require(&mut attribute, span, &rules, api, owner, report);
        draft
            .exists
            .extend(writes::exists(&attribute, &rules, span));
        draft.places.insert(attribute.name.clone(), span);
        finished.attributes.push(attribute);
    }
    let texts = |words: Vec<super::report::Word>| words.into_iter().map(|word| word.text).collect();
    finished.indexes = indexes.into_iter().map(texts).collect();
    finished.key.with = texts(key_with);
    (finished, relations)
}

/// The key a resource had before.
fn former_key(node: &crate::manifest::Node, report: &mut Report<'_>) -> Option<String> {
    let was = report.text(node, "`was`")?;
    if name::is_plain(was) {
        return Some(was.to_owned());
    }
    report
        .error(
            Code::IllegalName,
            node.span,
            format!("`{was}` cannot have been the key of a resource"),
        )
        .help("write the key it had before: the name of its file, without `.yaml`");
    None
}

/// The display name, on one line.
fn title<'n>(node: &'n Node, report: &mut Report<'_>) -> Option<&'n str> {
    let text = report.text(node, "`name`")?.trim();
    if text.contains(['\n', '\r']) {
        report.wrong_type(node, "`name`", "one line of text");
        return None;
    }
    Some(text)
}

fn top_level<'n>(
    node: &'n Node,
    kind: ManifestKind,
    report: &mut Report<'_>,
) -> Option<Fields<'n>> {
    let (label, known) = match kind {
        ManifestKind::Resource => ("a resource", RESOURCE_KEYS),
        ManifestKind::Model => ("a supporting model", MODEL_FILE_KEYS),
    };
    // For a known key in the wrong place, the message names the right place.
    report.fields_or(node, label, known, |name| {
        if MODEL_KEYS.contains(&name) {
            return Some(format!("`{name}` belongs under `model:`"));
        }
        let has_routes = kind == ManifestKind::Model && RESOURCE_KEYS.contains(&name);
        has_routes.then(|| {
            "a supporting model has no routes: leave it out, or move the file to `resources/`"
                .to_owned()
        })
    })
}

fn default_description(kind: ManifestKind, words: &str) -> String {
    match kind {
        ManifestKind::Resource => format!("An API resource for {words}"),
        ManifestKind::Model => format!("A supporting model for {words}"),
    }
}

//! Refusals of tables, shown at the keys of the manifests that made them.

use std::borrow::Cow;

use super::request::Request;
use crate::diagnostic::{self, Code, Diagnostic};
use crate::error::{Located, Problem, Refused, Subject};
use crate::exit::Exit;
use crate::manifest::{Node, Sources, Span, Value, yaml};
use crate::project::{Project, RelationKind, Resource};

/// The same error, with the places of the manifest keys that a refusal in it names.
pub fn in_manifests(error: anyhow::Error, project: &Project, request: &Request) -> anyhow::Error {
    match error.downcast::<Refused>() {
        Ok(mut refused) => {
            locate(&mut refused, project, request);
            refused.into()
        }
        Err(error) => error,
    }
}

/// Finds the place of each problem that is about a part of a manifest.
pub fn locate(refused: &mut Refused, project: &Project, request: &Request) {
    let code = match refused.exit {
        Exit::Destructive => Code::Destructive,
        _ => Code::Impossible,
    };
    for problem in &mut refused.problems {
        let found = diagnostic(problem, code, project, &request.sources);
        if let Some(found) = found {
            problem.located = Some(shown(found, request));
        }
    }
}

fn diagnostic(
    problem: &Problem,
    code: Code,
    project: &Project,
    sources: &Sources,
) -> Option<Diagnostic> {
    let subject = problem.subject.as_ref()?;
    let mut registered = project.registered();
    let (_, resource) = registered.find(|(extension, resource)| {
        subject.unit == format!("{}.{}", extension.folder, resource.key)
    })?;
    let path = &resource.manifest_path;
    let root = yaml::parse(sources.bytes(path)?).ok();
    let span = root.map_or_else(Span::default, |root| subject_span(&root, resource, subject));
    let mut found = Diagnostic::new(code, path, span, &problem.message);
    found.note.clone_from(&problem.statement);
    Some(found)
}

/// The key that describes the subject; else the list that it was removed from.
fn subject_span(root: &Node, resource: &Resource, subject: &Subject) -> Span {
    let name = subject.name.as_str();
    let model = &resource.model;
    let relation = model.relations.iter().find(|one| match &one.kind {
        RelationKind::BelongsTo { column, .. } => !subject.is_table && column == name,
        RelationKind::ManyToMany(pivot) | RelationKind::MorphManyToMany { pivot, .. } => {
            subject.is_table && pivot.table == name
        }
        _ => false,
    });
    let relation = relation.map_or("", |relation| &relation.name);
    let paths: &[&[&str]] = match subject.is_table {
        true if name == model.table => &[&["model", "table"], &["model"]],
        true => &[&["model", "relations", relation], &["model", "relations"]],
        false if name == model.key.name => &[&["model", "key"], &["model"]],
        false => &[
            &["model", "attributes", name],
            &["model", "relations", relation],
            &["model", "attributes"],
        ],
    };
    let mut found = paths.iter().filter_map(|path| key(root, path));
    let model = || key(root, &["model"]);
    found.next().or_else(model).unwrap_or_default()
}

/// The place of the key at a path.
fn key(node: &Node, path: &[&str]) -> Option<Span> {
    let (name, rest) = path.split_first()?;
    let Value::Mapping(pairs, _) = &node.value else {
        return None;
    };
    let (found, value) = pairs.iter().find(|(key, _)| key.as_text() == Some(name))?;
    match rest {
        [] => Some(found.span),
        rest => key(value, rest),
    }
}

fn shown(found: Diagnostic, request: &Request) -> Located {
    let mut one = vec![found];
    let mut sources = Cow::Borrowed(&request.sources);
    match &request.command {
        Some(command) => command.relocate(&mut one, sources.to_mut()),
        None => diagnostic::locate(&mut one, &sources),
    }
    let json = diagnostic::to_json(&one, &sources);
    Located {
        text: diagnostic::render(&one, &sources, true),
        json: json.get(0).cloned().unwrap_or_default(),
    }
}

//! `generate.outputs` of `formwork.yaml`: files that templates of the project's own are poured to.

use std::collections::BTreeMap;

use crate::diagnostic::Code;
use crate::manifest::{CONFIG_FILE, Sources, Span};
use crate::output::{self, Target};
use crate::project::{OwnOutput, Project, Scope};

use super::reader::Reader;
use super::report::{Report, Word};

const WHAT: &str = "an entry of `generate.outputs`";

/// An output as written: its parts without a mistake of their own.
#[derive(Debug)]
pub struct OutputDraft {
    template: Option<Word>,
    path: Option<Word>,
    scope: Option<Scope>,
}

impl OutputDraft {
    /// The output, where all of it is right.
    pub fn output(self) -> Option<OwnOutput> {
        Some(OwnOutput {
            template: self.template?.text,
            pattern: self.path?.text,
            scope: self.scope?,
        })
    }
}

/// Reads the list, and reports the errors of each entry.
pub fn read(list: &Reader<'_>) -> Vec<OutputDraft> {
    let items = list.items().into_iter();
    let drafts = items.filter_map(|item| entry(&item.named(WHAT)));
    let drafts: Vec<OutputDraft> = drafts.collect();
    let mut places: BTreeMap<(&str, Scope), Span> = BTreeMap::new();
    for draft in &drafts {
        let (Some(Word { text, span }), Some(scope)) = (&draft.template, draft.scope) else {
            continue;
        };
        let first = *places.entry((text, scope)).or_insert(*span);
        if first != *span {
            let message = format!("the template `{text}` is listed twice");
            let mut error = list.report.error(Code::DuplicateKey, *span, message);
            error.related(CONFIG_FILE, first, "first here");
            error.help("leave one of them out, or copy the template");
        }
    }
    drafts
}

fn entry(node: &Reader<'_>) -> Option<OutputDraft> {
    let fields = node.fields(&["template", "path", "for"])?;
    for name in ["template", "path", "for"] {
        if fields.get(name).is_none() && !fields.damaged {
            let example = "{ template: resource/event.rs.tera, path: \"extensions/{extension}/src/events/{module}.rs\", for: resource }";
            let message = format!("{WHAT} needs `{name}`");
            node.reject(Code::Missing, message, format!("write `{example}`"));
        }
    }
    let mut template = fields.word("template");
    if let Some(Word { text, .. }) = &mut template
        && let Some(relative) = text.strip_prefix("templates/")
    {
        *text = relative.to_owned();
    }
    let scope = fields.get("for").and_then(|node| node.one_of(Scope::WORDS));
    let scope = scope.map(|at| Scope::ALL[at]);
    let path = fields.word("path");
    Some(OutputDraft {
        template,
        path: path.filter(|path| is_legal(path, scope, node.report)),
        scope,
    })
}

/// Reports what is wrong with a path; where its scope is not known, any placeholder may be in it.
fn is_legal(path: &Word, scope: Option<Scope>, report: Report<'_>) -> bool {
    let fault = match scope {
        Some(scope) => fault(&path.text, scope),
        None => illegal(&path.text, Scope::Resource),
    };
    if let Some(problem) = &fault {
        let message = format!("`{}` {problem}", path.text);
        let help = help(scope.unwrap_or(Scope::Resource));
        report.reject(Code::IllegalName, path.span, message, help);
    }
    fault.is_none()
}

/// Placeholders that a path may hold.
fn placeholders(scope: Scope) -> &'static [&'static str] {
    match scope {
        Scope::Project => &[],
        Scope::Extension => &["{extension}"],
        Scope::Resource | Scope::Model => &["{resource}", "{module}", "{extension}"],
    }
}

fn help(scope: Scope) -> String {
    match placeholders(scope) {
        [] => "write a path below the project, such as `docs/overview.md`".to_owned(),
        [one] => format!("write a path below the project with {one} in it"),
        _ => "write a path below the project with {resource} or {module} in it; \
              {extension} is allowed as well"
            .to_owned(),
    }
}

/// The reason why a path is refused.
fn fault(path: &str, scope: Scope) -> Option<String> {
    let known = placeholders(scope);
    let distinct = &known[..known.len().min(2)];
    let names_each = distinct.is_empty() || distinct.iter().any(|one| path.contains(one));
    illegal(path, scope)
        .or_else(|| (!names_each).then(|| "would be the same file for all of them".to_owned()))
}

/// The reason why a path is not legal; it may hold the placeholders of the scope.
fn illegal(path: &str, scope: Scope) -> Option<String> {
    let mut rest = path.to_owned();
    let known = placeholders(scope).iter();
    known.for_each(|one| rest = rest.replace(one, "x"));
    let illegal = |part: &str| part.is_empty() || part == "." || part == "..";
    let legal = |letter: char| !letter.is_control() && !"{}<>:\"|?*\\".contains(letter);
    if path.starts_with('/') || rest.split('/').any(illegal) {
        return Some("is not a path of a file below the project".to_owned());
    }
    if let Some(letter) = rest.chars().find(|letter| !legal(*letter)) {
        return Some(match letter {
            '{' | '}' => "has an unknown placeholder".to_owned(),
            letter => format!("holds `{}`", letter.escape_default()),
        });
    }
    is_reserved(&rest).then(|| "belongs to Formwork, Cargo or git".to_owned())
}

/// Whether the path is one of Formwork's own files or folders.
fn is_reserved(path: &str) -> bool {
    let path = path.to_lowercase();
    let parts: Vec<&str> = path.split('/').collect();
    matches!(
        parts.as_slice(),
        [".formwork" | ".git" | "target" | "templates", ..]
            | ["extensions", _, "resources" | "models" | "migrations", ..]
    )
}

/// Reports outputs whose template is not there, and files that two of them would write.
pub fn check(drafts: &[OutputDraft], project: &Project, sources: &Sources, report: Report<'_>) {
    let mut known = match drafts {
        [] => return,
        _ => of_formwork(project),
    };
    for draft in drafts {
        let Some(Word {
            text: template,
            span,
        }) = &draft.template
        else {
            continue;
        };
        let file = format!("templates/{template}");
        if sources.bytes(&file).is_none() {
            let message = format!("there is no file `{file}`");
            let help = "write the template there; its name ends in `.tera`";
            report.reject(Code::Missing, *span, message, help);
        }
        let (Some(path), Some(scope)) = (&draft.path, draft.scope) else {
            continue;
        };
        let targets = output::targets(project, scope).into_iter();
        let mut poured = targets.map(|target| target.own_path(&path.text));
        let duplicate = poured.find_map(|path| {
            let other = known.insert(path.to_lowercase(), template.clone())?;
            Some((path, other))
        });
        if let Some((file, other)) = duplicate {
            let message =
                format!("`{file}` would be poured by two templates, {other} and {template}");
            let help = "write another path";
            report.reject(Code::NameCollision, path.span, message, help);
        }
    }
}

/// Files of the built-in templates, with their templates.
fn of_formwork(project: &Project) -> BTreeMap<String, String> {
    let rows = output::OUTPUTS.iter().flat_map(|row| {
        let targets = output::targets(project, row.scope).into_iter();
        targets.map(|target: Target<'_>| {
            (
                target.path(row.path).to_lowercase(),
                row.template.to_owned(),
            )
        })
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_leave_the_project_or_name_nothing_are_refused() {
        let of_resource = |path: &str| fault(path, Scope::Resource);
        for path in [
            "extensions/{extension}/src/events/{module}.rs",
            "docs/{resource}.md",
        ] {
            assert_eq!(of_resource(path), None, "{path}");
        }
        for path in [
            "/etc/{resource}",
            "../{resource}",
            "docs/./{resource}",
            "docs/{resource}/",
            "docs\\{resource}",
            "C:{resource}",
            "docs/all.md",
            "docs/{extension}.md",
            "docs/{resource}{key}.md",
            ".formwork/{resource}",
            ".Git/{resource}",
            "extensions/{extension}/Resources/{resource}.yaml",
        ] {
            assert!(of_resource(path).is_some(), "{path}");
        }
        assert_eq!(fault("docs/all.md", Scope::Project), None);
        assert!(fault("docs/{extension}.md", Scope::Project).is_some());
        assert!(fault("docs/all.md", Scope::Extension).is_some());
    }
}

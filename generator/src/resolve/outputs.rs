//! `generate.outputs` of `formwork.yaml`: files that templates of the project's own are poured to.

use std::collections::BTreeMap;

use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{CONFIG_FILE, Node, Sources, Span};
use crate::output::{self, Target};
use crate::project::{OwnOutput, Project, Scope};

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

/// Reads the list, and reports the mistakes of each entry.
pub fn read(node: &Node, report: &mut Report<'_>) -> Vec<OutputDraft> {
    let items = report.list(node, "`generate.outputs`").unwrap_or_default();
    let drafts = items.iter().filter_map(|item| entry(item, report));
    let drafts: Vec<OutputDraft> = drafts.collect();
    let mut first: BTreeMap<(&str, Scope), Span> = BTreeMap::new();
    for draft in &drafts {
        let (Some(template), Some(scope)) = (&draft.template, draft.scope) else {
            continue;
        };
        let first = *first
            .entry((&template.text, scope))
            .or_insert(template.span);
        if first == template.span {
            continue;
        }
        let message = format!("the template `{}` is listed twice", template.text);
        report
            .error(Code::DuplicateKey, template.span, message)
            .related(CONFIG_FILE, first, "first here")
            .help("leave one of them out, or copy the template");
    }
    drafts
}

fn entry(node: &Node, report: &mut Report<'_>) -> Option<OutputDraft> {
    let fields = report.fields(node, WHAT, &["template", "path", "for"])?;
    for name in ["template", "path", "for"] {
        if fields.get(name).is_none() && !fields.damaged {
            let example = "{ template: resource/event.rs.tera, path: \"extensions/{extension}/src/events/{module}.rs\", for: resource }";
            report
                .error(Code::Missing, node.span, format!("{WHAT} needs `{name}`"))
                .help(format!("write `{example}`"));
        }
    }
    let template = fields.get("template");
    let template = template.and_then(|node| report.word(node, "`template`"));
    let path = fields.get("path");
    let path = path.and_then(|node| report.word(node, "`path`"));
    let scope = fields.get("for");
    let scope = scope.and_then(|node| report.one_of(node, "`for`", Scope::WORDS));
    let scope = scope.map(|at| Scope::ALL[at]);
    Some(OutputDraft {
        template: template.map(|template| Word {
            text: below_templates(&template.text).to_owned(),
            ..template
        }),
        path: path.filter(|path| is_legal(path, scope, report)),
        scope,
    })
}

fn below_templates(path: &str) -> &str {
    path.strip_prefix("templates/").unwrap_or(path)
}

/// Reports what is wrong with a path; where its scope is not known, any placeholder may be in it.
fn is_legal(path: &Word, scope: Option<Scope>, report: &mut Report<'_>) -> bool {
    let fault = match scope {
        Some(scope) => fault(&path.text, scope),
        None => illegal(&path.text, Scope::Resource),
    };
    let Some(problem) = fault else {
        return true;
    };
    let message = format!("`{}` {problem}", path.text);
    report
        .error(Code::IllegalName, path.span, message)
        .help(help(scope.unwrap_or(Scope::Resource)));
    false
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
pub fn check(
    drafts: &[OutputDraft],
    project: &Project,
    sources: &Sources,
    found: &mut Vec<Diagnostic>,
) {
    let mut report = Report::new(CONFIG_FILE);
    let mut known = match drafts {
        [] => return,
        _ => of_formwork(project),
    };
    for draft in drafts {
        let Some(template) = &draft.template else {
            continue;
        };
        let file = format!("templates/{}", template.text);
        if sources.bytes(&file).is_none() {
            report
                .error(
                    Code::Missing,
                    template.span,
                    format!("there is no file `{file}`"),
                )
                .help("write the template there; its name ends in `.tera`");
        }
        let (Some(path), Some(scope)) = (&draft.path, draft.scope) else {
            continue;
        };
        let targets = output::targets(project, scope).into_iter();
        let mut poured = targets.map(|target| target.own_path(&path.text));
        let twice = poured.find_map(|path| {
            let other = known.insert(path.to_lowercase(), template.text.clone())?;
            Some((path, other))
        });
        if let Some((poured, other)) = twice {
            let message = format!(
                "`{poured}` would be poured by two templates, {other} and {}",
                template.text
            );
            report
                .error(Code::NameCollision, path.span, message)
                .help("write another path");
        }
    }
    found.append(&mut report.found);
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

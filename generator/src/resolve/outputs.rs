//! `generate.outputs` of `formwork.yaml`: files that templates of the project's own are poured to.

use std::collections::BTreeMap;

use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{CONFIG_FILE, Node, Sources, Span};
use crate::output::{self, Target};
use crate::project::{OwnOutput, Project, Scope};

use super::report::{Report, Word};

const WHAT: &str = "an entry of `generate.outputs`";

/// An output as written.
#[derive(Debug)]
pub struct OutputDraft {
    /// What it is.
    pub output: OwnOutput,
    template_span: Span,
    path_span: Span,
}

/// Reads the list; what is wrong with an entry alone is reported.
pub fn read(node: &Node, report: &mut Report<'_>) -> Vec<OutputDraft> {
    let items = report.list(node, "`generate.outputs`").unwrap_or_default();
    let drafts: Vec<_> = items
        .iter()
        .filter_map(|item| entry(item, report))
        .collect();
    for (at, draft) in drafts.iter().enumerate() {
        let same = |other: &&OutputDraft| {
            (&other.output.template, other.output.scope)
                == (&draft.output.template, draft.output.scope)
        };
        if let Some(first) = drafts[..at].iter().find(same) {
            let message = format!("the template `{}` is listed twice", draft.output.template);
            report
                .error(Code::DuplicateKey, draft.template_span, message)
                .related(CONFIG_FILE, first.template_span, "first here")
                .help("leave one of them out, or copy the template");
        }
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
    let template = report.word(fields.get("template")?, "`template`")?;
    let path = report.word(fields.get("path")?, "`path`")?;
    let scope = report.one_of(fields.get("for")?, "`for`", Scope::WORDS)?;
    let scope = Scope::ALL[scope];
    let template = Word {
        text: template
            .text
            .strip_prefix("templates/")
            .unwrap_or(&template.text)
            .to_owned(),
        ..template
    };
    if let Some(problem) = fault(&path.text, scope) {
        report
            .error(
                Code::IllegalName,
                path.span,
                format!("`{}` {problem}", path.text),
            )
            .help(help(scope));
        return None;
    }
    Some(OutputDraft {
        output: OwnOutput {
            template: template.text,
            pattern: path.text,
            scope,
        },
        template_span: template.span,
        path_span: path.span,
    })
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

/// What is wrong with a path.
fn fault(path: &str, scope: Scope) -> Option<String> {
    let known = placeholders(scope);
    let mut rest = path.to_owned();
    known.iter().for_each(|one| rest = rest.replace(one, "x"));
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
    let distinct = &known[..known.len().min(2)];
    let names_each = distinct.is_empty() || distinct.iter().any(|one| path.contains(one));
    if !names_each {
        return Some("would be the same file for all of them".to_owned());
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
        let output = &draft.output;
        let template = format!("templates/{}", output.template);
        if sources.bytes(&template).is_none() {
            report
                .error(
                    Code::Missing,
                    draft.template_span,
                    format!("there is no file `{template}`"),
                )
                .help("write the template there; its name ends in `.tera`");
        }
        for target in output::targets(project, output.scope) {
            let path = target.own_path(&output.pattern);
            let Some(other) = known.insert(path.to_lowercase(), output.template.clone()) else {
                continue;
            };
            let message = format!(
                "`{path}` would be poured by two templates, {other} and {}",
                output.template
            );
            report
                .error(Code::NameCollision, draft.path_span, message)
                .help("write another path");
            break;
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

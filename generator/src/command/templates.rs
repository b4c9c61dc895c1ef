//! `formwork templates list|eject|diff` (regeneration.md, "Commands").
//!
//! An ejected template is a file of the project like any other: what is rendered to it is the
//! built-in template. So the file table holds for it, and a later Formwork merges its own changes.

use std::fs;
use std::io::ErrorKind;

use anyhow::{Context, Result};
use serde_json::json;
use similar::TextDiff;

use super::print::{self, Answer};
use super::turn::Turn;
use super::{generate, root};
use crate::apply;
use crate::cli::{Cli, Format, TemplatesCommand};
use crate::error::Refused;
use crate::exit::Exit;
use crate::merge::markers;
use crate::output::{OUTPUTS, Output};
use crate::plan::{self, Class, Plan, PlanOptions, Selection};
use crate::render::{self, BuiltIn, Own, Template};
use crate::rendered::{Content, Owner, Rendered, RenderedFile};
use crate::report::{Mode, Report};
use crate::state::State;
use crate::suggestion::did_you_mean;

/// The lock of ejected templates; no extension's folder has a hyphen.
pub const UNIT: &str = "own-templates";
/// Where a project's templates are.
const FOLDER: &str = "templates/";

/// The project's own templates in a run.
#[derive(Debug, Clone, Default)]
pub struct Ejected {
    /// What is rendered to those that were ejected: the built-in templates.
    pub files: Vec<RenderedFile>,
    /// All of the project's own, as they are after this run.
    pub templates: Vec<Template>,
    /// What is said of files that are not used.
    pub notices: Vec<String>,
}

impl Ejected {
    /// Reads the project's own templates, and merges those that were ejected with the built-in ones.
    ///
    /// # Errors
    /// What reading failed with; a template that no built-in one corresponds to.
    pub fn find(state: &State, options: &PlanOptions) -> Result<Ejected> {
        let Own {
            mut templates,
            notices,
        } = render::own_templates(state.root())?;
        let is_there = |path: &str| templates.iter().any(|template| template.path == path);
        let files = match templates.is_empty() {
            true => Vec::new(),
            false => files(state, is_there)?,
        };
        if !files.is_empty() {
            let plan = plan(state, &files, options)?;
            for template in &mut templates {
                template.text = after(&plan, template);
            }
        }
        Ok(Ejected {
            files,
            templates,
            notices,
        })
    }
}

/// The text a template has after the run; while a conflict stands, the user's side counts.
fn after(plan: &Plan, template: &Template) -> String {
    let of_template = |path: &str| path.strip_prefix(FOLDER) == Some(template.path.as_str());
    let change = plan.files.iter().find(|change| of_template(&change.path));
    let merged = change.filter(|change| !matches!(change.class, Class::Conflict(_)));
    let new = merged.and_then(|change| change.written());
    match new.and_then(|bytes| str::from_utf8(bytes).ok()) {
        Some(text) => text.to_owned(),
        None => markers::ours_side(&template.text),
    }
}

/// The built-in text of each template that was ejected and `is_there`.
fn files(state: &State, is_there: impl Fn(&str) -> bool) -> Result<Vec<RenderedFile>> {
    let built_in = BuiltIn::load()?;
    let ejected = state.entries().filter(|entry| entry.unit == UNIT);
    let paths = ejected.filter_map(|entry| entry.path.strip_prefix(FOLDER));
    let there = paths.filter(|path| is_there(path));
    Ok(there
        .filter_map(|path| Some(file(path, built_in.text(path)?)))
        .collect())
}

fn file(path: &str, text: &str) -> RenderedFile {
    RenderedFile {
        path: format!("{FOLDER}{path}"),
        artefact: format!("{UNIT}/{path}"),
        unit: UNIT.to_owned(),
        owner: Owner::User,
        content: Content::Text(text.to_owned()),
    }
}

fn plan(state: &State, files: &[RenderedFile], options: &PlanOptions) -> Result<Plan> {
    let rendered = Rendered {
        files: files.to_vec(),
        ..Rendered::default()
    };
    let options = PlanOptions {
        units: Some([UNIT.to_owned()].into()),
        ..options.clone()
    };
    plan::plan(state.root(), &rendered, state, &options)
}

/// Runs a templates command.
///
/// # Errors
/// A refusal, or what reading or writing failed with.
pub fn run(cli: &Cli, command: &TemplatesCommand) -> Result<Exit> {
    let root = root::find(cli)?;
    match command {
        TemplatesCommand::List => list(cli, &State::load(&root)?),
        TemplatesCommand::Diff => diff(cli, &State::load(&root)?),
        TemplatesCommand::Eject { path } => {
            let built_in = BuiltIn::load()?;
            let (path, text) = known(&built_in, path)?;
            let _turn = Turn::wait(&root)?;
            let plan = apply::run(&root, || eject(&State::load(&root)?, path, text))?;
            let report = Report {
                plan: &plan,
                command: "templates eject",
                mode: Mode::Generate,
                diff: false,
                diagnostics: &[],
            };
            generate::show(cli, &report)
        }
    }
}

/// The template the command line names, with or without its folder.
fn known<'a>(built_in: &'a BuiltIn, path: &'a str) -> Result<(&'a str, &'a str)> {
    let path = path.strip_prefix(FOLDER).unwrap_or(path);
    let found = built_in.text(path).map(|text| (path, text));
    found.ok_or_else(|| {
        let mean = did_you_mean(path, &built_in.paths().collect::<Vec<_>>());
        let mean = mean.map_or_else(String::new, |known| format!(": {known}"));
        let problem =
            format!("there is no template {path}{mean} (`formwork templates list` names all)");
        Refused::new(Exit::Usage, problem).into()
    })
}

fn eject(state: &State, path: &str, text: &str) -> Result<Plan> {
    let mut files = files(state, |known| {
        known != path && state.root().join(FOLDER).join(known).exists()
    })?;
    files.push(file(path, text));
    let options = PlanOptions {
        restore: Selection::All,
        ..PlanOptions::default()
    };
    plan(state, &files, &options)
}

/// What the project makes of a built-in template.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Standing {
    BuiltIn,
    Ejected,
    Edited,
    Own,
}

impl Standing {
    fn word(&self) -> &'static str {
        match self {
            Standing::BuiltIn => "built-in",
            Standing::Ejected => "ejected",
            Standing::Edited => "ejected, edited",
            Standing::Own => "own",
        }
    }
}

fn own_text(state: &State, path: &str) -> Result<Option<String>> {
    match fs::read_to_string(state.root().join(FOLDER).join(path)) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {FOLDER}{path}")),
    }
}

fn standing(state: &State, path: &str) -> Result<Standing> {
    let Some(text) = own_text(state, path)? else {
        return Ok(Standing::BuiltIn);
    };
    let recorded = format!("{FOLDER}{path}");
    if state.entry(&recorded).is_none() {
        return Ok(Standing::Own);
    }
    let base = state.base_text(&recorded)?;
    Ok(
        if base.as_deref() == Some(crate::merge::style::normalise(&text).as_ref()) {
            Standing::Ejected
        } else {
            Standing::Edited
        },
    )
}

fn list(cli: &Cli, state: &State) -> Result<Exit> {
    let built_in = BuiltIn::load()?;
    let rows: Vec<(&Output, Standing)> = OUTPUTS
        .iter()
        .map(|row| Ok((row, standing(state, row.template)?)))
        .collect::<Result<_>>()?;
    if cli.format == Format::Json {
        let entry = |(row, standing): &(&Output, Standing)| json!({ "template": row.template, "output": built_in.output(row), "standing": standing.word() });
        let templates: Vec<_> = rows.iter().map(entry).collect();
        let rest = json!({ "templates": templates });
        print::json(&Answer::done("templates list", rest))?;
        return Ok(Exit::Done);
    }
    let templates = rows.iter().map(|(row, _)| row.template.len());
    let width = templates.max().unwrap_or(0);
    let line = |(row, standing): &(&Output, Standing)| {
        let (template, word) = (row.template, standing.word());
        format!("{template:width$}  {word:15}  {}\n", built_in.output(row))
    };
    print::out(&rows.iter().map(line).collect::<String>())?;
    Ok(Exit::Done)
}

fn diff(cli: &Cli, state: &State) -> Result<Exit> {
    let built_in = BuiltIn::load()?;
    let mut diffs = Vec::new();
    for template in render::own_templates(state.root())?.templates {
        let Some(text) = built_in.text(&template.path) else {
            continue;
        };
        let header = [
            format!("built-in/{}", template.path),
            format!("{FOLDER}{}", template.path),
        ];
        let diff = TextDiff::from_lines(text, template.text.as_str());
        let diff = diff
            .unified_diff()
            .header(&header[0], &header[1])
            .to_string();
        if text != template.text {
            diffs.push((template.path, diff));
        }
    }
    if cli.format == Format::Json {
        let entry = |(path, diff): &(String, String)| json!({ "template": path, "diff": diff });
        let templates: Vec<_> = diffs.iter().map(entry).collect();
        let rest = json!({ "templates": templates });
        print::json(&Answer::done("templates diff", rest))?;
    } else {
        let texts = diffs.iter().map(|(_, diff)| diff.as_str());
        print::out(&texts.collect::<String>())?;
    }
    Ok(Exit::Done)
}

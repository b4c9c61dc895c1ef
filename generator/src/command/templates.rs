//! `formwork templates list|eject|diff`.

use std::fs;
use std::io::ErrorKind;

use anyhow::{Context, Result};
use formwork_vocabulary::did_you_mean::nearest;
use serde_json::json;
use similar::TextDiff;

use super::root;
use crate::cli::{Cli, Format, TemplatesCommand};
use crate::error::Refused;
use crate::exit::Exit;
use crate::manifest::Sources;
use crate::output::OUTPUTS;
use crate::plan::{Plan, SelectedPaths, Selection, Switch};
use crate::render::BuiltIn;
use crate::resolve;
use crate::run::ejected::{self, FOLDER};
use crate::run::print::{self, Answer};
use crate::run::request::{Purpose, Run};
use crate::run::{pipeline, template_files};
use crate::state::State;
use crate::suggestion::quoted;

/// Runs a templates command.
///
/// # Errors
/// A refusal, or what reading or writing failed with.
pub fn run(cli: &Cli, command: &TemplatesCommand) -> Result<Exit> {
    let root = match command {
        // The built-in ones are the same everywhere.
        TemplatesCommand::List if cli.project.is_none() => root::nearest()?,
        _ => Some(root::find(cli)?),
    };
    let Some(root) = root else {
        return list(cli, None);
    };
    match command {
        TemplatesCommand::List => list(cli, Some(&State::load(&root)?)),
        TemplatesCommand::Diff { path } => diff(cli, &State::load(&root)?, path.as_deref()),
        TemplatesCommand::Eject { path } => {
            let built_in = template_files::built_in()?;
            let (path, text) = known(&built_in, path)?;
            let plan = || eject(&State::load(&root)?, &built_in, path, text);
            let run = Run::new("templates eject", &root, Purpose::Plan(&plan));
            pipeline::report(cli, &run)
        }
    }
}

/// The template the command line names, with or without its folder and what its name ends with.
fn known<'a>(built_in: &'a BuiltIn, path: &str) -> Result<(&'a str, &'a str), Refused> {
    let path = path.strip_prefix(FOLDER).unwrap_or(path);
    let path = path.trim_end_matches('/');
    let is_it = |known: &&str| {
        let rest = known.strip_prefix(path);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let found = built_in.paths().find(is_it);
    let found = found.and_then(|known| Some((known, built_in.text(known)?)));
    let is_below = |known: &&str| {
        known
            .strip_prefix(path)
            .is_some_and(|rest| rest.starts_with('/'))
    };
    let below: Vec<&str> = built_in.paths().filter(is_below).collect();
    found.ok_or_else(|| {
        if !below.is_empty() {
            let problem = format!("{path} is a folder of templates: name one of them");
            let help = format!("{path} has {}", quoted(&below));
            return Refused::new(Exit::Usage, problem).with_help(help);
        }
        let mean = nearest(path, built_in.paths().flat_map(names));
        let mean = mean.map_or_else(String::new, |known| format!(": did you mean `{known}`?"));
        let problem =
            format!("there is no template {path}{mean} (`formwork templates list` names all)");
        Refused::new(Exit::Usage, problem)
    })
}

/// Forms of a template's path that a command understands: `resource/mod`, `resource/mod.rs`,
/// `resource/mod.rs.tera`.
fn names(path: &str) -> impl Iterator<Item = &str> {
    let ends = path.match_indices('.').map(|(end, _)| &path[..end]);
    ends.chain([path])
}

fn eject(state: &State, built_in: &BuiltIn, path: &str, text: &str) -> Result<Plan> {
    let mut files = ejected::rendered(state, built_in, |known| {
        known != path && state.root().join(FOLDER).join(known).exists()
    });
    files.push(ejected::file(path, text));
    let selection = Selection::default().with(Switch::Restore, SelectedPaths::All);
    ejected::plan(state, &files, selection)
}

/// State of a built-in template in a project.
#[derive(Debug, Clone, PartialEq, Eq)]
enum TemplateState {
    BuiltIn,
    Ejected,
    Edited,
    Own,
}

impl TemplateState {
    fn word(&self) -> &'static str {
        match self {
            TemplateState::BuiltIn => "built-in",
            TemplateState::Ejected => "ejected",
            TemplateState::Edited => "ejected, edited",
            TemplateState::Own => "own",
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

fn template_state(state: Option<&State>, path: &str) -> Result<TemplateState> {
    let Some(state) = state else {
        return Ok(TemplateState::BuiltIn);
    };
    let Some(text) = own_text(state, path)? else {
        return Ok(TemplateState::BuiltIn);
    };
    let recorded = format!("{FOLDER}{path}");
    if state.entry(&recorded).is_none() {
        return Ok(TemplateState::Own);
    }
    let base = state.base_text(&recorded)?;
    Ok(
        if base.as_deref() == Some(crate::merge::style::normalise(&text).as_ref()) {
            TemplateState::Ejected
        } else {
            TemplateState::Edited
        },
    )
}

fn list(cli: &Cli, state: Option<&State>) -> Result<Exit> {
    let built_in = template_files::built_in()?;
    let own = match state {
        Some(state) => resolve::own_outputs(&Sources::read(state.root())?),
        None => Vec::new(),
    };
    let rows = OUTPUTS.iter().map(|row| {
        Ok((
            row.template,
            built_in.output(row),
            template_state(state, row.template)?,
        ))
    });
    let own = own.iter().map(|output| {
        let (template, pattern) = (output.template.as_str(), output.pattern.as_str());
        Ok((template, pattern, TemplateState::Own))
    });
    let rows: Vec<(&str, &str, TemplateState)> = rows.chain(own).collect::<Result<_>>()?;
    if cli.format == Format::Json {
        let entry = |(template, output, template_state): &(&str, &str, TemplateState)| json!({ "template": template, "output": output, "standing": template_state.word() });
        let templates: Vec<_> = rows.iter().map(entry).collect();
        let rest = json!({ "templates": templates });
        print::json(&Answer::done("templates list", rest))?;
        return Ok(Exit::Done);
    }
    let templates = rows.iter().map(|(template, ..)| template.len());
    let width = templates.max().unwrap_or(0);
    let line = |(template, output, template_state): &(&str, &str, TemplateState)| {
        format!(
            "{template:width$}  {:15}  {output}\n",
            template_state.word()
        )
    };
    print::out(&rows.iter().map(line).collect::<String>())?;
    Ok(Exit::Done)
}

fn diff(cli: &Cli, state: &State, path: Option<&str>) -> Result<Exit> {
    let built_in = template_files::built_in()?;
    let mut own = template_files::own(state.root(), &built_in, &[])?.templates;
    if let Some(path) = path {
        let (path, _) = known(&built_in, path)?;
        own.retain(|template| template.path == path);
        if own.is_empty() {
            let problem = format!("the project has no {FOLDER}{path}: the built-in one is used");
            let help = format!("write `formwork templates eject {path}` to copy it");
            return Err(Refused::new(Exit::Usage, problem).with_help(help).into());
        }
    }
    let mut diffs = Vec::new();
    for template in own {
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

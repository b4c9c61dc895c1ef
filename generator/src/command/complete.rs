//! Completions: the script a shell reads, and the answers to it. Commands and options come from clap, names and
//! paths from the project. A project that cannot be read has none: a shell shows no errors while a user types.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use clap::{Arg, ArgMatches, CommandFactory as _};
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use clap_complete::env::Shells;
use clap_complete::{CompleteEnv, Shell};

use crate::cli::Cli;
use crate::digest::Digest;
use crate::manifest::{ManifestFile, ManifestKind, Sources, nearest_project};
use crate::merge::style;
use crate::name;
use crate::render::BuiltIn;
use crate::state::{Entry, State};

/// The variable by which the script says that it asks, and for which shell.
const VARIABLE: &str = "COMPLETE";

/// Answers a shell that asks for completions and ends the program; returns in every other run.
pub fn answer() {
    CompleteEnv::with_factory(command).var(VARIABLE).complete();
}

/// The script by which a shell asks this program.
///
/// # Errors
/// A shell that clap has no script for.
pub fn script(shell: Shell) -> io::Result<Vec<u8>> {
    let shells = Shells::builtins();
    let adapter = shells.completer(&shell.to_string());
    let adapter = adapter.ok_or_else(|| io::Error::other(format!("no completions in {shell}")))?;
    let mut script = Vec::new();
    adapter.write_registration(VARIABLE, "formwork", "formwork", "formwork", &mut script)?;
    Ok(script)
}

/// The command line, with what completes its arguments, and the form `generate EXT NAME` that [`Cli::read`]
/// understands.
fn command() -> clap::Command {
    let words = ["ext", "name"].map(Arg::new);
    with_completers(Cli::command().mut_subcommand("generate", |generate| generate.args(words)))
}

fn with_completers(command: clap::Command) -> clap::Command {
    command.mut_args(completed).mut_subcommands(with_completers)
}

fn completed(arg: Arg) -> Arg {
    let candidates = match arg.get_id().as_str() {
        "ext" => extensions,
        "name" => names,
        "ours" | "theirs" => edited,
        "restore" => deleted,
        "template" => templates,
        _ => return arg,
    };
    arg.add(ArgValueCandidates::new(candidates))
}

/// Extensions of the project.
fn extensions() -> Vec<CompletionCandidate> {
    let sources = CommandLine::read().and_then(|typed| typed.sources());
    let sources = sources.unwrap_or_default();
    candidates(sources.extension_folders())
}

/// Resources of the extension that was typed; its models after `generate model` and `destroy model`.
fn names() -> Vec<CompletionCandidate> {
    let Some(typed) = CommandLine::read() else {
        return Vec::new();
    };
    let sources = typed.sources().unwrap_or_default();
    let folder = typed.extension();
    let is_meant = |file: &ManifestFile<'_>| {
        file.kind == typed.kind() && Some(file.folder) == folder.as_deref()
    };
    candidates(sources.manifests().filter(is_meant).map(|file| file.stem))
}

/// Files that their user edited: those that `--ours` and `--theirs` decide on.
fn edited() -> Vec<CompletionCandidate> {
    files(|root, entry| {
        let text = fs::read_to_string(root.join(&entry.path));
        text.is_ok_and(|text| entry.base != Some(Digest::of(style::normalise(&text).as_ref())))
    })
}

/// Files that their user deleted.
fn deleted() -> Vec<CompletionCandidate> {
    files(|root, entry| !root.join(&entry.path).exists())
}

/// Templates that can be ejected.
fn templates() -> Vec<CompletionCandidate> {
    candidates(BuiltIn::compiled_in().paths())
}

fn files(is_wanted: impl Fn(&Path, &Entry) -> bool) -> Vec<CompletionCandidate> {
    let root = CommandLine::read().and_then(|typed| typed.root());
    let state = root.and_then(|root| State::load(&root).ok());
    let state = state.unwrap_or_default();
    let entries = state.entries();
    let wanted = entries.filter(|entry| is_wanted(state.root(), entry));
    candidates(wanted.map(|entry| entry.path.as_str()))
}

fn candidates<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<CompletionCandidate> {
    words.into_iter().map(CompletionCandidate::new).collect()
}

/// The words before the cursor, as far as they can be read. Shells hand them over after `--`.
struct CommandLine {
    command: String,
    matches: ArgMatches,
}

impl CommandLine {
    fn read() -> Option<CommandLine> {
        let words = env::args_os().skip_while(|word| word != "--").skip(1);
        let words: Vec<OsString> = words.collect();
        let parser = command().ignore_errors(true);
        let mut typed = CommandLine {
            command: String::new(),
            matches: parser.try_get_matches_from(words).ok()?,
        };
        while let Some((command, matches)) = typed.matches.remove_subcommand() {
            typed = CommandLine { command, matches };
        }
        Some(typed)
    }

    fn root(&self) -> Option<PathBuf> {
        let here = env::current_dir().ok()?;
        match self.matches.get_one::<PathBuf>("project") {
            Some(named) => Some(here.join(named)),
            None => nearest_project(&here).map(Path::to_owned),
        }
    }

    fn sources(&self) -> Option<Sources> {
        Sources::read(&self.root()?).ok()
    }

    fn kind(&self) -> ManifestKind {
        match self.command.as_str() {
            "model" => ManifestKind::Model,
            _ => ManifestKind::Resource,
        }
    }

    /// The folder of the extension.
    fn extension(&self) -> Option<String> {
        let ext = self.matches.try_get_one::<String>("ext").ok()??;
        name::extension(ext).ok().map(|names| names.folder)
    }
}

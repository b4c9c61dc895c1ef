//! `--amend`: a migration that no database has run is a draft. The last migrations that are not
//! committed and that the project's own database has not run are replaced.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Result;

use super::history::History;
use super::{checkout, progress};
use crate::cargo;
use crate::digest::Digest;
use crate::error::Refused;
use crate::exit::Exit;
use crate::project::{Database, Project};
use crate::schema::{self, Emitted, MigrationOptions, Previous};
use crate::state::State;

/// The message of a run without drafts.
const NOTHING: &str = "--amend: every migration is committed, so none is replaced";

/// Migrations that are not committed, and the tables as they were before.
struct Drafts {
    paths: BTreeSet<String>,
    migrations: Vec<Emitted>,
    /// Committed migrations, with only the kinds of database that were added since the last commit.
    comments: Vec<Emitted>,
    /// Texts of the tables in the last commit.
    texts: Vec<String>,
}

/// Leaves the drafts out of the migrations of earlier runs, and returns notices about them.
///
/// # Errors
/// A refusal where git does not answer, or where a draft was edited or run.
pub fn leave_out_drafts(
    root: &Path,
    project: &Project,
    history: &mut History,
) -> Result<Option<String>> {
    let drafts = Drafts::find(root, &history.previous)?;
    if drafts.migrations.is_empty() {
        return Ok(Some(NOTHING.to_owned()));
    }
    let previous = drafts.leave_out(history.previous.clone())?;
    if drafts.are_wanted(root, project, &previous)? {
        return Ok(None);
    }
    drafts.refuse_edited(&history.state)?;
    drafts.refuse_applied(root)?;
    history.previous = previous;
    let paths = drafts.paths.iter();
    paths.for_each(|path| history.state.release(path));
    Ok(None)
}

/// The help for a refused migration that destroys only tables and columns of drafts.
pub fn help(
    root: &Path,
    project: &Project,
    previous: &Previous,
    options: &MigrationOptions<'_>,
) -> Option<String> {
    let drafts = Drafts::find(root, previous).ok()?;
    let first = drafts.migrations.first()?;
    let all = MigrationOptions {
        units: None,
        ..options.clone()
    };
    let amended = drafts.leave_out(previous.clone()).ok()?;
    let migrations = schema::migrations(project, &amended, &all).ok()?;
    migrations.refused.is_none().then(|| {
        format!(
            "{}_{} and later ones are not committed: if no database has run them, \
             the same command with `--amend` replaces them",
            first.number, first.name
        )
    })
}

impl Drafts {
    fn find(root: &Path, previous: &Previous) -> Result<Self, Refused> {
        let uncommitted = uncommitted(root)?;
        let mut drafts = Drafts {
            paths: BTreeSet::new(),
            migrations: Vec::new(),
            comments: Vec::new(),
            texts: committed_texts(root),
        };
        let mut last_committed = None;
        let mut committed_kinds = BTreeSet::new();
        for migration in &previous.emitted {
            let kinds = migration.databases.iter().copied();
            let is_new = |one: &Database| {
                let path = migration.path(*one);
                let is_gone = previous.gone.contains(&path);
                uncommitted.contains(&path) || (is_gone && !was_committed(root, &path))
            };
            let (new, committed): (Vec<_>, Vec<_>) = kinds.partition(is_new);
            let part = Emitted {
                databases: new,
                ..migration.clone()
            };
            if committed.is_empty() {
                drafts.migrations.push(part);
            } else {
                last_committed = last_committed.max(Some(migration.version));
                drafts.comments.push(part);
            }
            committed_kinds.extend(committed);
        }
        drafts.keep_new_kinds(&committed_kinds);
        let is_older = |one: &&Emitted| Some(one.version) < last_committed;
        let older = drafts.migrations.iter().filter(is_older);
        let mut problems: Vec<String> = older
            .map(|one| {
                format!(
                    "{}_{} is older than a migration that is committed",
                    one.number, one.name
                )
            })
            .collect();
        if last_committed.is_some() && drafts.texts.is_empty() {
            let problem =
                "migrations are committed, but not .formwork/schema, which records their tables";
            problems.push(problem.to_owned());
        }
        Refused::unless_empty(Exit::Usage, prefixed(problems))?;
        Ok(drafts)
    }

    /// Of committed migrations, only what Formwork wrote for kinds that no committed one has SQL for.
    fn keep_new_kinds(&mut self, committed: &BTreeSet<Database>) {
        for one in &mut self.comments {
            let by_hand = !one.is_of_a_resource();
            one.databases
                .retain(|kind| !by_hand && !committed.contains(kind));
        }
        self.comments.retain(|one| !one.databases.is_empty());
        let paths = self.all().flat_map(Emitted::paths);
        self.paths = paths.collect();
    }

    /// Everything that is replaced, in order.
    fn all(&self) -> impl Iterator<Item = &Emitted> {
        self.comments.iter().chain(&self.migrations)
    }

    fn leave_out(&self, previous: Previous) -> Result<Previous, Refused> {
        let is_draft = |one: &Emitted, kind| self.paths.contains(&one.path(kind));
        let previous = previous.before(is_draft, &self.texts);
        previous.map_err(|problems| Refused::all(Exit::Usage, prefixed(problems)))
    }

    /// Whether the replacing migration has the same statements.
    fn are_wanted(&self, root: &Path, project: &Project, previous: &Previous) -> Result<bool> {
        let options = MigrationOptions {
            allow_destructive: true,
            ..MigrationOptions::default()
        };
        let migrations = schema::migrations(project, previous, &options)?;
        let new = migrations.new.iter().flat_map(|one| &one.sql);
        let new = new.map(|(_, text)| statements(text));
        let paths = self.all().flat_map(Emitted::paths);
        let texts = paths.map(|path| std::fs::read_to_string(root.join(path)).unwrap_or_default());
        let old = texts.map(|text| statements(&text));
        // Files of new kinds of database for committed migrations hold only a comment.
        let has_any = |statements: &String| !statements.is_empty();
        let of_each_kind = |mut all: Vec<String>| {
            all.sort();
            all
        };
        let new = of_each_kind(new.filter(has_any).collect());
        Ok(new == of_each_kind(old.filter(has_any).collect()))
    }

    /// A migration that was written by hand is not replaced.
    fn refuse_edited(&self, state: &State) -> Result<(), Refused> {
        let is_edited = |path: &&String| {
            if !state.root().join(path.as_str()).exists() {
                return false;
            }
            let base = state.entry(path).and_then(|entry| entry.base);
            let text = std::fs::read_to_string(state.root().join(path)).unwrap_or_default();
            base != Some(Digest::of(crate::merge::style::normalise(&text).as_bytes()))
        };
        let edited = self.paths.iter().filter(is_edited);
        let problems = edited.map(|path| format!("{path} was written or edited by hand"));
        Refused::unless_empty(Exit::Usage, prefixed(problems.collect()))
    }

    /// The project's own program reads its database, of whatever kind.
    fn refuse_applied(&self, root: &Path) -> Result<(), Refused> {
        let statuses = statuses(root)?;
        // On MariaDB one that failed may have run in part: `halfway`, `half undone`.
        let has_run = |one: &&Emitted| {
            let id = format!("  {} {} ", one.version, one.name);
            let mut words = statuses.lines().filter_map(|line| line.split_once(&*id));
            words.any(|(word, _)| word != "pending")
        };
        let has_run = self.migrations.iter().filter(has_run);
        let problems = has_run.map(|one| {
            format!(
                "{}_{} has run in the project's database, and Formwork never rewrites such a migration",
                one.number, one.name
            )
        });
        let refused = Refused::unless_empty(Exit::Usage, prefixed(problems.collect()));
        let help = "delete the database if its data is not needed, then run this again";
        refused.map_err(|refused| refused.with_help(help))
    }
}

/// The SQL without its comments, which name other migrations.
fn statements(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("--"));
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

fn prefixed(problems: Vec<String>) -> Vec<String> {
    problems
        .into_iter()
        .map(|problem| format!("--amend: {problem}"))
        .collect()
}

/// Paths below the project that are untracked, or staged as added.
fn uncommitted(root: &Path) -> Result<BTreeSet<String>, Refused> {
    let prefix = git(root, &["rev-parse", "--show-prefix"]);
    let status = [
        "status",
        "--porcelain",
        "-z",
        "--untracked-files=all",
        "--",
        "extensions",
    ];
    let (Some(prefix), Some(listed)) = (prefix, git(root, &status)) else {
        let problem = "--amend needs git, which knows the committed migrations";
        return Err(Refused::new(Exit::Usage, problem));
    };
    let is_new = |line: &&str| line.starts_with("??") || line.starts_with('A');
    let paths = listed
        .split('\0')
        .filter(is_new)
        .filter_map(|line| line.get(3..));
    let paths = paths.filter_map(|path| path.strip_prefix(prefix.trim()));
    Ok(paths.map(str::to_owned).collect())
}

/// Whether the last commit records a migration whose file is gone.
fn was_committed(root: &Path, path: &str) -> bool {
    let locks = ["--", ".formwork/lock/"];
    let search = ["grep", "--quiet", "--fixed-strings", "-e", path, "HEAD"];
    git(root, &[&search[..], &locks].concat()).is_some()
}

/// Texts of tables as the last commit has them.
fn committed_texts(root: &Path) -> Vec<String> {
    let list = [
        "ls-tree",
        "-r",
        "-z",
        "--name-only",
        "HEAD",
        ".formwork/schema/",
    ];
    let names = git(root, &list).unwrap_or_default();
    let names = names.split('\0').filter(|name| !name.is_empty());
    names
        .filter_map(|name| git(root, &["show", &format!("HEAD:./{name}")]))
        .collect()
}

/// The output of git; it takes no lock and writes no index, because runs that write nothing use it,
/// too.
fn git(root: &Path, args: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .args(args)
        .current_dir(root)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then_some(text)
}

/// The output of the project's `migrate --status`.
fn statuses(root: &Path) -> Result<String, Refused> {
    progress::phase("asking the database which migrations it has run");
    let output = cargo::command()
        .args(["run", "--quiet", "--", "migrate", "--status"])
        .current_dir(root)
        .env(
            "CARGO_TARGET_DIR",
            checkout::target_dir(&root.canonicalize().unwrap_or_default()),
        )
        .stdin(Stdio::null())
        .output();
    match output {
        Ok(output) if output.status.success() => {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        Ok(output) => {
            let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            let problem = format!("--amend: `cargo run -- migrate --status` failed:\n{why}");
            Err(Refused::new(Exit::Failed, problem))
        }
        Err(error) => {
            let problem = format!("--amend: cargo does not start: {error}");
            Err(Refused::new(Exit::Failed, problem))
        }
    }
}

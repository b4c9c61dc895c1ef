//! Formatting of Rust texts by the machine's rustfmt, many in one run.
//!
//! rustfmt starts in 10 ms and formats a file in half a millisecond: texts go through it in
//! batches, as temporary files, with the configuration that `cargo fmt` would find for their path.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rayon::prelude::*;

/// As many files go through one process at most; the names of more do not fit a command line everywhere.
const MOST_PER_PROCESS: usize = 1_000;
/// Fewer than this are not worth a second process.
const FEWEST_PER_PROCESS: usize = 24;

/// A text to format.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// Where the text belongs, below the project: the nearest `rustfmt.toml` above it counts.
    pub path: &'a str,
    /// The text.
    pub text: &'a str,
}

/// rustfmt did not take a text; it is used unformatted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("rustfmt refused the text")]
pub struct NotFormatted;

/// The result of a batch.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    /// For each job, in order, the formatted text.
    pub texts: Vec<Result<String, NotFormatted>>,
    /// Said once where rustfmt is missing or did not run at all.
    pub notice: Option<String>,
}

/// The machine's rustfmt, for one project.
#[derive(Debug, Clone)]
pub struct Formatter {
    program: OsString,
    root: PathBuf,
}

impl Formatter {
    /// rustfmt for the project at `root`: what `RUSTFMT` names, else the one of the toolchain that
    /// runs us, else that in `PATH`. No process is started to find it.
    pub fn find(root: &Path) -> Formatter {
        let program = std::env::var_os("RUSTFMT")
            .filter(|named| !named.is_empty())
            .or_else(toolchain_rustfmt)
            .unwrap_or_else(|| "rustfmt".into());
        Formatter::with_program(root, program)
    }

    /// The given rustfmt.
    pub fn with_program(root: &Path, program: impl Into<OsString>) -> Formatter {
        Formatter {
            program: program.into(),
            root: std::path::absolute(root).unwrap_or(root.to_owned()),
        }
    }

    /// Formats every job. A text that rustfmt refuses does not stop the others.
    pub fn format(&self, jobs: &[Job<'_>]) -> Batch {
        let mut texts = vec![Err(NotFormatted); jobs.len()];
        let mut notice = None;
        let batches = self.batches(jobs);
        let runs = batches.par_iter();
        let runs: Vec<_> = runs
            .map(|(config, indices)| self.run(config.as_deref(), jobs, indices))
            .collect();
        for (run, (_, indices)) in runs.into_iter().zip(&batches) {
            match run {
                Ok(formatted) => {
                    indices
                        .iter()
                        .zip(formatted)
                        .for_each(|(index, text)| texts[*index] = text);
                }
                Err(why) => notice = Some(format!("{why}; Rust files stay unformatted")),
            }
        }
        Batch { texts, notice }
    }

    /// Jobs by configuration, in parts that keep the processors busy.
    fn batches(&self, jobs: &[Job<'_>]) -> Vec<(Option<PathBuf>, Vec<usize>)> {
        let mut known = HashMap::new();
        let mut groups: BTreeMap<Option<PathBuf>, Vec<usize>> = BTreeMap::new();
        for (index, job) in jobs.iter().enumerate() {
            let folder = job.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let config = known
                .entry(folder)
                .or_insert_with(|| configuration(&self.root.join(folder)));
            groups.entry(config.clone()).or_default().push(index);
        }
        let part = jobs
            .len()
            .div_ceil(rayon::current_num_threads())
            .clamp(FEWEST_PER_PROCESS, MOST_PER_PROCESS);
        let parts = |(config, indices): (Option<PathBuf>, Vec<usize>)| {
            indices
                .chunks(part)
                .map(|part| (config.clone(), part.to_vec()))
                .collect::<Vec<_>>()
        };
        groups.into_iter().flat_map(parts).collect()
    }

    fn run(
        &self,
        config: Option<&Path>,
        jobs: &[Job<'_>],
        indices: &[usize],
    ) -> Result<Vec<Result<String, NotFormatted>>, String> {
        let folder =
            tempfile::tempdir().map_err(|error| format!("no folder for rustfmt: {error}"))?;
        let failed = |error: std::io::Error| format!("cannot pass files to rustfmt: {error}");
        for index in indices {
            fs::write(folder.path().join(name(*index)), jobs[*index].text).map_err(failed)?;
        }
        let output = self.start(folder.path(), config, indices)?;
        let complaints = String::from_utf8_lossy(&output.stderr);
        let refused = |index: usize| complaints.contains(&format!("{}:", name(index)));
        if !output.status.success() && !indices.iter().any(|index| refused(*index)) {
            let why = complaints.lines().next().unwrap_or("no reason given");
            return Err(format!("rustfmt did not run ({why})"));
        }
        let read = |index: &usize| {
            let text = fs::read_to_string(folder.path().join(name(*index))).map_err(failed)?;
            // A complaint about a file that changed is about one spot of it only.
            Ok(if refused(*index) && text == jobs[*index].text {
                Err(NotFormatted)
            } else {
                Ok(text)
            })
        };
        indices.iter().map(read).collect()
    }

    fn start(
        &self,
        folder: &Path,
        config: Option<&Path>,
        indices: &[usize],
    ) -> Result<Output, String> {
        let mut command = Command::new(&self.program);
        // `skip_children`: the modules a text declares are not in the folder.
        command
            .args(["--edition", "2024", "--config", "skip_children=true"])
            .current_dir(folder);
        if let Some(config) = config {
            command.arg("--config-path").arg(config);
        }
        command.args(indices.iter().map(|index| name(*index)));
        command.output().map_err(|error| match error.kind() {
            ErrorKind::NotFound => "rustfmt was not found on this machine".to_owned(),
            _ => format!("rustfmt could not be started: {error}"),
        })
    }
}

/// Unique in any message of rustfmt's.
fn name(index: usize) -> String {
    format!("formwork-{index}.rs")
}

/// The nearest configuration above `folder`, as rustfmt looks for it.
fn configuration(folder: &Path) -> Option<PathBuf> {
    folder
        .ancestors()
        .flat_map(|folder| [folder.join(".rustfmt.toml"), folder.join("rustfmt.toml")])
        .find(|path| path.is_file())
}

/// The program itself, where rustup says which toolchain runs us: its proxy takes 5 ms more.
fn toolchain_rustfmt() -> Option<OsString> {
    let toolchain = std::env::var_os("RUSTUP_TOOLCHAIN")?;
    let home = std::env::var_os("RUSTUP_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".rustup")))?;
    // A toolchain that is named by its path replaces the whole.
    let folder = home.join("toolchains").join(toolchain).join("bin");
    let program = folder.join(format!("rustfmt{}", std::env::consts::EXE_SUFFIX));
    program.is_file().then(|| program.into_os_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(root: &Path, jobs: &[(&str, &str)]) -> Vec<Result<String, NotFormatted>> {
        let jobs: Vec<_> = jobs.iter().map(|(path, text)| Job { path, text }).collect();
        let batch = Formatter::find(root).format(&jobs);
        assert_eq!(batch.notice, None);
        batch.texts
    }

    #[test]
    fn a_text_that_is_refused_does_not_stop_the_others() {
        let root = tempfile::tempdir().unwrap();
        let jobs = [
            ("a.rs", "fn  a( ){}\n"),
            ("b.rs", "fn b( {\n"),
            ("c.rs", "mod missing;\nfn c() {}\n"),
        ];
        let texts = texts(root.path(), &jobs);
        assert_eq!(texts[0], Ok("fn a() {}\n".to_owned()));
        assert_eq!(texts[1], Err(NotFormatted));
        assert_eq!(texts[2], Ok("mod missing;\nfn c() {}\n".to_owned()));
    }

    #[test]
    fn each_text_gets_the_configuration_of_its_folder() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("narrow")).unwrap();
        fs::write(root.path().join("rustfmt.toml"), "hard_tabs = true\n").unwrap();
        fs::write(root.path().join("narrow/.rustfmt.toml"), "tab_spaces = 2\n").unwrap();
        let text = "fn a() { b() }\n";
        let texts = texts(
            root.path(),
            &[("src/a.rs", text), ("narrow/src/a.rs", text)],
        );
        assert_eq!(texts[0], Ok("fn a() {\n\tb()\n}\n".to_owned()));
        assert_eq!(texts[1], Ok("fn a() {\n  b()\n}\n".to_owned()));
    }

    #[test]
    fn more_texts_than_one_process_takes_keep_their_order() {
        let root = tempfile::tempdir().unwrap();
        let written: Vec<_> = (0..130)
            .map(|i| (format!("{i}.rs"), format!("const N:u8={i} ;\n")))
            .collect();
        let jobs: Vec<_> = written
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .collect();
        for (i, text) in texts(root.path(), &jobs).into_iter().enumerate() {
            assert_eq!(text, Ok(format!("const N: u8 = {i};\n")));
        }
    }

    #[test]
    fn without_rustfmt_there_is_one_notice() {
        let root = tempfile::tempdir().unwrap();
        let formatter = Formatter::with_program(root.path(), "/nowhere/rustfmt");
        let batch = formatter.format(&[Job {
            path: "a.rs",
            text: "fn a(){}",
        }]);
        assert_eq!(batch.texts, [Err(NotFormatted)]);
        assert!(batch.notice.unwrap().contains("not found"));
    }
}

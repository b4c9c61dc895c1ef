//! The compiler's messages for typical mistakes against the runtime's traits: `fixtures/misuse/`.
//!
//! A case is a `case.rs` that does not compile and an `expected.txt` with the user's message,
//! without parts that change between compilers. `FORMWORK_BLESS=1` writes the texts again. The
//! cases are compiled against the library that this test links: no build of its own.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    thread,
    time::SystemTime,
};

use serde_json::Value as Json;

// The library has to be there.
use formwork as _;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/misuse")
}

fn cases() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).expect("fixtures/misuse");
    let mut cases: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir())
        .collect();
    cases.sort();
    cases
}

/// The libraries to compile against.
struct Libraries {
    folder: PathBuf,
    formwork: PathBuf,
    serde: PathBuf,
}

impl Libraries {
    /// Of what earlier builds left, the newest pair with which the sound resource compiles.
    fn find() -> Self {
        let program = env::current_exe().expect("this program");
        let folder = program.parent().expect("a folder").to_owned();
        let source = sound();
        for formwork in built(&folder, "libformwork-") {
            for serde in built(&folder, "libserde-") {
                let (folder, formwork) = (folder.clone(), formwork.clone());
                let libraries = Self {
                    folder,
                    formwork,
                    serde,
                };
                if libraries.compile(&source).status.success() {
                    return libraries;
                }
            }
        }
        panic!(
            "no library in {} compiles the sound resource",
            folder.display()
        );
    }

    fn compile(&self, source: &Path) -> Output {
        let name = |name: &str, path: &Path| format!("{name}={}", path.display());
        let out = tempfile::tempdir().expect("a folder");
        Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
            .args([
                "--edition=2024",
                "--crate-type=lib",
                "--crate-name=case",
                "--emit=obj",
            ])
            .args(["--error-format=json", "--cap-lints=allow"])
            .arg("-L")
            .arg(name("dependency", &self.folder))
            .args(["--extern", &name("formwork", &self.formwork)])
            .args(["--extern", &name("serde", &self.serde)])
            .arg("--out-dir")
            .arg(out.path())
            .arg(source)
            .output()
            .expect("rustc starts")
    }
}

fn sound() -> PathBuf {
    folder().join("sound.rs")
}

/// The libraries of this name, newest first.
fn built(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let named = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(prefix) && name.ends_with(".rlib")
    };
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(named).collect();
    let age = |path: &PathBuf| {
        let changed = fs::metadata(path).and_then(|metadata| metadata.modified());
        std::cmp::Reverse(changed.unwrap_or(SystemTime::UNIX_EPOCH))
    };
    found.sort_by_key(age);
    found
}

/// The text of an error for a user: its sentence, the labels in the user's code, and the notes
/// without a place.
fn told(output: &Output) -> String {
    let mut text = String::new();
    let lines = String::from_utf8_lossy(&output.stderr).into_owned();
    for error in lines
        .lines()
        .filter_map(|line| serde_json::from_str::<Json>(line).ok())
    {
        let message = error["message"].as_str().unwrap_or_default();
        if error["level"] != "error" || message.starts_with("aborting") {
            continue;
        }
        let code = error["code"]["code"].as_str();
        let code = code.map(|code| format!("[{code}]")).unwrap_or_default();
        text.push_str(&format!("error{code}: {message}\n"));
        for span in error["spans"].as_array().into_iter().flatten() {
            let Some(line) = own_line(span) else { continue };
            let label = span["label"].as_str().unwrap_or_default();
            text.push_str(format!("  line {line}: {label}").trim_end_matches([' ', ':']));
            text.push('\n');
        }
        for note in error["children"].as_array().into_iter().flatten() {
            let placed = note["spans"]
                .as_array()
                .is_some_and(|spans| !spans.is_empty());
            let message = note["message"].as_str().unwrap_or_default();
            if note["level"] == "note" && !placed && !is_about_the_compiler(message) {
                text.push_str(&format!("  note: {message}\n"));
            }
        }
    }
    // The compiler shortens this path or not, depending on what it has read before.
    text.replace("std::future::Future", "Future")
}

/// The line of a place in the case, or of the macro call there that led to it.
fn own_line(span: &Json) -> Option<&Json> {
    if span["file_name"].as_str()?.ends_with("case.rs") {
        return Some(&span["line_start"]);
    }
    own_line(&span["expansion"]["span"])
}

/// Where long names were written to, and how to see them.
fn is_about_the_compiler(note: &str) -> bool {
    note.starts_with("the full name") || note.starts_with("consider using `--verbose`")
}

#[test]
fn the_compiler_names_each_misuse() {
    let cases = cases();
    assert!(cases.len() >= 15, "{} cases", cases.len());
    let libraries = Libraries::find();
    let wrong: Vec<String> = thread::scope(|scope| {
        let halves = cases.chunks(cases.len().div_ceil(2));
        let running: Vec<_> = halves
            .map(|half| {
                scope.spawn(|| {
                    half.iter()
                        .filter_map(|case| check(&libraries, case).err())
                        .collect()
                })
            })
            .collect();
        let told = running.into_iter().map(|half| half.join().expect("a half"));
        told.flat_map(|told: Vec<String>| told).collect()
    });
    assert!(
        wrong.is_empty(),
        "FORMWORK_BLESS=1 accepts them:\n{}",
        wrong.join("\n")
    );
}

fn check(libraries: &Libraries, case: &Path) -> Result<(), String> {
    let output = libraries.compile(&case.join("case.rs"));
    if output.status.success() {
        return Err(format!("{} compiles", case.display()));
    }
    let (text, path) = (told(&output), case.join("expected.txt"));
    if env::var_os("FORMWORK_BLESS").is_some() {
        fs::write(&path, &text).map_err(|error| error.to_string())?;
    }
    match fs::read_to_string(&path) {
        Ok(expected) if expected == text => Ok(()),
        _ => Err(format!("{}\n{text}", case.display())),
    }
}

//! The compiler's messages for typical mistakes against the runtime's traits: `fixtures/misuse/`.
//!
//! A case is a `case.rs` that does not compile and an `expected.snap` with the user's message, without parts that
//! change between compilers. The cases are compiled against the library that this test links: no build of its own.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::Mutex,
    thread,
    time::SystemTime,
};

use serde_json::Value as Json;

// Links the library.
use formwork as _;

use formwork_tests::snapshots::assert_expected;

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
        let source = formwork_tests::checkout().join("fixtures/misuse/sound.rs");
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

/// Returns the errors as a user reads them: the message, the labels in the user's code, and the notes without a span.
fn messages(output: &Output) -> String {
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

/// Returns whether a note is about how the compiler prints, or about a trait of the same name in another crate.
fn is_about_the_compiler(note: &str) -> bool {
    let is_about_printing = ["the full name", "consider using `--verbose`"];
    let mut beginnings = is_about_printing.into_iter();
    beginnings.any(|beginning| note.starts_with(beginning))
        || note.contains("similarly named trait")
}

#[test]
fn the_compiler_names_each_misuse() {
    let mut cases = Vec::new();
    insta::glob!("../../fixtures/misuse", "*/case.rs", |case| {
        cases.push(case.to_owned());
    });
    assert!(cases.len() >= 15, "{} cases", cases.len());
    let libraries = Libraries::find();
    let waiting = Mutex::new(cases.into_iter());
    let compile = || {
        let next = || {
            waiting
                .lock()
                .expect("no thread panics with the lock")
                .next()
        };
        let cases = std::iter::from_fn(next);
        let outputs = cases.map(|case| (libraries.compile(&case), case));
        outputs.collect::<Vec<_>>()
    };
    let outputs = thread::scope(|scope| {
        let threads = [scope.spawn(compile), scope.spawn(compile)];
        threads.map(|thread| thread.join().expect("rustc starts"))
    });
    let outputs = outputs.concat();
    insta::glob!("../../fixtures/misuse", "*/case.rs", |case| {
        let (output, _) = outputs.iter().find(|(_, it)| it == case).expect("compiled");
        assert!(!output.status.success(), "{} compiles", case.display());
        assert_expected(case.parent().expect("a folder"), &messages(output));
    });
}

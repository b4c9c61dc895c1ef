//! What a shell completes, by the protocol between the script and the program, and once in a real shell.

use std::env;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::OnceLock;

use formwork_tests::formwork;
use formwork_tests::project::{Files, Project};

/// The last word of a line is the one to complete.
fn asked(folder: &Path, line: &[&str]) -> Output {
    let mut command = formwork();
    command.env("COMPLETE", "bash").env("_CLAP_IFS", "\n");
    command.env("_CLAP_COMPLETE_INDEX", line.len().to_string());
    command.args(["--", "formwork"]).args(line);
    command.current_dir(folder);
    command.output().expect("formwork starts")
}

/// What is completed from a project: words that are neither options nor subcommands.
#[track_caller]
fn completed(folder: &Path, line: &[&str]) -> Vec<String> {
    let Output {
        status,
        stdout,
        stderr,
    } = asked(folder, line);
    let errors = String::from_utf8_lossy(&stderr);
    assert_eq!((status.code(), errors.as_ref()), (Some(0), ""), "{line:?}");
    let text = String::from_utf8(stdout).expect("text");
    let subcommands = ["extension", "resource", "model", "help"];
    let words = text.lines().filter(|word| !word.starts_with("--"));
    let words = words.filter(|word| !subcommands.contains(word));
    words.map(str::to_owned).collect()
}

/// Two extensions, in one of them a resource and a model.
fn project() -> Project {
    static FILES: OnceLock<Files> = OnceLock::new();
    Project::copy_of_one(&FILES, || {
        let project = super::project();
        for words in [
            ["resource", "igniter.cart", "menus", "name:string"],
            ["model", "shop", "currencies", "code:string"],
        ] {
            project.run(&[&["generate"], &words[..]].concat()).exits(0);
        }
        project
    })
}

#[test]
fn names_are_completed_from_the_project() {
    let project = project();
    let extensions = ["igniter_cart", "shop"];
    for (line, expected) in [
        (&["destroy", "resource", ""][..], &extensions[..]),
        (&["destroy", "extension", ""], &extensions),
        (&["generate", "model", ""], &extensions),
        (&["generate", "resource", "sh"], &["shop"]),
        (&["generate", "sh"], &["shop"]),
        (&["generate", "shop", ""], &["dishes"]),
        (&["generate", "resource", "shop", ""], &["dishes"]),
        (&["generate", "model", "shop", ""], &["currencies"]),
        (&["destroy", "resource", "shop", ""], &["dishes"]),
        (&["destroy", "model", "shop", ""], &["currencies"]),
        (&["destroy", "resource", "igniter.cart", ""], &["menus"]),
        (
            &["destroy", "resource", "--dry-run", "shop", "d"],
            &["dishes"],
        ),
        (&["destroy", "resource", "nothing", ""], &[]),
        (
            &["templates", "eject", "resource/cont"],
            &["resource/controller.rs.tera"],
        ),
    ] {
        assert_eq!(completed(project.root(), line), expected, "{line:?}");
    }
}

#[test]
fn paths_are_those_that_the_option_decides_on() {
    let project = project();
    let docs = "extensions/shop/docs/dishes.md";
    project.edit(docs, "# Dishes", "# Mine");
    project.remove("tests/shop_dishes.rs");
    let paths = |option: &str| completed(project.root(), &["generate", option, ""]);
    let first = |option: &str| paths(option).first().cloned();
    assert_eq!(first("--ours").as_deref(), Some(docs));
    assert_eq!(first("--theirs").as_deref(), Some(docs));
    assert_eq!(first("--restore").as_deref(), Some("tests/shop_dishes.rs"));
    let narrowed = completed(project.root(), &["generate", "--theirs", "extensions/"]);
    assert_eq!(narrowed, [docs]);
}

#[test]
fn the_project_is_the_nearest_one_or_the_one_named() {
    let project = project();
    let inside = project.root().join("extensions/shop");
    let line = &["destroy", "resource", "shop", ""];
    assert_eq!(completed(&inside, line), ["dishes"]);
    let outside = tempfile::tempdir().expect("a folder");
    let root = project.root().to_str().expect("text");
    let option = format!("--project={root}");
    for named in [&["--project", root][..], &[&option]] {
        let line = [named, line].concat();
        assert_eq!(completed(outside.path(), &line), ["dishes"], "{named:?}");
    }
}

#[test]
fn without_a_readable_project_completion_is_silent() {
    let outside = tempfile::tempdir().expect("a folder");
    let lines = [
        &["destroy", "resource", ""][..],
        &["destroy", "resource", "shop", ""],
        &["generate", "--theirs", "extensions/"],
        &["--project", "nowhere", "destroy", "resource", ""],
    ];
    for line in lines {
        assert_eq!(completed(outside.path(), line), [""; 0], "{line:?}");
    }

    let project = project();
    project.write("formwork.yaml", "api: [");
    project.write("extensions/shop/resources/dishes.yaml", "model: {");
    let dishes = completed(project.root(), lines[1]);
    assert_eq!(dishes, ["dishes"], "a name is known without its manifest");
    let lock = ".formwork/lock/shop.dishes.lock";
    project.edit(lock, "formwork 0.1.0", "formwork 99.0.0");
    assert_eq!(completed(project.root(), lines[2]), [""; 0]);
}

#[test]
fn every_shell_has_a_script_that_asks_formwork() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = formwork().args(["completions", shell]).output();
        let script = String::from_utf8(output.expect("formwork starts").stdout).expect("text");
        assert!(script.contains("COMPLETE"), "{shell}: {script}");
        let plain = script.replace('"', "");
        assert!(plain.contains("formwork -- "), "{shell}: {script}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn bash_completes_by_the_script() {
    let project = project();
    let program = formwork().get_program().to_owned();
    let folder = Path::new(&program).parent().expect("a folder").to_owned();
    let before = env::var_os("PATH").unwrap_or_default();
    let folders = [folder].into_iter().chain(env::split_paths(&before));
    let ask = "source <(formwork completions bash)
        COMP_WORDS=(formwork destroy resource shop di) COMP_CWORD=4 COMP_TYPE=9
        _clap_complete_formwork formwork di shop
        printf '%s\\n' \"${COMPREPLY[@]}\"";
    let mut bash = Command::new("bash");
    bash.args(["-c", ask]).current_dir(project.root());
    bash.env("PATH", env::join_paths(folders).expect("folders"));
    let output = bash.output().expect("bash starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "dishes\n",
        "{errors}"
    );
}

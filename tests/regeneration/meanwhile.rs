//! Files that are saved while a run plans: here, a fake formatter saves them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use formwork_tests::project::{Project, Ran};

use super::{CONTROLLER, MANIFEST, project};

/// Runs formwork; while it plans, `script` is run once.
fn run_while(project: &Project, script: &str, args: &[&str]) -> Ran {
    let folder = tempfile::tempdir().expect("a folder");
    let (formatter, once) = (folder.path().join("rustfmt"), folder.path().join("once"));
    let (once, root) = (once.display(), project.root().display());
    let text = format!(
        "#!/bin/sh\nif [ ! -e {once} ]; then touch {once}; (cd {root} && {script}); fi\nexec rustfmt \"$@\"\n"
    );
    fs::write(&formatter, text).expect("a script");
    fs::set_permissions(&formatter, fs::Permissions::from_mode(0o755)).expect("its mode");
    let ran = project.run_with(args, &[("RUSTFMT", Path::new(&formatter))]);
    assert!(
        folder.path().join("once").exists(),
        "the script was not run"
    );
    ran
}

#[test]
fn a_manifest_saved_while_a_run_plans_keeps_the_saved_change() {
    let project = project();
    let save = format!("sed -i 's/page_limit: 20/page_limit: 30/' {MANIFEST}");
    let args = [
        "generate",
        "resource",
        "shop",
        "dishes",
        "stock:integer:nullable",
    ];
    run_while(&project, &save, &args).exits(0);
    let manifest = project.read(MANIFEST);
    assert!(manifest.contains("page_limit: 30"), "{manifest}");
    assert!(manifest.contains("stock: integer"), "{manifest}");
    assert!(project.read(CONTROLLER).contains("PAGE_LIMIT: u32 = 30"));
    project.run(&["generate", "--check"]).exits(0);
}

#[test]
fn a_manifest_created_while_a_run_plans_one_is_not_replaced() {
    let project = project();
    let mine = "# mine\nname: Drinks\nmodel:\n  attributes:\n    strength: integer required\n";
    project.write("mine.yaml", mine);
    let path = "extensions/shop/resources/drinks.yaml";
    let args = ["generate", "resource", "shop", "drinks", "title:string"];
    run_while(&project, &format!("cp mine.yaml {path}"), &args).exits(0);
    let manifest = project.read(path);
    assert!(manifest.starts_with(mine.trim_end()), "{manifest}");
    assert!(manifest.contains("title: string"), "{manifest}");
    project.run(&["generate", "--check"]).exits(0);
}

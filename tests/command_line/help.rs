//! Help, manual pages, and what `new` says.

use std::process::Output;

use formwork_tests::formwork;
use serde_json::Value;

use super::project;

fn outside(folder: &std::path::Path, args: &[&str]) -> (String, String) {
    let output = formwork().args(args).current_dir(folder).output();
    let Output { stdout, stderr, .. } = output.expect("formwork starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (text(stdout), text(stderr))
}

/// Every command that help lists, and those below it.
fn commands() -> Vec<String> {
    let here = tempfile::tempdir().expect("a folder");
    let (mut found, mut open) = (Vec::new(), vec![String::new()]);
    while let Some(command) = open.pop() {
        let (help, _) = outside(here.path(), &[&words(&command)[..], &["--help"]].concat());
        let listed = help.split("\nCommands:\n").nth(1).unwrap_or_default();
        let listed = listed.lines().take_while(|line| line.starts_with("  "));
        let names = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
        let names = names.filter(|name| !name.is_empty() && *name != "help");
        open.extend(names.map(|name| format!("{command} {name}").trim().to_owned()));
        found.extend(Some(command).filter(|command| !command.is_empty()));
    }
    for known in ["demo", "import", "generate resource", "templates diff"] {
        assert!(found.iter().any(|it| it == known), "{known}: {found:?}");
    }
    found
}

#[test]
fn help_shows_an_example_and_its_own_options_first() {
    let here = tempfile::tempdir().expect("a folder");
    for command in commands() {
        let (help, _) = outside(here.path(), &[&words(&command)[..], &["--help"]].concat());
        let place = |text: &str| help.find(text);
        let own = place("\nOptions:").expect("options");
        let global = place("\nGlobal options:").expect("global options");
        let example = place(&format!("Examples:\n  formwork {command}"));
        assert!(own < global && Some(global) < example, "{command}: {help}");
    }
}

fn words(command: &str) -> Vec<&str> {
    command.split_whitespace().collect()
}

#[test]
fn every_command_has_a_manual_page() {
    let here = tempfile::tempdir().expect("a folder");
    let (page, _) = outside(here.path(), &["man", "generate", "resource"]);
    assert!(page.contains(".TH formwork-generate-resource 1"), "{page}");
    let (_, error) = outside(here.path(), &["man", "generte"]);
    assert!(error.contains("did you mean `generate`?"), "{error}");
    outside(here.path(), &["man", "--dir", "pages"]);
    for command in commands() {
        let page = format!("pages/formwork-{}.1", command.replace(' ', "-"));
        let text = std::fs::read_to_string(here.path().join(&page)).expect(&page);
        let name = page.trim_start_matches("pages/").trim_end_matches(".1");
        let title = format!(".TH {name} 1  \"formwork ");
        let line = format!(".SH NAME\n{} \\- ", name.replace('-', "\\-"));
        assert!(text.contains(&title) && text.contains(&line), "{text}");
        let (printed, _) = outside(here.path(), &[&["man"], &*words(&command)].concat());
        assert_eq!(printed, text, "{command}");
    }
}

#[test]
fn next_steps_of_new_can_be_pasted_and_parsed() {
    let here = tempfile::tempdir().expect("a folder");
    let (text, _) = outside(here.path(), &["new", "my app"]);
    for part in [
        "  cd 'my app'\n",
        "Everyone can read a new resource",
        "  cargo run -- token --name laptop --email you@example.com --admin\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (text, _) = outside(here.path(), &["new", "your app", "--format", "json"]);
    let answer: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        (&answer["command"], &answer["exit"]),
        (&"new".into(), &0.into())
    );
    assert_eq!(answer["next"][0], "cd 'your app'");
    let (text, error) = outside(here.path(), &["new", ".", "--name", "own"]);
    assert_eq!(text, "", "{error}");
    std::fs::create_dir(here.path().join("own")).expect("a folder");
    let (text, _) = outside(&here.path().join("own"), &["new", "."]);
    assert!(!text.contains("cd ."), "{text}");
}

#[test]
fn templates_are_listed_anywhere_and_ejected_by_a_short_name() {
    let here = tempfile::tempdir().expect("a folder");
    let (list, error) = outside(here.path(), &["templates", "list"]);
    assert!(
        list.contains("resource/controller.rs.tera"),
        "{list}{error}"
    );
    let project = project();
    project
        .run(&["templates", "eject", "resource/controller"])
        .exits(0);
    let own = "templates/resource/controller.rs.tera";
    project.write(own, &(project.read(own) + "{% if %}\n"));
    let ran = project.run(&["generate"]).exits(2);
    let lines: Vec<&str> = ran.errors.lines().collect();
    assert!(lines[0].starts_with("error[E0015]: "), "{lines:?}");
    let place = format!(" --> {own}:");
    assert!(lines.iter().any(|line| line.contains(&place)), "{lines:?}");
    let is_marker = |line: &&str| line.trim_start_matches([' ', '|']).starts_with("^^");
    assert!(lines.iter().any(is_marker), "{lines:?}");
}

#[test]
fn a_misspelt_template_is_answered_with_the_right_one() {
    let project = project();
    for command in ["eject", "diff"] {
        for (word, meant) in [
            ("resource/controler", "resource/controller"),
            ("templates/resource/repositry.rs", "resource/repository.rs"),
            ("resource/controler.rs.tera", "resource/controller.rs.tera"),
        ] {
            let ran = project.run(&["templates", command, word]).exits(2);
            ran.says(&format!("did you mean `{meant}`?"));
        }
    }
    for word in ["resource", "templates/resource/"] {
        let ran = project.run(&["templates", "eject", word]).exits(2);
        ran.says("resource is a folder of templates")
            .says("`resource/controller.rs.tera`");
    }
    let diff = ["templates", "diff", "resource/controller"];
    project
        .run(&diff)
        .exits(2)
        .says("help: write `formwork templates eject resource/controller.rs.tera`");
    for template in ["resource/controller", "resource/model"] {
        project.run(&["templates", "eject", template]).exits(0);
        let own = format!("templates/{template}.rs.tera");
        project.write(&own, &(project.read(&own) + "// Ours.\n"));
    }
    let ran = project.run(&diff).exits(0).says("+// Ours.");
    assert!(!ran.output.contains("resource/model"), "{}", ran.output);
    project
        .run(&["templates", "diff"])
        .exits(0)
        .says("resource/controller")
        .says("resource/model");
}

//! Files with conflict markers: after a git merge that nobody edited, and one side of each conflict.

use super::fixture::{Project, all, assert_class};
use crate::exit::Exit;
use crate::plan::{Cause, Class, SelectedPaths, Selection, Switch};
use crate::rendered::Owner;

const BASE: &str = "one\n\ntwo\n\nthree\n";

fn conflict(ours: &str, theirs: &str) -> String {
    format!("<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> other\n")
}

/// A project after a git merge of two branches that rendered `path` differently. Git writes `file` there.
fn merged(path: &str, owner: Owner, file: impl Fn(&str) -> String) -> Project {
    let [one, two] = ["ONE", "EINS"].map(|word| BASE.replace("one\n", &format!("{word}\n")));
    let project = |text: &str| {
        let mut project = Project::empty();
        project.render_as(path, text, owner);
        project.generate();
        project
    };
    let (mut project, other) = (project(&one), project(&two));
    let both = conflict("ONE\n", "EINS\n") + "\ntwo\n\nthree\n";
    let lock = conflict(&project.lock(), &other.lock());
    project.write(".formwork/lock/shop.menus.lock", &lock);
    project.write(&format!(".formwork/base/{path}"), &both);
    project.write(path, &file(&both));
    project.render_as(path, &BASE.replace("one\n", "ONE\nEINS\n"), owner);
    project
}

#[test]
fn a_merge_of_two_renders_is_rendered_again_in_one_run() {
    for render in [
        BASE.replace("one\n", "ONE\nEINS\n"),
        BASE.replace("one\n", "ONE\n"),
    ] {
        for selection in [
            Selection::default(),
            all(Switch::Theirs),
            Selection::default().with(
                Switch::Theirs,
                SelectedPaths::These(["a.md".to_owned()].into()),
            ),
        ] {
            let mut project = merged("a.md", Owner::User, str::to_owned);
            project.render("a.md", &render);
            let plan = project.generate_with(|options| options.selection = selection.clone());
            assert_class(&plan, "a.md", Class::Write, Exit::Done);
            assert_eq!(project.read("a.md").as_deref(), Some(render.as_str()));
            project.assert_settled();
        }
    }
}

#[test]
fn an_edit_beside_the_conflict_of_a_merge_is_not_rendered_over() {
    let mut project = merged("a.md", Owner::User, |both| both.replace("three", "mine"));
    let before = project.read("a.md");
    assert_class(
        &project.generate(),
        "a.md",
        Class::Unresolved,
        Exit::Markers,
    );
    assert_eq!(project.read("a.md"), before);
    let plan = project.generate_with(|options| options.selection = all(Switch::Theirs));
    assert_eq!(plan.exit(), Exit::Done, "{:?}", plan.files);
    let text = project.read("a.md").unwrap();
    assert!(text.contains("EINS") && text.ends_with("mine\n"), "{text}");
    project.assert_settled();
}

#[test]
fn an_edit_of_an_aggregate_that_conflicts_with_the_render_is_not_discarded() {
    let mut project = merged("mod.md", Owner::Formwork, |both| {
        both.replace("three", "mine")
    });
    project.render_as("mod.md", &BASE.replace("three", "THREE"), Owner::Formwork);
    let conflicted = Class::Conflict(Cause::Markers);
    assert_class(&project.generate(), "mod.md", conflicted, Exit::Conflicts);
    let text = project.read("mod.md").unwrap();
    assert!(
        text.contains("\nmine\n") && text.contains("THREE\n"),
        "{text}"
    );
    assert_class(
        &project.generate(),
        "mod.md",
        Class::Unresolved,
        Exit::Markers,
    );
    assert_eq!(project.read("mod.md"), Some(text));
    let plan = project.generate_with(|options| options.selection = all(Switch::Ours));
    assert_eq!(plan.exit(), Exit::Done, "{:?}", plan.files);
    let text = project.read("mod.md").unwrap();
    assert!(text.ends_with("mine\n") && !text.contains("<<<"), "{text}");
}

const STRUCT: &str = "pub struct Dish {\n    pub title: String,\n}\n";

fn fields(title: &str, new: &str) -> String {
    format!("pub struct Dish {{\n    pub title: {title},\n{new}}}\n")
}

#[test]
fn a_side_decides_the_conflicting_lines_and_a_new_field_of_the_render_stays() {
    for (is_marked, paths) in [
        (false, SelectedPaths::All),
        (false, SelectedPaths::These(["a.rs".to_owned()].into())),
        (true, SelectedPaths::All),
        (true, SelectedPaths::These(["a.rs".to_owned()].into())),
    ] {
        for (switch, title) in [(Switch::Ours, "Title"), (Switch::Theirs, "Option<String>")] {
            let mut project = Project::poured(&[("a.rs", STRUCT), ("b.md", BASE)]);
            project.write("a.rs", &fields("Title", ""));
            project.write("b.md", &BASE.replace("one", "mine"));
            project.render(
                "a.rs",
                &fields("Option<String>", "    pub notes: String,\n"),
            );
            if is_marked {
                assert_eq!(project.generate().exit(), Exit::Conflicts);
                assert!(project.read("a.rs").unwrap().contains("<<<<<<<"));
            }
            let selection = Selection::default().with(switch, paths.clone());
            let plan = project.generate_with(|options| options.selection = selection.clone());
            assert_eq!(plan.exit(), Exit::Done, "{:?}", plan.files);
            let expected = fields(title, "    pub notes: String,\n");
            assert_eq!(
                project.read("a.rs"),
                Some(expected),
                "{is_marked} {paths:?}"
            );
            let edited = project.read("b.md").unwrap();
            assert!(edited.starts_with("mine"), "no switch touches it: {edited}");
            project.assert_settled();
        }
    }
}

//! Every case under `fixtures/upgrade/`: a project is poured from `before/`, its user edits it, its
//! manifests or templates become those of `after/`, and Formwork runs again.
//!
//! A case is a folder with a `case.md` of one sentence, `before/`, the user's edits as `edits.patch` and `steps`
//! (what no patch says: `crlf PATH`, `bom PATH`, `unterminated PATH`, `format`), `after/` (without it nothing
//! changes), `args` (`generate` without it), and `expected.snap`: the exit status, and every file that was edited or
//! that `watched` names. `compiles` says `no` if the user's own lines do not compile.

mod case;
mod workspace;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::thread;

use formwork_tests::project::{Project, Ran};
use formwork_tests::snapshots::assert_expected;

use case::Case;

/// A case that was played.
struct Played {
    case: Case,
    project: Project,
    ran: Ran,
}

/// Plays every case, two at a time, and looks at each.
fn play_all<T: Send>(look: impl Fn(Played) -> T + Sync) -> Vec<T> {
    let cases = Mutex::new(Case::all().into_iter());
    let work = || {
        let next = || cases.lock().expect("taking a case does not panic").next();
        let play = |case: Case| {
            let (project, ran) = case.play();
            look(Played { case, project, ran })
        };
        std::iter::from_fn(next).map(play).collect::<Vec<T>>()
    };
    thread::scope(|scope| {
        let running = [scope.spawn(work), scope.spawn(work)];
        let halves = running
            .into_iter()
            .flat_map(|half| half.join().expect("half of the cases"));
        halves.collect()
    })
}

#[test]
fn every_case_comes_out_as_expected_loses_nothing_stays_still_and_compiles() {
    assert!(Case::all().len() >= 30, "{} cases", Case::all().len());
    let checked = play_all(|played| {
        let Played { case, project, ran } = &played;
        let result = case.result(project, ran);
        let mut wrong = case.lost_lines(project);
        wrong.extend(changed_again(&played));
        let is_clean = ran.exit == 0 && case.compiles();
        let name = case.name().to_owned();
        let snapshot = (name.clone(), result);
        let clean = is_clean.then_some((name, played.project));
        (snapshot, (wrong, clean))
    });
    let (results, checked): (BTreeMap<_, _>, Vec<_>) = checked.into_iter().unzip();
    let (wrong, clean): (Vec<_>, Vec<_>) = checked.into_iter().unzip();
    insta::glob!("../../fixtures/upgrade", "*/case.md", |sentence| {
        let folder = sentence.parent().expect("a folder");
        let name = folder.file_name().expect("a name").to_string_lossy();
        assert_expected(folder, &results[&*name]);
    });
    let wrong = wrong.concat();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let mut clean: Vec<(String, Project)> = clean.into_iter().flatten().collect();
    clean.sort_by(|one, other| one.0.cmp(&other.0));
    assert!(clean.len() >= 30, "{} projects", clean.len());
    workspace::check(&clean);
}

/// A second run writes no file. Conflict markers stay, another conflict is reported again.
fn changed_again(played: &Played) -> Option<String> {
    let Played { case, project, ran } = played;
    let before = project.snapshot();
    let again = project.run(&["generate"]);
    let expected = if ran.exit == 3 && case.has_markers(project) {
        4
    } else {
        ran.exit
    };
    let is_still = before == project.snapshot();
    (again.exit != expected || !is_still)
        .then(|| format!("{}: a second run: {again:?}", case.name()))
}

use super::*;
use crate::plan::Cause;

fn change(path: &str, class: Class, old: Option<&str>, new: Option<&str>) -> FileChange {
    FileChange {
        path: path.to_owned(),
        place: path.to_owned(),
        class,
        old: old.map(|text| text.as_bytes().to_vec()),
        new: new.map(|text| text.as_bytes().to_vec()),
        mode: None,
        reason: "why".to_owned(),
        keys: Vec::new(),
        moved_from: None,
    }
}

fn plan() -> Plan {
    let files = vec![
        change("a.rs", Class::Create, None, Some("a\n")),
        change("b.rs", Class::Write, Some("1\n2\n"), Some("1\nzwei\n")),
        change("c.rs", Class::Keep { moved_on: false }, Some("c\n"), None),
        change("d.rs", Class::StaysDeleted { moved_on: false }, None, None),
        change(
            "e.rs",
            Class::Conflict(Cause::Foreign),
            Some("mine\n"),
            Some("theirs\n"),
        ),
        change("f.rs", Class::Unchanged, None, None),
        change("g.rs", Class::Delete, Some("g\n"), None),
    ];
    Plan {
        files,
        notices: vec!["no rustfmt".to_owned()],
        ..Plan::default()
    }
}

fn report(plan: &Plan, mode: Mode, diff: bool) -> RunReport<'_> {
    RunReport {
        plan,
        command: "generate",
        again: "formwork generate",
        mode,
        diff,
        diagnostics: &[],
    }
}

/// The report as text, and as JSON with a member a line.
fn both_forms(plan: &Plan, mode: Mode) -> String {
    let report = report(plan, mode, true);
    let json: serde_json::Value = serde_json::from_str(&report.json()).unwrap();
    let text = anstream::adapter::strip_str(&report.text(false)).to_string();
    format!("{text}\n{json:#}")
}

#[test]
fn a_run_is_reported_by_file_with_what_needs_action_last() {
    insta::assert_snapshot!("generate", both_forms(&plan(), Mode::Generate));
}

#[test]
fn a_check_has_its_own_words_and_status() {
    insta::assert_snapshot!("check", both_forms(&plan(), Mode::Check));
}

#[test]
fn quiet_lists_only_files_that_need_action() {
    let plan = Plan {
        notices: Vec::new(),
        ..plan()
    };
    let text = report(&plan, Mode::Generate, false).text(true);
    assert!(
        text.contains("e.rs") && !text.contains("a.rs") && !text.contains("unchanged"),
        "{text}"
    );
}

#[test]
fn a_quiet_check_reports_its_failure_without_differences() {
    let plan = Plan {
        notices: Vec::new(),
        ..plan()
    };
    let text = report(&plan, Mode::Check, true).text(true);
    let named = |path: &str| text.contains(path);
    assert!(
        ["a.rs", "b.rs", "e.rs", "g.rs"].into_iter().all(named),
        "{text}"
    );
    assert!(!named("c.rs") && !named("d.rs") && !named("@@"), "{text}");
}

#[test]
fn the_report_of_an_unmergeable_file_offers_ours_and_theirs() {
    let said = |old: Option<&str>| {
        let class = Class::Conflict(Cause::Unmergeable);
        let files = vec![change("a.rs", class, old, None)];
        let plan = Plan {
            files,
            ..Plan::default()
        };
        report(&plan, Mode::Generate, false).text(false)
    };
    assert!(said(Some("a\n")).contains("formwork generate --ours"));
    assert!(!said(Some("a\n")).contains("--adopt"));
    assert!(said(None).contains("version control"));
}

#[test]
fn a_refusal_is_printed_last_and_is_an_error_in_json() {
    let mut plan = plan();
    plan.files.retain(|file| file.class != Class::Unresolved);
    plan.refused = Some(crate::error::Refused::new(
        Exit::Destructive,
        "it drops rows",
    ));
    for (mode, exit) in [
        (Mode::Check, Exit::Drift),
        (Mode::DryRun, Exit::Destructive),
        (Mode::Status, Exit::Done),
    ] {
        let report = report(&plan, mode, false);
        assert_eq!(report.exit(), exit);
        for quiet in [false, true] {
            let text = report.text(quiet);
            let last = text.lines().last().unwrap();
            assert!(last.ends_with(": it drops rows"), "{text}");
        }
        let errors = "\"errors\":[\"it drops rows\"]";
        assert!(report.json().contains(errors), "{}", report.json());
    }
}

#[test]
fn many_files_are_reported_as_a_count() {
    let files = (0..1_000)
        .map(|n| change(&format!("{n}.rs"), Class::Create, None, Some("")))
        .collect();
    let plan = Plan {
        files,
        ..Plan::default()
    };
    let text = report(&plan, Mode::Generate, false).text(false);
    assert!(
        text.lines().count() < 30 && text.contains("and 980 more"),
        "{text}"
    );
}

/// The values of `mend` and `hint` of one file.
fn said(command: &str, mode: Mode, path: &str, class: Class) -> (String, String) {
    let files = vec![change(path, class, Some("a\n"), Some("b\n"))];
    let plan = Plan {
        files,
        ..Plan::default()
    };
    let again = "formwork import --ext shop";
    let report = RunReport {
        command,
        again,
        ..report(&plan, mode, false)
    };
    let json: serde_json::Value = serde_json::from_str(&report.json()).unwrap();
    let text = |key: &str| {
        json["files"][0][key]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    (text("mend"), text("hint"))
}

#[test]
fn an_import_names_commands_that_work_for_manifests() {
    let path = "extensions/shop/resources/dishes.yaml";
    let hint = |mode, class| said("import", mode, path, class).1;
    let again = "formwork import --ext shop";
    for class in [Class::Create, Class::Write, Class::Merge, Class::Move] {
        assert_eq!(hint(Mode::Check, class), again);
        assert_eq!(said("import", Mode::Check, path, class).0, again);
        assert_eq!(hint(Mode::DryRun, class), again);
        assert_eq!(hint(Mode::Generate, class), "");
    }
    let markers = Class::Conflict(Cause::Markers);
    assert_eq!(hint(Mode::Check, markers), again);
    let (mend, hint_of_markers) = said("import", Mode::Generate, path, markers);
    assert!(mend.contains("then import again"), "{mend}");
    assert_eq!(hint_of_markers, "");
    assert_eq!(
        hint(Mode::Generate, Class::Conflict(Cause::Foreign)),
        format!("mv {path} {path}.mine")
    );
    assert_eq!(
        hint(Mode::Generate, Class::StaysDeleted { moved_on: false }),
        "rm .formwork/imported/shop.dishes.yaml"
    );
    assert_eq!(
        hint(Mode::Check, Class::Orphan),
        "formwork destroy resource shop dishes"
    );
    let model = "extensions/shop/models/prices.yaml";
    assert_eq!(
        said("import", Mode::Check, model, Class::Orphan).1,
        "formwork destroy model shop prices"
    );
    let all = [
        Class::Create,
        Class::Merge,
        Class::Conflict(Cause::Foreign),
        Class::Conflict(Cause::Markers),
        Class::StaysDeleted { moved_on: true },
        Class::Orphan,
        Class::Unresolved,
    ];
    for class in all {
        for mode in [Mode::Check, Mode::DryRun, Mode::Generate] {
            let (mend, hint) = said("import", mode, path, class);
            assert!(
                !format!("{mend}{hint}").contains("formwork generate"),
                "{class:?}"
            );
        }
    }
}

#[test]
fn a_file_that_a_run_would_delete_is_deleted_by_the_same_command() {
    let (mend, hint) = said("destroy", Mode::DryRun, "src/a.rs", Class::Delete);
    assert_eq!(mend, "the same command without --dry-run");
    assert_eq!(
        hint, "formwork import --ext shop",
        "the command line of the run"
    );
}

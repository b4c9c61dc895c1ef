use super::*;

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
        mode,
        diff,
        diagnostics: &[],
    }
}

#[test]
fn the_json_has_its_keys() {
    let plan = plan();
    let json: serde_json::Value =
        serde_json::from_str(&report(&plan, Mode::Generate, true).json()).unwrap();
    assert_eq!(json["version"], 1);
    assert_eq!(
        (&json["command"], &json["exit"]),
        (&"generate".into(), &3.into())
    );
    assert_eq!(
        json["files"].as_array().unwrap().len(),
        6,
        "unchanged files are left out"
    );
    let conflict = &json["files"][4];
    assert_eq!(
        (&conflict["class"], &conflict["reason"]),
        (&"conflicted".into(), &"why".into())
    );
    assert!(conflict["mend"].as_str().unwrap().contains("--adopt"));
    assert_eq!(
        json["files"][1]["diff"],
        "--- a/b.rs\n+++ b/b.rs\n@@ -1,2 +1,2 @@\n 1\n-2\n+zwei\n"
    );
    assert_eq!(
        json["files"][0]["diff"],
        "--- /dev/null\n+++ b/a.rs\n@@ -0,0 +1 @@\n+a\n"
    );
    assert_eq!(
        json["files"][5]["diff"],
        "--- a/g.rs\n+++ /dev/null\n@@ -1 +0,0 @@\n-g\n"
    );
    assert_eq!(
        (&json["summary"]["created"], &json["summary"]["merged"]),
        (&1.into(), &0.into())
    );
    assert_eq!(
        (&json["summary"]["unchanged"], &json["notices"][0]),
        (&1.into(), &"no rustfmt".into())
    );
}

#[test]
fn a_check_has_its_own_words_and_status() {
    let plan = plan();
    let json: serde_json::Value =
        serde_json::from_str(&report(&plan, Mode::Check, false).json()).unwrap();
    assert_eq!(json["exit"], 5);
    let words: Vec<_> = json["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["class"].as_str().unwrap())
        .collect();
    assert_eq!(
        words,
        [
            "missing",
            "stale",
            "edited",
            "missing",
            "conflicted",
            "stale"
        ]
    );
    let drift: Vec<_> = json["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["drift"] == true)
        .collect();
    assert_eq!(drift, [true, true, false, false, true, true]);
    assert_eq!(json["files"][0]["mend"], "formwork generate");
    assert!(json["files"][2].get("mend").is_none());
}

#[test]
fn the_table_says_what_and_why_and_ends_with_what_wants_action() {
    let plan = plan();
    let mut out = anstream::StripStream::new(Vec::new());
    std::io::Write::write_all(
        &mut out,
        report(&plan, Mode::Generate, false).text(false).as_bytes(),
    )
    .unwrap();
    let text = String::from_utf8(out.into_inner()).unwrap();
    let expected = "\
note: no rustfmt
kept           c.rs  why
stays deleted  d.rs  why
created        a.rs  why
updated        b.rs  why
deleted        g.rs  why
conflicted     e.rs  why
conflicted: formwork generate --adopt (keeps your file) or --theirs (takes the render)
1 kept, 1 stays deleted, 1 created, 1 updated, 1 deleted, 1 conflicted, 1 unchanged
";
    assert_eq!(text, expected);
}

#[test]
fn quiet_says_only_what_wants_action() {
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
fn a_quiet_check_says_why_it_fails_without_differences() {
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
fn what_cannot_be_merged_is_mended_by_ours_or_theirs() {
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
fn a_refusal_stands_last_and_is_an_error_for_programs() {
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
fn a_thousand_files_are_a_number() {
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

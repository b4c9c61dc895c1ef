//! Every manifest that is accepted renders code that parses, and keeps its own state.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// Columns: plain names, keywords, and names that are no snake_case.
#[rustfmt::skip] // several in a line
const NAMES: &[&str] = &[
    "name", "type", "match", "self", "async", "orderType", "price", "order", "a_rather_long_name_of_a_column",
    "x",
];

/// Types, with a default and an example of each.
const TYPES: &[(&str, &str)] = &[
    ("string", "'it''s \"x\"'"),
    ("string(3)", "abc"),
    ("text", "\"a\\nb\""),
    ("integer", "-7"),
    ("bigint", "5000000000"),
    ("float", "0.25"),
    ("decimal(15,4)", "4.99"),
    ("decimal(3,0)", "-3"),
    ("boolean", "true"),
    ("date", "\"2026-01-31\""),
    ("time", "\"09:30\""),
    ("datetime", "\"2026-01-31T12:00:00+02:00\""),
    ("json", "{ a: [1, -2.5, 99999999999, \"x\"] }"),
    ("uuid", "67e55044-10b1-426f-9247-bb680e5fe0c8"),
    ("enum(a, b)", "b"),
];

#[rustfmt::skip] // several in a line
const RULES: &[&str] = &[
    "", "required", "nullable", "sometimes", "unique", "min:0", "max:9", "between:1,3", "size:2", "email",
    "url", "alpha_dash", "confirmed", "required|between:0.01,9.99", "in:a,b", "not_in:1,2", "regex:^[a-z\"]+$",
    "date_format:H:i", "after_or_equal:today", "exists:things,id", "required_if:name,x",
    "required_without:name", "array",
];

const ACCESS: &[&str] = &["write", "read_only", "write_only", "hidden", "admin_write"];

const WORDS: &[&str] = &[
    "",
    "A thing.",
    "- a list\\n- of words",
    "# heading ``` code",
    "turned \\u202e round",
    "*/ \\\\ \\\" ",
    "Words that go on for so long that they have to be broken into several lines, because no line is that long.",
];

const RELATIONS: &[&str] = &[
    "one: { belongs_to: things, column: one_id, include: true }",
    "by_name: { belongs_to: others, column: by_name_id, include: users, load: always }",
    "child: { has_one: others, column: parent, include: admin }",
    "children: { has_many: others, column: parent, order: [-id], first: true, include: default }",
    "others: { many_to_many: others, include: true, write: sync }",
    "picture: { morph_one: others, morph: shown, value: things }",
    "pictures: { morph_many: others, morph: shown, value: things, where: { parent: 1 }, include: true }",
    "marks: { morph_many_to_many: others, pivot: markables, morph: markable, value: things, write: sync }",
];

const OTHERS: &str = "\
model:
  attributes:
    parent: bigint nullable
    shown_type: string nullable
    shown_id: bigint nullable
  relations:
    shown: { morph_to: { things: things }, morph: shown, include: true }
";

prop_compose! {
    fn attribute()(
        kind in 0..TYPES.len(),
        default in any::<bool>(),
        nullable in any::<bool>(),
        rules in 0..RULES.len() * 2,
        access in 0..ACCESS.len() * 3,
        words in 0..WORDS.len() * 2,
    ) -> String {
        let (kind, value) = TYPES[kind];
        let mut lines = vec![format!("type: \"{kind}\"")];
        if default {
            lines.push(format!("default: {value}"));
        }
        if nullable {
            lines.push("nullable: true".to_owned());
        }
        if let Some(rules) = RULES.get(rules) {
            lines.push(format!("rules: '{rules}'"));
        }
        if let Some(access) = ACCESS.get(access) {
            lines.push(format!("access: {access}\n      set_by: hook"));
        }
        if let Some(words) = WORDS.get(words) {
            lines.push(format!("description: \"{words}\""));
        }
        lines.iter().map(|line| format!("\n      {line}")).collect()
    }
}

prop_compose! {
    fn manifest()(
        attributes in vec(attribute(), 1..6),
        relations in proptest::sample::subsequence(RELATIONS, 0..5),
        names in proptest::sample::subsequence(NAMES, 6),
        uuid in any::<bool>(),
        timestamps in any::<bool>(),
        transform in 0..4_usize,
    ) -> String {
        let mut text = format!("model:\n  timestamps: {timestamps}\n");
        if uuid {
            text.push_str("  key: { name: id, type: uuid }\n");
        }
        text.push_str("  attributes:\n");
        for (name, attribute) in names.iter().zip(&attributes) {
            text.push_str(&format!("    {name}:{attribute}\n"));
        }
        text.push_str("  relations:\n    none: { has_one: others, column: parent }\n");
        for relation in relations {
            text.push_str(&format!("    {relation}\n"));
        }
        let transform = ["{}", "{ links: self }", "{ id: id, other: id, links: self }", "{ only: [id] }"][transform];
        format!("{text}transform: {transform}\nfilters:\n  near: custom\n  far: {{ where: id, default: 1 }}\n")
    }
}

fn accepted(manifest: &str) -> Option<Project> {
    let sources = Sources::from_texts([
        ("formwork.yaml", "database: sqlite\n"),
        ("extensions/shop/resources/things.yaml", manifest),
        ("extensions/shop/models/others.yaml", OTHERS),
    ]);
    crate::resolve::resolve(&sources)
        .ok()
        .map(|resolved| resolved.project)
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(crate::tests::cases(16)) })]

    #[test]
    fn every_accepted_manifest_renders_code_that_parses(manifest in manifest()) {
        let project = accepted(&manifest);
        prop_assume!(project.is_some());
        let project = project.expect("assumed");
        let rendered = render(&project, &Previous::default(), &options()).expect("what is accepted renders");
        for file in rendered.files.iter().filter(|file| file.path.ends_with(".rs")) {
            let parsed = syn::parse_file(text(file));
            prop_assert!(parsed.is_ok(), "{}: {:?}\n{}\n{manifest}", file.path, parsed.err(), text(file));
        }
        let migrations = |previous: &Previous| {
            schema::migrations(&project, previous, &options().migrations).expect("a first run is never refused")
        };
        let first = migrations(&Previous::default());
        let texts: Vec<&String> = first.state_files.values().flatten().collect();
        let paths: Vec<(String, String)> = first
            .all
            .iter()
            .map(|one| (one.path(crate::project::Database::Sqlite), one.unit.clone()))
            .collect();
        let previous = Previous::new(
            texts.iter().map(|text| text.as_str()),
            paths.iter().map(|(path, unit)| (path.as_str(), unit.as_str())),
        );
        prop_assert!(migrations(&previous).new.is_empty(), "a second run emits again\n{manifest}");
    }
}

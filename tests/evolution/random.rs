//! Any manifests to any others.

use std::fmt::Write as _;

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;

use formwork_cli::project::Database as Kind;
use formwork_cli::schema::Migrations;
use formwork_tests::cases;

use crate::server::servers;
use crate::world::{Manifests, World};

const TABLES: [&str; 3] = ["apples", "berries", "cherries"];
/// Words of SQL among them.
const NAMES: [&str; 8] = [
    "colour", "order", "group", "note", "check", "picked", "values", "rowid",
];

/// Keys, each of whose values is one of the next but for the first pair.
const KEYS: [&str; 4] = ["bigint", "uuid", "string(40)", "string(60)"];

/// Types with a default of theirs.
const TYPES: [(&str, &str); 16] = [
    ("string", "x"),
    ("string(20)", "y"),
    ("text", "z"),
    ("integer", "3"),
    ("bigint", "4"),
    ("float", "0.5"),
    ("decimal(10,2)", "1.25"),
    ("decimal(12,4)", "2.5"),
    ("boolean", "true"),
    ("date", "\"2026-01-31\""),
    ("datetime", "\"2026-01-31T12:00:00Z\""),
    ("json", "[1]"),
    ("uuid", "\"00000000-0000-4000-8000-000000000001\""),
    ("enum(a, b)", "b"),
    ("time", "\"09:30\""),
    (
        "string(60)",
        "\"it's \\\"CHECK (1)\\\" \\n; -- no comment\"",
    ),
];

#[derive(Debug, Clone)]
struct Attribute {
    kind: usize,
    /// Required, nullable, or defaulted.
    value: u8,
    unique: bool,
    index: bool,
    /// Where it is a decimal, as the database's own number.
    native: bool,
}

#[derive(Debug, Clone)]
struct Model {
    key: usize,
    attributes: std::collections::BTreeMap<usize, Attribute>,
    /// Whether rows can be pointed to by whatever resource.
    morph: bool,
    /// An index of the first columns.
    wide: bool,
    timestamps: bool,
    belongs_to: Option<(usize, bool)>,
    many: Option<usize>,
}

fn attribute() -> impl Strategy<Value = Attribute> {
    (
        0..TYPES.len(),
        0..3_u8,
        prop::bool::weighted(0.2),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(kind, value, unique, index, native)| {
            let whole = !matches!(TYPES[kind].0, "text" | "json" | "boolean");
            Attribute {
                kind,
                value,
                unique: unique && whole,
                index: index && whole,
                native: native && TYPES[kind].0.starts_with("decimal"),
            }
        })
}

fn model() -> impl Strategy<Value = Model> {
    let attributes = btree_map(0..NAMES.len(), attribute(), 0..5);
    let belongs_to = option::of((0..TABLES.len(), any::<bool>()));
    let many = option::of(0..TABLES.len());
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    (0..KEYS.len(), attributes, flags, belongs_to, many).prop_map(
        |(key, attributes, (timestamps, morph, wide), belongs_to, many)| Model {
            key,
            attributes,
            morph,
            wide,
            timestamps,
            belongs_to,
            many,
        },
    )
}

fn models() -> impl Strategy<Value = Vec<Option<Model>>> {
    vec(option::weighted(0.9, model()), TABLES.len())
}

fn manifests(models: &[Option<Model>]) -> Manifests {
    let there = |table: &usize| models[*table].is_some();
    let mut all = Manifests::new();
    for (number, model) in models.iter().enumerate() {
        let Some(model) = model else { continue };
        let mut text = format!("model:\n  timestamps: {}\n", model.timestamps);
        let (name, key) = (["id", "id", "index"][number], KEYS[model.key]);
        let _ = writeln!(text, "  key: {{ name: {name}, type: {key} }}");
        if number == 0 {
            text.push_str("  table: order\n");
        }
        text.push_str("  attributes:\n");
        if model.morph {
            text.push_str("    to_type: string nullable\n    to_id: bigint nullable\n");
        }
        for (name, attribute) in &model.attributes {
            let Attribute {
                kind,
                value,
                unique,
                index,
                native,
            } = attribute;
            let (kind, default) = TYPES[*kind];
            let value = match value {
                0 => String::new(),
                1 => ", nullable: true".to_owned(),
                _ => format!(", default: {default}"),
            };
            let name = NAMES[*name];
            let native = if *native { ", storage: native" } else { "" };
            let _ = writeln!(
                text,
                "    {name}: {{ type: \"{kind}\"{value}, unique: {unique}, index: {index}{native} }}"
            );
        }
        let fits = |attribute: &Attribute| !matches!(TYPES[attribute.kind].0, "text" | "json");
        let names = model.attributes.iter().filter(|(_, one)| fits(one));
        let names: Vec<&str> = names.map(|(name, _)| NAMES[*name]).collect();
        if model.wide && names.len() > 1 {
            let _ = writeln!(text, "  indexes: [[{}]]", names[..2].join(", "));
        }
        text.push_str("  relations:\n");
        if let Some((target, nullable)) = model.belongs_to.filter(|(target, _)| there(target)) {
            let _ = writeln!(
                text,
                "    owner: {{ belongs_to: {}, nullable: {nullable} }}",
                TABLES[target]
            );
        }
        // Both sides of a pivot to itself would have one name.
        if let Some(target) = model
            .many
            .filter(|target| there(target) && *target != number)
        {
            let _ = writeln!(text, "    others: {{ many_to_many: {} }}", TABLES[target]);
        }
        if let Some(target) = model.many.filter(|target| there(target)) {
            let (name, key) = (TABLES[target], "labelable");
            let _ = writeln!(
                text,
                "    labels: {{ morph_many_to_many: {name}, pivot: {0}_{name}_labels, morph: {key}, value: {0} }}",
                TABLES[number]
            );
        }
        if let Some(target) =
            (0..TABLES.len()).find(|target| models[*target].as_ref().is_some_and(|one| one.morph))
        {
            let _ = writeln!(
                text,
                "    shown: {{ morph_many: {}, morph: to, value: {} }}",
                TABLES[target], TABLES[number]
            );
        }
        all.insert(format!("shop/models/{}.yaml", TABLES[number]), text);
    }
    all
}

/// A type that holds every value of another, by their places.
const WIDER: [(usize, usize); 7] = [(0, 2), (1, 0), (3, 4), (6, 7), (8, 2), (9, 0), (12, 0)];

/// Changes of a model without any loss: `other` is added to attributes without a default.
fn grown(model: &Model, other: &Model, wider: bool, looser: bool) -> Model {
    let mut grown = other.clone();
    for attribute in grown.attributes.values_mut() {
        // Rows that are there have no value, and would have the same.
        attribute.value = attribute.value.max(1);
        attribute.unique = false;
    }
    for (name, known) in &model.attributes {
        let mut attribute = known.clone();
        let wide = WIDER.iter().find(|(from, _)| *from == known.kind);
        if let Some((_, to)) = wide.filter(|_| wider) {
            attribute.kind = *to;
        }
        if looser {
            attribute.value = (known.value + 1).min(2);
        }
        let text = TYPES[attribute.kind].0 == "text";
        attribute.unique &= !text && attribute.value == known.value;
        attribute.index &= !text;
        grown.attributes.insert(*name, attribute);
    }
    let owner = other.belongs_to.map(|(target, _)| (target, true));
    let wider_key = match KEYS[model.key] {
        _ if !wider => model.key,
        "bigint" | "uuid" => 2,
        _ => 3,
    };
    Model {
        key: wider_key,
        morph: model.morph || other.morph,
        wide: model.wide,
        timestamps: model.timestamps || other.timestamps,
        belongs_to: model.belongs_to.or(owner),
        many: model.many.or(other.many),
        ..grown
    }
}

/// The migrations; `None` where there are none: a uuid cannot become a number, and a new unique
/// column has no values.
fn allowed(world: &World, next: &Manifests) -> Option<Migrations> {
    match world.emit(next, true) {
        Ok(run) => Some(run),
        Err(refused) => {
            let text = refused.to_string();
            let known = ["a uuid cannot become a number", "required and unique"];
            assert!(known.iter().any(|one| text.contains(one)), "{text}");
            None
        }
    }
}

/// Whether migrations lead from each of these manifests to the next; asked before a database is made
/// for them.
fn leads(all: &[&Manifests]) -> bool {
    let mut world = World::new();
    all.iter().all(|manifests| {
        let run = allowed(&world, manifests);
        run.is_some_and(|run| {
            world.remember(&run);
            true
        })
    })
}

/// Checks that empty tables lead from any manifests to any others.
fn assert_leads(kind: Kind, all: [Vec<Option<Model>>; 3]) -> Result<(), TestCaseError> {
    let [before, between, after] = all.map(|models| manifests(&models));
    prop_assume!(leads(&[&before, &between, &after]));
    let mut world = World::created_on(kind, &before);
    for next in [between, after] {
        let run = allowed(&world, &next).expect("it leads there");
        world.apply(&run).expect("empty tables");
        world.assert_as_created(&next, &run, "without rows");
    }
    Ok(())
}

/// Checks that rows are kept, or the change stops at a row that cannot be.
fn assert_keeps(
    kind: Kind,
    before: &[Option<Model>],
    after: &[Option<Model>],
) -> Result<(), TestCaseError> {
    let (before, after) = (manifests(before), manifests(after));
    prop_assume!(leads(&[&before, &after]));
    let mut world = World::created_on(kind, &before);
    let schema = world.schema().clone();
    world.database.fill(&schema, 1);
    world.database.fill(&schema, 2);
    let rows = world.rows();
    let safe = world.emit(&after, false).is_ok();
    let run = allowed(&world, &after).expect("it leads there");
    match world.apply(&run) {
        Ok(()) => {
            world.assert_as_created(&after, &run, "with rows");
            let mut names = run.new.iter().map(|one| &one.emitted.name);
            if !names.any(|name| name.starts_with("recreate_")) {
                world.assert_rows_intact(&rows, &[], "with rows");
            }
        }
        // Rows may be alike in what must be unique from now on; what is destructive may lack what must be there.
        Err(error) => assert!(is_expected(&error, safe), "{error}"),
    }
    Ok(())
}

/// Whether a migration may stop with this error, in the words of each database.
fn is_expected(error: &str, safe: bool) -> bool {
    let error = error.lines().next().unwrap_or_default();
    let alike = ["UNIQUE", "could not create unique index", "Duplicate entry"];
    let lacking = [
        "NOT NULL",
        "FOREIGN KEY",
        " has rows whose ",
        "contains null values",
        "violates foreign key",
        "cannot be null",
        "foreign key constraint fails",
    ];
    let says = |words: &[&str]| words.iter().any(|one| error.contains(one));
    says(&alike) || !safe && says(&lacking)
}

/// Checks that what only grows asks for no permission, and always applies.
fn assert_grows(kind: Kind, before: &[Model], other: &[Model], (wider, looser): (bool, bool)) {
    let both = before.iter().zip(other);
    let after = both.map(|(model, other)| Some(grown(model, other, wider, looser)));
    let after: Vec<Option<Model>> = after.collect();
    let before: Vec<Option<Model>> = before.iter().cloned().map(Some).collect();
    let (before, after) = (manifests(&before), manifests(&after));
    let mut world = World::created_on(kind, &before);
    let schema = world.schema().clone();
    world.database.fill(&schema, 1);
    world.database.fill(&schema, 2);
    let rows = world.rows();
    let run = world.emit(&after, false).expect("nothing is lost");
    world.apply(&run).expect("applied");
    world.assert_as_created(&after, &run, "grown");
    world.assert_rows_intact(&rows, &[], "grown");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(16), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_manifests_lead_to_any_others(before in models(), between in models(), after in models()) {
        assert_leads(Kind::Sqlite, [before, between, after])?;
    }

    #[test]
    fn rows_are_kept(before in models(), after in models()) {
        assert_keeps(Kind::Sqlite, &before, &after)?;
    }

    #[test]
    fn additions_need_no_permission_and_always_apply(
        before in vec(model(), TABLES.len()),
        other in vec(model(), TABLES.len()),
        how in any::<(bool, bool)>(),
    ) {
        assert_grows(Kind::Sqlite, &before, &other, how);
    }
}

// Fewer pairs: a server takes a hundredth of a second for each statement.
proptest! {
    #![proptest_config(ProptestConfig { cases: cases(4), failure_persistence: None, max_shrink_iters: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_manifests_lead_to_any_others_on_servers(before in models(), between in models(), after in models()) {
        for kind in servers() {
            assert_leads(kind, [before.clone(), between.clone(), after.clone()])?;
        }
    }

    #[test]
    fn rows_are_kept_on_servers(before in models(), after in models()) {
        for kind in servers() {
            assert_keeps(kind, &before, &after)?;
        }
    }

    #[test]
    fn additions_always_apply_on_servers(
        before in vec(model(), TABLES.len()),
        other in vec(model(), TABLES.len()),
        how in any::<(bool, bool)>(),
    ) {
        for kind in servers() {
            assert_grows(kind, &before, &other, how);
        }
    }
}

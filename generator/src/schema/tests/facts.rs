//! Facts of tables in the state: which migration touched them, and what a merge of two branches keeps.

use super::super::table::Part;
use super::*;

#[test]
fn the_later_change_of_two_branches_counts_for_each_fact() {
    let base = emitted(
        &menus(
            "    name: string required\n    price: decimal(8,2) required\n    note: text nullable\n",
        ),
        &Previous::default(),
    );
    let at = |second: i64| MigrationOptions {
        clock: Clock::at(NOON + second),
        allow_destructive: true,
        ..options()
    };
    let ours = menus(
        "    name: string required\n    price: decimal(8,2) required\n    note: text nullable\n    size: integer nullable\n",
    );
    let theirs = menus("    name: string required\n    price: decimal(10,4) required\n");
    let texts = [
        migrations(&ours, &after(&base), &at(60)).unwrap(),
        migrations(&theirs, &after(&base), &at(30)).unwrap(),
    ]
    .map(|run| run.state_files["schema/menus.schema"].clone().unwrap());
    let both = menus(
        "    name: string required\n    price: decimal(10,4) required\n    size: integer nullable\n",
    );
    for (one, other) in [(0, 1), (1, 0)] {
        let merged = format!(
            "<<<<<<< HEAD\n{}=======\n{}>>>>>>> branch\n",
            texts[one], texts[other]
        );
        let previous = Previous::new([merged.as_str()], []);
        let mut found = plain(&previous);
        let mut wanted = Schema::of(&both);
        for schema in [&mut found, &mut wanted] {
            let table = schema.tables.get_mut("menus").unwrap();
            table.columns.sort_by(|a, b| a.name.cmp(&b.name));
        }
        assert_eq!(found, wanted, "{merged}");
        assert!(emitted(&both, &previous).new.is_empty(), "{merged}");
    }
}

#[test]
fn facts_are_written_with_the_migration_that_touched_them() {
    let first = emitted(
        &menus(
            "    name: string required\n    note: { type: text, nullable: true, index: true }\n",
        ),
        &Previous::default(),
    );
    let run = migrations(
        &menus("    name: string required|unique\n"),
        &after(&first),
        &MigrationOptions {
            allow_destructive: true,
            ..options()
        },
    )
    .unwrap();
    let text = run.state_files["schema/menus.schema"].clone().unwrap();
    for line in [
        "dropped@20261121120001 column note",
        "dropped@20261121120001 index note",
        "unique@20261121120002 name",
        "column name string(255) not_null",
    ] {
        assert!(text.lines().any(|known| known == line), "{line}: {text}");
    }
    let table = Table::from_text(&text).unwrap();
    assert_eq!(table.to_text(), text);
    assert_eq!(
        table.touched[&Part::Column("note".to_owned())],
        20_261_121_120_001
    );
}

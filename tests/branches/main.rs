//! Two branches that change the same tables, with real git and the real runner: after the merge and one
//! `formwork generate`, every database ends in the schema of the manifests with every row, whichever
//! branch it was migrated on and of whatever kind it is, or the runner stops before anything is lost and says what to do.

mod database;
mod files;
mod merged;
#[path = "../evolution/server.rs"]
#[allow(dead_code, reason = "the tests of evolution look at more of it")]
mod server;

use formwork_cli::project::Database as Kind;
use formwork_tests::repository::{DISHES, is_formworks};

use database::{Database, sequence};
use merged::{BASE, Change, merge, repository};

fn noted(manifest: String) -> String {
    manifest.replace(
        "    price:",
        "    note: { type: text, default: none }\n    price:",
    )
}

fn priced_in_words(manifest: String) -> String {
    manifest.replace("price: integer", "price: text")
}

fn indexed(manifest: String) -> String {
    manifest.replace("stock: { type", "stock: { index: true, type")
}

fn to_plates(manifest: String) -> String {
    let table = "model:\n  table: { name: plates, was: dishes }\n";
    manifest.replace("model:\n", table)
}

#[test]
fn one_branch_recreates_a_column_while_the_other_adds_one() {
    let both = |manifest| noted(priced_in_words(manifest));
    let rows = "SELECT id, title, price, note, stock FROM dishes ORDER BY id";
    let expected = ["1|soup|7|none|5", "4|stew|9|none|6"];
    merge([priced_in_words, noted], both).ends(rows, &expected);
    merge([noted, priced_in_words], both).ends(rows, &expected);
}

#[test]
fn one_drops_a_column_while_the_other_indexes_another() {
    fn drops(manifest: String) -> String {
        manifest.replace("    size: string nullable\n", "")
    }
    let both = |manifest| indexed(drops(manifest));
    let rows = "SELECT id, title, price, stock FROM dishes ORDER BY id";
    let expected = ["1|soup|7|5", "4|stew|9|6"];
    merge([drops, indexed], both).ends(rows, &expected);
    merge([indexed, drops], both).ends(rows, &expected);
}

#[test]
fn one_asks_for_values_while_the_other_changes_columns_and_points_to_another_table() {
    fn asks(manifest: String) -> String {
        manifest.replace("string nullable", "{ type: string, default: M }")
    }
    fn points(manifest: String) -> String {
        let manifest = manifest.replace("price: integer", "price: bigint");
        let (stock, text) = (
            "stock: { type: integer, default: 3 }",
            "stock: { type: text, default: few }",
        );
        manifest.replace(stock, text) + "  relations:\n    next: { belongs_to: dishes }\n"
    }
    let both = |manifest| points(asks(manifest));
    let rows = "SELECT id, price, stock, size FROM dishes WHERE next_id IS NULL ORDER BY id";
    let expected = ["1|7|5|L", "4|9|6|M"];
    merge([asks, points], both).ends(rows, &expected);
    merge([points, asks], both).ends(rows, &expected);
}

#[test]
fn both_make_the_same_change() {
    merge([noted, noted], noted).stops("both change dishes.note");
}

#[test]
fn both_change_the_same_column_otherwise() {
    let money: Change = |manifest| manifest.replace("price: integer", "price: decimal(10,2)");
    let finer: Change = |manifest| manifest.replace("price: integer", "price: decimal(14,4)");
    merge([money, finer], finer).stops("both change dishes.price");
}

#[test]
fn one_changes_the_key_while_the_other_adds_a_column() {
    fn key(manifest: String) -> String {
        manifest.replace("model:\n", "model:\n  key: { name: id, type: uuid }\n")
    }
    let both = |manifest| noted(key(manifest));
    merge([key, noted], both).stops("both change dishes");
}

#[test]
fn one_renames_a_column_while_the_other_changes_another() {
    fn renames(manifest: String) -> String {
        let name = "name: { type: string, rules: required, unique: true, was: title }";
        manifest.replace("title: string required|unique", name)
    }
    let changes = |manifest| priced_in_words(noted(manifest));
    let both = |manifest| priced_in_words(noted(renames(manifest)));
    let rows = "SELECT id, name, price, note FROM dishes ORDER BY id";
    let expected = ["1|soup|7|none", "4|stew|9|none"];
    merge([renames, changes], both).ends(rows, &expected);
    merge([changes, renames], both).ends(rows, &expected);
}

#[test]
fn one_renames_the_table_while_the_other_changes_it() {
    let both = |manifest| to_plates(noted(manifest));
    merge([to_plates, noted], both).stops("both change dishes");
}

#[test]
fn a_merge_that_kept_one_side_of_the_state_is_noticed() {
    let repository = repository(BASE);
    for (name, change) in [("one", noted as Change), ("two", priced_in_words)] {
        repository.branch(name, |mine| {
            mine.project.write(DISHES, &change(BASE.to_owned()));
            mine.run(&["generate"]).exits(0);
        });
    }
    let conflicts = repository.merge(&["one", "two"]);
    for path in &conflicts {
        repository
            .project
            .try_git(&["checkout", "-q", "--ours", "--", path]);
    }
    repository
        .project
        .write(DISHES, &noted(priced_in_words(BASE.to_owned())));
    let state = ".formwork/schema/dishes.schema";
    let ours = repository.project.git(&["show", &format!("one:{state}")]);
    repository.project.write(state, &ours);
    let before = repository.project.snapshot();
    repository
        .run(&["generate"])
        .exits(2)
        .says("change_price_in_dishes")
        .says(&format!("git show BRANCH:{state} >> {state}"));
    assert_eq!(repository.project.snapshot(), before);
    let theirs = repository.project.git(&["show", &format!("two:{state}")]);
    repository.project.write(state, &(ours + &theirs));
    let recorded = "change_price_in_dishes.sql: no lock names it any more: it is recorded again";
    repository.run(&["status"]).exits(0).says(recorded);
    repository.mend();
    let lock = repository.project.read(".formwork/lock/shop.lock");
    assert!(lock.contains("_change_price_in_dishes.sql"), "{lock}");
    let quiet = repository.run(&["status"]).exits(0).output;
    assert!(!quiet.contains("note: "), "{quiet}");
    assert_eq!(repository.versions("shop").len(), 7);
}

#[test]
fn migrations_of_one_second_are_one_sequence_in_a_stable_order() {
    let repository = repository(BASE);
    let base = sequence(&repository.project);
    let mut branches = Vec::new();
    for (name, column) in [("one", "zest"), ("two", "aroma")] {
        repository.branch(name, |mine| {
            let line = format!("  attributes:\n    {column}: text nullable\n");
            mine.project.edit(DISHES, "  attributes:\n", &line);
            // Both in the same second.
            let second = [("SOURCE_DATE_EPOCH", std::path::Path::new("1800000000"))];
            mine.project.run_with(&["generate"], &second).exits(0);
        });
        branches.push(sequence(&repository.project));
    }
    for path in repository
        .merge(&["one", "two"])
        .iter()
        .filter(|path| !is_formworks(path))
    {
        repository
            .project
            .try_git(&["checkout", "-q", "--ours", "--", path]);
    }
    let lines = "  attributes:\n    aroma: text nullable\n    zest: text nullable\n";
    let manifest = BASE.replace("  attributes:\n", lines);
    repository.project.write(DISHES, &manifest);
    repository.mend();
    let merged = sequence(&repository.project);
    let names: Vec<&str> = merged[0].1.iter().map(|one| one.name).collect();
    assert_eq!(
        names[names.len() - 2..],
        ["add_aroma_to_dishes", "add_zest_to_dishes"]
    );
    let versions: Vec<i64> = merged[0].1.iter().map(|one| one.version).collect();
    assert_eq!(versions[versions.len() - 2], versions[versions.len() - 1]);
    for known in [&Vec::new(), &base, &branches[0], &branches[1]] {
        let database = Database::with(Kind::Sqlite, known);
        database.migrate(&merged).expect("migrated");
        let columns =
            "SELECT count(*) FROM pragma_table_info('dishes') WHERE name IN ('aroma', 'zest')";
        assert_eq!(database.rows(columns), ["2"]);
        let applied = "SELECT count(*) FROM formwork_migrations";
        assert_eq!(database.rows(applied), [names.len().to_string()]);
    }
}

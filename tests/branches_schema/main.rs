//! Two branches that change the same tables, with real git and the real runner: after the merge and one
//! `formwork generate`, every database ends in the schema of the manifests with every row, whichever
//! branch it was migrated on and of whatever kind it is, or the runner stops before anything is lost and says what to do.

mod database;
#[path = "../evolution/server.rs"]
#[allow(dead_code, reason = "the tests of evolution look at more of it")]
mod server;

use formwork_cli::project::Database as Kind;
use formwork_tests::project::Project;
use formwork_tests::repository::{DISHES, Repository, is_formworks};

use database::{Database, Sequence, kinds, sequence};

const KINDS: &str = "sqlite,postgres,mysql";

const BASE: &str = "name: Dishes
model:
  attributes:
    title: string required|unique
    price: integer required
    stock: { type: integer, default: 3 }
    size: string nullable
";

const ROWS: &str = "INSERT INTO dishes (id, title, price, stock, size) VALUES (1, 'soup', 7, 5, 'L'), (4, 'stew', 9, 6, NULL)";

/// One branch: what it makes of the manifest.
type Change = fn(String) -> String;

/// The sequences of migrations before, on both branches, and after the merge.
struct Merged {
    base: Sequence,
    branches: [Sequence; 2],
    merged: Sequence,
    /// What the manifests alone give.
    alone: Sequence,
}

/// The base on `main`, in a repository.
fn repository(base: &str) -> Repository {
    let repository = Repository::with_dishes_on(KINDS);
    repository.project.write(DISHES, base);
    repository
        .run(&["generate", "--allow-destructive"])
        .exits(0);
    repository.project.commit("base");
    repository
}

/// As [`merge_from`], from [`BASE`].
fn merge(changes: [Change; 2], merged: Change) -> Merged {
    merge_from(BASE, changes, merged)
}

/// Merges two branches. `merged` is what becomes of the manifest, where git cannot say it.
fn merge_from(manifest: &str, changes: [Change; 2], merged: Change) -> Merged {
    let repository = repository(manifest);
    let base = sequence(&repository.project);
    let branch = |name: &str, change: Change| {
        repository.branch(name, |mine| {
            mine.project.write(DISHES, &change(manifest.to_owned()));
            mine.run(&["generate", "--allow-destructive"]).exits(0);
        });
        sequence(&repository.project)
    };
    let branches = [branch("one", changes[0]), branch("two", changes[1])];
    let conflicts = repository.merge(&["one", "two"]);
    for path in conflicts.iter().filter(|path| !is_formworks(path)) {
        // Whatever side is taken of what follows the manifest, a run brings the rest.
        repository
            .project
            .try_git(&["checkout", "-q", "--ours", "--", path]);
    }
    let manifest = merged(manifest.to_owned());
    repository.project.write(DISHES, &manifest);
    repository.mend();
    let alone = Project::new_on("bistro", KINDS);
    alone.write("extensions/shop/extension.yaml", "name: Shop\n");
    alone.write(DISHES, &manifest);
    alone.run(&["generate"]).exits(0);
    Merged {
        base,
        branches,
        merged: sequence(&repository.project),
        alone: sequence(&alone),
    }
}

impl Merged {
    /// Databases of a kind that are new, made by the base, and made on each branch; with rows but for
    /// the first.
    fn databases(&self, kind: Kind) -> Vec<(String, Database)> {
        let filled = |migrations: &Sequence| {
            let database = Database::with(kind, &self.base);
            database.execute(ROWS);
            database.migrate(migrations).expect("the branch applies");
            database
        };
        let databases = [
            ("empty", Database::with(kind, &Vec::new())),
            ("base", filled(&self.base)),
            ("one", filled(&self.branches[0])),
            ("two", filled(&self.branches[1])),
        ];
        let named = databases.map(|(what, database)| (format!("{what} {kind:?}"), database));
        named.into()
    }

    /// All end alike; each row gives this.
    #[track_caller]
    fn ends(&self, rows: &str, expected: &[&str]) {
        for kind in kinds() {
            let alone = Database::with(kind, &self.alone).described();
            for (what, database) in self.databases(kind) {
                let done = database.migrate(&self.merged);
                done.unwrap_or_else(|error| panic!("{what}: {error}"));
                assert_eq!(database.described(), alone, "{what}");
                if !what.starts_with("empty") {
                    assert_eq!(database.rows(rows), expected, "{what}");
                }
                database.migrate(&self.merged).expect("nothing is left");
            }
        }
    }

    /// Each that one branch has migrated stops with this message, and everything is as it was.
    #[track_caller]
    fn stops(&self, message: &str) {
        for kind in kinds() {
            for (what, database) in self.databases(kind).into_iter().skip(2) {
                let rows = "SELECT count(*), min(title) FROM dishes";
                let (before, known) = (database.described(), database.rows(rows));
                let error = database.migrate(&self.merged).expect_err(&what);
                assert!(error.contains(message), "{what}: {error}");
                assert_eq!((database.described(), database.rows(rows)), (before, known));
            }
        }
    }
}

fn noted(manifest: String) -> String {
    manifest.replace(
        "    price:",
        "    note: { type: text, default: none }\n    price:",
    )
}

fn priced_in_words(manifest: String) -> String {
    manifest.replace("price: integer", "price: text")
}

#[test]
fn one_makes_a_column_anew_while_the_other_adds_one() {
    let both = |manifest| noted(priced_in_words(manifest));
    let rows = "SELECT id, title, price, note, stock FROM dishes ORDER BY id";
    let expected = ["1|soup|7|none|5", "4|stew|9|none|6"];
    merge([priced_in_words, noted], both).ends(rows, &expected);
    merge([noted, priced_in_words], both).ends(rows, &expected);
}

#[test]
fn one_drops_a_column_while_the_other_indexes_another() {
    let drops: Change = |manifest| manifest.replace("    size: string nullable\n", "");
    let indexes: Change =
        |manifest| manifest.replace("stock: { type", "stock: { index: true, type");
    let both = |manifest: String| {
        manifest
            .replace("    size: string nullable\n", "")
            .replace("stock: { type", "stock: { index: true, type")
    };
    let rows = "SELECT id, title, price, stock FROM dishes ORDER BY id";
    let expected = ["1|soup|7|5", "4|stew|9|6"];
    merge([drops, indexes], both).ends(rows, &expected);
    merge([indexes, drops], both).ends(rows, &expected);
}

#[test]
fn one_asks_for_values_while_the_other_changes_columns_and_points_to_another_table() {
    let asks: Change =
        |manifest| manifest.replace("string nullable", "{ type: string, default: M }");
    let points: Change = |manifest| {
        manifest.replace("price: integer", "price: bigint").replace(
            "stock: { type: integer, default: 3 }",
            "stock: { type: text, default: few }",
        ) + "  relations:\n    next: { belongs_to: dishes }\n"
    };
    let both = |manifest: String| {
        manifest
            .replace("string nullable", "{ type: string, default: M }")
            .replace("price: integer", "price: bigint")
            .replace(
                "stock: { type: integer, default: 3 }",
                "stock: { type: text, default: few }",
            )
            + "  relations:\n    next: { belongs_to: dishes }\n"
    };
    let rows = "SELECT id, price, stock, size FROM dishes WHERE next_id IS NULL ORDER BY id";
    let expected = ["1|7|5|L", "4|9|6|M"];
    merge([asks, points], both).ends(rows, &expected);
    merge([points, asks], both).ends(rows, &expected);
}

#[test]
fn both_make_the_same_change() {
    let rows = "SELECT id, note, price FROM dishes ORDER BY id";
    merge([noted, noted], noted).ends(rows, &["1|none|7", "4|none|9"]);
}

#[test]
fn both_change_the_same_column_otherwise() {
    let money: Change = |manifest| manifest.replace("price: integer", "price: decimal(10,2)");
    let finer: Change = |manifest| manifest.replace("price: integer", "price: decimal(14,4)");
    merge([money, finer], finer).stops("both change dishes.price");
}

#[test]
fn one_changes_the_key_while_the_other_adds_a_column() {
    let key: Change =
        |manifest| manifest.replace("model:\n", "model:\n  key: { name: id, type: uuid }\n");
    let both = |manifest: String| {
        noted(manifest.replace("model:\n", "model:\n  key: { name: id, type: uuid }\n"))
    };
    merge([key, noted], both).stops("both change dishes");
}

#[test]
fn one_renames_a_column_while_the_other_changes_another() {
    let renames: Change = |manifest| {
        manifest.replace(
            "title: string required|unique",
            "name: { type: string, rules: required, unique: true, was: title }",
        )
    };
    let both = |manifest: String| {
        priced_in_words(noted(manifest.replace(
            "title: string required|unique",
            "name: { type: string, rules: required, unique: true, was: title }",
        )))
    };
    let rows = "SELECT id, name, price, note FROM dishes ORDER BY id";
    let expected = ["1|soup|7|none", "4|stew|9|none"];
    let changes: Change = |manifest| priced_in_words(noted(manifest));
    merge([renames, changes], both).ends(rows, &expected);
    merge([changes, renames], both).ends(rows, &expected);
}

#[test]
fn one_renames_the_table_while_the_other_changes_it() {
    let renames: Change = |manifest| {
        manifest.replace(
            "model:\n",
            "model:\n  table: { name: plates, was: dishes }\n",
        )
    };
    // A column more, one of another type, an index more, and one that is gone.
    let changes: Change = |manifest| {
        priced_in_words(noted(manifest))
            .replace(
                "stock: { type: integer,",
                "stock: { type: integer, index: true,",
            )
            .replace("title: string required|unique", "title: string required")
    };
    let both = |manifest: String| {
        priced_in_words(noted(manifest))
            .replace(
                "stock: { type: integer,",
                "stock: { type: integer, index: true,",
            )
            .replace("title: string required|unique", "title: string required")
            .replace(
                "model:\n",
                "model:\n  table: { name: plates, was: dishes }\n",
            )
    };
    let rows = "SELECT id, title, price, note FROM plates ORDER BY id";
    let expected = ["1|soup|7|none", "4|stew|9|none"];
    merge([renames, changes], both).ends(rows, &expected);
    merge([changes, renames], both).ends(rows, &expected);
}

/// Names of foreign keys and long names of indexes are made of the table's name, too.
#[test]
fn one_renames_the_table_while_the_other_changes_its_foreign_keys() {
    let renames: Change = |manifest| {
        manifest.replace(
            "model:\n",
            "model:\n  table: { name: plates, was: dishes }\n",
        )
    };
    let changes: Change = |manifest| {
        let long = "a_name_that_is_so_long_that_an_index_of_it_is_shortened";
        let attribute =
            format!("  attributes:\n    {long}: {{ type: string, nullable: true, index: true }}\n");
        let manifest = manifest.replace("  attributes:\n", &attribute);
        manifest.replace("last: { belongs_to", "next: { belongs_to")
    };
    let both: Change = |manifest| {
        let long = "a_name_that_is_so_long_that_an_index_of_it_is_shortened";
        let attribute =
            format!("  attributes:\n    {long}: {{ type: string, nullable: true, index: true }}\n");
        let manifest = manifest.replace("  attributes:\n", &attribute);
        let manifest = manifest.replace("last: { belongs_to", "next: { belongs_to");
        manifest.replace(
            "model:\n",
            "model:\n  table: { name: plates, was: dishes }\n",
        )
    };
    let base = format!(
        "{BASE}  relations:\n    last: {{ belongs_to: dishes }}\n    first: {{ belongs_to: dishes }}\n"
    );
    let rows =
        "SELECT id, title FROM plates WHERE next_id IS NULL AND first_id IS NULL ORDER BY id";
    let expected = ["1|soup", "4|stew"];
    merge_from(&base, [renames, changes], both).ends(rows, &expected);
    merge_from(&base, [changes, renames], both).ends(rows, &expected);
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

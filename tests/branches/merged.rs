//! Two branches with a manifest each, their merge, and what becomes of databases.

use formwork_cli::project::Database as Kind;
use formwork_tests::project::Project;
use formwork_tests::repository::{DISHES, Repository, is_formworks};

use crate::database::{Database, Sequence, kinds, sequence};

const KINDS: &str = "sqlite,postgres,mysql";

pub const BASE: &str = "name: Dishes
model:
  attributes:
    title: string required|unique
    price: integer required
    stock: { type: integer, default: 3 }
    size: string nullable
";

const ROWS: &str = "INSERT INTO dishes (id, title, price, stock, size) VALUES (1, 'soup', 7, 5, 'L'), (4, 'stew', 9, 6, NULL)";

/// One branch: what it makes of the manifest.
pub type Change = fn(String) -> String;

/// The sequences of migrations before, on both branches, and after the merge.
pub struct Merged {
    base: Sequence,
    branches: [Sequence; 2],
    merged: Sequence,
    /// What the manifests alone give.
    alone: Sequence,
}

/// The base on `main`, in a repository.
pub fn repository(base: &str) -> Repository {
    let repository = Repository::with_dishes_on(KINDS);
    repository.project.write(DISHES, base);
    repository
        .run(&["generate", "--allow-destructive"])
        .exits(0);
    repository.project.commit("base");
    repository
}

/// Merges two branches from [`BASE`]. `merged` is what becomes of the manifest, where git cannot say it.
pub fn merge(changes: [Change; 2], merged: Change) -> Merged {
    let repository = repository(BASE);
    let base = sequence(&repository.project);
    let branch = |name: &str, change: Change| {
        repository.branch(name, |mine| {
            mine.project.write(DISHES, &change(BASE.to_owned()));
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
    let manifest = merged(BASE.to_owned());
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
    pub fn ends(&self, rows: &str, expected: &[&str]) {
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
    pub fn stops(&self, message: &str) {
        for kind in kinds() {
            for (what, database) in self.databases(kind).into_iter().skip(2) {
                let before = database.described();
                let table = ["dishes", "plates"]
                    .into_iter()
                    .find(|it| before.contains_key(*it));
                let rows = format!(
                    "SELECT count(*), min(title) FROM {}",
                    table.expect("a table")
                );
                let known = database.rows(&rows);
                let error = database.migrate(&self.merged).expect_err(&what);
                assert!(error.contains(message), "{what}: {error}");
                assert_eq!(
                    (database.described(), database.rows(&rows)),
                    (before, known)
                );
            }
        }
    }
}

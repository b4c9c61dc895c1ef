//! What was generated, imported and generated again: the second database has the schema of the first.

use formwork_cli::import::catalogue::Catalogue;
use formwork_cli::import::read::{self, Reading};
use formwork_tests::checkout;
use formwork_tests::project::Project;
use formwork_tests::server::Database;

use crate::import;

const ROWS: &str = "INSERT INTO kitchen_sinks (label, code, price) VALUES ('a', 'b', 1); \
    INSERT INTO labels (text) VALUES ('new'); \
    INSERT INTO labelables (label_id, labelable_type, labelable_id) VALUES (1, 'kitchen_sinks', 1); \
    INSERT INTO pictures (file, picturable_type, picturable_id) VALUES ('c', 'kitchen_sinks', 1)";

/// What the servers themselves say, beside what `import` reads: keys with their actions, indexes.
const POSTGRES_FACTS: &str = "SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default, \
    is_identity) FROM information_schema.columns WHERE table_schema = 'public' \
    UNION SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint \
    WHERE connamespace = 'public'::regnamespace \
    UNION SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1";

const MARIADB_FACTS: &str = "SELECT CAST(concat_ws(' ', table_name, column_name, column_type, is_nullable, \
    column_default, extra, collation_name) AS CHAR) FROM information_schema.columns WHERE table_schema = DATABASE() \
    UNION SELECT CAST(concat_ws(' ', table_name, index_name, seq_in_index, column_name, non_unique) AS CHAR) \
    FROM information_schema.statistics WHERE table_schema = DATABASE() \
    UNION SELECT CAST(concat_ws(' ', table_name, constraint_name, column_name, referenced_table_name, \
    referenced_column_name) AS CHAR) FROM information_schema.key_column_usage WHERE table_schema = DATABASE() \
    ORDER BY 1";

const SQLITE_FACTS: &str =
    "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY 1";

/// Every type in the first database, and what is imported of it in the second.
#[test]
fn generated_tables_come_back() {
    for ((kind, first), (_, second)) in Database::each().into_iter().zip(Database::each()) {
        let generated = Project::new_on("generated", kind);
        generated.take(&checkout().join("fixtures/mega"));
        let before = migrate(&generated, kind, &first);
        // Polymorphic pairs are known by their rows alone.
        first.run(ROWS);
        let imported = Project::new_on("imported", kind);
        import(&imported, &first, &["--ext", "all"]).exits(0);
        for key in files(&imported, "extensions/all/resources") {
            imported.edit(&key, "  managed: false\n", "");
        }
        let after = migrate(&imported, kind, &second);
        assert!(before.tables.len() > 12, "{before:?}");
        for (one, other) in before.tables.iter().zip(&after.tables) {
            assert_eq!(one, other);
        }
        assert_eq!(before, after);
        let facts = match kind {
            "sqlite" => SQLITE_FACTS,
            "postgres" => POSTGRES_FACTS,
            _ => MARIADB_FACTS,
        };
        assert_eq!(first.texts(facts), second.texts(facts), "{kind}");
    }
}

/// Generates a project's migrations, and runs them; returns what the database has then.
fn migrate(project: &Project, kind: &str, database: &Database) -> Catalogue {
    project.run(&["generate"]).exits(0);
    let mut migrations: Vec<String> = files(project, "extensions")
        .into_iter()
        .filter(|path| path.contains(&format!("/migrations/{kind}/")))
        .collect();
    // By their versions, whatever the extension.
    migrations.sort_by_key(|path| path.rsplit('/').next().map(str::to_owned));
    for path in migrations {
        let sql = project.read(&path);
        // What undoes it stands behind.
        let (up, _) = sql.split_once("\n-- down").unwrap_or((&sql, ""));
        database.run(up);
    }
    let reading = Reading {
        url: &database.url(),
        search_path: None,
        tables: &[],
        looks: std::time::Duration::from_secs(60),
    };
    read::catalogue(&reading).expect("a catalogue")
}

/// The files below a folder of a project, as paths within it.
fn files(project: &Project, folder: &str) -> Vec<String> {
    let entries = walkdir::WalkDir::new(project.root().join(folder)).sort_by_file_name();
    let files = entries.into_iter().map(|entry| entry.expect("a file"));
    files
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            let path = entry.path().strip_prefix(project.root());
            path.expect("below it").to_string_lossy().into_owned()
        })
        .collect()
}

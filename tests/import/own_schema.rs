//! The runtime's tables in a schema of their own, beside tables of another program.

use formwork_tests::program::Program;
use formwork_tests::project::Project;
use formwork_tests::server::Database;
use serde_json::json;

use crate::postgres_served::data;
use crate::{ERP, import};

/// A table of another program that has a name of the runtime's.
const THEIRS: &str = "CREATE SCHEMA fw; CREATE TABLE admin_users (theirs integer)";

const TABLES: &str = "SELECT schemaname::text || '.' || tablename::text FROM pg_tables \
    WHERE tablename IN ('admin_users', 'api_tokens', 'formwork_migrations', 'formwork_secrets') ORDER BY 1";

/// Serves an imported project on a second database.
pub fn ask(project: &Project, program: Program) {
    let Some(beside) = Database::on("postgres") else {
        return;
    };
    beside.run(ERP);
    beside.run(THEIRS);
    let built = program
        .with("DATABASE_URL", &beside.url())
        .with("FORMWORK_DATABASE__SEARCH_PATH", "fw,public");
    let added = built.run("migrate --dry-run");
    assert!(added.contains("CREATE TABLE \"admin_users\""), "{added}");
    built.run("migrate");
    let tables = beside.texts(TABLES);
    let expected = [
        "fw.admin_users",
        "fw.api_tokens",
        "fw.formwork_migrations",
        "fw.formwork_secrets",
        "public.admin_users",
    ];
    assert_eq!(tables, expected);
    let served = built.serve(&built.administrator());
    assert_eq!(served.guest().get("/api/houses").status, 401);
    let admin = served.admin();
    let houses = admin.get("/api/houses?sort=name&include=rooms");
    assert_eq!(data(&houses, 200)[0]["name"], "Anchor", "{houses}");
    data(&admin.post("/api/houses", &json!({ "name": "Crown" })), 201);
    let names = beside.texts("SELECT name FROM public.houses ORDER BY 1");
    assert_eq!(names, ["Anchor", "Bell", "Crown"]);
    again(project, &beside);
}

/// The import knows the runtime's tables in their schema.
fn again(project: &Project, beside: &Database) {
    let unsaid = "  # search_path: null ";
    project.edit("formwork.yaml", unsaid, "  search_path: fw,public #");
    let ran = import(project, beside, &["--ext", "hotel", "--check"]).exits(0);
    ran.says("api_tokens: not imported: its name is reserved for a table of the runtime");
}

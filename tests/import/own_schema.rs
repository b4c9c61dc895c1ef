//! The runtime's tables in a schema of their own, beside tables of another program.

use formwork_tests::project::Project;
use serde_json::json;
use sqlx::PgConnection;

use crate::database::{Scratch, texts};
use crate::postgres::ERP;
use crate::postgres_served::data;
use crate::service::Built;

/// A table of another program that has a name of the runtime's.
const THEIRS: &str = "CREATE SCHEMA fw; CREATE TABLE admin_users (theirs integer)";

const TABLES: &str = "SELECT schemaname::text || '.' || tablename::text FROM pg_tables \
    WHERE tablename IN ('admin_users', 'api_tokens', 'formwork_migrations', 'formwork_secrets') ORDER BY 1";

/// Serves an imported project that is built, on a second database.
pub fn ask(project: &Project, name: &str) {
    let Some(beside) = Scratch::postgres("beside") else {
        return;
    };
    beside.run(ERP);
    beside.run(THEIRS);
    let variable = ("FORMWORK_DATABASE__SEARCH_PATH", "fw,public");
    let built = Built::of(project, name, beside.url()).with(variable);
    let added = built.console("migrate --dry-run");
    assert!(added.contains("CREATE TABLE \"admin_users\""), "{added}");
    built.console("migrate");
    let tables = texts::<PgConnection>(beside.url(), TABLES);
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
    let names = texts::<PgConnection>(beside.url(), "SELECT name FROM public.houses ORDER BY 1");
    assert_eq!(names, ["Anchor", "Bell", "Crown"]);
    again(project, &beside);
}

/// The import knows the runtime's tables in their schema.
fn again(project: &Project, beside: &Scratch) {
    let unsaid = "  # search_path: null ";
    project.edit("formwork.yaml", unsaid, "  search_path: fw,public #");
    let check = ["import", "--database-url", beside.url(), "--check"];
    let ran = project.run(&check).exits(0);
    ran.says("api_tokens: not imported: its name is reserved for a table of the runtime");
}

//! A prefix for the runtime's own tables, beside tables of another program with the same names.

use formwork_data::database::{DatabaseOptions, Db};
use serde_json::json;

use crate::{on_each, service};

#[test]
fn sqlite_has_a_service_beside_another_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("x.sqlite");
    live_beside_another_program(format!("sqlite://{}", file.display()));
}

#[test]
fn a_server_has_a_service_beside_another_program() {
    on_each(|_, server| live_beside_another_program(server.url()));
}

fn live_beside_another_program(url: String) {
    let options = DatabaseOptions::new(url.clone());
    for table in ["admin_users", "api_tokens", "formwork_secrets"] {
        let create = async {
            let db = Db::connect(&options).await.expect("the database");
            let sql = format!("CREATE TABLE {table} (theirs BIGINT)");
            db.execute(sql, []).await.expect("a table");
            let sql = format!("CREATE INDEX {table}_secret_unique ON {table} (theirs)");
            db.execute(sql, []).await.expect("an index");
            db.close().await;
        };
        tokio::runtime::Runtime::new()
            .expect("a runtime")
            .block_on(create);
    }
    let service = service(url, |config| {
        config.database.table_prefix = "fw_".to_owned()
    });
    let dish = json!({"title": "Soup", "slug": "soup"});
    let admin = service.admin().header("Idempotency-Key", "soup-1");
    let first = admin.post("/api/dishes", dish.clone());
    assert_eq!(first.status, 201, "{first}");
    let again = admin.post("/api/dishes", dish);
    assert_eq!(again.json, first.json, "{again}");
    let shown = service.customer().get("/api/dishes");
    assert_eq!(shown.status, 200, "{shown}");
    let db = service.context().db().clone();
    let count = |sql: &str| {
        let rows = service.block_on(db.rows(sql.to_owned(), []));
        rows.map(|rows| rows[0][0].to_string())
    };
    // Without quotes a name is the database's own.
    for (table, rows) in [
        ("fw_admin_users", "1"),
        ("fw_api_tokens", "2"),
        ("fw_idempotency_keys", "1"),
        ("fw_formwork_secrets", "1"),
        ("admin_users", "0"),
        ("api_tokens", "0"),
        ("dishes", "1"),
    ] {
        let found = count(&format!("SELECT count(*) FROM {table}"));
        assert_eq!(found.expect(table), rows, "{table}");
    }
    let migrations = count("SELECT count(*) FROM fw_formwork_migrations");
    assert_ne!(migrations.expect("the table"), "0");
    count("SELECT count(*) FROM formwork_migrations").expect_err("no such table");
}

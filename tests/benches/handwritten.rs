//! What a careful colleague writes by hand for the same two requests: axum, sqlx, one struct, one statement each.

use std::str::FromStr;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::routing::get;
use axum::{Json, Router};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::Row;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteRow,
    SqliteSynchronous,
};

#[derive(Serialize)]
struct Category {
    id: i64,
    name: String,
    parent_id: Option<i64>,
    priority: i32,
    status: bool,
    nest_left: Option<i32>,
    nest_right: Option<i32>,
    permalink_slug: Option<String>,
    created_at: Option<DateTime<Utc>>,
    updated_at: Option<DateTime<Utc>>,
    description: String,
}

#[derive(Serialize)]
struct One {
    data: Category,
}

#[derive(Serialize)]
struct Many {
    data: Vec<Category>,
    meta: Meta,
    links: Links,
}

#[derive(Serialize)]
struct Meta {
    pagination: Pagination,
}

#[derive(Serialize)]
struct Pagination {
    total: i64,
    count: usize,
    per_page: i64,
    current_page: i64,
    total_pages: i64,
}

#[derive(Serialize)]
struct Links {
    #[serde(rename = "self")]
    own: String,
    first: String,
    prev: Option<String>,
    next: Option<String>,
    last: String,
}

/// Serves until the process is killed.
pub fn serve(database: &str, address: &str) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let pool = connect(database).await;
        let app = Router::new()
            .route("/api/categories", get(index))
            .route("/api/categories/{id}", get(show))
            .with_state(pool);
        let listener = tokio::net::TcpListener::bind(address)
            .await
            .expect("the address is free");
        axum::serve(listener, app).await.expect("serves");
    });
}

async fn connect(database: &str) -> SqlitePool {
    let options = SqliteConnectOptions::from_str(&format!("sqlite://{database}"))
        .expect("a path")
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Normal)
        .foreign_keys(true)
        .busy_timeout(Duration::from_secs(5));
    // The runtime does not ask a connection whether it lives before each use, either.
    SqlitePoolOptions::new()
        .test_before_acquire(false)
        .connect_with(options)
        .await
        .expect("a database")
}

const COLUMNS: &str = "category_id, name, description, parent_id, priority, status, nest_left, nest_right, \
                       permalink_slug, created_at, updated_at";

fn read(row: &SqliteRow) -> Category {
    Category {
        id: row.get(0),
        name: row.get(1),
        description: strip(&row.get::<Option<String>, _>(2).unwrap_or_default()),
        parent_id: row.get(3),
        priority: row.get(4),
        status: row.get(5),
        nest_left: row.get(6),
        nest_right: row.get(7),
        permalink_slug: row.get(8),
        created_at: row.get(9),
        updated_at: row.get(10),
    }
}

/// Without HTML tags.
fn strip(text: &str) -> String {
    let mut inside = false;
    let visible = text.chars().filter(|letter| {
        inside = match letter {
            '<' => true,
            '>' if inside => {
                inside = false;
                return false;
            }
            _ => inside,
        };
        !inside
    });
    visible.collect()
}

async fn show(State(pool): State<SqlitePool>, Path(id): Path<i64>) -> Json<One> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT {COLUMNS} FROM categories WHERE category_id = ?"
    ));
    let row = sqlx::query(sql)
        .bind(id)
        .fetch_one(&pool)
        .await
        .expect("a row");
    Json(One { data: read(&row) })
}

async fn index(State(pool): State<SqlitePool>) -> Json<Many> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT {COLUMNS}, COUNT(*) OVER () FROM categories WHERE status = ? ORDER BY category_id LIMIT ? OFFSET ?"
    ));
    let rows = sqlx::query(sql)
        .bind(true)
        .bind(20)
        .bind(0)
        .fetch_all(&pool)
        .await
        .expect("rows");
    let total: i64 = rows.first().map_or(0, |row| row.get(11));
    let link = |page: i64| format!("/api/categories?pageLimit=20&enabled=true&page={page}");
    Json(Many {
        meta: Meta {
            pagination: Pagination {
                total,
                count: rows.len(),
                per_page: 20,
                current_page: 1,
                total_pages: (total + 19) / 20,
            },
        },
        data: rows.iter().map(read).collect(),
        links: Links {
            own: link(1),
            first: link(1),
            prev: None,
            next: None,
            last: link(1),
        },
    })
}

//! The same requests written by hand with axum and sqlx: one struct for each table, one statement for each request,
//! rows joined in memory, the same token check. No entity tags, request ids, limits or log.

mod document;
mod pool;
mod rows;
mod token;

use std::str::FromStr;
use std::time::Duration;

use axum::extract::{Path, Query, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use deadpool::managed;
use serde::Deserialize;
use serde_json::json;
use sqlx::ConnectOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};

use document::{Pages, Shown};
use pool::{Manager, Pool};
use rows::{Category, Included};
use token::Caller;

/// Most connections of a pool.
const CONNECTIONS: u32 = 10;

/// Serves until the process is killed.
pub fn serve(database: &str, address: &str, pool: &str) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let options = options(database);
    runtime.block_on(async {
        match pool {
            "deadpool" => {
                let pool = managed::Pool::builder(Manager(options)).max_size(CONNECTIONS as usize);
                answer(address, pool.build().expect("a pool")).await;
            }
            _ => {
                let pool = SqlitePoolOptions::new().max_connections(CONNECTIONS);
                let pool = pool.test_before_acquire(false).connect_with(options).await;
                answer(address, pool.expect("a database")).await;
            }
        }
    });
}

async fn answer<P: Pool>(address: &str, pool: P) {
    let app = Router::new()
        .route("/api/categories", get(index::<P>))
        .route("/api/categories/{id}", get(show::<P>))
        .with_state(pool);
    let listener = tokio::net::TcpListener::bind(address)
        .await
        .expect("the address is free");
    let listener = axum::serve::ListenerExt::tap_io(listener, |stream| {
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, app).await.expect("serves");
}

/// The settings of the poured service's database.
fn options(database: &str) -> SqliteConnectOptions {
    SqliteConnectOptions::from_str(&format!("sqlite://{database}"))
        .expect("a path")
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Normal)
        .foreign_keys(true)
        .busy_timeout(Duration::from_secs(5))
        .statement_cache_capacity(256)
        .disable_statement_logging()
}

/// Why a request is not answered.
#[derive(Debug)]
pub enum Refusal {
    Unauthenticated,
    Forbidden,
    NotFound,
    BadInclude(String),
    Database(sqlx::Error),
    Pool(String),
}

impl From<sqlx::Error> for Refusal {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (status, message) = match self {
            Self::Unauthenticated => (StatusCode::UNAUTHORIZED, "No valid API token.".to_owned()),
            Self::Forbidden => (StatusCode::FORBIDDEN, "The token may not.".to_owned()),
            Self::NotFound => (StatusCode::NOT_FOUND, "Not found.".to_owned()),
            Self::BadInclude(name) => (StatusCode::BAD_REQUEST, format!("No relation `{name}`.")),
            Self::Database(error) => failed(&error.to_string()),
            Self::Pool(error) => failed(&error),
        };
        let body = json!({"message": message, "status_code": status.as_u16()});
        (status, Json(body)).into_response()
    }
}

fn failed(error: &str) -> (StatusCode, String) {
    eprintln!("{error}");
    (StatusCode::INTERNAL_SERVER_ERROR, "Error.".to_owned())
}

/// The parameters of a list.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Wanted {
    #[serde(default = "first")]
    page: i64,
    #[serde(default = "twenty")]
    page_limit: i64,
    #[serde(default = "yes")]
    enabled: bool,
    #[serde(default)]
    include: String,
}

fn first() -> i64 {
    1
}

fn twenty() -> i64 {
    20
}

fn yes() -> bool {
    true
}

async fn show<P: Pool>(
    State(pool): State<P>,
    caller: Caller,
    Path(id): Path<i64>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    caller.may("categories", "show")?;
    let category = Category::find(&mut *pool.lend().await?, id, caller.locations())
        .await?
        .ok_or(Refusal::NotFound)?;
    Ok(document::one(&category, shown(&headers)))
}

async fn index<P: Pool>(
    State(pool): State<P>,
    caller: Caller,
    Query(wanted): Query<Wanted>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    caller.may("categories", "index")?;
    let size = wanted.page_limit.clamp(1, 100);
    let offset = (wanted.page.max(1) - 1) * size;
    let (categories, total) = Category::page(
        &mut *pool.lend().await?,
        wanted.enabled,
        (size, offset),
        caller.locations(),
    )
    .await?;
    let ids: Vec<i64> = categories.iter().map(|category| category.id).collect();
    let mut included = Included::default();
    for name in wanted.include.split(',').filter(|name| !name.is_empty()) {
        match name {
            "locations" => {
                included
                    .load_locations(&mut *pool.lend().await?, &ids)
                    .await?
            }
            "media" => included.load_media(&mut *pool.lend().await?, &ids).await?,
            other => return Err(Refusal::BadInclude(other.to_owned())),
        }
    }
    let pages = Pages::new(total, categories.len(), size, wanted.page);
    let query = query.unwrap_or_default();
    Ok(document::many(
        &categories,
        &included,
        (&pages, &query),
        shown(&headers),
    ))
}

fn shown(headers: &HeaderMap) -> Shown {
    let accept = headers.get(header::ACCEPT);
    match accept.and_then(|accept| accept.to_str().ok()) {
        Some(accept) if accept.contains(document::JSON_API) => Shown::JsonApi,
        _ => Shown::Data,
    }
}

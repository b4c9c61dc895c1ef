//! The same resource in axum and sqlx.

mod table;

use std::str::FromStr;
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::mysql::MySqlConnectOptions;
use sqlx::pool::PoolOptions;
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection, Database, MySql, MySqlPool, PgPool};

use super::Kind;
use table::{Dish, NewDish, Table};

/// Most connections of each side's pool.
pub const CONNECTIONS: u32 = 10;

/// The settings of the runtime's own pools: a connection that was free for less than a second is lent
/// without a ping.
fn pool<D: Database>() -> PoolOptions<D> {
    PoolOptions::new()
        .max_connections(CONNECTIONS)
        .test_before_acquire(false)
        .before_acquire(|connection: &mut D::Connection, free| {
            Box::pin(async move {
                if free.idle_for > Duration::from_secs(1) {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
}

/// Serves until the process is killed.
pub fn serve(kind: Kind, url: &str, address: &str) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        match kind {
            Kind::Postgres => {
                let options = PgConnectOptions::from_str(url).expect("an address");
                let options = options.statement_cache_capacity(256);
                let pool = pool().connect_lazy_with(options.disable_statement_logging());
                answer::<PgPool>(pool, address).await;
            }
            Kind::Mysql => {
                let options = MySqlConnectOptions::from_str(url).expect("an address");
                let options = options.statement_cache_capacity(256);
                let pool = pool::<MySql>().after_connect(|connection, _| {
                    Box::pin(async move {
                        let isolation = "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED";
                        sqlx::raw_sql(isolation).execute(connection).await?;
                        Ok(())
                    })
                });
                let pool = pool.connect_lazy_with(options.disable_statement_logging());
                answer::<MySqlPool>(pool, address).await;
            }
        }
    });
}

async fn answer<T: Table>(table: T, address: &str) {
    let app = Router::new()
        .route("/api/dishes", get(index::<T>).post(store::<T>))
        .route("/api/read-back/dishes", post(store_and_read::<T>))
        .route("/api/dishes/{id}", get(show::<T>))
        .with_state(table);
    let listener = tokio::net::TcpListener::bind(address)
        .await
        .expect("the address is free");
    let listener = axum::serve::ListenerExt::tap_io(listener, |stream| {
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, app).await.expect("serves");
}

#[derive(Serialize)]
struct One {
    data: Dish,
}

/// Why a request is not answered.
struct Refusal(StatusCode, String);

impl From<sqlx::Error> for Refusal {
    fn from(error: sqlx::Error) -> Self {
        Self(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.0, Json(json!({"message": self.1}))).into_response()
    }
}

async fn show<T: Table>(State(table): State<T>, Path(id): Path<i64>) -> Result<Response, Refusal> {
    let dish = table.find(id).await?;
    let none = || Refusal(StatusCode::NOT_FOUND, "No such dish.".to_owned());
    let data = dish.ok_or_else(none)?;
    Ok(Json(One { data }).into_response())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    #[serde(default = "first")]
    page: i64,
    #[serde(default = "twenty")]
    page_limit: i64,
}

fn first() -> i64 {
    1
}

fn twenty() -> i64 {
    20
}

async fn index<T: Table>(
    State(table): State<T>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Refusal> {
    let (size, page) = (wanted.page_limit.clamp(1, 100), wanted.page.max(1));
    let (dishes, total) = table.page(size, (page - 1) * size).await?;
    let answer = Page {
        meta: Meta {
            pagination: Pagination {
                total,
                count: dishes.len(),
                per_page: size,
                current_page: page,
                total_pages: ((total + size - 1) / size).max(1),
            },
        },
        links: Links::of(page, size, total),
        data: dishes,
    };
    Ok(Json(answer).into_response())
}

#[derive(Serialize)]
struct Page {
    data: Vec<Dish>,
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

impl Links {
    fn of(page: i64, size: i64, total: i64) -> Self {
        let last = ((total + size - 1) / size).max(1);
        let link = |page: i64| format!("/api/dishes?pageLimit={size}&page={page}");
        Self {
            own: link(page),
            first: link(1),
            prev: (page > 1).then(|| link(page - 1)),
            next: (page < last).then(|| link(page + 1)),
            last: link(last),
        }
    }
}

async fn store<T: Table>(
    State(table): State<T>,
    Json(dish): Json<NewDish>,
) -> Result<Response, Refusal> {
    check(&dish)?;
    let id = table.insert(&dish).await?;
    let NewDish {
        name,
        description,
        stars,
        available,
    } = dish;
    Ok(created(Dish {
        id,
        name,
        description,
        stars,
        available,
    }))
}

/// As [`store`], with the guarantees of the runtime: one transaction, and the answer is the stored row.
async fn store_and_read<T: Table>(
    State(table): State<T>,
    Json(dish): Json<NewDish>,
) -> Result<Response, Refusal> {
    check(&dish)?;
    let stored = table.insert_and_read(&dish).await?;
    Ok(created(stored.ok_or(sqlx::Error::RowNotFound)?))
}

fn check(dish: &NewDish) -> Result<(), Refusal> {
    let name = dish.name.trim();
    if name.is_empty() || name.chars().count() > 191 || !(0..=5).contains(&dish.stars) {
        let message = "A dish has a name and 0 to 5 stars.".to_owned();
        return Err(Refusal(StatusCode::UNPROCESSABLE_ENTITY, message));
    }
    Ok(())
}

fn created(data: Dish) -> Response {
    (StatusCode::CREATED, Json(One { data })).into_response()
}

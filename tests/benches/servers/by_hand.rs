//! The same resource in axum and sqlx.

use std::future::Future;
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
use sqlx::{
    AssertSqlSafe, ConnectOptions, Connection, Database, FromRow, MySql, MySqlPool, PgPool, Row,
};

use super::Kind;

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
struct Dish {
    id: i64,
    name: String,
    description: Option<String>,
    stars: i32,
    available: bool,
}

#[derive(Serialize)]
struct One {
    data: Dish,
}

#[derive(Deserialize)]
struct NewDish {
    name: String,
    description: Option<String>,
    stars: i32,
    available: bool,
}

/// What is asked of the table, in the words of a database.
trait Table: Clone + Send + Sync + 'static {
    fn find(&self, id: i64) -> impl Future<Output = sqlx::Result<Option<Dish>>> + Send;
    fn page(
        &self,
        size: i64,
        offset: i64,
    ) -> impl Future<Output = sqlx::Result<(Vec<Dish>, i64)>> + Send;
    fn insert(&self, dish: &NewDish) -> impl Future<Output = sqlx::Result<i64>> + Send;
    /// In a transaction, and read back from it.
    fn insert_and_read(
        &self,
        dish: &NewDish,
    ) -> impl Future<Output = sqlx::Result<Option<Dish>>> + Send;
}

macro_rules! of_row {
    ($row:ty) => {
        impl FromRow<'_, $row> for Dish {
            fn from_row(row: &$row) -> sqlx::Result<Self> {
                Ok(Self {
                    id: row.try_get(0)?,
                    name: row.try_get(1)?,
                    description: row.try_get(2)?,
                    stars: row.try_get(3)?,
                    available: row.try_get(4)?,
                })
            }
        }
    };
}

of_row!(sqlx::postgres::PgRow);
of_row!(sqlx::mysql::MySqlRow);

/// The columns of [`Dish`].
const COLUMNS: &str = "dish_id, name, description, stars, available";

impl Table for PgPool {
    async fn find(&self, id: i64) -> sqlx::Result<Option<Dish>> {
        postgres::find(self, id).await
    }

    async fn page(&self, size: i64, offset: i64) -> sqlx::Result<(Vec<Dish>, i64)> {
        let sql = format!(
            "SELECT {COLUMNS}, (SELECT COUNT(*) FROM dishes) FROM dishes ORDER BY dish_id LIMIT $1 OFFSET $2"
        );
        let rows = sqlx::query(AssertSqlSafe(sql)).bind(size).bind(offset);
        let rows = rows.fetch_all(self).await?;
        let total = rows.first().map_or(Ok(0), |row| row.try_get(5))?;
        let dishes = rows.iter().map(Dish::from_row);
        Ok((dishes.collect::<sqlx::Result<_>>()?, total))
    }

    async fn insert(&self, dish: &NewDish) -> sqlx::Result<i64> {
        postgres::insert(self, dish).await
    }

    async fn insert_and_read(&self, dish: &NewDish) -> sqlx::Result<Option<Dish>> {
        let mut transaction = self.begin().await?;
        let id = postgres::insert(&mut *transaction, dish).await?;
        let dish = postgres::find(&mut *transaction, id).await?;
        transaction.commit().await?;
        Ok(dish)
    }
}

mod postgres {
    use sqlx::{AssertSqlSafe, PgExecutor};

    use super::{COLUMNS, Dish, NewDish};

    pub async fn find(to: impl PgExecutor<'_>, id: i64) -> sqlx::Result<Option<Dish>> {
        let sql = format!("SELECT {COLUMNS} FROM dishes WHERE dish_id = $1");
        let found = sqlx::query_as(AssertSqlSafe(sql)).bind(id);
        found.fetch_optional(to).await
    }

    pub async fn insert(to: impl PgExecutor<'_>, dish: &NewDish) -> sqlx::Result<i64> {
        let sql = "INSERT INTO dishes (name, description, stars, available) \
            VALUES ($1, $2, $3, $4) RETURNING dish_id";
        sqlx::query_scalar(sql)
            .bind(&dish.name)
            .bind(&dish.description)
            .bind(dish.stars)
            .bind(dish.available)
            .fetch_one(to)
            .await
    }
}

impl Table for MySqlPool {
    async fn find(&self, id: i64) -> sqlx::Result<Option<Dish>> {
        mysql::find(self, id).await
    }

    async fn page(&self, size: i64, offset: i64) -> sqlx::Result<(Vec<Dish>, i64)> {
        let sql = format!(
            "SELECT {COLUMNS}, (SELECT COUNT(*) FROM dishes) FROM dishes ORDER BY dish_id LIMIT ? OFFSET ?"
        );
        let rows = sqlx::query(AssertSqlSafe(sql)).bind(size).bind(offset);
        let rows = rows.fetch_all(self).await?;
        let total = rows.first().map_or(Ok(0), |row| row.try_get(5))?;
        let dishes = rows.iter().map(Dish::from_row);
        Ok((dishes.collect::<sqlx::Result<_>>()?, total))
    }

    async fn insert(&self, dish: &NewDish) -> sqlx::Result<i64> {
        mysql::insert(self, dish).await
    }

    async fn insert_and_read(&self, dish: &NewDish) -> sqlx::Result<Option<Dish>> {
        let mut transaction = self.begin().await?;
        let id = mysql::insert(&mut *transaction, dish).await?;
        let dish = mysql::find(&mut *transaction, id).await?;
        transaction.commit().await?;
        Ok(dish)
    }
}

mod mysql {
    use sqlx::{AssertSqlSafe, MySqlExecutor};

    use super::{COLUMNS, Dish, NewDish};

    pub async fn find(to: impl MySqlExecutor<'_>, id: i64) -> sqlx::Result<Option<Dish>> {
        let sql = format!("SELECT {COLUMNS} FROM dishes WHERE dish_id = ?");
        let found = sqlx::query_as(AssertSqlSafe(sql)).bind(id);
        found.fetch_optional(to).await
    }

    pub async fn insert(to: impl MySqlExecutor<'_>, dish: &NewDish) -> sqlx::Result<i64> {
        let sql = "INSERT INTO dishes (name, description, stars, available) VALUES (?, ?, ?, ?)";
        let done = sqlx::query(sql)
            .bind(&dish.name)
            .bind(&dish.description)
            .bind(dish.stars)
            .bind(dish.available)
            .execute(to)
            .await?;
        Ok(done.last_insert_id().cast_signed())
    }
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

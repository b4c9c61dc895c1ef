//! The table of the service, in axum and sqlx.

use std::future::Future;

use serde::{Deserialize, Serialize};
use sqlx::{AssertSqlSafe, FromRow, MySqlPool, PgPool, Row};

#[derive(Serialize)]
pub struct Dish {
    pub id: i64,
    pub name: String,
    pub description: Option<String>,
    pub stars: i32,
    pub available: bool,
}

#[derive(Deserialize)]
pub struct NewDish {
    pub name: String,
    pub description: Option<String>,
    pub stars: i32,
    pub available: bool,
}

/// What is asked of the table, in the words of a database.
pub trait Table: Clone + Send + Sync + 'static {
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

macro_rules! of_pool {
    ($pool:ty, $kind:ident, $limit:literal) => {
        impl Table for $pool {
            async fn find(&self, id: i64) -> sqlx::Result<Option<Dish>> {
                $kind::find(self, id).await
            }

            async fn page(&self, size: i64, offset: i64) -> sqlx::Result<(Vec<Dish>, i64)> {
                let sql = format!(
                    "SELECT {COLUMNS}, (SELECT COUNT(*) FROM dishes) FROM dishes ORDER BY dish_id {}",
                    $limit
                );
                let rows = sqlx::query(AssertSqlSafe(sql)).bind(size).bind(offset);
                let rows = rows.fetch_all(self).await?;
                let total = rows.first().map_or(Ok(0), |row| row.try_get(5))?;
                let dishes = rows.iter().map(Dish::from_row);
                Ok((dishes.collect::<sqlx::Result<_>>()?, total))
            }

            async fn insert(&self, dish: &NewDish) -> sqlx::Result<i64> {
                $kind::insert(self, dish).await
            }

            async fn insert_and_read(&self, dish: &NewDish) -> sqlx::Result<Option<Dish>> {
                let mut transaction = self.begin().await?;
                let id = $kind::insert(&mut *transaction, dish).await?;
                let dish = $kind::find(&mut *transaction, id).await?;
                transaction.commit().await?;
                Ok(dish)
            }
        }
    };
}

of_pool!(PgPool, postgres, "LIMIT $1 OFFSET $2");
of_pool!(MySqlPool, mysql, "LIMIT ? OFFSET ?");

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

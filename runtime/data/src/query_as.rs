//! Rows of a project's own SQL, as a project's own type.

mod from_row;

use std::marker::PhantomData;

pub use from_row::FromRow;

use crate::{
    database::{CHUNK, Db, Row, RowStream, Sql, quoted, send_chunk},
    error::{Error, Result},
    value::Value,
};

/// A statement of a project's own, whose rows are read as `T`: see [`Db::query_as`].
#[must_use = "it is sent by `fetch_all`, `fetch_one`, `fetch_optional`, `fetch` or `in_chunks`"]
pub struct QueryAs<'d, T> {
    db: &'d Db,
    sql: Sql,
    values: Vec<Value>,
    row: PhantomData<fn() -> T>,
}

impl Db {
    /// A statement with `?` for each value, on every database, whose rows are read as `T`: a struct
    /// that implements [`FromRow`], a tuple of columns, or a model.
    ///
    /// ```text
    /// let dishes: Vec<(String, Decimal<2>)> = ctx
    ///     .db()
    ///     .query_as("SELECT name, price FROM dishes WHERE price > ?", [price.into()])
    ///     .fetch_all()
    ///     .await?;
    /// ```
    ///
    /// A statement that writes (`UPDATE … RETURNING`) waits until it is its turn to write.
    pub fn query_as<T: FromRow>(
        &self,
        sql: impl Into<Sql>,
        values: impl IntoIterator<Item = Value>,
    ) -> QueryAs<'_, T> {
        QueryAs {
            db: self,
            sql: sql.into(),
            values: values.into_iter().collect(),
            row: PhantomData,
        }
    }
}

impl<'d, T: FromRow> QueryAs<'d, T> {
    /// All rows.
    ///
    /// # Errors
    /// As [`Db::execute`]; 500 where a row does not hold what `T` reads.
    pub async fn fetch_all(self) -> Result<Vec<T>> {
        let rows = self.db.fetch_any(self.sql, self.values).await?;
        rows.iter().map(T::from_row).collect()
    }

    /// The first row.
    ///
    /// # Errors
    /// As [`QueryAs::fetch_all`]; 404 where there is none.
    pub async fn fetch_one(self) -> Result<T> {
        self.fetch_optional().await?.ok_or_else(Error::not_found)
    }

    /// The first row, if there is one.
    ///
    /// # Errors
    /// As [`QueryAs::fetch_all`].
    pub async fn fetch_optional(self) -> Result<Option<T>> {
        let rows = self.db.fetch_any(self.sql, self.values).await?;
        rows.first().map(T::from_row).transpose()
    }

    /// The rows one after another, in constant memory.
    ///
    /// The stream has a connection until its last row is read or it is dropped, so it borrows the
    /// handle, and cannot become the body of an answer: a client that reads slowly would keep the
    /// connection from other requests. For such answers see [`QueryAs::in_chunks`]. In a
    /// transaction the handle sends no other statement meanwhile.
    pub fn fetch(self) -> RowStream<'d, T>
    where
        T: 'd,
    {
        let Self {
            db, sql, values, ..
        } = self;
        RowStream::new(T::from_row, move |to| async move {
            Ok(db.send_rows(sql, values, &to).await?)
        })
    }

    /// The rows in the order of a column of theirs, whose values are unique and not null, read in
    /// chunks of 500. Between chunks it has no connection, so the stream can be the body of an
    /// answer, however slowly a client reads.
    ///
    /// Each chunk is a statement, `SELECT * FROM (…) WHERE key > ? ORDER BY key LIMIT ?`: changes
    /// between two chunks are seen by the later one. The statement has no `ORDER BY` or `LIMIT` of
    /// its own. A key that is an indexed column makes each chunk as cheap as its rows; a statement
    /// that groups rows is computed anew for each chunk.
    pub fn in_chunks(self, key: &str) -> RowStream<'static, T>
    where
        T: 'static,
    {
        let chunks = Chunks {
            db: self.db.clone(),
            sql: self.sql.0.as_str().to_owned(),
            values: self.values,
            key: key.to_owned(),
        };
        RowStream::new(T::from_row, move |to| async move {
            let mut after = None;
            loop {
                let rows = chunks.after(after.as_ref()).await?;
                let is_last = rows.len() < CHUNK;
                if let Some(row) = rows.last() {
                    after = Some(row.value(row.position(&chunks.key)?)?);
                }
                if !send_chunk(rows, &to).await || is_last {
                    return Ok(());
                }
            }
        })
    }
}

/// A statement whose rows are read in the order of a key.
struct Chunks {
    db: Db,
    sql: String,
    values: Vec<Value>,
    key: String,
}

impl Chunks {
    /// The rows behind this key.
    async fn after(&self, after: Option<&Value>) -> Result<Vec<Row>> {
        let (sql, key) = (&self.sql, quoted(&self.key));
        let mut text = format!("SELECT * FROM ({sql}\n) AS formwork_rows");
        let mut values = self.values.clone();
        if let Some(after) = after {
            text.push_str(&format!(" WHERE {key} > ?"));
            values.push(after.clone());
        }
        text.push_str(&format!(" ORDER BY {key}{}", self.db.dialect().limit()));
        values.push(Value::Int(CHUNK as i64));
        Ok(self.db.fetch(text.into(), values).await?)
    }
}

//! Running queries.

use std::marker::PhantomData;

use sea_query::{ExprTrait, Query as Statement};

use super::{
    Query, Selection,
    bind::{bound, stored},
    build::rows_value,
    statement,
};
use crate::{
    context::DataContext,
    database::{CHUNK, Db, Row, RowSender, RowStream, send_chunk},
    error::{Error, Result},
    model::{self, Model, Schema},
    value::Value,
};

impl<M: Model> Query<M> {
    /// Starts a query over every row: public as [`ModelExt::unscoped`](crate::record::ModelExt).
    pub(crate) fn new() -> Self {
        Self {
            selection: Selection::of(Schema::of::<M>()),
            model: PhantomData,
        }
    }

    /// All its records.
    ///
    /// # Errors
    /// The database's error.
    pub async fn all(&self, ctx: &impl DataContext) -> Result<Vec<M>> {
        let rows = self.selection.rows(ctx.db()).await?;
        rows.iter().map(model::read).collect()
    }

    /// Its first record.
    ///
    /// # Errors
    /// The database's error.
    pub async fn first(&self, ctx: &impl DataContext) -> Result<Option<M>> {
        let row = self.selection.first_row(ctx.db()).await?;
        row.as_ref().map(model::read).transpose()
    }

    /// All its records in the order of their keys, read in chunks of 500. Between chunks it has no
    /// connection, so the stream can be the body of an answer, however slowly a client reads.
    ///
    /// Each chunk is a statement: changes between two chunks are seen by the later one. A query
    /// with an order or a limit of its own has no chunks: its first item is a 500.
    pub fn in_chunks(self, ctx: &impl DataContext) -> RowStream<'static, M> {
        let (db, selection) = (ctx.db().clone(), self.selection);
        RowStream::new(model::read, move |to| async move {
            selection.send_chunks(&db, &to).await
        })
    }

    /// How many records it has, whatever its limit.
    ///
    /// # Errors
    /// The database's error.
    pub async fn count(&self, ctx: &impl DataContext) -> Result<u64> {
        self.selection.count(ctx.db()).await
    }

    /// Writes values into columns of all its records; returns how many there were.
    ///
    /// # Errors
    /// 422 or 409 where a constraint is violated; what the database answers otherwise. 500 for a
    /// query with a limit, which an UPDATE does not know.
    pub async fn set(
        &self,
        ctx: &impl DataContext,
        values: &[(&'static str, Value)],
    ) -> Result<u64> {
        self.selection.set(ctx.db(), values).await
    }

    /// Deletes all its records; returns how many there were.
    ///
    /// # Errors
    /// 409 where other records depend on them; what the database answers otherwise. 500 for a
    /// query with a limit, which a DELETE does not know.
    pub async fn delete_all(&self, ctx: &impl DataContext) -> Result<u64> {
        self.selection.delete_all(ctx.db()).await
    }

    /// A page of its records and the number of all, in one statement; a second one counts where
    /// the page is past the end.
    pub async fn page(&self, ctx: &impl DataContext) -> Result<(Vec<M>, u64)> {
        let (rows, all) = self.selection.page(ctx.db()).await?;
        Ok((rows.iter().map(model::read).collect::<Result<_>>()?, all))
    }

    /// The record with this key, if it is one of the query's.
    ///
    /// # Errors
    /// The database's error.
    pub async fn find(&self, ctx: &impl DataContext, key: M::Key) -> Result<Option<M>> {
        let row = self.selection.find(ctx.db(), key.into()).await?;
        row.as_ref().map(model::read).transpose()
    }
}

impl Selection {
    /// Its rows, the columns in the order of the model.
    ///
    /// # Errors
    /// The database's error.
    pub async fn rows(&self, db: &Db) -> Result<Vec<Row>> {
        let (sql, values) = self.bounded(db.dialect(), &self.select(db.dialect()));
        Ok(db.fetch(sql, values).await?)
    }

    async fn send_chunks(&self, db: &Db, to: &RowSender) -> Result<()> {
        self.refuse_limit()?;
        if !self.order.is_empty() {
            let refusal = "a query in chunks has the order of the key, and no other one";
            return Err(Error::internal(refusal));
        }
        let key = self.schema.key;
        let mut all = self.clone();
        all.sort(key, false);
        all.limit(CHUNK as u64);
        let mut chunk = all.clone();
        loop {
            let rows = chunk.rows(db).await?;
            let is_last = rows.len() < CHUNK;
            let last = rows.last().map(|row| row.value(self.schema.key_index()));
            let reads_on = send_chunk(rows, to).await;
            let Some(last) = last.filter(|_| reads_on && !is_last) else {
                return Ok(());
            };
            chunk = all.clone();
            chunk.filter(self.column(key).gt(bound(self.schema, key, last?)));
        }
    }

    async fn first_row(&self, db: &Db) -> Result<Option<Row>> {
        let (sql, values) = self.limited(db.dialect(), &self.select(db.dialect()), Some(1));
        Ok(db.first(sql, values).await?)
    }

    async fn count(&self, db: &Db) -> Result<u64> {
        let (sql, values) = statement(db.dialect(), &self.select_count(db.dialect()));
        let row = db.first(sql, values).await?;
        row.map_or(Ok(0), |row| total(row.integer(0)?))
    }

    async fn set(&self, db: &Db, values: &[(&'static str, Value)]) -> Result<u64> {
        self.refuse_limit()?;
        let mut update = Statement::update();
        update.table(self.schema.table);
        for (name, value) in values {
            let value = stored(db.dialect(), self.schema, name, value.clone());
            update.value(*name, value);
        }
        self.constrain(db.dialect(), &mut update);
        let (sql, values) = statement(db.dialect(), &update);
        Ok(db.perform(sql, values).await?)
    }

    async fn delete_all(&self, db: &Db) -> Result<u64> {
        self.refuse_limit()?;
        let mut delete = Statement::delete();
        delete.from_table(self.schema.table);
        self.constrain(db.dialect(), &mut delete);
        let (sql, values) = statement(db.dialect(), &delete);
        Ok(db.perform(sql, values).await?)
    }

    async fn page(&self, db: &Db) -> Result<(Vec<Row>, u64)> {
        let plain = self.is_plain();
        let sql = &self.schema.sql;
        let (limit, offset) = (
            self.limit.unwrap_or(u64::MAX),
            self.offset.unwrap_or_default(),
        );
        let (text, values) = if plain {
            (
                sql.page(db.dialect()).into(),
                vec![rows_value(limit), rows_value(offset)],
            )
        } else {
            self.bounded(db.dialect(), &self.select_page(db.dialect()))
        };
        let rows = db.fetch(text, values).await?;
        let all = match rows.first() {
            Some(row) => total(row.integer(row.len() - 1)?)?,
            None if offset == 0 => 0,
            None if plain => {
                let row = db.first((&sql.count).into(), Vec::new()).await?;
                row.map_or(Ok(0), |row| total(row.integer(0)?))?
            }
            None => self.count(db).await?,
        };
        Ok((rows, all))
    }

    async fn find(&self, db: &Db, key: Value) -> Result<Option<Row>> {
        let locks = self.for_update && !db.dialect().for_update().is_empty();
        if self.is_plain() && !locks {
            return Ok(db.first((&self.schema.sql.find).into(), vec![key]).await?);
        }
        let mut query = self.clone();
        query.eq(self.schema.key, key);
        query.first_row(db).await
    }

    fn refuse_limit(&self) -> Result<()> {
        if self.limit.is_none() && self.offset.is_none() {
            return Ok(());
        }
        Err(Error::internal(
            "a query with a limit cannot change or delete rows, and has no chunks",
        ))
    }
}

fn total(count: i64) -> Result<u64> {
    u64::try_from(count).map_err(Error::internal)
}

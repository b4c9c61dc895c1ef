//! Running queries.

use sea_query::{Order, Query as Statement};

use super::{Query, bound, build::rows_value, statement};
use crate::{
    context::DataContext,
    error::{Error, Result},
    model::{self, Model, Schema},
    value::Value,
};

impl<M: Model> Query<M> {
    /// All its records.
    ///
    /// # Errors
    /// What the database answers.
    pub async fn all(&self, ctx: &impl DataContext) -> Result<Vec<M>> {
        let (sql, values) = self.bounded(ctx.db().dialect(), &self.select());
        let rows = ctx.db().fetch(sql, values).await?;
        rows.iter().map(model::read).collect()
    }

    /// Its first record.
    ///
    /// # Errors
    /// What the database answers.
    pub async fn first(&self, ctx: &impl DataContext) -> Result<Option<M>> {
        let (sql, values) = self.limited(ctx.db().dialect(), &self.select(), Some(1));
        let row = ctx.db().first(sql, values).await?;
        row.as_ref().map(model::read).transpose()
    }

    /// How many records it has, whatever its limit.
    ///
    /// # Errors
    /// What the database answers.
    pub async fn count(&self, ctx: &impl DataContext) -> Result<u64> {
        let (sql, values) = statement(ctx.db().dialect(), &self.select_count());
        let row = ctx.db().first(sql, values).await?;
        row.map_or(Ok(0), |row| total(row.integer(0)?))
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
        self.refuse_limit()?;
        let mut update = Statement::update();
        update.table(M::TABLE);
        for (name, value) in values {
            update.value(*name, bound::<M>(name, value.clone()));
        }
        if !self.conditions.is_empty() {
            update.cond_where(self.conditions.clone());
        }
        let (sql, values) = statement(ctx.db().dialect(), &update);
        Ok(ctx.db().perform(sql, values).await?)
    }

    /// Deletes all its records; returns how many there were.
    ///
    /// # Errors
    /// 409 where other records depend on them; what the database answers otherwise. 500 for a
    /// query with a limit, which a DELETE does not know.
    pub async fn delete_all(&self, ctx: &impl DataContext) -> Result<u64> {
        self.refuse_limit()?;
        let mut delete = Statement::delete();
        delete.from_table(M::TABLE);
        if !self.conditions.is_empty() {
            delete.cond_where(self.conditions.clone());
        }
        let (sql, values) = statement(ctx.db().dialect(), &delete);
        Ok(ctx.db().perform(sql, values).await?)
    }

    /// A page of its records and the number of all, in one statement; a second one counts where
    /// the page is past the end.
    pub async fn page(&self, ctx: &impl DataContext) -> Result<(Vec<M>, u64)> {
        let plain = self.is_plain();
        let sql = &Schema::of::<M>().sql;
        let (limit, offset) = (
            self.limit.unwrap_or(u64::MAX),
            self.offset.unwrap_or_default(),
        );
        let (text, values) = if plain {
            (
                (&sql.page).into(),
                vec![rows_value(limit), rows_value(offset)],
            )
        } else {
            self.bounded(ctx.db().dialect(), &self.select_page())
        };
        let rows = ctx.db().fetch(text, values).await?;
        let all = match rows.first() {
            Some(row) => total(row.integer(row.len() - 1)?)?,
            None if offset == 0 => 0,
            None if plain => {
                let row = ctx.db().first((&sql.count).into(), Vec::new()).await?;
                row.map_or(Ok(0), |row| total(row.integer(0)?))?
            }
            None => self.count(ctx).await?,
        };
        Ok((rows.iter().map(model::read).collect::<Result<_>>()?, all))
    }

    /// The record with this key, if it is one of the query's.
    pub async fn find(&self, ctx: &impl DataContext, key: Value) -> Result<Option<M>> {
        if !self.is_plain() {
            let mut query = self.clone();
            return query.eq(M::KEY, key).first(ctx).await;
        }
        let row = ctx
            .db()
            .first((&Schema::of::<M>().sql.find).into(), vec![key])
            .await?;
        row.as_ref().map(model::read).transpose()
    }

    /// Orders by the relation's columns.
    pub fn order_all(&mut self, names: &[&'static str]) -> &mut Self {
        for name in names {
            self.order_by(name);
        }
        self
    }

    /// Orders by a column whose direction is known.
    pub fn sort(&mut self, name: &'static str, descending: bool) -> &mut Self {
        let order = if descending { Order::Desc } else { Order::Asc };
        self.order_by_expr(super::column::<M>(name), order)
    }

    fn refuse_limit(&self) -> Result<()> {
        if self.limit.is_none() && self.offset.is_none() {
            return Ok(());
        }
        Err(Error::internal(
            "a query with a limit cannot change or delete rows",
        ))
    }
}

fn total(count: i64) -> Result<u64> {
    u64::try_from(count).map_err(Error::internal)
}

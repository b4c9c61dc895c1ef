//! Tables between two, their rows, and columns that name a record of any kind.

use std::collections::HashSet;

use super::{
    dialect::Dialect,
    handle::Db,
    sql::{Sql, quoted},
};
use crate::{
    error::Result,
    value::{LinkKey, Value},
};

/// One record's rows in a table between two.
#[derive(Debug, Clone)]
pub struct PivotLink {
    /// The table and its columns.
    pub pivot: Pivot,
    /// The kind of the record, where several kinds share the table.
    pub morph: Option<Morph>,
    /// The record's key.
    pub own: Value,
}

/// The links that [`Db::write_links`] attached and detached.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Synced {
    /// The values that were linked.
    pub attached: Vec<Value>,
    /// The values whose links were removed.
    pub detached: Vec<Value>,
}

/// Values bound by one statement: well below every database's limit.
pub(super) const CHUNK: usize = 500;

impl Db {
    /// Links the record to `others` and to no other row: attaches missing links, detaches the rest.
    /// Links that stay are not written again.
    ///
    /// # Errors
    /// The database's error.
    pub async fn sync_pivot(
        &self,
        link: &PivotLink,
        others: impl IntoIterator<Item = Value>,
    ) -> Result<()> {
        self.write_links(link, others).await.map(drop)
    }

    /// As [`Db::sync_pivot`]; returns the changed links.
    ///
    /// # Errors
    /// The database's error.
    pub async fn write_links(
        &self,
        link: &PivotLink,
        others: impl IntoIterator<Item = Value>,
    ) -> Result<Synced> {
        let transaction = self.begin().await?;
        let db = transaction.db();
        let wanted: Vec<Value> = others.into_iter().collect();
        let (table, other) = (quoted(link.pivot.table), quoted(link.pivot.other));
        let (place, place_values) = link.place();
        let linked = db.linked(link).await?;
        let synced = Synced {
            attached: surplus(&wanted, &linked),
            detached: surplus(&linked, &wanted),
        };
        for chunk in synced.detached.chunks(CHUNK) {
            let marks = vec!["?"; chunk.len()].join(", ");
            let sql = format!("DELETE FROM {table} WHERE {place} AND {other} IN ({marks})");
            let values = place_values.iter().chain(chunk).cloned().collect();
            db.perform(sql.into(), values).await?;
        }
        for chunk in synced.attached.chunks(CHUNK) {
            // The other side may be linking the same pair: then the link exists.
            let (sql, values) = link.insertion(chunk, db.dialect());
            db.perform(sql, values).await?;
        }
        transaction.commit().await?;
        Ok(synced)
    }

    /// The linked values, as the database stores them.
    pub async fn linked(&self, link: &PivotLink) -> Result<Vec<Value>> {
        let (table, other) = (quoted(link.pivot.table), quoted(link.pivot.other));
        let (place, values) = link.place();
        let sql = format!("SELECT {other} FROM {table} WHERE {place}");
        Ok(self
            .rows(sql, values)
            .await?
            .into_iter()
            .flatten()
            .collect())
    }
}

/// The values in `these` and not in `those`, each once.
fn surplus(these: &[Value], those: &[Value]) -> Vec<Value> {
    let mut seen: HashSet<LinkKey> = those.iter().filter_map(LinkKey::of).collect();
    let new = |value: &&Value| LinkKey::of(value).is_some_and(|key| seen.insert(key));
    these.iter().filter(new).cloned().collect()
}

impl PivotLink {
    /// The condition for the record's rows, and its values.
    fn place(&self) -> (String, Vec<Value>) {
        let mut sql = format!("{} = ?", quoted(self.pivot.own));
        let mut values = vec![self.own.clone()];
        if let Some(morph) = self.morph {
            sql.push_str(&format!(" AND {} = ?", quoted(&morph.type_column())));
            values.push(morph.word.into());
        }
        (sql, values)
    }

    fn insertion(&self, others: &[Value], dialect: Dialect) -> (Sql, Vec<Value>) {
        let table = quoted(self.pivot.table);
        let mut columns = vec![quoted(self.pivot.own), quoted(self.pivot.other)];
        columns.extend(self.morph.map(|morph| quoted(&morph.type_column())));
        let marks = format!("({})", vec!["?"; columns.len()].join(", "));
        let rows = vec![marks; others.len()].join(", ");
        let columns = columns.join(", ");
        let end = match dialect {
            Dialect::Sqlite | Dialect::Postgres => "ON CONFLICT DO NOTHING".to_owned(),
            // `INSERT IGNORE` would ignore missing rows as well.
            Dialect::Mysql => {
                let own = quoted(self.pivot.own);
                format!("ON DUPLICATE KEY UPDATE {own} = {own}")
            }
        };
        let sql = format!("INSERT INTO {table} ({columns}) VALUES {rows} {end}");
        let row = |other: &Value| {
            let kind = self.morph.map(|morph| Value::from(morph.word));
            [self.own.clone(), other.clone()].into_iter().chain(kind)
        };
        (sql.into(), others.iter().flat_map(row).collect())
    }
}

/// A table between two: `pivot("order_menus", "order_id", "menu_id")`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pivot {
    /// The table.
    pub table: &'static str,
    /// The column with the record's own key.
    pub own: &'static str,
    /// The column with the key of the other side.
    pub other: &'static str,
}

/// A table between two: its name, its column with the record's own key, and its column with the
/// key of the other side.
pub const fn pivot(table: &'static str, own: &'static str, other: &'static str) -> Pivot {
    Pivot { table, own, other }
}

/// A pair of columns that name a record of any kind: `morph("attachment", "menus")`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Morph {
    name: &'static str,
    /// The word for this record's kind.
    pub word: &'static str,
}

/// The columns `<name>_type` and `<name>_id`; rows of this record's kind hold `word` in the first.
pub const fn morph(name: &'static str, word: &'static str) -> Morph {
    Morph { name, word }
}

impl Morph {
    /// The column with the kind.
    pub fn type_column(self) -> String {
        format!("{}_type", self.name)
    }

    pub(crate) fn id_column(self) -> String {
        format!("{}_id", self.name)
    }
}

//! Rows of `api_resources`: the decisions about each resource.

use data_encoding::HEXLOWER;
use formwork_data::{
    database::{Db, Dialect, Fault, among, containing, quoted},
    error::Result,
    migration::Migration,
    own_migration,
    value::{DateTime, Value},
};
use sha2::{Digest, Sha256};

/// The table.
pub(super) const TABLE: &str = "api_resources";

/// Makes the table.
pub(super) const MIGRATION: Migration = own_migration!(20260101000020, "create_api_resources");

/// The segment of an address that names a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which<'a> {
    /// Its key: another one after it was deleted and created again.
    Id(i64),
    /// Its endpoint, which stays.
    Endpoint(&'a str),
}

impl<'a> Which<'a> {
    /// The row that a segment of a path names. Keys have one form.
    pub fn at(segment: &'a str) -> Option<Self> {
        let id = segment.parse().ok();
        let id = id.filter(|id: &i64| id.to_string() == segment);
        let legal = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
        let is_name = segment.starts_with(|first: char| first.is_ascii_lowercase())
            && segment.bytes().all(legal);
        id.map(Self::Id)
            .or_else(|| is_name.then_some(Self::Endpoint(segment)))
    }
}

/// A row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    /// Key.
    pub id: i64,
    /// Its name for people.
    pub name: String,
    /// The resource's key.
    pub endpoint: String,
    /// Its description, in a sentence.
    pub description: Option<String>,
    /// The decision; see [`Meta`](super::meta::Meta).
    pub meta: Option<String>,
    /// Whether it is kept where its resource is not registered.
    pub is_custom: bool,
    /// The [`version`] that was read.
    pub version: String,
}

impl Row {
    /// A digest of its version, for forms.
    pub fn print(&self) -> String {
        HEXLOWER.encode(&Sha256::digest(&self.version))
    }

    /// The segment that names it: its endpoint, if the area has no page of that name and it needs
    /// no escapes; else its key.
    pub fn address(&self) -> String {
        match Which::at(&self.endpoint) {
            Some(Which::Endpoint(endpoint)) if endpoint != "delete" => endpoint.to_owned(),
            _ => self.id.to_string(),
        }
    }
}

/// The version of a row: it changes with its texts. It is not a counter, so that rows that an older
/// replica saves, or that are written by hand, have another version too.
fn version(dialect: Dialect) -> String {
    let [name, description, meta] =
        ["name", "description", "meta"].map(|column| dialect.hex(&quoted(column)));
    format!(
        "({name} \
         || CASE WHEN \"description\" IS NULL THEN '-' ELSE ' ' || {description} END \
         || CASE WHEN \"meta\" IS NULL THEN '-' ELSE ' ' || {meta} END)"
    )
}

/// Returns all that is read of a row.
fn columns(dialect: Dialect) -> String {
    let version = version(dialect);
    format!("\"id\", \"name\", \"endpoint\", \"description\", \"meta\", \"is_custom\", {version}")
}

/// Rows whose name contains this text, the newest first, and how many there are on all pages.
pub(super) async fn page(
    db: &Db,
    sought: &str,
    (limit, offset): (i64, i64),
) -> Result<(Vec<Row>, i64)> {
    let condition = "WHERE lower(\"name\") LIKE lower(?) ESCAPE '!'";
    let pattern = Value::from(containing(sought));
    let sql = format!("SELECT count(*) FROM \"api_resources\" {condition}");
    let counted = db.rows(sql, [pattern.clone()]).await?;
    let total = counted.first().and_then(|row| row.first()?.as_int());
    let sql = format!(
        "SELECT {} FROM \"api_resources\" {condition} \
         ORDER BY \"id\" DESC LIMIT ? OFFSET ?",
        columns(db.dialect())
    );
    let rows = db.rows(sql, [pattern, limit.into(), offset.into()]).await?;
    let rows = rows.iter().filter_map(|row| read(row)).collect();
    Ok((rows, total.unwrap_or_default()))
}

/// The requested row.
pub(super) async fn find(db: &Db, which: Which<'_>) -> Result<Option<Row>> {
    let (column, value) = match which {
        Which::Id(id) => ("id", Value::from(id)),
        Which::Endpoint(endpoint) => ("endpoint", Value::from(endpoint)),
    };
    let columns = columns(db.dialect());
    let sql = format!("SELECT {columns} FROM \"api_resources\" WHERE \"{column}\" = ?");
    let rows = db.rows(sql, [value]).await?;
    Ok(rows.first().and_then(|row| read(row)))
}

/// The rows with these keys, in their order.
pub(super) async fn chosen(db: &Db, ids: &[i64]) -> Result<Vec<Row>> {
    let condition = among("\"id\"", ids.len());
    let sql = format!(
        "SELECT {} FROM \"api_resources\" WHERE {condition} ORDER BY \"id\"",
        columns(db.dialect())
    );
    let rows = db.rows(sql, ids.iter().map(|id| Value::from(*id))).await?;
    Ok(rows.iter().filter_map(|row| read(row)).collect())
}

/// Every endpoint that has a row, and whether that is custom.
pub(super) async fn endpoints(db: &Db) -> Result<Vec<(String, bool)>> {
    let sql = "SELECT \"endpoint\", \"is_custom\" FROM \"api_resources\" ORDER BY \"id\"";
    let rows = db.rows(sql, []).await?;
    let read = |row: &Vec<Value>| Some((text(row.first()?)?, row.get(1)?.is_true()));
    Ok(rows.iter().filter_map(read).collect())
}

/// The decisions, by endpoint.
pub(super) async fn decisions(db: &Db) -> Result<Vec<(String, String)>> {
    let sql = "SELECT \"endpoint\", \"meta\" FROM \"api_resources\" WHERE \"meta\" IS NOT NULL";
    let rows = db.rows(sql, []).await?;
    // A value that is no text reads as damaged: without a decision, the registration would apply.
    let read = |row: &Vec<Value>| {
        let meta = text(row.get(1)?).unwrap_or_default();
        Some((text(row.first()?)?, meta))
    };
    Ok(rows.iter().filter_map(read).collect())
}

/// A row to be: a resource that has none.
#[derive(Debug)]
pub(super) struct New<'a> {
    /// The resource's key.
    pub key: &'a str,
    /// Its name for people.
    pub name: &'a str,
    /// Its description, in a sentence.
    pub description: &'a str,
    /// Keys it had before.
    pub former_keys: &'static [&'static str],
    /// The decision about it under a former key.
    pub meta: Option<String>,
}

/// Writes rows for resources without one, with one statement. Returns the endpoints that had none.
pub(super) async fn insert(
    db: &Db,
    mut resources: Vec<New<'_>>,
    now: DateTime,
) -> Result<Vec<String>> {
    while !resources.is_empty() {
        let (sql, values) = inserted(&resources, now);
        match db.perform(sql.into(), values).await {
            Ok(_) => break,
            // Another replica has written some of them.
            Err(fault @ Fault::Unique(_)) => {
                let (known, count) = (endpoints(db).await?, resources.len());
                resources.retain(|one| known.iter().all(|(endpoint, _)| endpoint != one.key));
                if resources.len() == count {
                    return Err(fault.into());
                }
            }
            Err(fault) => return Err(fault.into()),
        }
    }
    Ok(resources.iter().map(|one| one.key.to_owned()).collect())
}

/// The statement that inserts all these rows, and its values.
fn inserted(resources: &[New<'_>], now: DateTime) -> (String, Vec<Value>) {
    let row = ["(?, ?, ?, ?, FALSE, ?, ?)"];
    let sql = format!(
        "INSERT INTO \"api_resources\" (\"endpoint\", \"name\", \"description\", \
         \"meta\", \"is_custom\", \"created_at\", \"updated_at\") VALUES {}",
        row.repeat(resources.len()).join(", "),
    );
    let values = resources.iter().flat_map(|one| {
        let texts = [one.key, one.name, one.description].map(Value::from);
        let decided = [one.meta.clone().into(), now.into(), now.into()];
        texts.into_iter().chain(decided)
    });
    (sql, values.collect())
}

/// Deletes the row of an endpoint that is not custom; false where there is none.
pub(super) async fn forget(db: &Db, endpoint: &str) -> Result<bool> {
    let sql = "DELETE FROM \"api_resources\" WHERE \"endpoint\" = ? AND \"is_custom\" IS NOT TRUE";
    Ok(db.execute(sql, [Value::from(endpoint)]).await? > 0)
}

/// Writes a decision; false where the row has another version by now, or is gone: the database
/// compares, since another administrator may have saved since the row was read.
pub(super) async fn update(db: &Db, row: &Row, now: DateTime) -> Result<bool> {
    let sql = format!(
        "UPDATE \"api_resources\" SET \"name\" = ?, \"description\" = ?, \"meta\" = ?, \
         \"updated_at\" = ? WHERE \"id\" = ? AND {} = ?",
        version(db.dialect())
    );
    let values = [
        Value::from(&row.name),
        row.description.clone().into(),
        row.meta.clone().into(),
        now.into(),
        row.id.into(),
        Value::from(&row.version),
    ];
    Ok(db.execute(sql, values).await? > 0)
}

/// Deletes rows; returns how many there were.
pub(super) async fn delete(db: &Db, ids: &[i64]) -> Result<u64> {
    let sql = format!(
        "DELETE FROM \"api_resources\" WHERE {}",
        among("\"id\"", ids.len())
    );
    db.execute(sql, ids.iter().map(|id| Value::from(*id))).await
}

fn read(row: &[Value]) -> Option<Row> {
    let [id, name, endpoint, description, meta, is_custom, version] = row else {
        return None;
    };
    Some(Row {
        id: id.as_int()?,
        name: text(name)?,
        endpoint: text(endpoint)?,
        description: text(description),
        meta: text(meta),
        is_custom: is_custom.is_true(),
        version: version.as_str()?.to_owned(),
    })
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

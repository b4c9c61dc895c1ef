//! Columns that name records which do not exist.

use formwork_vocabulary::inflect::words;

use crate::{
    context::DataContext,
    database::{Db, quoted},
    error::{Result, ValidationErrors},
    model::{self, Model, Schema},
    value::Value,
};

/// Looks at the columns of `record` that `sent` names before the database does; those that name no
/// record go to `errors`. Values that `before` has already may stay.
///
/// # Errors
/// The database's error.
pub async fn check_foreign<M: Model>(
    ctx: &impl DataContext,
    before: Option<&M>,
    record: &M,
    sent: &(dyn Fn(&str) -> bool + Sync),
    errors: &mut ValidationErrors,
) -> Result<()> {
    let schema = Schema::of::<M>();
    let values = model::values(&mut record.clone())?;
    let old = before.map(|before| model::values(&mut before.clone()));
    let old = old.transpose()?;
    let told = errors.clone();
    let counts = |at: usize| {
        let name = schema.columns[at].name;
        let changed = old.as_ref().is_none_or(|old| old[at] != values[at]);
        changed && sent(name) && !told.has_within(name)
    };
    errors.merge(missing(ctx.db(), schema, &values, &counts).await?);
    Ok(())
}

/// Of the columns that count, those of a row that name records which do not exist. A driver may
/// report only that there are some.
pub(super) async fn missing(
    db: &Db,
    schema: &Schema,
    values: &[Value],
    counts: &(dyn Fn(usize) -> bool + Sync),
) -> Result<ValidationErrors> {
    let mut errors = ValidationErrors::default();
    for key in db.foreign_keys(schema.table).await? {
        let column = key.column.as_str();
        let at = schema.columns.iter().position(|info| info.name == column);
        let Some(at) = at.filter(|at| !values[*at].is_null() && counts(*at)) else {
            continue;
        };
        let (table, target) = (quoted(&key.table), quoted(&key.target));
        let sql = format!("SELECT 1 FROM {table} WHERE {target} = ?");
        if db.rows(sql, [values[at].clone()]).await?.is_empty() {
            let label = words(column);
            errors.add(column, format!("The selected {label} is invalid."));
        }
    }
    Ok(errors)
}

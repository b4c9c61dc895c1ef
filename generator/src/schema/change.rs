//! One change of a schema: a value that is described, printed for each database, undone and applied.

use super::dialect::{Alteration, Dialect};
use super::loss;
use super::rename::Rename;
use super::sql::{CHANGED, DROPPED, Down, Sql};
use super::step::{MigrationStep, shortened};
use super::table::{Column, Index, Part, Schema, Table};
use super::was::StoredValue;

/// A change of a schema, with the tables before and after it.
pub(super) enum Change {
    /// A new table with its indexes.
    CreateTable(Table),
    /// The removal of a table, and the columns of other tables that still point to it.
    DropTable {
        table: Table,
        pointing: Vec<(String, Column)>,
        is_destroyed: bool,
    },
    /// A pivot that joins by other columns: another table of the same name.
    RecreatePivot(Alteration),
    /// Another name for a table or a column.
    Rename(Rename, Alteration),
    /// Another value for rows that name a renamed resource.
    RenameValue(StoredValue),
    /// Another value for rows that hold a value which an enum lists no more. If rows had the new value
    /// before, they cannot be told apart afterwards.
    ReplaceValue { value: StoredValue, is_merged: bool },
    /// A column that old rows need no value for, with the indexes of this column alone.
    AddColumn(Column, Alteration),
    /// The removal of a column with the indexes that contain it.
    DropColumn(Column, Alteration),
    /// A new index.
    AddIndex(Index, Alteration),
    /// The removal of an index.
    DropIndex(Index, Alteration),
    /// All other changes of a table at once, or of a key and all that points to it.
    Alter(Vec<Alteration>),
}

impl Change {
    /// Returns the name, the description and the losses of its migration.
    pub fn describe(&self, dialects: &[&dyn Dialect]) -> MigrationStep {
        match self {
            Self::CreateTable(table) => {
                let (unit, table) = (&table.unit, &table.name);
                let note = format!("Creates the table {table}.");
                MigrationStep::new(unit, format!("create_{table}"), note).touching(table)
            }
            Self::DropTable {
                table,
                is_destroyed,
                ..
            } => {
                let name = &table.name;
                let note = match is_destroyed {
                    true => format!("Drops the table {name}: its resource was destroyed."),
                    false => format!("Drops the pivot {name}."),
                };
                let step = MigrationStep::new(&table.unit, format!("drop_{name}"), note);
                // The command that destroys a resource is the permission itself.
                let loss = (!is_destroyed).then(|| loss::of_pivot(table));
                step.touching(name).losing(loss)
            }
            Self::RecreatePivot(Alteration { after, .. }) => {
                let name = &after.name;
                let note = format!("Creates the pivot {name} again: it joins by other columns.");
                let step = MigrationStep::new(&after.unit, format!("recreate_{name}"), note);
                step.touching(name).losing([loss::of_other_pivot(after)])
            }
            Self::Rename(Rename::Table { from, to }, one) => {
                let note = format!("Renames {from} to {to}.");
                let step =
                    MigrationStep::new(&one.after.unit, format!("rename_{from}_to_{to}"), note);
                step.touching(from).touching(to)
            }
            Self::Rename(Rename::Column { table, from, to }, one) => {
                let name = format!("rename_{from}_to_{to}_in_{table}");
                let note = format!("Renames {from} to {to} in {table}.");
                let step = MigrationStep::new(&one.after.unit, name, note);
                step.touching_columns(table, [from, to])
            }
            Self::RenameValue(value) => {
                let (table, from, to) = (&value.table, &value.from, &value.to);
                let name = format!("rename_{from}_to_{to}_in_{table}");
                let note = format!("Rows of {table} that name {from} name {to} now.");
                MigrationStep::new(&value.unit, name, note).touching_columns(table, [&value.column])
            }
            Self::ReplaceValue { value, .. } => {
                let (table, column) = (&value.table, &value.column);
                let name = format!("replace_value_of_{column}_in_{table}");
                let (from, to) = (&value.from, &value.to);
                let note = format!("Rows of {table} whose {column} is {from} have {to} now.");
                MigrationStep::new(&value.unit, name, note).touching_columns(table, [column])
            }
            Self::AddColumn(column, Alteration { after, .. }) => {
                let (table, column) = (&after.name, &column.name);
                let note = format!("Adds the column {column} to {table}.");
                let step =
                    MigrationStep::new(&after.unit, format!("add_{column}_to_{table}"), note);
                step.touching_columns(table, [column])
            }
            Self::DropColumn(dropped, Alteration { before, .. }) => {
                let (table, column) = (&before.name, &dropped.name);
                let (name, note) = (
                    format!("drop_{column}_from_{table}"),
                    format!("Drops the column {column} from {table}."),
                );
                let step = MigrationStep::new(&before.unit, name, note);
                let losses = [loss::of_dropped(before, dropped)];
                step.touching_columns(table, [column]).losing(losses)
            }
            Self::AddIndex(index, Alteration { before, .. }) => {
                let table = &before.name;
                let (columns, list) = (index.columns.join("_"), index.columns.join(", "));
                let (name, note) = match index.unique {
                    true => (
                        format!("make_{columns}_unique_in_{table}"),
                        format!("Values of {list} occur once in {table}."),
                    ),
                    false => (
                        format!("index_{columns}_of_{table}"),
                        format!("Indexes {list} of {table}."),
                    ),
                };
                let name = shortened(name, || format!("index_columns_of_{table}"));
                MigrationStep::new(&before.unit, name, note).touching(index.touched(table))
            }
            Self::DropIndex(index, Alteration { before, .. }) => {
                let kind = if index.unique {
                    "unique_index"
                } else {
                    "index"
                };
                let (table, columns) = (&before.name, index.columns.join("_"));
                let name = format!("drop_{kind}_{columns}_of_{table}");
                let name = shortened(name, || format!("drop_{kind}_of_{table}"));
                let note = format!(
                    "Drops the index of {} of {table}.",
                    index.columns.join(", ")
                );
                MigrationStep::new(&before.unit, name, note).touching(index.touched(table))
            }
            Self::Alter(alterations) => {
                let steps = alterations.iter().map(|one| {
                    let is_rebuilt = dialects.iter().any(|dialect| dialect.rebuilds(one));
                    MigrationStep::altering(&one.after, &one.difference, is_rebuilt)
                });
                steps.reduce(MigrationStep::and).unwrap_or_default()
            }
        }
    }

    /// Returns its statements in the words of a database, and the statements that undo them.
    pub fn sql(&self, dialect: &dyn Dialect) -> (Sql, Down) {
        let down = self.inverse().and_then(|inverse| match inverse {
            Self::DropColumn(column, one) => {
                dialect.undo_column(&one.before, &column, &one.indexes())
            }
            inverse => Ok(inverse.statements(dialect).text),
        });
        (self.statements(dialect), down)
    }

    fn statements(&self, dialect: &dyn Dialect) -> Sql {
        match self {
            Self::CreateTable(table) => dialect.create_table(table).into(),
            Self::DropTable {
                table, pointing, ..
            } => dialect.drop_table(&table.name, pointing),
            Self::RecreatePivot(one) => {
                let mut sql = dialect.drop_table(&one.before.name, &[]);
                sql.push("\n");
                sql.push(dialect.create_table(&one.after));
                sql
            }
            Self::Rename(Rename::Table { .. }, one) => {
                dialect.rename_table(&one.before, &one.after).into()
            }
            Self::Rename(Rename::Column { from, to, .. }, one) => {
                let sql = dialect.rename_column(&one.before, &one.after, from, to);
                sql.into()
            }
            Self::RenameValue(value) | Self::ReplaceValue { value, .. } => {
                dialect.rename_value(value).into()
            }
            Self::AddColumn(column, one) => {
                let sql = dialect.add_column(&one.before, column, &one.indexes());
                sql.into()
            }
            Self::DropColumn(column, one) => {
                dialect.drop_column(&one.before, column, &one.indexes())
            }
            Self::AddIndex(index, one) => dialect.add_index(&one.before, index).into(),
            Self::DropIndex(index, one) => dialect.drop_index(&one.before, index).into(),
            Self::Alter(alterations) => dialect.alter(alterations),
        }
    }

    /// Returns the change that undoes it, or the reason why there is none.
    fn inverse(&self) -> Result<Change, &'static str> {
        Ok(match self {
            Self::CreateTable(table) => Self::DropTable {
                table: table.clone(),
                pointing: Vec::new(),
                is_destroyed: false,
            },
            Self::Rename(rename, one) => Self::Rename(rename.reversed(), one.reversed()),
            Self::ReplaceValue {
                is_merged: true, ..
            }
            | Self::Alter(_) => return Err(CHANGED),
            Self::RenameValue(value) | Self::ReplaceValue { value, .. } => {
                Self::RenameValue(value.reversed())
            }
            Self::AddColumn(column, one) => Self::DropColumn(column.clone(), one.reversed()),
            Self::AddIndex(index, one) => Self::DropIndex(index.clone(), one.reversed()),
            Self::DropIndex(index, one) => Self::AddIndex(index.clone(), one.reversed()),
            Self::DropTable { .. } | Self::RecreatePivot(_) | Self::DropColumn(..) => {
                return Err(DROPPED);
            }
        })
    }

    /// Carries it out in a schema, as the migration of this version does in a database.
    pub fn apply(self, schema: &mut Schema, version: i64) {
        match self {
            Self::CreateTable(mut table) => {
                table.since = Some(version);
                schema.put(table);
            }
            Self::DropTable { table, .. } => drop(schema.tables.remove(&table.name)),
            Self::RecreatePivot(Alteration {
                before, mut after, ..
            }) => {
                after.since = Some(version);
                let columns = before.columns.iter().chain(&after.columns);
                let columns = columns.map(|column| Part::Column(column.name.clone()));
                let indexes = before.indexes.union(&after.indexes).cloned();
                let parts: Vec<Part> = columns.chain(indexes.map(Part::Index)).collect();
                after.touch(parts, version);
                schema.put(after);
            }
            Self::Rename(rename, _) => schema.rename(&rename, version),
            Self::RenameValue(value) | Self::ReplaceValue { value, .. } => {
                if let Some(table) = schema.tables.get_mut(&value.table) {
                    table.touch([Part::Column(value.column)], version);
                }
            }
            Self::AddColumn(_, one)
            | Self::DropColumn(_, one)
            | Self::AddIndex(_, one)
            | Self::DropIndex(_, one) => schema.put(one.into_altered(version)),
            Self::Alter(all) => {
                let tables = all.into_iter().map(|one| one.into_altered(version));
                tables.for_each(|table| schema.put(table));
            }
        }
    }
}

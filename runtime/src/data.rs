//! Tables and their rows: models, queries, relations, migrations, values, the database.

pub use formwork_data::DataContext;

/// Columns: types of a model's fields, their visitor, and filling from bodies.
pub mod column {
    pub use formwork_data::{
        column::{Column, ColumnInfo, Columns, Key, Kind},
        model::{fill, fill_at},
    };
}

/// The database: its handle, transactions, rows, and words of SQL.
pub mod database {
    pub use formwork_data::database::{
        BorrowedConnection, DatabaseOptions, Db, Dialect, Fault, ForeignKey, Isolation, PivotLink,
        PoolUsage, Row, RowStream, Sql, Stored, Synced, Synchronous, TableColumn, Transaction,
        among, quoted,
    };
}

/// Exact decimal numbers.
pub mod decimal {
    pub use formwork_data::decimal::{Decimal, DecimalError};
}

/// The error of a service, and its parts.
pub mod error {
    pub use formwork_data::error::{
        CustomError, DocumentError, DocumentProblem, Error, Result, Source, ValidationErrors,
    };
}

/// Migrations: what extensions declare, and how they are run and listed.
pub mod migration {
    pub use formwork_data::migration::{
        Halfway, Migration, MigrationState, Migrations, pending, run, status, to,
    };
}

/// Models: the columns of a table, and the records in it.
pub mod model {
    pub use formwork_data::{
        column::{Column, ColumnInfo, Columns, Key, Kind},
        model::{Model, Schema, fill, fill_at},
    };
}

/// Queries of a model's rows.
pub mod query {
    pub use formwork_data::query::{Query, QueryInPlace};
}

/// Rows of statements of your own, as values of a type of your own.
pub mod query_as {
    pub use formwork_data::query_as::{FromRow, QueryAs};
}

/// A model's rows: `unscoped`, `insert`, `update`, `delete`.
pub mod record {
    pub use formwork_data::record::ModelExt;
}

/// Relations of a model to others.
pub mod relations {
    pub use formwork_data::relations::{Morph, Pivot, Relation, Relations, morph, pivot};
}

/// The shapes that transformers declare.
pub mod shape {
    pub use formwork_data::shape::{Members, Shape, ShapeKind, Shaped};
}

/// Values of columns, and their texts.
pub mod value {
    pub use formwork_data::value::{
        Date, DateTime, Json, Time, Uuid, Value, parse_date, parse_datetime, parse_time,
    };
}

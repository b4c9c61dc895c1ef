//! The database: a pool or a transaction of it, behind one handle.

mod borrowed;
mod catalogue;
mod dialect;
mod driver;
mod fault;
mod handle;
mod lookup;
mod lower_case;
mod migrate;
#[cfg(feature = "mysql")]
mod mysql;
mod open;
mod options;
mod own_tables;
mod pivot;
#[cfg(feature = "postgres")]
mod postgres;
mod progress;
mod row;
mod row_stream;
#[cfg(any(feature = "postgres", feature = "mysql"))]
mod server;
mod share;
mod sql;
#[cfg(feature = "sqlite")]
mod sqlite;
mod sqlx_pool;
mod step;
mod stored;
#[cfg(feature = "testing")]
mod temporary;
mod transaction;
mod upsert;
mod waiting;

pub use borrowed::BorrowedConnection;
pub use catalogue::{ForeignKey, TableColumn};
pub use dialect::Dialect;
pub use driver::{is_missing, rooted};
pub use fault::Fault;
pub use handle::Db;
pub(crate) use migrate::{apply, create_table, left};
pub use options::{DatabaseOptions, Isolation, Synchronous};
pub use pivot::{Morph, Pivot, PivotLink, Synced, morph, pivot};
pub use row::Row;
pub use row_stream::RowStream;
pub(crate) use row_stream::{CHUNK, RowSender, send_chunk};
pub use share::Share;
pub use sql::Sql;
pub use sql::among;
pub use sql::{ESCAPE, containing, quoted, quoted_list};
pub use sqlx_pool::PoolUsage;
pub use step::LowerIndex;
pub(crate) use step::Step;
pub use stored::Stored;
#[cfg(feature = "testing")]
pub use temporary::{create_temporary, remove_temporary};
pub use transaction::Transaction;
pub(crate) use upsert::Upsert;

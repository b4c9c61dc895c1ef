//! The database: a pool or a transaction of it, behind one handle.

mod borrowed;
mod catalogue;
mod compiled;
mod connection;
mod dialect;
mod driver;
mod fault;
mod handle;
mod limits;
mod lookup;
mod lower_case;
mod lower_index;
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
mod table_between;
#[cfg(feature = "testing")]
mod temporary;
mod transaction;
mod upsert;
mod usage;
mod waiting;
mod writers;

pub use borrowed::BorrowedConnection;
pub use catalogue::{ForeignKey, TableColumn};
pub use dialect::Dialect;
pub use driver::{is_missing, rooted};
pub use fault::Fault;
pub use handle::Db;
pub use lower_index::LowerIndex;
pub(crate) use migrate::{apply, create_table, left};
pub use options::{DatabaseOptions, Isolation, Synchronous};
pub use pivot::{PivotLink, Synced};
pub use row::Row;
pub use row_stream::RowStream;
pub(crate) use row_stream::{CHUNK, RowSender, send_chunk};
pub use share::Share;
pub use sql::Sql;
pub use sql::among;
pub use sql::{ESCAPE, containing, quoted, quoted_list};
pub(crate) use step::Step;
pub use stored::Stored;
pub use table_between::{Morph, Pivot, morph, pivot};
#[cfg(feature = "testing")]
pub use temporary::{create_temporary, remove_temporary};
pub use transaction::Transaction;
pub(crate) use upsert::Upsert;
pub use usage::PoolUsage;

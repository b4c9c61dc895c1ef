//! Formwork's runtime: what poured REST services link.
//!
//! Poured code names it through [`prelude`]; [`service()`] puts a service together, whose console is
//! the program around it, and whose router any axum application mounts. Other items are in modules by subject: [`data`],
//! [`resource`], [`http`], [`auth`], [`extension`], [`config`].

#![forbid(unsafe_code)]

#[cfg(not(any(feature = "sqlite", feature = "postgres", feature = "mysql")))]
compile_error!(
    "formwork needs a database: with `default-features = false`, name its driver as well, as in \
     `features = [\"sqlite\"]`"
);

pub mod app;
pub mod console;
mod log;
pub mod prelude;
pub mod server;
mod service;
#[cfg(feature = "testing")]
pub mod testing;

pub use app::{App, router};
pub use console::console;
#[cfg(feature = "admin")]
pub use formwork_admin as admin;
pub use formwork_core::{config, request::rules};
pub use formwork_data::{Error, Result, literal};
pub use service::{Service, service};

/// Accounts, tokens, abilities and passwords.
pub mod auth {
    pub use formwork_core::auth::{
        Abilities, Account, AccountKind, AdminUser, Caller, Filled, IssuedToken, NewAccount,
        NewToken, Sought, assign_locations, hash_password, random_text, revoke_account_tokens,
        revoke_tokens, verify_password,
    };
    pub use formwork_core::authenticate::{Authenticate, Identity, ProxyUser};
    pub use formwork_core::claims::Claims;
    #[cfg(feature = "oidc")]
    pub use formwork_oidc::{OidcClaims, OidcTokens};
}

/// Extensions, and the arguments of their hooks.
pub mod extension {
    pub use formwork_core::{
        command::Command,
        decisions::{Decisions, Working},
        extension::{Extension, Permission, Seeding, registry},
        registry::{Entry, Registry},
        shared::{Asking, Shared, SharedCounts, Window},
        state::ServiceState,
        type_map::TypeMap,
    };
}

/// Tables and their rows: models, queries, relations, migrations, values, the database.
pub mod data {
    pub use formwork_data::{
        decimal, error, migration, model, query, query_as, record, relations, shape, value,
    };

    /// The database: its handle, transactions, rows, and words of SQL.
    pub mod database {
        pub use formwork_data::database::{
            BorrowedConnection, DatabaseOptions, Db, Dialect, ESCAPE, Fault, ForeignKey, PivotLink,
            PoolUsage, Row, RowStream, Sql, Stored, Synced, Synchronous, TableColumn, Transaction,
            among, containing, quoted, quoted_list,
        };
    }

    /// Columns: types of a model's fields, their visitor, and filling from bodies.
    pub mod column {
        pub use formwork_data::column::*;
        pub use formwork_data::model::{fill, fill_at};
    }
}

/// Resources: registration records, controllers with their actions, repositories, requests,
/// transformers, and their arguments.
pub mod resource {
    pub use formwork_core::changes::{ColumnChange, RelationChange};
    pub use formwork_core::{
        action, context, controller, default, filters, loaded, params, repository, request,
        resource::*, transformer,
    };
}

/// Answers and custom routes.
pub mod http {
    pub use formwork_core::custom_serializer::Serializer;
    pub use formwork_core::{
        rendering, response, route,
        routing::{Parameters, State, Validated},
        status,
    };
}

// The paths of projects that were poured before the modules above: they go with the next version.
#[doc(hidden)]
pub use formwork_core::{
    action, actions, context, controller, default, filters, loaded, params, repository, request,
    response, route, status, transformer,
};
#[doc(hidden)]
pub use {
    data::{column, database},
    formwork_data::{decimal, error, migration, model, query, relations, shape, value},
};

/// For routes and layers of your own.
pub use axum;
/// For commands of your own.
pub use clap;
pub use formwork_data::{sea_query, sqlx};
/// For layers of your own: `tower::Layer`, `tower::Service`.
pub use tower;

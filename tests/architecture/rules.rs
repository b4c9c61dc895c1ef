//! The rules of each crate of the workspace: layers from the inside out, and uses that are faults.

mod generator;

use crate::layers::{Never, Only, Rules};
pub use generator::GENERATOR;

/// The words that generator and runtime share.
pub const VOCABULARY: Rules = Rules {
    name: "vocabulary",
    source: "runtime/vocabulary/src",
    levels: &[
        &[(
            "words",
            "action constraint_name did_you_mean inflect rule table",
        )],
        &[("keys", "config")],
        &[("face", "lib")],
    ],
    kernels: &[],
    never: &[],
    only: &[
        Only {
            paths: &["formwork", "formwork_cli", "formwork_templates"],
            users: &[],
            reason: "generator and runtime stand on the vocabulary, which knows neither",
        },
        Only {
            paths: &["pluralizer"],
            users: &["inflect"],
            reason: "names are inflected in one place",
        },
    ],
};

/// What the runtime knows of data.
pub const DATA: Rules = Rules {
    name: "data",
    source: "runtime/data/src",
    levels: &[
        &[("words", "error")],
        &[("values", "value decimal literal")],
        &[("connections", "database context")],
        &[(
            "tables",
            "column relations shape query query_as model record migration copy",
        )],
        &[("face", "lib")],
    ],
    kernels: &[],
    never: &[],
    only: &[
        Only {
            paths: &["sqlx"],
            users: &["database"],
            reason: "drivers are known to `database` alone",
        },
        Only {
            paths: &["axum_core"],
            users: &["error::answer"],
            reason: "data knows no HTTP",
        },
        Only {
            paths: &["axum", "http", "hyper", "tower", "tower_http"],
            users: &[],
            reason: "data knows no HTTP",
        },
        Only {
            paths: &["formwork", "formwork_cli", "formwork_templates"],
            users: &[],
            reason: "the runtime stands on its data, which knows nothing above it",
        },
    ],
};

/// The core of the runtime.
pub const CORE: Rules = Rules {
    name: "core",
    source: "runtime/core/src",
    levels: &[
        &[("values", "typed")],
        &[(
            "settings",
            "budget clock config links per_caller rendering status type_map",
        )],
        &[(
            "access",
            "action auth claims idempotency_keys limits permission shared tag_key windows",
        )],
        &[("request", "changes params input includes outline response")],
        &[(
            "kernel",
            "authenticate context custom_rule custom_serializer decisions registry resource route rows source state",
        )],
        &[("commands", "command")],
        &[(
            "traits",
            "extension filters loaded repository request transformer",
        )],
        &[("document", "document"), ("output", "serializer etag")],
        &[("loading", "loader")],
        &[("actions", "controller default")],
        &[("http", "routing idempotency")],
        &[("face", "accounts lib")],
    ],
    kernels: &[
        // A context names the state of its service, which holds what is registered; that is called
        // with a context.
        &[
            "context",
            "registry",
            "registry::entry",
            "resource",
            "route",
            "rows",
            "source",
            "state",
        ],
    ],
    never: &[
        never("repository", "axum", "finding rows knows no HTTP"),
        never("repository", "response", "finding rows knows no answers"),
        never(
            "transformer",
            "formwork_data::database",
            "rendering a record sends no statement",
        ),
        never(
            "transformer",
            "formwork_data::query",
            "rendering a record sends no statement",
        ),
        never(
            "serializer",
            "formwork_data::database",
            "rendering a record sends no statement",
        ),
        never(
            "serializer",
            "formwork_data::query",
            "rendering a record sends no statement",
        ),
    ],
    only: &[
        Only {
            paths: &["sqlx"],
            users: &[],
            reason: "drivers are known to `formwork-data` alone",
        },
        Only {
            paths: &["sea_query"],
            users: &["filters", "repository"],
            reason: "SQL is built by `filters` and `repository`, and below them",
        },
        Only {
            paths: &[SQL],
            users: &["auth", "idempotency_keys", "tag_key"],
            reason: "statements stand in `formwork-data`, and where tables of the runtime are kept",
        },
        UPWARDS,
    ],
};

/// The description of a service.
pub const OPENAPI: Rules = Rules {
    name: "openapi",
    source: "runtime/openapi/src",
    levels: &[
        &[("shapes", "schema tree rule document")],
        &[(
            "parts",
            "filters operation query reach record request success",
        )],
        &[("builder", "builder")],
        &[("paths", "custom resource")],
        &[("document", "build")],
        &[("routes", "description page")],
        &[("face", "lib")],
    ],
    kernels: &[],
    never: &[],
    only: &[NO_SQL, UPWARDS],
};

/// The admin area.
pub const ADMIN: Rules = Rules {
    name: "admin",
    source: "runtime/admin/src",
    levels: &[
        &[("words", "cookies guard markdown meta assets path")],
        &[("rows", "rows sessions")],
        &[("requests", "admin_request settings sync pages")],
        &[("screens", "screens")],
        &[("answers", "routes")],
        &[("face", "lib")],
    ],
    kernels: &[],
    never: &[],
    only: &[
        Only {
            paths: &[SQL],
            users: &["rows", "sessions"],
            reason: "statements stand where the area's tables are kept",
        },
        UPWARDS,
    ],
};

/// Counts in Redis.
pub const REDIS: Rules = Rules {
    name: "redis",
    source: "runtime/redis/src",
    levels: &[&[("store", "connection")], &[("face", "lib")]],
    kernels: &[],
    never: &[],
    only: &[NO_SQL, UPWARDS],
};

/// Metrics for Prometheus.
pub const METRICS: Rules = Rules {
    name: "metrics",
    source: "runtime/metrics/src",
    levels: &[
        &[("store", "requests")],
        &[("store", "endpoint")],
        &[("face", "lib")],
    ],
    kernels: &[],
    never: &[],
    only: &[NO_SQL, UPWARDS],
};

/// Tokens of an OpenID Connect issuer.
pub const OIDC: Rules = Rules {
    name: "oidc",
    source: "runtime/oidc/src",
    levels: &[
        &[("store", "claims fetch identities")],
        &[("store", "keys")],
        &[("store", "tokens")],
        &[("face", "lib")],
    ],
    kernels: &[],
    never: &[],
    only: &[
        Only {
            paths: &[SQL],
            users: &["identities"],
            reason: "statements stand where the table of identities is kept",
        },
        UPWARDS,
    ],
};

/// The face of the runtime.
pub const RUNTIME: Rules = Rules {
    name: "runtime",
    source: "runtime/src",
    levels: &[
        &[
            (
                "names",
                "auth config data extension http literal resource rules",
            ),
            ("words", "log server service"),
        ],
        &[("prelude", "prelude")],
        &[("assembly", "app")],
        &[("programs", "console testing")],
        &[("face", "lib")],
    ],
    kernels: &[],
    never: &[],
    only: &[
        Only {
            paths: &["sea_query"],
            users: &[],
            reason: "SQL is built further in",
        },
        NO_SQL,
        Only {
            paths: &["formwork_cli", "formwork_templates"],
            users: &[],
            reason: "services do not know the generator",
        },
    ],
};

/// What lies further out than the crates of the runtime.
const UPWARDS: Only = Only {
    paths: &["formwork", "formwork_cli", "formwork_templates"],
    users: &[],
    reason: "the crates below the face do not know it",
};

/// What a text with a statement in SQL counts as a use of.
const SQL: &str = "sql_text";

const NO_SQL: Only = Only {
    paths: &[SQL],
    users: &[],
    reason: "statements stand further in",
};

const fn never(from: &'static str, to: &'static str, reason: &'static str) -> Never {
    Never { from, to, reason }
}

//! SQL of the runtime's own tables: a file for each dialect.

/// The texts of `migrations/<dialect>/<version>_<name>.sql` in the crate that names them.
#[doc(hidden)]
#[macro_export]
macro_rules! sql_files {
    ($version:literal, $name:literal) => {
        &[
            $crate::sql_files!("sqlite", $version, $name),
            $crate::sql_files!("postgres", $version, $name),
        ]
    };
    ($dialect:literal, $version:literal, $name:literal) => {
        (
            $dialect,
            include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/migrations/",
                $dialect,
                "/",
                $version,
                "_",
                $name,
                ".sql"
            )),
        )
    };
}

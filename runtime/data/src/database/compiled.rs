//! The drivers that are compiled in.

/// The same expression for the driver that a value is of. Without a driver there is no value.
macro_rules! each {
    ($value:expr, $inner:ident => $call:expr) => {
        match $value {
            #[cfg(feature = "sqlite")]
            Self::Sqlite($inner) => $call,
            #[cfg(feature = "postgres")]
            Self::Postgres($inner) => $call,
            #[cfg(feature = "mysql")]
            Self::Mysql($inner) => $call,
            #[cfg(not(any(feature = "sqlite", feature = "postgres", feature = "mysql")))]
            _ => unreachable!(),
        }
    };
}

pub(super) use each;

//! Models of tests.

/// Defines a model by a table of its columns: each is preceded by the method that registers it. Other
/// items of the [`Model`] follow the columns.
///
/// [`Model`]: formwork_data::model::Model
macro_rules! model {
    (@column $to:ident $record:ident created_at $column:ident) => {
        $to.created_at(&mut $record.$column)?
    };
    (@column $to:ident $record:ident updated_at $column:ident) => {
        $to.updated_at(&mut $record.$column)?
    };
    (@column $to:ident $record:ident $method:ident $column:ident) => {
        $to.$method(stringify!($column).trim_start_matches("r#"), &mut $record.$column)?
    };
    (
        $(#[$attribute:meta])*
        $name:ident $table:literal {
            $($(#[$key_attribute:meta])+)? key $key:ident: $key_type:ty
            $(, $(#[$column_attribute:meta])* $method:ident $column:ident: $type:ty)* $(,)?
        }
        $($item:tt)*
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
        pub struct $name {
            $($(#[$key_attribute])+)?
            pub $key: $key_type,
            $($(#[$column_attribute])* pub $column: $type,)*
        }

        impl Model for $name {
            type Key = $key_type;

            const TABLE: &'static str = $table;
            const KEY: &'static str = stringify!($key);

            fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
                let record = self;
                to.key(stringify!($key), &mut record.$key)?;
                $(model!(@column to record $method $column);)*
                Ok(())
            }

            $($item)*
        }
    };
}

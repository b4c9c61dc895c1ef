//! Tables between two, and columns that name a record of any kind.

/// A table between two: `pivot("order_menus", "order_id", "menu_id")`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pivot {
    /// The table.
    pub table: &'static str,
    /// The column with the record's own key.
    pub own: &'static str,
    /// The column with the key of the other side.
    pub other: &'static str,
}

/// A table between two: its name, its column with the record's own key, and its column with the
/// key of the other side.
pub const fn pivot(table: &'static str, own: &'static str, other: &'static str) -> Pivot {
    Pivot { table, own, other }
}

/// A pair of columns that name a record of any kind: `morph("attachment", "menus")`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Morph {
    name: &'static str,
    /// The word for this record's kind.
    pub word: &'static str,
}

/// The columns `<name>_type` and `<name>_id`; rows of this record's kind hold `word` in the first.
pub const fn morph(name: &'static str, word: &'static str) -> Morph {
    Morph { name, word }
}

impl Morph {
    /// The column with the kind.
    pub fn type_column(self) -> String {
        format!("{}_type", self.name)
    }

    pub(crate) fn id_column(self) -> String {
        format!("{}_id", self.name)
    }
}

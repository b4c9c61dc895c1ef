//! The names of a model that the rest of its manifest may use.

use super::super::columns::ModelColumns;
use super::super::draft::RelationDraft;

/// The names of a model: its columns, its relations and its key.
#[derive(Debug, Clone, Copy)]
pub struct ModelNames<'a> {
    /// Columns.
    pub columns: &'a ModelColumns,
    /// Relations.
    pub relations: &'a [RelationDraft],
    /// The key's column.
    pub key: &'a str,
}

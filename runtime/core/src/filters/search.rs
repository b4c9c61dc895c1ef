//! Search: every word must occur in one of the columns, not necessarily the same one.

use formwork_data::{
    column::{ColumnInfo, Kind},
    database::{Dialect, containing},
    model::Schema,
};
use sea_query::{Condition, Expr};

/// The condition for `words` over `columns`.
pub(super) fn condition(
    dialect: Dialect,
    schema: &Schema,
    columns: &[&'static str],
    words: &[String],
) -> Condition {
    let columns = columns.iter().filter_map(|name| schema.column(name));
    let texts: Vec<Expr> = columns
        .map(|info| text(dialect, schema.table, info))
        .collect();
    needed(words).fold(Condition::all(), |all, word| {
        let any = texts.iter().fold(Condition::any(), |any, text| {
            any.add(dialect.matches(text.clone(), &containing(word)))
        });
        all.add(any)
    })
}

/// Returns the words that are no part of another one: a text that contains `soup` contains `so`.
fn needed(words: &[String]) -> impl Iterator<Item = &String> {
    words
        .iter()
        .enumerate()
        .filter(move |(at, word)| {
            let mut others = words.iter().enumerate();
            !others.any(|(other, longer)| {
                longer.contains(*word) && (longer.len() > word.len() || other < *at)
            })
        })
        .map(|(_, word)| word)
}

/// The column as the text that clients see.
pub(super) fn text(dialect: Dialect, table: &'static str, info: &ColumnInfo) -> Expr {
    let column = Expr::col((table, info.name));
    match info.kind {
        Kind::Decimal(scale) => dialect.decimal_text(column, scale, info.native),
        Kind::Boolean => dialect.boolean_text(column),
        Kind::DateTime => dialect.datetime_text(column),
        Kind::Text if !info.native => column,
        _ => dialect.text(column),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_within_others_are_left_out() {
        let words = ["a", "soup", "so", "soup", "b"].map(str::to_owned);
        let kept: Vec<&String> = needed(&words).collect();
        assert_eq!(kept, ["a", "soup", "b"]);
    }
}

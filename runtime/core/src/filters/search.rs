//! Search: every word must occur in one of the columns, not necessarily the same one
//! (docs/contract.md, Query parameters).

use formwork_data::{
    column::{ColumnInfo, Kind},
    database::{Dialect, ESCAPE, containing},
    model::Schema,
};
use sea_query::{Alias, Condition, Expr, ExprTrait, Func, LikeExpr};

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
    words.iter().fold(Condition::all(), |all, word| {
        let patterns = patterns(word);
        let any = texts.iter().fold(Condition::any(), |any, text| {
            any.add(like_any(text, &patterns))
        });
        all.add(any)
    })
}

/// Whether a text is like one of these patterns, written in lower case, with [`ESCAPE`].
pub(super) fn like_any(text: &Expr, patterns: &[String]) -> Condition {
    patterns.iter().fold(Condition::any(), |any, pattern| {
        let like = LikeExpr::new(pattern.clone()).escape(ESCAPE);
        any.add(Expr::from(Func::lower(text.clone())).like(like))
    })
}

fn patterns(word: &str) -> Vec<String> {
    spellings(word)
        .iter()
        .map(|word| containing(word))
        .collect()
}

/// How a word looks where LOWER knows ASCII letters only, as SQLite's does: other letters are
/// compared as the client wrote them, in lower case, and in upper case.
pub(super) fn spellings(word: &str) -> Vec<String> {
    let mut spellings = vec![word.to_lowercase()];
    for other in [
        word.to_ascii_lowercase(),
        word.to_uppercase().to_ascii_lowercase(),
    ] {
        if !spellings.contains(&other) {
            spellings.push(other);
        }
    }
    spellings
}

/// The column as the text that clients see.
fn text(dialect: Dialect, table: &'static str, info: &ColumnInfo) -> Expr {
    let column = Expr::col((table, info.name));
    match info.kind {
        Kind::Decimal(scale) => dialect.decimal_text(column, scale, info.native),
        Kind::Text => column,
        _ => Func::cast_as(column, Alias::new("text")).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_of_clients_are_letters() {
        assert_eq!(patterns("50%_Off!"), ["%50!%!_off!!%"]);
    }

    #[test]
    fn letters_beyond_ascii_are_met_in_both_cases() {
        assert_eq!(spellings("Soup"), ["soup"]);
        assert_eq!(spellings("Äpfel"), ["äpfel", "Äpfel"]);
    }
}

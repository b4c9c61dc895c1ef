//! Search: every word must occur in one of the columns, not necessarily the same one.

use formwork_data::{
    column::{ColumnInfo, Kind},
    database::{Dialect, ESCAPE, containing},
    model::Schema,
};
use sea_query::{Condition, Expr, ExprTrait, Func, LikeExpr};

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
        let any = texts.iter().fold(Condition::any(), |any, text| {
            any.add(like(text.clone(), &containing(word)))
        });
        all.add(any)
    })
}

/// Whether a text is like this pattern with [`ESCAPE`], without regard to case.
///
/// LOWER of a database may know the letters of ASCII only, by its kind or its collation. The other
/// letters of the pattern are replaced in the text, one by one.
pub(super) fn like(text: Expr, pattern: &str) -> Expr {
    let folded: String = pattern.chars().map(lower).collect();
    let mut letters: Vec<(char, char)> = Vec::new();
    for small in folded.chars().filter(|letter| !letter.is_ascii()) {
        if let Some(capital) = capital(small).filter(|_| letters.len() < MOST_LETTERS)
            && !letters.contains(&(capital, small))
        {
            letters.push((capital, small));
        }
    }
    let text = letters.iter().fold(Func::lower(text), |text, (from, to)| {
        Func::cust("replace").args([
            text.into(),
            Expr::val(from.to_string()),
            Expr::val(to.to_string()),
        ])
    });
    Expr::from(text).like(LikeExpr::new(folded).escape(ESCAPE))
}

/// Different letters beyond ASCII whose case is disregarded: databases limit how deep calls nest.
const MOST_LETTERS: usize = 40;

/// The small form of a letter, where it is one letter.
fn lower(letter: char) -> char {
    only(letter.to_lowercase()).unwrap_or(letter)
}

/// The capital of a small letter, where it is one letter that has this small form.
fn capital(small: char) -> Option<char> {
    only(small.to_uppercase()).filter(|capital| *capital != small && lower(*capital) == small)
}

fn only(mut letters: impl Iterator<Item = char>) -> Option<char> {
    letters.next().filter(|_| letters.next().is_none())
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

    fn written(pattern: &str) -> (String, Vec<sea_query::Value>) {
        let mut select = sea_query::Query::select();
        select.expr(like(Expr::col("title"), pattern));
        let (sql, values) = select.build(sea_query::SqliteQueryBuilder);
        (sql, values.0)
    }

    #[test]
    fn wildcards_of_clients_are_letters() {
        let (sql, values) = written(&containing("50%_Off!"));
        assert_eq!(sql, r#"SELECT LOWER("title") LIKE ? ESCAPE '!'"#);
        assert_eq!(values, ["%50!%!_off!!%".into()]);
    }

    #[test]
    fn letters_beyond_ascii_are_compared_without_case() {
        let (sql, values) = written("ÄpfelöÖ東ß");
        let expected = r#"SELECT replace(replace(LOWER("title"), ?, ?), ?, ?) LIKE ? ESCAPE '!'"#;
        assert_eq!(sql, expected);
        assert_eq!(values, ["Ä", "ä", "Ö", "ö", "äpfelöö東ß"].map(Into::into));
    }
}

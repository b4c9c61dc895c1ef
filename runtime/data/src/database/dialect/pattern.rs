//! Patterns of `LIKE` that disregard the case of every letter.
//!
//! `LOWER` folds the letters beyond ASCII on MariaDB and MySQL alone: SQLite folds ASCII, and
//! PostgreSQL what the column's collation folds. Regular expressions with both cases of each letter
//! do it elsewhere, at a cost that does not grow with the letters.

use sea_query::{Expr, ExprTrait, Func, LikeExpr};

use super::Dialect;
use crate::database::sql::ESCAPE;

/// A part of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    /// `%`: any text.
    Any,
    /// `_`: any character.
    One,
    /// This character, in either case.
    Letter(char),
}

/// The first letters of a long pattern: PostgreSQL looks for them alone first, because its regular
/// expressions cost more the longer they are.
const HEAD: usize = 8;

impl Dialect {
    /// Whether a text matches a pattern with [`ESCAPE`], disregarding case.
    pub fn matches(self, text: Expr, pattern: &str) -> Expr {
        let tokens = tokens(pattern);
        let needs_classes = tokens.iter().any(|token| match token {
            Token::Letter(letter) => !letter.is_ascii() && other_cases(*letter).next().is_some(),
            _ => false,
        });
        match self {
            // SQLite's LIKE disregards the case of ASCII letters by itself.
            Self::Sqlite if !needs_classes => text.like(escaped(pattern)),
            Self::Sqlite => with_operator("? REGEXP ?", text, expression(&tokens)),
            Self::Postgres if needs_classes => {
                let whole = with_operator("? ~ ?", text.clone(), expression(&tokens));
                match head(&tokens) {
                    Some(head) => with_operator("? ~ ?", text, expression(&head)).and(whole),
                    None => whole,
                }
            }
            Self::Postgres => {
                Expr::from(Func::lower(text)).like(escaped(&pattern.to_ascii_lowercase()))
            }
            // The database folds both sides, so that they have the same letters.
            Self::Mysql => {
                let pattern = Func::lower(Expr::val(pattern));
                let like = format!("? LIKE ? ESCAPE '{ESCAPE}'");
                Expr::cust_with_exprs(like, [Func::lower(text).into(), pattern.into()])
            }
        }
    }
}

fn escaped(pattern: &str) -> LikeExpr {
    LikeExpr::new(pattern).escape(ESCAPE)
}

fn with_operator(operator: &'static str, text: Expr, expression: String) -> Expr {
    Expr::cust_with_exprs(operator, [text, Expr::val(expression)])
}

fn tokens(pattern: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        let token = match letter {
            ESCAPE => Token::Letter(letters.next().unwrap_or(ESCAPE)),
            '%' => Token::Any,
            '_' => Token::One,
            letter => Token::Letter(letter),
        };
        if token != Token::Any || tokens.last() != Some(&Token::Any) {
            tokens.push(token);
        }
    }
    tokens
}

/// The first letters of a pattern that has more, wherever they stand in the text.
fn head(tokens: &[Token]) -> Option<Vec<Token>> {
    let is_letter = |token: &&Token| matches!(token, Token::Letter(_));
    let literal = tokens.iter().skip_while(|token| !is_letter(token));
    let literal = literal.take_while(is_letter).take(HEAD).copied();
    let mut head = vec![Token::Any];
    head.extend(literal);
    head.push(Token::Any);
    (head.len() == HEAD + 2 && tokens.len() > head.len()).then_some(head)
}

/// The pattern as a regular expression, in the syntax that PostgreSQL and the crate `regex` share.
fn expression(tokens: &[Token]) -> String {
    let mut written = String::from("(?s)");
    let begins = tokens.first() != Some(&Token::Any);
    let ends = tokens.last() != Some(&Token::Any);
    if begins {
        written.push('^');
    }
    let inner = tokens.iter().enumerate().filter(|(at, token)| {
        // Without anchors, any text may surround what is looked for.
        **token != Token::Any || (*at > 0 && *at + 1 < tokens.len())
    });
    for (_, token) in inner {
        match token {
            Token::Any => written.push_str(".*"),
            Token::One => written.push('.'),
            Token::Letter(letter) => push_letter(&mut written, *letter),
        }
    }
    if ends {
        written.push('$');
    }
    written
}

fn push_letter(written: &mut String, letter: char) {
    let mut others = other_cases(letter).peekable();
    if others.peek().is_some() {
        written.push('[');
        written.push(letter);
        written.extend(others);
        written.push(']');
        return;
    }
    if r"\.+*?()|[]{}^$".contains(letter) {
        written.push('\\');
    }
    written.push(letter);
}

/// The small and the capital form of a letter, if they are single letters and not this one.
fn other_cases(letter: char) -> impl Iterator<Item = char> {
    let small = only(letter.to_lowercase()).unwrap_or(letter);
    let capital = only(small.to_uppercase());
    let capital = capital.filter(|capital| only(capital.to_lowercase()) == Some(small));
    let cases = [Some(small), capital].into_iter().flatten();
    cases.filter(move |case| *case != letter)
}

fn only(mut letters: impl Iterator<Item = char>) -> Option<char> {
    letters.next().filter(|_| letters.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::sql::containing;

    fn written(dialect: Dialect, pattern: &str) -> (String, Vec<sea_query::Value>) {
        let mut select = sea_query::Query::select();
        select.expr(dialect.matches(Expr::col("title"), pattern));
        let (sql, values) = select.build(sea_query::SqliteQueryBuilder);
        (sql, values.0)
    }

    #[test]
    fn wildcards_of_clients_are_letters() {
        let pattern = containing("50%_Off!");
        let (sql, values) = written(Dialect::Postgres, &pattern);
        assert_eq!(sql, r#"SELECT LOWER("title") LIKE ? ESCAPE '!'"#);
        assert_eq!(values, ["%50!%!_off!!%".into()]);
        let (sql, values) = written(Dialect::Sqlite, &pattern);
        assert_eq!(sql, r#"SELECT "title" LIKE ? ESCAPE '!'"#);
        assert_eq!(values, ["%50!%!_Off!!%".into()]);
        let (sql, values) = written(Dialect::Mysql, &pattern);
        assert_eq!(sql, r#"SELECT LOWER("title") LIKE LOWER(?) ESCAPE '!'"#);
        assert_eq!(values, ["%50!%!_Off!!%".into()]);
    }

    #[test]
    fn letters_beyond_ascii_stand_in_both_cases() {
        let (sql, values) = written(Dialect::Sqlite, &containing("Ä.K東ß"));
        assert_eq!(sql, r#"SELECT "title" REGEXP ?"#);
        assert_eq!(values, [r"(?s)[Ää]\.[Kk]東ß".into()]);
        let (sql, values) = written(Dialect::Postgres, "ä_b%c");
        assert_eq!(sql, r#"SELECT "title" ~ ?"#);
        assert_eq!(values, [r"(?s)^[äÄ].[bB].*[cC]$".into()]);
    }

    /// The text stands in the statement as often for forty letters as for five.
    #[test]
    fn the_statement_does_not_grow_with_the_letters() {
        let letters: String = ('α'..='ω').chain('а'..='о').collect();
        for dialect in Dialect::ALL {
            let (few, _) = written(dialect, &containing("αβ"));
            let (many, _) = written(dialect, &containing(&letters));
            let columns = |sql: &str| sql.matches("title").count();
            assert!(columns(&many) <= columns(&few) + 1, "{many}");
        }
        let (sql, values) = written(Dialect::Postgres, &containing("αβγδεζηθι"));
        assert_eq!(sql, r#"SELECT ("title" ~ ?) AND ("title" ~ ?)"#);
        assert_eq!(values[0], "(?s)[αΑ][βΒ][γΓ][δΔ][εΕ][ζΖ][ηΗ][θΘ]".into());
    }
}

//! Values as the texts that clients see: a search compares them, on each database alike.

use sea_query::{Alias, CaseStatement, Expr, ExprTrait, Func};

use super::Dialect;

impl Dialect {
    /// A value as the database's own text. Floats and JSON have a different one on each.
    pub fn text(self, value: Expr) -> Expr {
        let kind = match self {
            Self::Sqlite | Self::Postgres => "text",
            Self::Mysql => "char",
        };
        Func::cast_as(value, Alias::new(kind)).into()
    }

    /// `true` or `false`.
    pub fn boolean_text(self, column: Expr) -> Expr {
        CaseStatement::new()
            .case(column.clone().not(), Expr::val("false"))
            .case(column, Expr::val("true"))
            .into()
    }

    /// A decimal with so many digits after the point.
    pub fn decimal_text(self, column: Expr, scale: u32, native: bool) -> Expr {
        let text = match self {
            // It has the scale of its column.
            Self::Postgres | Self::Mysql => return self.text(column),
            Self::Sqlite if native => {
                let format = Expr::val(format!("%.{scale}f"));
                Func::cust("printf").arg(format).arg(column.clone())
            }
            Self::Sqlite => scaled_text(column.clone(), scale),
        };
        // `printf` takes null for 0.
        let known = CaseStatement::new().case(column.is_not_null(), text);
        known.into()
    }

    /// A moment in UTC as RFC 3339, without zeros at the end of its fraction but in threes:
    /// `2026-01-31T12:00:00.500Z`.
    pub fn datetime_text(self, column: Expr) -> Expr {
        let micros = match self {
            // It is stored so.
            Self::Sqlite => column,
            Self::Postgres => {
                let format = Expr::val("YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"");
                Func::cust("to_char").arg(column).arg(format).into()
            }
            Self::Mysql => {
                let format = Expr::val("%Y-%m-%dT%H:%i:%s.%fZ");
                Func::cust("DATE_FORMAT").arg(column).arg(format).into()
            }
        };
        let replaced = |text: Expr, zeros: &'static str| {
            let arguments = [text, Expr::val(zeros), Expr::val("Z")];
            Expr::from(Func::cust("replace").args(arguments))
        };
        replaced(replaced(micros, ".000000Z"), "000Z")
    }
}

/// The text of a decimal that is stored as an integer, by integers alone: a float has 15 digits.
fn scaled_text(column: Expr, scale: u32) -> sea_query::FunctionCall {
    let printf = Func::cust("printf");
    if scale == 0 {
        return printf.arg(Expr::val("%d")).arg(column);
    }
    let power = Expr::val(10_i64.saturating_pow(scale));
    let digits = Expr::from(Func::abs(column.clone()));
    let sign = CaseStatement::new()
        .case(column.lt(0), Expr::val("-"))
        .finally(Expr::val(""));
    printf.args([
        Expr::val(format!("%s%d.%0{scale}d")),
        sign.into(),
        digits.clone().div(power.clone()),
        digits.modulo(power),
    ])
}

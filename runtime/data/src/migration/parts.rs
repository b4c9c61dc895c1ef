//! The two parts of a migration's SQL.

/// Begins the down part; with a reason behind it, there is none.
const DOWN: &str = "-- down";

/// The SQL of a migration, and the SQL that undoes it, or why there is none.
pub(super) fn split(sql: &'static str) -> (&'static str, Result<&'static str, &'static str>) {
    let mut at = 0;
    for line in sql.split_inclusive('\n') {
        let (before, rest) = (&sql[..at], &sql[at + line.len()..]);
        at += line.len();
        match line.trim_end().strip_prefix(DOWN) {
            Some("") => return (before, Ok(rest)),
            Some(why) if why.starts_with(": ") => return (before, Err(&why[2..])),
            _ => {}
        }
    }
    (sql, Err("it has no down part"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_separates_the_sql_from_its_down_part() {
        assert_eq!(split("A;\n-- down\nB;\n"), ("A;\n", Ok("B;\n")));
        assert_eq!(split("A;\n-- down: rows\n"), ("A;\n", Err("rows")));
        assert_eq!(
            split("-- down the road\nA"),
            ("-- down the road\nA", Err("it has no down part"))
        );
    }
}

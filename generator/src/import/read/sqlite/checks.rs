//! The checks in a `CREATE TABLE` statement: SQLite lists them nowhere else.

/// Returns the checks of a statement.
pub(super) fn of(sql: &str) -> Vec<String> {
    let (sql, masked) = without_comments(sql);
    let masked = masked.to_ascii_uppercase();
    let mut found = Vec::new();
    for (at, word) in masked.match_indices("CHECK") {
        let after = &masked[at + word.len()..];
        let rest = after.trim_start();
        let begin = masked.len() - rest.len();
        let mut depth = 0usize;
        let closed = rest.char_indices().find(|(_, sign)| {
            depth = match sign {
                '(' => depth + 1,
                ')' => depth.saturating_sub(1),
                _ => depth,
            };
            depth == 0
        });
        if let Some((end, ')')) = closed {
            found.push(sql[begin + 1..begin + end].to_owned());
        }
    }
    found
}

/// Returns a statement without `-- …` and `/* … */`, and the same with `_` in place of texts and names in quotes.
fn without_comments(sql: &str) -> (String, String) {
    let (mut plain, mut masked, mut rest) = (String::new(), String::new(), sql);
    while let Some(sign) = rest.chars().next() {
        let end_of = |end: &str, from: usize| {
            let found = rest.get(from..).and_then(|text| text.find(end));
            found.map_or(rest.len(), |at| from + at + end.len())
        };
        let (text, end) = match sign {
            '-' if rest.starts_with("--") => (" ", end_of("\n", 2)),
            '/' if rest.starts_with("/*") => (" ", end_of("*/", 2)),
            _ => {
                let end = match sign {
                    '[' => end_of("]", 1),
                    '\'' | '"' | '`' => end_of(&sign.to_string(), 1),
                    sign => sign.len_utf8(),
                };
                (&rest[..end], end)
            }
        };
        plain.push_str(text);
        match text.len() {
            1 => masked.push_str(text),
            length => masked.push_str(&"_".repeat(length)),
        }
        rest = &rest[end..];
    }
    (plain, masked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_found_in_the_statement() {
        let sql = "CREATE TABLE t (a TEXT CHECK (a IN ('x', 'y)')), b INT, check(b >= 0))";
        assert_eq!(of(sql), ["a IN ('x', 'y)')", "b >= 0"]);
    }

    #[test]
    fn comments_and_texts_hold_no_checks() {
        let sql = "CREATE TABLE t (a INT, -- CHECK (a > 1)\n b INT /* CHECK (b > 1) */ CHECK (b < 9 /* ) */), \
            \"-- c\" TEXT DEFAULT '/*', e TEXT DEFAULT 'CHECK (a > 2)', d INT CHECK (d > 2))";
        assert_eq!(of(sql), ["b < 9  ", "d > 2"]);
    }
}

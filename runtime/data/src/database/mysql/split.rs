//! A text of several statements, one by one.

/// The statements of a text, each without the `;` at its end. A `;` within quotes or a comment ends
/// none. Bodies of procedures and triggers (`BEGIN … END`) are not known.
pub(super) fn statements(sql: &str) -> Vec<&str> {
    let mut statements = Vec::new();
    let (mut start, mut at, mut is_empty) = (0, 0, true);
    while at < sql.len() {
        let rest = &sql[at..];
        let skipped = comment(rest);
        if skipped > 0 {
            at += skipped;
        } else if rest.starts_with(';') {
            if !is_empty {
                statements.push(sql[start..at].trim());
            }
            at += 1;
            (start, is_empty) = (at, true);
        } else {
            is_empty &= rest.starts_with(char::is_whitespace);
            at += word(rest);
        }
    }
    if !is_empty {
        statements.push(sql[start..].trim());
    }
    statements
}

/// The length of the comment at the start of this text, or 0. `/*! */` is no comment: servers run the
/// SQL in it.
fn comment(text: &str) -> usize {
    let until = |end: &str| text.find(end).map_or(text.len(), |at| at + end.len());
    let is_line = text.starts_with('#')
        || text
            .strip_prefix("--")
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
    if is_line {
        return until("\n");
    }
    let is_run = text.starts_with("/*!") || text.starts_with("/*M!");
    match text.strip_prefix("/*") {
        Some(rest) if !is_run => rest.find("*/").map_or(text.len(), |at| at + 4),
        _ => 0,
    }
}

/// The length of the quoted text or name at the start, or of a letter. A doubled quote does not end
/// it; a backslash is a letter like others (`NO_BACKSLASH_ESCAPES`).
fn word(text: &str) -> usize {
    let mut letters = text.chars();
    let Some(first) = letters.next() else {
        return 0;
    };
    if !matches!(first, '\'' | '"' | '`') {
        return first.len_utf8();
    }
    // The second of two quotes begins a quoted text of its own, which ends where the whole one does.
    letters.as_str().find(first).map_or(text.len(), |at| at + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_end_at_a_semicolon_outside_of_quotes_and_comments() {
        let sql = "-- after: 1_base; x\n# a;\nCREATE TABLE \"a;b\" (c INT); /* ; */\n\
                   INSERT INTO a VALUES ('it''s; é', `x;y`);;\n  ; UPDATE a SET b = 5--3 -- end;\n";
        let found = statements(sql);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(
            found[0].ends_with("CREATE TABLE \"a;b\" (c INT)"),
            "{found:?}"
        );
        assert!(found[1].ends_with("INSERT INTO a VALUES ('it''s; é', `x;y`)"));
        assert_eq!(found[2], "UPDATE a SET b = 5--3 -- end;");
    }

    #[test]
    fn a_text_without_statements_has_none() {
        for sql in ["", " ;; ", "-- only this", "/* open", "#"] {
            assert!(statements(sql).is_empty(), "{sql}");
        }
        assert_eq!(
            statements("SELECT '\\'; SELECT 2"),
            ["SELECT '\\'", "SELECT 2"]
        );
        assert_eq!(statements("SELECT 'open; 2"), ["SELECT 'open; 2"]);
    }
}

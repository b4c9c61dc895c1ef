//! Which texts are statements in SQL.

/// Words that begin a statement where they are in capitals.
const VERBS: &str = "\
    SELECT INSERT UPDATE DELETE REPLACE MERGE WITH VALUES CREATE ALTER DROP TRUNCATE PRAGMA \
    EXPLAIN SAVEPOINT RELEASE ROLLBACK LOCK";

/// Words that begin a clause where they are in capitals.
const CLAUSES: &str = "FROM JOIN WHERE AND OR HAVING UNION RETURNING SET USING";

/// Words in capitals that begin a clause together.
const PAIRS: &str = "\
    ORDER_BY GROUP_BY PARTITION_BY ON_CONFLICT ON_DUPLICATE LEFT_JOIN RIGHT_JOIN FULL_JOIN \
    INNER_JOIN CROSS_JOIN DO_UPDATE DO_NOTHING";

/// What `create`, `alter` and `drop` are followed by.
const OBJECTS: &str = "\
    table index unique view trigger temp temporary database schema type function sequence \
    extension";

/// Returns whether a word is one of a list with spaces between its words.
fn is_among(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

/// Whether a text is a statement in SQL, begins one, or goes on with a clause of one.
///
/// In capitals its first words decide. In small letters that word begins sentences too, so the words
/// that follow it in SQL are looked for.
pub fn is_statement(text: &str) -> bool {
    let is_set_off = text.starts_with(' ') && text.ends_with(' ');
    let text = without_comments(text);
    let words: Vec<&str> = text.split_whitespace().collect();
    match &words[..] {
        [] => false,
        // A word alone may be a method of HTTP; with spaces around it stands between parts of SQL.
        [first] => is_set_off && is_among(CLAUSES, first),
        [first, rest @ ..] => {
            let first = first.trim_start_matches('(');
            is_among(VERBS, first) || is_clause(first, rest[0]) || goes_on(first, rest)
        }
    }
}

/// Whether these words begin a clause.
fn is_clause(first: &str, next: &str) -> bool {
    let is_count = || next.starts_with(|it: char| it.is_ascii_digit() || "?$:{".contains(it));
    is_among(CLAUSES, first)
        || is_among(PAIRS, &format!("{first}_{next}"))
        || matches!(first, "LIMIT" | "OFFSET") && is_count()
}

/// Whether the words behind a verb in small letters are those of a statement.
fn goes_on(verb: &str, rest: &[&str]) -> bool {
    let words: Vec<String> = rest.iter().map(|word| word.to_ascii_lowercase()).collect();
    let next = words[0].as_str();
    let has = |word: &str| words.iter().any(|it| it == word);
    match verb {
        "select" => has("from") || next.starts_with(|it: char| "*0123456789(".contains(it)),
        "insert" | "replace" => matches!(next, "into" | "or" | "ignore"),
        "update" => has("set"),
        "delete" => next == "from",
        "with" => next == "recursive" || has("as") && words.iter().any(|it| it.starts_with('(')),
        "create" | "alter" | "drop" => is_among(OBJECTS, next) && words.len() > 1,
        "pragma" | "savepoint" => words.len() == 1,
        _ => false,
    }
}

/// The text behind comments, spaces and line breaks.
fn without_comments(text: &str) -> &str {
    let text = text.trim_start_matches(|it: char| it.is_whitespace() || it == '(');
    let rest = match text.get(..2) {
        Some("--") => text.split_once('\n').map(|(_, rest)| rest),
        Some("/*") => text.split_once("*/").map(|(_, rest)| rest),
        _ => return text,
    };
    rest.map_or("", without_comments)
}

#[test]
fn statements_are_distinguished_from_sentences() {
    #[rustfmt::skip] // several in a line
    let statements = [
        "SELECT 1", "SELECT\n  1", "\n    SELECT a FROM b", "\t (SELECT a FROM b)",
        "WITH a AS (SELECT 1) SELECT * FROM a", "with a as (select 1) select * from a",
        "WITH RECURSIVE a(b) AS (SELECT 1)", "select name from menus", "select count(*) from menus",
        "select 1", "insert into menus values (1)", "update menus set name = ?", "delete from menus",
        "create table menus (id INTEGER)", "drop index by_name", "-- The oldest rows.\nDELETE FROM rows",
        "/* The oldest rows. */ delete from rows", "TRUNCATE menus", "PRAGMA optimize", "pragma optimize",
        " WHERE id = ?", "WHERE {} IS NULL", " ORDER BY id", "ORDER BY\n  id DESC", "GROUP BY id", " LIMIT 1",
        " LIMIT ? OFFSET ?", "OFFSET $2", "LIMIT {limit}", "ON CONFLICT (id) DO NOTHING",
        " ON DUPLICATE KEY UPDATE id = id", " JOIN menus ON true", " LEFT JOIN menus m", "FROM menus",
        "-- The oldest.\nFROM menus", " AND deleted_at IS NULL", "RETURNING *", "SET name = ?", " WHERE ",
        " AND ",
    ];
    for text in statements {
        assert!(is_statement(text), "{text:?}");
    }
    #[rustfmt::skip] // several in a line
    let sentences = [
        "", "SELECT", "select", "Select a database", "Select a name from the list.", "Update the settings",
        "update", "Delete a record", "with a token", "With `as`, it is another name", "Create a table",
        "create", "-- nothing", "Replace it", "insert a row", "WHERE", "AND", "Where a row is missing",
        "where", "from the list", "From: a@example.com", "Order by name", "ORDER a menu", "LIMIT of requests",
        "Limit 5", "LIMIT", "on conflict, try again", "Join us", "and so on", " and ", "Set `APP_KEY`",
    ];
    for text in sentences {
        assert!(!is_statement(text), "{text:?}");
    }
}

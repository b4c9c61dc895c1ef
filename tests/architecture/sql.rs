//! Which texts are statements in SQL.

/// Words that begin a statement where they are in capitals.
const VERBS: [&str; 18] = [
    "SELECT",
    "INSERT",
    "UPDATE",
    "DELETE",
    "REPLACE",
    "MERGE",
    "WITH",
    "VALUES",
    "CREATE",
    "ALTER",
    "DROP",
    "TRUNCATE",
    "PRAGMA",
    "EXPLAIN",
    "SAVEPOINT",
    "RELEASE",
    "ROLLBACK",
    "LOCK",
];

/// What `create`, `alter` and `drop` are followed by.
const OBJECTS: [&str; 13] = [
    "table",
    "index",
    "unique",
    "view",
    "trigger",
    "temp",
    "temporary",
    "database",
    "schema",
    "type",
    "function",
    "sequence",
    "extension",
];

/// Whether a text is a statement in SQL, or begins one.
///
/// In capitals its first word decides. In small letters that word begins sentences too, so the words
/// that follow it in SQL are looked for.
pub fn is_statement(text: &str) -> bool {
    let text = without_comments(text);
    let words: Vec<&str> = text.split_whitespace().collect();
    let [first, rest @ ..] = &words[..] else {
        return false;
    };
    if rest.is_empty() {
        return false;
    }
    let first = first.trim_start_matches('(');
    VERBS.contains(&first) || goes_on(first, rest)
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
        "create" | "alter" | "drop" => OBJECTS.contains(&next) && words.len() > 1,
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
fn statements_are_told_from_sentences() {
    for text in [
        "SELECT 1",
        "SELECT\n  1",
        "\n    SELECT a FROM b",
        "\t (SELECT a FROM b)",
        "WITH a AS (SELECT 1) SELECT * FROM a",
        "with a as (select 1) select * from a",
        "WITH RECURSIVE a(b) AS (SELECT 1)",
        "select name from menus",
        "select count(*) from menus",
        "select 1",
        "insert into menus values (1)",
        "update menus set name = ?",
        "delete from menus",
        "create table menus (id INTEGER)",
        "drop index by_name",
        "-- The oldest rows.\nDELETE FROM rows",
        "/* The oldest rows. */ delete from rows",
        "TRUNCATE menus",
        "PRAGMA optimize",
        "pragma optimize",
    ] {
        assert!(is_statement(text), "{text:?}");
    }
    for text in [
        "",
        "SELECT",
        "select",
        "Select a database",
        "Select a name from the list.",
        "Update the settings",
        "update",
        "Delete a record",
        "with a token",
        "With `as`, it is another name",
        "Create a table",
        "create",
        "-- nothing",
        "Replace it",
        "insert a row",
    ] {
        assert!(!is_statement(text), "{text:?}");
    }
}

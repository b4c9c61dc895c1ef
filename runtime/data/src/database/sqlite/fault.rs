//! SQLite's errors for refused statements.

use sqlx::error::DatabaseError;

use crate::database::fault::Fault;

/// The error of driver and database.
pub(super) fn fault(error: sqlx::Error) -> Fault {
    Fault::of(error, refused)
}

/// The faults that only SQLite's own words and codes tell.
fn refused(refusal: &dyn DatabaseError) -> Option<Fault> {
    if refusal.is_unique_violation() {
        return Some(Fault::Unique(unique_columns(refusal.message())));
    }
    let code = refusal.code();
    let named = refusal.message().rsplit(": ").next().unwrap_or_default();
    match code.as_deref() {
        // SQLITE_CONSTRAINT_CHECK, SQLITE_CONSTRAINT_NOTNULL
        Some("275") => Some(Fault::check(named)),
        // SQLITE_INTERRUPT, which is what a statement's timeout does
        Some("9") => Some(Fault::TOO_LONG),
        Some("1299") => named.rsplit('.').next().map(Fault::missing),
        code => locked(code).then_some(Fault::BUSY),
    }
}

/// The columns in `UNIQUE constraint failed: menus.menu_name, menus.location_id`; the name in
/// `UNIQUE constraint failed: index 'menus_lower_name'`, which is of an expression.
fn unique_columns(message: &str) -> Vec<String> {
    let names = message.rsplit(": ").next().unwrap_or_default();
    if let Some(index) = names.strip_prefix("index '") {
        return vec![index.trim_end_matches('\'').to_owned()];
    }
    let column = |name: &str| {
        name.trim()
            .rsplit('.')
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    names.split(',').map(column).collect()
}

/// SQLITE_BUSY and SQLITE_LOCKED, whatever their extension (the low byte is the primary code).
fn locked(code: Option<&str>) -> bool {
    let code = code
        .and_then(|code| code.parse::<i32>().ok())
        .unwrap_or_default();
    matches!(code & 0xFF, 5 | 6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unique_constraint_names_its_columns() {
        let columns = unique_columns("UNIQUE constraint failed: menus.menu_name, menus.place_id");
        assert_eq!(columns, ["menu_name", "place_id"]);
        let index = unique_columns("UNIQUE constraint failed: index 'menus_lower_name'");
        assert_eq!(index, ["menus_lower_name"]);
    }

    #[test]
    fn locked_databases_are_known_by_the_low_byte() {
        assert!(locked(Some("5")) && locked(Some("517")) && locked(Some("6")));
        assert!(!locked(Some("19")) && !locked(None));
    }
}

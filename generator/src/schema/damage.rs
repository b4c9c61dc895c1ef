//! Damaged texts of tables: they are the only record of the tables, so a run stops instead of
//! guessing.

use super::migration::FOLDER;
use super::table::Table;
use crate::merge::markers;
use crate::state;

/// The table of a state file (`schema/menus.schema`), and its faults: a sentence for each line that Formwork
/// does not write, and for each missing part.
pub(super) fn read(name: &str, text: &str) -> (Option<Table>, Vec<String>) {
    let both = markers::both_sides(text);
    let (table, odd) = Table::read(&both);
    let odd = odd.into_iter().map(|line| {
        let place = text.lines().position(|one| one.trim_end() == line);
        let number = place.map_or(0, |place| place + 1);
        format!("line {number} is not understood: `{}`", line.trim())
    });
    let mut faults: Vec<String> = odd.collect();
    let stem = name
        .strip_prefix(FOLDER)
        .and_then(|rest| rest.strip_prefix('/'));
    let stem = stem.and_then(|rest| rest.strip_suffix(".schema"));
    match &table {
        None => faults.push("its line `table` is missing".to_owned()),
        Some(table) => faults.extend(of_table(table, stem)),
    }
    let help = "restore the file from the last commit in which it was correct";
    let sentence = |fault: String| format!("{}/{name}: {fault}: {help}", state::FOLDER);
    (table, faults.into_iter().map(sentence).collect())
}

/// Faults of a table whose file is named `stem`.
fn of_table(table: &Table, stem: Option<&str>) -> Vec<String> {
    let mut faults = Vec::new();
    if !table.unit.contains('.') {
        faults.push("its line `unit` is missing or cut".to_owned());
    }
    if table.primary.is_empty() {
        faults.push("its line `primary` is missing".to_owned());
    }
    let mut keys = table.primary.iter();
    if let Some(key) = keys.find(|key| table.column(key).is_none()) {
        faults.push(format!("its primary key `{key}` is not one of its columns"));
    }
    if stem.is_some_and(|stem| stem != table.name) {
        faults.push(format!("it describes the table `{}`", table.name));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "table menus\nunit a.menus\nprimary id counted\ncolumn id bigint not_null\n\
        column@20261203090000 price decimal(15,4) not_null default=\"0 0\"\ndropped@2 column x\nindex price\n";

    fn faults(name: &str, text: &str) -> Vec<String> {
        read(name, text).1
    }

    #[test]
    fn a_text_as_it_is_written_has_no_fault() {
        assert_eq!(faults("schema/menus.schema", TEXT), Vec::<String>::new());
        let merged = format!("<<<<<<< a\n{TEXT}=======\n{TEXT}>>>>>>> b\n");
        assert_eq!(faults("schema/menus.schema", &merged), Vec::<String>::new());
    }

    #[test]
    fn every_damage_is_named_with_its_line() {
        let damaged = |before: &str, after: &str| {
            let text = TEXT.replacen(before, after, 1);
            assert_ne!(text, TEXT);
            faults("schema/menus.schema", &text).join("\n")
        };
        assert!(damaged("bigint", "bigin").contains("line 4 is not understood"));
        assert!(damaged("(15,4)", "(15").contains("line 5 is not understood"));
        assert!(damaged("not_null default", "not_nul default").contains("line 5"));
        assert!(damaged("\"0 0\"", "\"0 0").contains("line 5"));
        assert!(damaged("column x", "colum x").contains("line 6"));
        assert!(damaged("index", "indx").contains("line 7"));
        assert!(damaged("unit a.menus\n", "").contains("`unit` is missing"));
        assert!(damaged("table menus", "table menu").contains("table `menu`"));
        assert!(damaged("@20261203090000", "@x").contains("line 5"));
    }
}

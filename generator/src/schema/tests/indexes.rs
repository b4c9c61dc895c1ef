use super::*;

#[test]
fn an_index_that_begins_a_longer_one_is_left_out() {
    let project = menus(
        "    active: { type: boolean, index: true }\n    code: { type: integer, unique: true }\n    title: string nullable\n\
         \x20 indexes: [[active, title], [code, title]]\n",
    );
    let table = Schema::of(&project).tables["menus"].clone();
    let indexes = table.indexes.iter();
    let indexes: Vec<(String, bool)> = indexes
        .map(|one| (one.columns.join(","), one.unique))
        .collect();
    let expected = [
        ("active,title", false),
        ("code", true),
        ("code,title", false),
    ];
    assert_eq!(
        indexes,
        expected.map(|(columns, unique)| (columns.to_owned(), unique))
    );
}

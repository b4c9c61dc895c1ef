use super::*;
use crate::manifest::shorthand;

fn edited(text: &str, arguments: &[&str]) -> Result<String, EditError> {
    add(text, &shorthand::parse(arguments).unwrap())
}

#[test]
fn a_line_is_added_behind_the_last_attribute() {
    let text = "\
name: Menus   # ours
model:
    attributes:
        # first
        title: string required   # comment
        long:
            type: text
            description: |
                Two
                lines

    key: id
actions:   [index]
";
    let expected = text.replace(
        "                lines\n",
        "                lines\n        price: decimal(15,4) required|min:0\n",
    );
    let found = edited(text, &["price:decimal:15,4:required:min=0"]).unwrap();
    assert_eq!(found, expected);
    assert_eq!(
        edited(&found, &["price:decimal:15,4:required:min=0"]).unwrap(),
        found
    );
    assert_eq!(
        edited(&found, &["price:decimal:15,2"]).unwrap_err(),
        EditError::Exists("price".to_owned())
    );
}

#[test]
fn blocks_are_made_where_they_are_missing() {
    let arguments = ["a:text", "b:references:bs"];
    let b = "b: { belongs_to: bs, column: b_id, nullable: false, include: true }";
    let cases = [
        (
            "name: X",
            format!("name: X\nmodel:\n  attributes:\n    a: text\n  relations:\n    {b}\n"),
        ),
        (
            "model:\nname: X\n",
            format!("model:\n  attributes:\n    a: text\n  relations:\n    {b}\nname: X\n"),
        ),
        (
            "model:\n  key: id\nname: X\n",
            format!(
                "model:\n  key: id\n  attributes:\n    a: text\n  relations:\n    {b}\nname: X\n"
            ),
        ),
        (
            "model:\n  attributes: {}\nname: X\n",
            format!("model:\n  attributes:\n    a: text\n  relations:\n    {b}\nname: X\n"),
        ),
        (
            "model:\n  attributes:\n  key: id\n",
            format!("model:\n  attributes:\n    a: text\n  key: id\n  relations:\n    {b}\n"),
        ),
        (
            "model:\n  attributes: { t: text }\n",
            format!("model:\n  attributes: {{ t: text, a: \"text\" }}\n  relations:\n    {b}\n"),
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(edited(text, &arguments).unwrap(), expected, "{text}");
    }
}

#[test]
fn line_endings_stay() {
    let text = "model:\r\n  attributes:\r\n    a: text\r\n";
    assert_eq!(
        edited(text, &["b:text"]).unwrap(),
        format!("{text}    b: text\r\n")
    );
}

#[test]
fn unreadable_manifests_and_flow_layouts_are_left_alone() {
    assert_eq!(edited("model: [", &["a:text"]), Err(EditError::Unreadable));
    assert_eq!(
        edited("model: { key: id }", &["a:text"]),
        Err(EditError::Layout("model"))
    );
    let alias = "x: &x\n  t: text\nmodel:\n  attributes: *x\n";
    assert!(matches!(
        edited(alias, &["a:text"]),
        Err(EditError::Layout(_))
    ));
}

use super::*;

fn attribute(argument: &str) -> Result<String, String> {
    parse(&[argument])
        .map(|found| found.attributes[0].1.clone())
        .map_err(|mistakes| mistakes[0].to_string())
}

#[test]
fn the_shorthand_of_the_contract() {
    let arguments = [
        "menu_name:string:required",
        "menu_price:decimal:15,4:required:min=0",
        "category:references:categories",
    ];
    let text = write(&NewManifest {
        key: "menus",
        shorthand: parse(&arguments).unwrap(),
        ..NewManifest::default()
    });
    let expected = "\
# yaml-language-server: $schema=../../../.formwork/resource.schema.json
name: Menus
description: An API resource for menus
model:
  attributes:
    menu_name: string required
    menu_price: decimal(15,4) required|min:0
  relations:
    category: { belongs_to: categories, column: category_id, nullable: false, include: true }
actions: [index, show, \"store:admin\", \"update:admin\", \"destroy:admin\"]
abilities: menus:*
page_limit: 20
";
    assert_eq!(text, expected);
}

#[test]
fn forms_that_mean_the_same() {
    for argument in [
        "p:decimal:15,4:required:min=0",
        "p:decimal:15,4:required:min:0",
        "p:decimal(15,4):required:min:0",
        "p:decimal(15, 4):required|min:0",
    ] {
        assert_eq!(
            attribute(argument).as_deref(),
            Ok("decimal(15,4) required|min:0"),
            "{argument}"
        );
    }
    assert_eq!(
        attribute("t:enum:a,b:nullable").as_deref(),
        Ok("enum(a, b) nullable")
    );
    assert_eq!(attribute("t:string:40").as_deref(), Ok("string(40)"));
    assert_eq!(
        attribute("t:time:date_format=H:i").as_deref(),
        Ok("time date_format:H:i")
    );
    assert_eq!(
        attribute("t:string:same:email:max=9").as_deref(),
        Ok("string same:email|max:9")
    );
}

#[test]
fn references_are_relations() {
    let found = parse(&["category_id:references:categories:required"]).unwrap();
    let text = "{ belongs_to: categories, column: category_id, nullable: false, include: true }";
    assert_eq!(found.relations, [("category".to_owned(), text.to_owned())]);
    assert_eq!(parse(&["category:belongs_to:categories"]).unwrap(), found);
    let found = parse(&["category:references:categories:nullable"]).unwrap();
    assert!(found.relations[0].1.contains("nullable: true"));
}

#[test]
fn every_mistake_comes_at_once() {
    let mistakes = parse(&[
        "name",
        "a:int",
        "b:string:requird",
        "ü:text",
        "c:string(4",
        "d:references:A B",
        "e:text",
        "e:text",
        "f:references:x:unique",
    ])
    .unwrap_err();
    assert_eq!(mistakes.len(), 8, "{mistakes:#?}");
    assert_eq!(mistakes[1].help.as_deref(), Some("write `integer`"));
    assert_eq!(
        mistakes[2].help.as_deref(),
        Some("did you mean `required`?")
    );
}

#[test]
fn scalars_are_quoted_where_they_must() {
    assert_eq!(scalar("string required|in:a,b"), "string required|in:a,b");
    for text in ["true", "null", "a: b", "a #b", "", "- a", "[a]", "*a"] {
        assert!(scalar(text).starts_with('"'), "{text}");
    }
}

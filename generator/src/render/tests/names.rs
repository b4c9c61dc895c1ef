//! Names that poured code uses itself.

use super::*;
use crate::name;

/// Everything that makes templates name a type of the prelude, in a resource and a model called `one`.
const ONE: &str = "\
model:
  attributes:
    title: string required
    price: { type: \"decimal(10,2)\", default: 1 }
    at: { type: datetime, default: \"2026-01-31T12:00:00Z\" }
    data: { type: json, default: {} }
  relations:
    places: { many_to_many: places, include: admin, where: { title: null } }
";
const SERVED: &str = "\
actions: [\"index:users\", \"store:admin\"]
filters: { near: custom }
location: { relation: places, or_none: true }
transform: { all: data, links: self }
";
const PLACES: &str = "model: { attributes: { title: string nullable } }\n";

/// Types of the prelude, from its source.
fn prelude() -> BTreeSet<&'static str> {
    let source = include_str!("../../../../runtime/src/prelude.rs");
    let words = source.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words
        .filter(|word| word.starts_with(|first: char| first.is_ascii_uppercase()))
        .collect()
}

/// Words of Rust code, comments and literals left out.
fn words(text: &str) -> BTreeSet<&str> {
    let code = text.lines().filter_map(|line| line.split("//").next());
    let code = code.flat_map(|line| line.split('"').step_by(2));
    code.flat_map(|code| code.split(|letter: char| !letter.is_alphanumeric() && letter != '_'))
        .collect()
}

#[test]
fn no_type_is_called_as_one_of_the_prelude_that_is_named_beside_it() {
    let served = format!("{ONE}{SERVED}");
    let rendered = rendered(&[
        ("extensions/shop/resources/ones.yaml", &served),
        ("extensions/shop/models/twos.yaml", ONE),
        ("extensions/shop/models/places.yaml", PLACES),
    ]);
    let mut seen = BTreeSet::new();
    for file in &rendered.files {
        let Some(path) = file.path.strip_prefix("extensions/shop/src/") else {
            continue;
        };
        let words = words(text(file));
        for word in prelude().into_iter().filter(|word| words.contains(*word)) {
            seen.insert(word);
            let all = name::names("ones", Some(word));
            let (start, is_request) = match word.strip_suffix("Request") {
                Some(start) => (start, !start.is_empty()),
                None => ("", false),
            };
            let free = match path {
                "lib.rs" => name::extension(&heck::AsSnakeCase(word).to_string())
                    .is_ok_and(|names| names.type_name != word),
                "migrations.rs" | "api_resources.rs" => true,
                _ if path.ends_with("controller.rs") => {
                    let key = heck::AsSnakeCase(word).to_string();
                    name::names(&key, None).controller != word && all.model != word
                }
                _ if path.ends_with("request.rs") && is_request => {
                    name::names("ones", Some(start)).request != word && all.model != word
                }
                _ => all.model != word,
            };
            assert!(free, "{word} in {path}");
        }
    }
    for word in [
        "FilterValue",
        "Links",
        "LocationScope",
        "Migration",
        "ResourceRequest",
    ] {
        assert!(seen.contains(word), "{word} is named nowhere: {seen:?}");
    }
}

#[test]
fn fields_of_a_transformer_have_names_of_their_own() {
    let manifest = |transform: &str| {
        format!(
            "model: {{ attributes: {{ title: string required, notes: text nullable, type: string nullable }} }}\ntransform: {transform}\n"
        )
    };
    for (transform, wanted) in [
        ("{ attributes: title }", &["attributes_: &'a Dish"][..]),
        (
            "{ dishName: title, dish_name: notes }",
            &["#[serde(rename = \"dish_name\")]\n    dish_name_: Option"],
        ),
        (
            "{ Type: title, only: [type] }",
            &["#[serde(rename = \"type\")]\n    r#type_: Option"],
        ),
    ] {
        let text = manifest(transform);
        let rendered = rendered(&[("extensions/shop/resources/dishes.yaml", &text)]);
        let code = find(&rendered, "dishes/transformer.rs");
        for wanted in wanted {
            assert!(code.contains(wanted), "{code}");
        }
        let file = syn::parse_file(code).expect("Rust");
        for item in &file.items {
            let syn::Item::Struct(item) = item else {
                continue;
            };
            let fields = item.fields.iter().filter_map(|field| field.ident.as_ref());
            let names: BTreeSet<String> = fields.map(ToString::to_string).collect();
            let count = item
                .fields
                .iter()
                .filter(|field| field.ident.is_some())
                .count();
            assert_eq!(names.len(), count, "{code}");
        }
    }
}

mod names;
mod property;

use std::collections::BTreeSet;

use super::*;
use crate::error::Refused;
use crate::exit::Exit;
use crate::format::{Formatter, Job};
use crate::manifest::Sources;
use crate::moment::Clock;

/// Resources of typical shapes: ten columns, all types, all relations, an empty one.
const MANIFESTS: &[(&str, &str)] = &[
    ("extensions/igniter_cart/resources/menus.yaml", MENUS),
    (
        "extensions/igniter_cart/resources/categories.yaml",
        CATEGORIES,
    ),
    ("extensions/igniter_cart/models/stocks.yaml", STOCKS),
    ("extensions/shop/resources/codes.yaml", CODES),
    (
        "extensions/shop/resources/news.yaml",
        "model: { attributes: { title: string required } }\nactions: [index]\n",
    ),
];

const MENUS: &str = "\
name: Menus
description: A dish that guests can order, with its price, options and stock.
model:
  key: menu_id
  attributes:
    menu_name: string required|between:2,255
    menu_description: text nullable|between:2,1028
    menu_price: decimal(15,4) required|min:0
    minimum_qty: { type: integer, default: 1, description: The least that can be ordered at once. }
    menu_status: { type: boolean, default: true }
    menu_priority: integer min:0
    order_restriction: json nullable
    kind: enum(hot, cold) nullable
    secret: { type: string, access: hidden, nullable: true }
    hash: { type: string(40), access: read_only, set_by: hook }
  relations:
    categories: { many_to_many: categories, pivot: menu_categories, include: true, write: sync }
    stocks: { morph_many: stocks, morph: stockable, value: menus, include: true, load: always }
page_limit: { default: 20, max: 200 }
search: [menu_name, menu_description]
sort: [menu_id, menu_name]
filter: [menu_price, menu_status, created_at]
filters:
  enabled: { where: menu_status, default: true }
  category: custom
transform: { id: menu_id, name: menu_name, links: self }
";

const CATEGORIES: &str = "\
model:
  key: category_id
  attributes:
    name: string required|unique
    type: string nullable|custom:spelling|custom:shop.kind
  relations:
    parent: { belongs_to: categories, column: parent_id, include: default }
    children: { has_many: categories, column: parent_id, order: [-name, category_id], include: true }
    menus: { many_to_many: menus, pivot: menu_categories, include: admin }
actions: [index, create, show, edit, \"store:users\", \"update:customer\", \"destroy:admin\"]
abilities: [categories:*, menus:*]
";

const STOCKS: &str = "\
model:
  timestamps: false
  attributes:
    stockable_type: string required
    stockable_id: bigint required
    quantity: { type: integer, default: 0 }
  relations:
    stockable: { morph_to: { menus: menus, categories: categories }, morph: stockable }
";

const CODES: &str = "\
model:
  key: { name: code, type: string(20) }
  attributes:
    starts: { type: datetime, default: \"2026-01-31T12:00:00Z\" }
    day: { type: date, nullable: true, default: \"2026-01-31\" }
    at: { type: time, default: \"09:30\" }
    share: { type: float, default: 0.5 }
    data: { type: json, default: { a: [1, 5000000000] } }
    uuid: uuid nullable
    amount: { type: \"decimal(10,2)\", default: 9.5, rules: \"min:0.01\" }
  relations: {}
transform: { only: [day, amount, data], links: self }
";

fn rendered(manifests: &[(&str, &str)]) -> Rendered {
    let config = [("formwork.yaml", "database: sqlite\n")];
    let sources = Sources::from_texts(
        config
            .iter()
            .chain(manifests)
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned())),
    );
    let project = match crate::resolve::resolve(&sources) {
        Ok(resolved) => resolved.project,
        Err(mistakes) => panic!("{}", crate::diagnostic::render(&mistakes, &sources, false)),
    };
    render(&project, &Previous::default(), &options()).unwrap()
}

fn options() -> RenderOptions<'static> {
    RenderOptions {
        runtime: "\"0.1\"".to_owned(),
        migrations: MigrationOptions {
            clock: Clock::at(0),
            ..MigrationOptions::default()
        },
        ..RenderOptions::default()
    }
}

fn text(file: &RenderedFile) -> &str {
    match &file.content {
        Content::Text(text) => text,
        Content::Toml { initial, .. } => initial,
    }
}

fn find<'r>(rendered: &'r Rendered, path: &str) -> &'r str {
    let file = rendered.files.iter().find(|file| file.path.ends_with(path));
    file.map(text)
        .unwrap_or_else(|| panic!("{path} is not rendered"))
}

#[test]
fn every_rust_file_parses_and_every_toml_file_takes_its_edits() {
    for file in rendered(MANIFESTS).files {
        if file.path.ends_with(".rs") {
            syn::parse_file(text(&file))
                .unwrap_or_else(|why| panic!("{}: {why}\n{}", file.path, text(&file)));
        }
        if let Content::Toml { initial, edits } = &file.content {
            let once = crate::cargo_toml::apply(initial, edits).unwrap();
            assert_eq!(crate::cargo_toml::apply(&once, edits).unwrap(), once);
        }
        assert!(
            text(&file).ends_with('\n') && !text(&file).ends_with("\n\n"),
            "{}",
            file.path
        );
    }
}

const TEN_COLUMNS: &str = "\
description: A dish.
model:
  attributes:
    name: string required|between:2,255
    notes: text nullable|between:2,1028
    price: decimal(15,4) required|min:0
    least: { type: integer, default: 1, description: The least that can be ordered at once. }
    active: { type: boolean, default: true }
    priority: integer min:0
    restriction: json nullable
    kind: enum(hot, cold) nullable
    day: date nullable
  relations:
    category: { belongs_to: categories, column: category_id, include: true }
search: [name, notes]
sort: [id, name, price]
filter: [price, active, priority, day, category_id]
filters:
  enabled: { where: active, default: true }
  near: custom
transform: { id: id, title: name, links: self }
";

#[test]
fn no_file_of_a_ten_column_resource_is_long() {
    let dishes = ("extensions/shop/resources/dishes.yaml", TEN_COLUMNS);
    let categories = (
        "extensions/shop/models/categories.yaml",
        "model: { attributes: { name: text required } }\n",
    );
    let rendered = rendered(&[dishes, categories]);
    let of_dishes = rendered.files.iter().filter(|file| {
        let path = &file.path;
        path.contains("dishes") && path.ends_with(".rs")
    });
    let jobs: Vec<Job<'_>> = of_dishes
        .map(|file| Job {
            path: &file.path,
            text: text(file),
        })
        .collect();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("rustfmt.toml"), "max_width = 100\n").unwrap();
    let formatted = Formatter::find(folder.path()).format(&jobs).texts;
    for (job, formatted) in jobs.iter().zip(formatted) {
        let formatted = formatted.unwrap_or_else(|_| panic!("{}:\n{}", job.path, job.text));
        let lines = formatted.lines().count();
        assert!(lines <= 60, "{}: {lines} lines\n{formatted}", job.path);
    }
}

#[test]
fn an_attribute_set_by_a_hook_keeps_the_access_of_its_manifest() {
    let manifest = "model: { attributes: { name: string required, \
                    grade: { type: string(9), access: admin_write, set_by: hook, rules: min:2 }, \
                    pin: { type: string(9), access: write_only, set_by: hook }, \
                    hash: { type: string(9), set_by: hook } } }\n\
                    actions: [index, \"store:customer\"]\n";
    let rendered = rendered(&[("extensions/shop/resources/payees.yaml", manifest)]);
    let request = find(&rendered, "payees/request.rs");
    let line = |name: &str| {
        let start = format!("attribute(\"{name}\", ");
        request.lines().find(|line| line.contains(&start))
    };
    let grade = line("grade").unwrap_or_default();
    assert!(
        grade.contains("min(2)") && grade.contains(".admin()"),
        "{request}"
    );
    assert!(line("pin").is_some(), "{request}");
    assert!(!request.contains("hash"), "{request}");
}

/// A transformer lists the attributes if `transform` names one of them.
#[test]
fn a_hidden_attribute_is_in_no_transformer() {
    let manifest = "model: { attributes: { name: string required, notes: text nullable, \
                    card_pin: { type: string(9), access: hidden, nullable: true } } }\n\
                    transform: { name: name }\n";
    let rendered = rendered(&[("extensions/shop/resources/payees.yaml", manifest)]);
    let transformer = find(&rendered, "payees/transformer.rs");
    assert!(transformer.contains("notes"), "{transformer}");
    assert!(!transformer.contains("card_pin"), "{transformer}");
}

#[test]
fn a_rule_of_ones_own_is_poured_as_a_function_to_fill() {
    let manifest = "model: { attributes: { iban: 'string nullable|custom:iban|custom:shop.iban', \
                    other: 'string nullable|custom:match', again: 'string nullable|custom:iban' } }\n";
    let rendered = rendered(&[("extensions/shop/resources/payees.yaml", manifest)]);
    let mut files = rendered.files.iter();
    let request = text(
        files
            .find(|it| it.path.ends_with("payees/request.rs"))
            .unwrap(),
    );
    let poured = r##"
    fn rules(to: &mut CustomRules) {
        to.add("iban", "The :attribute field is invalid.", Self::iban);
        to.add("match", "The :attribute field is invalid.", Self::r#match);
    }
}

impl PayeeRequest {
    /// Rule `iban`: to be written. True if the value is valid.
    async fn iban(_ctx: &Context, _value: &Json) -> Result<bool> {
        Err(Error::unfinished("the rule `iban` of payees"))
    }

    /// Rule `match`: to be written. True if the value is valid.
    async fn r#match(_ctx: &Context, _value: &Json) -> Result<bool> {
        Err(Error::unfinished("the rule `match` of payees"))
    }
}
"##;
    assert!(request.ends_with(poured), "{request}");
    for rule in [r#"custom("iban")"#, r#"custom("shop.iban")"#] {
        assert!(request.contains(rule), "{request}");
    }
}

#[test]
fn enums_are_named_after_model_and_attribute_once() {
    let manifest = "model: { attributes: { type: 'enum(a)', order_type: 'enum(b)', \
                    orderly: 'enum(c)', request: 'enum(d)' } }\nactions: [index]\n";
    let rendered = rendered(&[("extensions/shop/resources/orders.yaml", manifest)]);
    let of = |end: &str| {
        let mut files = rendered.files.iter();
        text(files.find(|file| file.path.ends_with(end)).unwrap())
    };
    let columns = of("orders/columns.rs");
    let declared = columns
        .lines()
        .filter_map(|line| line.trim().strip_prefix("pub enum "));
    let declared: Vec<&str> = declared.collect();
    let names = [
        "OrderType",
        "OrderTypeValue",
        "OrderOrderly",
        "OrderRequestValue",
    ];
    assert_eq!(declared, names.map(|name| format!("{name} {{")));
    let model = of("orders/model.rs");
    assert!(model.contains("pub r#type: OrderType,"), "{model}");
    assert!(model.contains("pub order_type: OrderTypeValue,"), "{model}");
}

#[test]
fn rendering_is_deterministic_and_every_row_is_rendered() {
    let settings = ("formwork.yaml", "database: { kinds: [sqlite, postgres] }\n");
    let manifests = [MANIFESTS, &[settings]].concat();
    let once = rendered(&manifests);
    assert_eq!(once, rendered(&manifests));
    let paths: BTreeSet<&str> = once.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths.len(), once.files.len(), "no path twice");
    let ids: BTreeSet<&str> = once
        .files
        .iter()
        .map(|file| file.artefact.as_str())
        .collect();
    assert_eq!(ids.len(), once.files.len(), "no artefact twice");
    for row in output::OUTPUTS {
        let ending = format!("/{}", row.artefact);
        assert!(
            once.files
                .iter()
                .any(|file| file.artefact.ends_with(&ending)),
            "{row:?}"
        );
    }
}

#[test]
fn a_repository_of_the_users_own_is_named_and_not_poured() {
    let own = "model: { attributes: { title: string required } }\nrepository: crate::Dishes\n";
    let rendered = rendered(&[("extensions/shop/resources/dishes.yaml", own)]);
    assert!(
        !rendered
            .files
            .iter()
            .any(|file| file.path.ends_with("repository.rs"))
    );
    let controller = find(&rendered, "dishes/controller.rs");
    assert!(
        controller.contains("type Repository = crate::Dishes;"),
        "{controller}"
    );
    assert!(!find(&rendered, "dishes/mod.rs").contains("repository"));
}

#[test]
fn a_template_of_the_projects_own_wins() {
    let path = "resource/docs.md.tera";
    let row = crate::output::OUTPUTS
        .iter()
        .find(|row| row.template == path);
    let templates = Templates {
        own: vec![Template {
            path: path.to_owned(),
            text: "ours".to_owned(),
        }],
        ..Templates::default()
    };
    let set = Set::parse(&templates).unwrap();
    assert!(set.contains("resource/controller.rs.tera"));
    let rendered = set.render(row.unwrap().template, &Context::new()).unwrap();
    assert_eq!(rendered, "ours");
}

#[test]
fn a_mistake_in_a_template_of_the_projects_own_is_one_of_usage() {
    let own = |text: &str| Templates {
        own: vec![Template {
            path: "resource/docs.md.tera".to_owned(),
            text: text.to_owned(),
        }],
        ..Templates::default()
    };
    let row = crate::output::OUTPUTS
        .iter()
        .find(|row| row.template == "resource/docs.md.tera")
        .unwrap();
    let parsed = Set::parse(&own("{% if %}")).err().unwrap();
    let own = own("{{ nothing.of.this }}");
    let set = Set::parse(&own).unwrap();
    let rendered = set.render(row.template, &Context::new()).unwrap_err();
    for error in [parsed, rendered] {
        assert_eq!(Exit::of(&error), Exit::Usage, "{error:#}");
        let refused: &Refused = error.downcast_ref().unwrap();
        let problem = &refused.problems[0];
        let path = "templates/resource/docs.md.tera";
        assert!(
            problem.message.starts_with(&format!("{path}: ")),
            "{problem:?}"
        );
        let place = &problem.located.as_ref().unwrap().json;
        assert_eq!((&place["path"], &place["line"]), (&path.into(), &1.into()));
    }
}

//! `data` and `project_data`: every key that the guide's page lists, and no other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use formwork_tests::checkout;
use formwork_tests::project::Project;

/// What fixtures/mega lacks: a custom rule, items, rows of customers and of locations, a repository of its own.
const BOOKINGS: &str = "\
name: Bookings
model:
  attributes:
    iban: string nullable|custom:iban
    tags: { type: json, rules: nullable|array, nullable: true }
    tags.*: string|max:20
    house_id: { type: bigint, nullable: true, constraint: false }
  relations:
    guest: { belongs_to: guests, column: guest_id, nullable: false, type: people }
    house: { belongs_to: houses, column: house_id }
actions: [index, show]
filters: { near: custom }
owner: guest_id
location: { relation: house, or_none: true }
transform: { only: [iban] }
repository: crate::Bookings
";

const GUESTS: &str = "\
name: Guests
model:
  attributes:
    email: { type: string(96), rules: required|email|unique }
    password: { type: string, nullable: true, access: write_only }
actions: [\"index:admin\"]
";

const HOUSES: &str = "name: Houses\nmodel: { attributes: { name: string required } }\n";

/// Prints `a table of the page: a key` of everything that a template can reach.
const KEYS: &str = r#"
{%- for key in project_data | keys %}
The project: {{ key }}{% endfor %}
{%- for extension in data %}
{%- for key in extension | keys %}
An extension: {{ key }}{% endfor %}
{%- for list in [extension.resources, extension.models] %}
{%- for resource in list %}
{%- for key in resource | keys %}
A resource: {{ key }}{% endfor %}
{%- for key in resource.primary_key | keys %}
The primary key: {{ key }}{% endfor %}
{%- for attribute in resource.attributes %}
{%- for key in attribute | keys %}
An attribute: {{ key }}{% endfor %}
{%- for rules in [attribute.rules, attribute.item_rules] %}
{%- for rule in rules %}
{%- for key in rule | keys %}
A rule: {{ key }}{% endfor %}
{%- endfor %}
{%- endfor %}
{%- endfor %}
{%- for relation in resource.relations %}
{%- for key in relation | keys %}
A relation: {{ key }}{% endfor %}
{%- for target in relation.targets %}
{%- for key in target | keys %}
A target: {{ key }}{% endfor %}
{%- endfor %}
{%- for condition in relation.conditions %}
{%- for key in condition | keys %}
A condition: {{ key }}{% endfor %}
{%- endfor %}
{%- endfor %}
{%- if resource.api %}
{%- for key in resource.api | keys %}
The api: {{ key }}{% endfor %}
{%- for action in resource.api.actions %}
{%- for key in action | keys %}
An action: {{ key }}{% endfor %}
{%- endfor %}
{%- for filter in resource.api.filters %}
{%- for key in filter | keys %}
A filter: {{ key }}{% endfor %}
{%- endfor %}
{%- if resource.api.location %}
{%- for key in resource.api.location | keys %}
The location: {{ key }}{% endfor %}
{%- endif %}
{%- for key in resource.api.transform | keys %}
The transform: {{ key }}{% endfor %}
{%- for field in resource.api.transform.fields %}
{%- for key in field | keys %}
A transformed field: {{ key }}{% endfor %}
{%- endfor %}
{%- endif %}
{%- endfor %}
{%- endfor %}
{%- endfor %}
"#;

/// Prints what the data says of each resource.
const VALUES: &str = r#"
{{ project_data.package }} at {{ project_data.api_prefix }} on {{ project_data.databases | join(sep=", ") }}, customers in {{ project_data.customers_table }}
{%- for extension in data %}
{%- for list in [extension.resources, extension.models] %}
{%- for resource in list %}
{%- set key = resource.key %}
{%- for attribute in resource.attributes %}
{%- set name = attribute.name %}
{%- for rule in attribute.rules %}
{{ key }}.{{ name }}: {{ rule.name }}({{ rule.arguments | join(sep=", ") }}) on {{ rule.on }}
{%- endfor %}
{%- for rule in attribute.item_rules %}
{{ key }}.{{ name }}.*: {{ rule.name }}({{ rule.arguments | join(sep=", ") }}) on {{ rule.on }}
{%- endfor %}
{%- if attribute.native_storage %}
{{ key }}.{{ name }} is native
{%- endif %}
{%- if not attribute.constraint %}
{{ key }}.{{ name }} has no constraint
{%- endif %}
{%- endfor %}
{%- for relation in resource.relations %}
{{ key }}.{{ relation.name }} is {{ relation.kind }}
{%- if relation.json_type %} of type {{ relation.json_type }}{% endif %}
{%- if relation.morph_value %} as {{ relation.morph_value }}{% endif %}
{%- if relation.first %} first{% endif %}
{%- for column in relation.order %} by {{ column }}{% endfor %}
{%- for condition in relation.conditions %} where {{ condition.column }} = {{ condition.value }}{% endfor %}
{%- for target in relation.targets %} to {{ target.target }} as {{ target.value }}{% endfor %}
{%- endfor %}
{%- if resource.api %}
{%- set api = resource.api %}
{%- if api.location %}
{{ key }} at {{ api.location.relation }}, or none: {{ api.location.or_none }}
{%- endif %}
{%- for field in api.transform.fields %}
{{ key }} shows {{ field.name }}: {% if field.field %}{{ field.field }}{% else %}links{% endif %}
{%- endfor %}
{%- if api.transform.only %}
{{ key }} shows only {{ api.transform.only | join(sep=", ") }}
{%- endif %}
{%- if api.repository %}
{{ key }} in {{ api.repository }}
{%- endif %}
{%- endif %}
{%- endfor %}
{%- endfor %}
{%- endfor %}
"#;

/// What that template prints, among other lines.
const FACTS: &[&str] = &[
    "mega at /api on sqlite, postgres, customers in guests",
    "bookings.iban: custom(iban) on all",
    "bookings.tags.*: string() on all",
    "bookings.tags.*: max(20) on all",
    "bookings.house_id has no constraint",
    "bookings.guest is belongs_to of type people",
    "bookings at house, or none: true",
    "bookings in crate::Bookings",
    "bookings shows only iban",
    "kitchen_sinks.label: between(2, 40) on all",
    "kitchen_sinks.count_of_uses: min(0) on all",
    "kitchen_sinks.count_of_uses: integer() on store",
    "kitchen_sinks.count_of_uses: required() on update",
    "kitchen_sinks.weight is native",
    "kitchen_sinks.first_tap is has_many first by position",
    "kitchen_sinks.cover is morph_one as kitchen_sinks",
    "kitchen_sinks.good_labels is morph_many_to_many as kitchen_sinks where good = true",
    "kitchen_sinks shows title: label",
    "kitchen_sinks shows links: links",
    "pictures.picturable is morph_to to kitchen_sinks as kitchen_sinks",
];

fn project() -> Project {
    let project = Project::new_on("mega", "sqlite,postgres");
    project.take(&checkout().join("fixtures/mega"));
    let folder = "extensions/everything";
    project.write(&format!("{folder}/resources/bookings.yaml"), BOOKINGS);
    project.write(&format!("{folder}/resources/guests.yaml"), GUESTS);
    project.write(&format!("{folder}/models/houses.yaml"), HOUSES);
    project.write("templates/keys.tera", KEYS);
    project.write("templates/values.tera", VALUES);
    for scope in ["extension", "resource"] {
        let text = "{{ project_data.package }}\n";
        project.write(&format!("templates/{scope}.tera"), text);
    }
    let config = project.read("formwork.yaml");
    project.write("formwork.yaml", &format!("{config}\n{SETTINGS}"));
    project.run(&["generate"]).exits(0);
    project
}

const SETTINGS: &str = "\
auth:
  customers: guests
generate:
  outputs:
    - { template: keys.tera, path: keys.txt, for: project }
    - { template: values.tera, path: values.txt, for: project }
    - { template: extension.tera, path: '{extension}.txt', for: extension }
    - { template: resource.tera, path: '{resource}.txt', for: resource }
";

/// The keys of the page's tables by the words in front of each.
fn documented() -> BTreeMap<String, BTreeSet<String>> {
    let page = fs::read_to_string(checkout().join("docs/guide/templates.md")).expect("the page");
    let (_, page) = page
        .split_once("## Values in a template\n")
        .expect("the part");
    let (page, _) = page.split_once("\n## ").expect("its end");
    let mut tables: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut heading = String::new();
    for line in page.lines() {
        if let Some(words) = line.strip_prefix("### ") {
            heading = words.to_owned();
        }
        let row = line.strip_prefix("| `").filter(|_| !heading.is_empty());
        if let Some((key, _)) = row.and_then(|row| row.split_once("` |")) {
            let keys = key.split("`, `").map(ToOwned::to_owned);
            tables.entry(heading.clone()).or_default().extend(keys);
        }
    }
    tables
}

#[test]
fn data_has_the_facts_of_the_manifests_and_the_guide_lists_its_keys() {
    let project = project();
    let mut printed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in project.read("keys.txt").lines() {
        let Some((table, key)) = line.split_once(": ") else {
            continue;
        };
        let keys = printed.entry(table.to_owned()).or_default();
        keys.insert(key.to_owned());
    }
    assert_eq!(printed, documented());
    let values = project.read("values.txt");
    for fact in FACTS {
        let found = values.lines().any(|line| line == *fact);
        assert!(found, "{fact:?} is not in {values}");
    }
    // Templates of every scope see what `formwork.yaml` says.
    for of in ["everything", "guests"] {
        assert_eq!(project.read(&format!("{of}.txt")), "mega\n");
    }
}

//! A PostgreSQL database: schemas, enums, arrays, uuid keys, views, composite keys, comments.

use crate::database::Scratch;
use crate::report::not_imported;
use formwork_tests::project::Project;

/// The tables of the test, with rows in them.
pub const ERP: &str = include_str!("erp.sql");

/// What no manifest describes, and why.
const NOT_IMPORTED: &[&str] = &[
    "note: far_away: not imported: it has no primary key, and no unique column that is never null",
    "note: house_labels: not imported: it is a view without a column `id` or a unique index, so its rows have no key",
    "note: journal: not imported: it has no primary key, and no unique column that is never null",
    "note: marks: not imported: its key `code` (character(4)) cannot be used: rows hold shorter texts, which PostgreSQL fills up with spaces",
    "note: nights: not imported: its key has 2 columns (guest_id, day), and a resource needs a key of one column",
    "note: other.hidden: not imported: the schema `other` is not on the search path: name the schemas in `database.search_path` of formwork.yaml",
    "note: other.houses: not imported: a schema before `other` on the search path has a table of this name",
    "note: totals: not imported: it is a view without a column `id` or a unique index, so its rows have no key",
    "note: twice: not imported: its key `id` cannot be used: rows share a value of it, or have none",
    "note: without: not imported: its key `id` cannot be used: rows share a value of it, or have none",
];

#[test]
fn tables_of_a_server_become_manifests() {
    let Some(erp) = Scratch::postgres("manifests") else {
        return;
    };
    erp.run(ERP);
    let project = Project::new("bistro");
    let ran = project.run(&["import", "--database-url", erp.url()]);
    let ran = ran.exits(0);
    assert_eq!(not_imported(&ran.output), NOT_IMPORTED, "{}", ran.output);
    ran.says("amenity_room: a pivot")
        .says("write `database: postgres`");
    project
        .run(&["manifest", "check"])
        .exits(0)
        .says("21 resources");
    let file = |path: &str, parts: &[&str]| {
        let text = project.read(&format!("extensions/app/{path}.yaml"));
        parts
            .iter()
            .for_each(|part| assert!(text.contains(part), "{part}\n{text}"));
    };
    let says = |key: &str, parts: &[&str]| file(&format!("resources/{key}"), parts);
    says(
        "houses",
        &[
            "description: Houses of the chain\n",
            "key: { name: id, type: uuid }\n",
            "description: As the sign says\n",
            "type: \"enum(open, shut)\"\n      default: \"open\"\n",
            "rules: \"min:1|max:5\"\n",
            "feeling:\n      type: \"enum(calm, loud, so so)\"\n      storage: native\n",
            "words:\n      type: json\n      storage: native\n      nullable: true\n      rules: { all: array, items: string }\n",
            "items: \"integer|min:-2147483648|max:2147483647\" }\n",
            "# Left out: `grid` (integer[]): a manifest has no arrays of arrays.",
            "# Left out: `place` (point)",
            "# No rule expresses this check; only the database enforces it: (opened > '1945-05-08'::date)",
            "access: read_only\n",
            "has_many: rooms\n",
            "# The database's default: `now()`.\n    seen:\n      type: datetime\n      set_by: database\n",
        ],
    );
    says(
        "rooms",
        &[
            "type: uuid\n",
            "type: \"decimal(8,2)\"\n",
            "# Unique together, enforced only by the database: house_id, label.",
            "area:\n      type: \"decimal(18,4)\"\n      storage: native\n      nullable: true\n      access: read_only\n      set_by: database\n",
            "temper:\n      type: \"enum(calm, loud, so so)\"\n      storage: native\n      default: \"calm\"\n",
            "many_to_many: amenities\n      pivot: amenity_room\n",
        ],
    );
    says(
        "guests",
        &[
            "email:\n      type: text\n      storage: native\n      unique: true\n      rules: email\n",
            "belongs_to: rooms\n",
            "# Left out: `api_key` (text): it looks like a secret, and the database computes its value.",
            "access: hidden\n",
            "store:admin",
        ],
    );
    says(
        "staff",
        &["access: hidden\n      set_by: hook\n", "# No `store`"],
    );
    says(
        "countries",
        &["# No `store`", "requests cannot send: code."],
    );
    says(
        "products",
        &["cost:\n      type: \"decimal(10,2)\"\n      storage: native\n      rules: \"min:0\"\n"],
    );
    says(
        "invoices",
        &[
            "has_many: invoice_items\n      column: invoice_id\n",
            "number:\n      type: integer\n      set_by: database\n      unique: true\n",
            "# No rule expresses this check",
        ],
    );
    says(
        "breakfasts",
        &[
            "# Not a relation, because the foreign key has several columns: guest_id, day to `nights`.",
        ],
    );
    says(
        "users",
        &[
            "table: Users\n  key: Id\n",
            "# Looks like a timestamp that another program sets",
        ],
    );
    says(
        "profiles",
        &[
            "belongs_to: guests\n      column: guest_id\n",
            "# No `store`",
            "rules: \"max:20000\"\n",
            "# Imported as text with a rule, because an enum of a manifest cannot list \"dark, very\".\n    shade:\n      type: \"string(255)\"\n      storage: native\n      nullable: true\n      rules: [\"regex:^(?:light|dark, very)$\"]\n      example: light\n",
            "# Not a relation: the foreign key `UserName` to `Users.UserName`, because that column is not the key of its table.\n",
            "rules: \"in:-1,1,2\"\n",
            "type: \"enum(Admin::User, Guest)\"\n",
        ],
    );
    says(
        "tasks",
        &[
            "belongs_to: users\n      column: user_id\n",
            "room_id:\n      type: bigint\n      nullable: true\n      rules: \"min:-2147483648|max:2147483647\"\n",
        ],
    );
    says(
        "faulties",
        &["# Its rows could not be read: ", "division by zero"],
    );
    says(
        "leases",
        &[
            "# Left out: `until` (timestamp with time zone): the service cannot read its default.\n",
            "# Left out: `paid` (date): rows hold infinity.\n",
            "# Left out: `total` (numeric): rows hold NaN, or numbers of more than 28 digits.\n",
            "# Left out: `share` (numeric(38,30)): rows hold NaN, or numbers of more than 28 digits.\n",
            "# Left out: `shut` (time without time zone): rows hold the time 24:00.\n",
            "    opened:\n      type: date\n",
            "    note:\n      type: \"string(20)\"\n      rules: present\n    title:\n      type: text\n    words:\n",
        ],
    );
    file(
        "models/invoice_items",
        &[
            "key: { name: product_sku, type: \"string(20)\", with: [invoice_id] }\n",
            "# A pivot table with columns of its own: `product_sku` is unique within one `invoice_id`.\n",
            "belongs_to: invoices\n",
            "quantity:\n",
        ],
    );
    says(
        "signs",
        &[
            "key: { name: code, type: \"string(4)\" }\n",
            "# PostgreSQL compares no values of a domain over an enum, so no filter names it.\n    temper:\n",
            "filter:\n  - code\n  - label\n  - weight\n  - height\n  - depth\n",
            "# No rule expresses this check; only the database enforces it: (depth <= ",
        ],
    );
    says(
        "branches",
        &[
            "# The database rounds its numbers to multiples of 10.\n    budget:\n      type: \"decimal(3,0)\"\n",
            "    rate:\n      type: \"decimal(5,5)\"\n",
            "rules: \"min:2|max:8\"\n",
            "# Unique together, enforced only by the database: region, label.\n",
        ],
    );
    says(
        "house_sizes",
        &[
            "# Guessed: `house_id` is never null in this view, and a unique index covers it, so it is the key.\n",
            "key: { name: house_id, type: uuid }\n",
            "actions: [\"index:admin\", \"show:admin\"]\n",
        ],
    );
    says(
        "open_houses",
        &["actions: [\"index:admin\", \"show:admin\"]\n"],
    );
    project.run(&["generate"]).exits(0);
}

#[test]
fn schemas_of_the_search_path_are_read() {
    let Some(erp) = Scratch::postgres("schemas") else {
        return;
    };
    erp.run(ERP);
    let project = Project::new_on("bistro", "postgres");
    project.edit(
        "formwork.yaml",
        "  # search_path: null ",
        "  search_path: other,public #",
    );
    let import = ["import", "--database-url", erp.url()];
    let ran = project.run(&import).exits(0);
    ran.says("public.houses: not imported: a schema before `public` on the search path");
    assert!(project.has("extensions/app/resources/hiddens.yaml"));
    project.run(&[&import[..], &["--check"]].concat()).exits(0);
}

#[test]
fn a_table_that_the_user_may_not_read_is_skipped() {
    let Some(erp) = Scratch::postgres("rights") else {
        return;
    };
    erp.run(ERP);
    let role = format!("import_reader_{}", std::process::id());
    erp.run(&format!(
        "CREATE ROLE {role} LOGIN; GRANT SELECT ON houses, rooms, faulty TO {role}"
    ));
    let (_, host) = erp.url().rsplit_once('@').expect("a user");
    let url = format!("postgres://{role}@{host}");
    let project = Project::new_on("bistro", "postgres");
    let ran = project.run(&["import", "--database-url", &url]);
    erp.run(&format!("DROP OWNED BY {role}; DROP ROLE {role}"));
    let ran = ran.exits(0);
    ran.says("guests: not imported: this user may not read it");
    let rooms = project.read("extensions/app/resources/rooms.yaml");
    assert!(rooms.contains("belongs_to: houses"), "{rooms}");
}
